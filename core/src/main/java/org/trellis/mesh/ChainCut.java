package org.trellis.mesh;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.Tiling;

/**
 * Steps of a chain between two places where it has to be cut. Tiles of loops that read a global or scalars which the
 * chain changes before cannot begin before that is done.
 *
 * @param places where the steps are in the chain
 * @param tiled  whether they may run in tiles
 */
record ChainCut(List<Integer> places, boolean tiled) {
    ChainCut {
        places = List.copyOf(places);
    }

    /** Cuts a chain, of which some steps are left out. */
    static List<ChainCut> of(Mesh mesh, ChainOptions options, List<Step> steps, boolean... left) {
        List<ChainCut> cuts = new ArrayList<>();
        List<Integer> places = new ArrayList<>();
        Set<Object> changed = new HashSet<>();
        boolean tiled = false;
        for (int i = 0; i < steps.size(); i++) {
            if (left[i]) {
                continue;
            }
            boolean may = options.tiling() != Tiling.NONE && mayTile(mesh, steps.get(i), options);
            if (!places.isEmpty() && (may != tiled || (tiled && reads(steps.get(i), changed)))) {
                cuts.add(new ChainCut(places, tiled));
                places.clear();
                changed.clear();
            }
            tiled = may;
            places.add(i);
            addChanges(steps.get(i), changed);
        }
        if (!places.isEmpty()) {
            cuts.add(new ChainCut(places, tiled));
        }
        return cuts;
    }

    /** Returns the loops of some steps that are going to run in tiles, chain by chain. */
    static List<List<LoopDeclaration>> tiled(Mesh mesh, ChainOptions options, List<Step> steps) {
        List<List<LoopDeclaration>> found = new ArrayList<>();
        for (ChainCut cut : of(mesh, options, steps, DeadSteps.of(steps))) {
            if (cut.tiled()) {
                found.add(cut.places().stream().map(steps::get).filter(LoopStep.class::isInstance)
                        .map(step -> ((LoopStep) step).loop().declaration()).toList());
            }
        }
        return found;
    }

    private static boolean mayTile(Mesh mesh, Step step, ChainOptions options) {
        if (!(step instanceof LoopStep loop)) {
            return true;
        }
        LoopDeclaration declaration = loop.loop().declaration();
        if (!loop.isWhole() || (declaration.set().inParts() && !mesh.division().ranked())) {
            return false;
        }
        for (int a = 0; options.tiling() == Tiling.REDUNDANT && a < declaration.arity(); a++) {
            // Tiles with copies give dats other memory, which a view of the old would not follow.
            if (declaration.dat(a) != null && declaration.dat(a).isExposed()) {
                return false;
            }
        }
        return true;
    }

    /** What a value is known by: scalars of one declaration are not distinguished. */
    private static Object value(LoopArgument argument) {
        return argument instanceof Scalar scalar ? scalar.scalars() : argument;
    }

    private static boolean reads(Step step, Set<Object> changed) {
        if (step instanceof LoopStep loop && !changed.isEmpty()) {
            LoopDeclaration declaration = loop.loop().declaration();
            for (int a = 0; a < declaration.arity(); a++) {
                if (!declaration.access(a).writes() && changed.contains(value(declaration.argument(a)))) {
                    return true;
                }
            }
        }
        return false;
    }

    private static void addChanges(Step step, Set<Object> changed) {
        if (step instanceof SetStep set) {
            changed.add(set.global());
        } else if (step instanceof LoopStep loop) {
            LoopDeclaration declaration = loop.loop().declaration();
            for (int a = 0; a < declaration.arity(); a++) {
                if (declaration.access(a).reduces()) {
                    changed.add(value(declaration.argument(a)));
                }
            }
        }
    }
}
