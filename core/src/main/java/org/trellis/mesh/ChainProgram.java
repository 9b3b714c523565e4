package org.trellis.mesh;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.ChainReport;
import org.trellis.mesh.loop.Tiling;

/**
 * A chain of steps that has been looked at: what can be left out, which loops can run as one and which in tiles. Tiles
 * of loops that read a global or scalars which the chain changes before cannot begin before that is done: there the
 * chain is cut.
 */
final class ChainProgram {
    private final List<ChainPiece> pieces = new ArrayList<>();
    private final int dead;

    ChainProgram(Mesh mesh, ChainOptions options, List<NotedStep> noted) {
        List<Step> steps = noted.stream().map(NotedStep::step).toList();
        boolean[] left = DeadSteps.of(steps);
        List<Integer> places = new ArrayList<>();
        Set<Object> changed = new HashSet<>();
        int loopsLeftOut = 0;
        boolean tiled = false;
        for (int i = 0; i < steps.size(); i++) {
            if (left[i]) {
                loopsLeftOut += steps.get(i) instanceof LoopStep ? 1 : 0;
                continue;
            }
            boolean may = options.tiling() != Tiling.NONE && mayTile(mesh, steps.get(i), options);
            if (!places.isEmpty() && (may != tiled || (tiled && reads(steps.get(i), changed)))) {
                pieces.add(TrialPiece.of(mesh, options, steps, places, tiled));
                places.clear();
                changed.clear();
            }
            tiled = may;
            places.add(i);
            addChanges(steps.get(i), changed);
        }
        if (!places.isEmpty()) {
            pieces.add(TrialPiece.of(mesh, options, steps, places, tiled));
        }
        this.dead = loopsLeftOut;
    }

    private static boolean mayTile(Mesh mesh, Step step, ChainOptions options) {
        if (!(step instanceof LoopStep loop)) {
            return true;
        }
        LoopDeclaration declaration = loop.loop().declaration();
        if (mesh.division().ranked() || !loop.isWhole() || declaration.set().inParts()) {
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

    /** What a value is known by: scalars of one declaration are not told apart. */
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

    /** Runs the chain, with the values that globals are set to this time. */
    void run(List<NotedStep> noted) {
        for (int i = 0; i < pieces.size(); i++) {
            pieces.get(i).run(noted);
        }
    }

    List<ChainReport> reports() {
        return pieces.stream().map(piece -> piece.report(dead)).toList();
    }

    void release() {
        pieces.forEach(ChainPiece::release);
    }
}
