package org.trellis.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.kernel.LoopKernel;
import org.trellis.mesh.order.FirstFit;

/**
 * The elements of a set in colours, such that no two of one colour are neighbours, for computations in which an
 * element reads what its
 * neighbours have become, and not what they were: smoothing of vertices, Gauss-Seidel iterations. A loop for each
 * colour
 * writes its elements and reads their neighbours through a map of variable arity; the colours run one after the
 * other, and
 * elements of one colour at once.
 *
 * <pre>{@code
 * ColourSweep sweep = ColourSweep.of("moving", neighbours, classes);
 * LoopSequence smooth = sweep.sequence("smooth", KernelsLoops.MOVE,
 *         colour -> new LoopArgument[]{x.at(colour.own(), 0), x.at(colour.around())});
 * smooth.run();
 * }</pre>
 *
 * <p>First-fit colours in the user's numbering, so that they depend neither on backends nor on the numbering inside.
 * The sets
 * and maps of the colours belong to the mesh. A change of the mesh has to give their sizes and targets like those of
 * others.
 */
public final class ColourSweep {
    /** The class of elements that no colour takes. */
    public static final int LEFT_OUT = -1;

    private static final int GRAIN = 2048;

    private final MeshMap neighbours;
    private final List<ColourSet> colours;

    private ColourSweep(MeshMap neighbours, List<ColourSet> colours) {
        this.neighbours = neighbours;
        this.colours = List.copyOf(colours);
    }

    /** The elements of a colour. */
    public static final class ColourSet {
        private final MeshSet set;
        private final MeshMap own;
        private final MeshMap neighbours;
        private final int[] offsets;
        private final int[] targets;
        private final int[] members;
        /** What the map of neighbours had when it was coloured. */
        private final MapTargets declared;
        private MeshMap around;

        private ColourSet(String name, MeshMap neighbours, int[] offsets, int[] targets, int[] members) {
            this.neighbours = neighbours;
            this.offsets = offsets;
            this.targets = targets;
            this.members = members;
            set = neighbours.from().mesh().set(name, members.length);
            Mesh mesh = neighbours.from().mesh();
            own = mesh.map(name + "-own", set, neighbours.from(), 1, members);
            declared = neighbours.targets();
            if (mesh.division().ranked()) {
                // Ranks share out what has been declared when the first loop runs.
                around();
            }
        }

        /**
         * Returns the set of the colour.
         *
         * @return a set of as many elements as have the colour
         */
        public MeshSet set() {
            return set;
        }

        /**
         * Returns the map to the elements that have the colour.
         *
         * @return leads from each to the one that it stands for
         */
        public MeshMap own() {
            return own;
        }

        /**
         * Returns the map to the neighbours of these, which is declared when it is first asked for.
         *
         * @return leads to the neighbours, with variable arity
         * @throws IllegalStateException if it is asked for first when the mesh is closed or being changed, or
         *                               neighbours have become others
         */
        public MeshMap around() {
            if (around == null) {
                if (neighbours.targets() != declared && !(Arrays.equals(neighbours.rowOffsets(), offsets)
                        && Arrays.equals(neighbours.toArray(), targets))) {
                    throw new IllegalStateException(neighbours + " has changed since it was coloured, expected the"
                            + " neighbours of " + this + " to be asked for before");
                }
                around = rows(set.name() + "-around", offsets, targets);
            }
            return around;
        }

        /**
         * Declares a map from the elements of the colour to other elements of the whole set, or to some of them more
         * than once.
         *
         * @param name    the name of the map
         * @param starts  where the targets of each element of the whole set start in a list, and its length
         * @param entries the list, in the user's numbering
         * @return a map of variable arity with the rows of those that have the colour
         * @throws IllegalArgumentException if starts or entries do not fit
         */
        public MeshMap rows(String name, int[] starts, int[] entries) {
            Checks.length("number of starts of rows", starts.length, neighbours.from().size() + 1L);
            int wrong = ParallelRanges.first(starts.length - 1, GRAIN,
                    e -> starts[e] < 0 || starts[e + 1] < starts[e] || starts[e + 1] > entries.length);
            if (wrong >= 0) {
                throw new IllegalArgumentException("row " + wrong + " of map '" + name + "' runs from "
                        + starts[wrong] + " to " + starts[wrong + 1] + ", expected an ascending range within 0 to "
                        + entries.length);
            }
            int[] rows = new int[members.length + 1];
            for (int i = 0; i < members.length; i++) {
                rows[i + 1] = rows[i] + starts[members[i] + 1] - starts[members[i]];
            }
            int[] chosen = new int[rows[members.length]];
            ParallelRanges.run(members.length, GRAIN, (from, to) -> {
                for (int i = from; i < to; i++) {
                    System.arraycopy(entries, starts[members[i]], chosen, rows[i], rows[i + 1] - rows[i]);
                }
            });
            return set.mesh().map(name, set, neighbours.from(), rows, chosen);
        }

        /**
         * Lists the elements that have the colour.
         *
         * @return their numbers in the user's numbering, ascending; a copy
         */
        public int[] members() {
            return members.clone();
        }

        @Override
        public String toString() {
            return "colour " + set;
        }
    }

    /**
     * Colours all elements of a set.
     *
     * @param name       begins the names of the sets and maps
     * @param neighbours a map of variable arity from the set to itself; in both directions, as neighbours are
     * @return the colours
     * @throws IllegalArgumentException if the map leads elsewhere, to an element itself, or not back
     */
    public static ColourSweep of(String name, MeshMap neighbours) {
        return of(name, neighbours, new int[neighbours.from().size()]);
    }

    /**
     * Colours the elements of a set class by class: those of a class have colours of their own, after those of lower
     * classes, so
     * that one loop may treat a class in its own way.
     *
     * @param name       begins the names of the sets and maps
     * @param neighbours a map of variable arity from the set to itself; in both directions, as neighbours are
     * @param classes    the class of each element in the user's order, from 0; {@link #LEFT_OUT} for none
     * @return the colours
     * @throws IllegalArgumentException if the map leads elsewhere, to an element itself, or not back, or a class is
     *                                  missing
     */
    public static ColourSweep of(String name, MeshMap neighbours, int[] classes) {
        return new Factory(name, neighbours, classes.length, "classes").sweep(
                factory -> colours(factory.offsets, factory.targets, classes));
    }

    /**
     * Takes colours that are known, such as those of {@link #colours}, which is checked for all elements at once.
     *
     * @param name       begins the names of the sets and maps
     * @param neighbours a map of variable arity from the set to itself; in both directions, as neighbours are
     * @param colours    the colour of each element in the user's order, from 0; {@link #LEFT_OUT} for none
     * @return the colours, as they were given
     * @throws IllegalArgumentException if the map leads elsewhere, to an element itself, or not back, or neighbours
     *                                  have one colour, or no element has a colour below another's
     */
    public static ColourSweep withColours(String name, MeshMap neighbours, int[] colours) {
        return new Factory(name, neighbours, colours.length, "colours").sweep(factory -> {
            factory.checkColours(colours);
            return colours;
        });
    }

    /** Checks neighbours and makes the sets of colours. */
    private static final class Factory {
        private final String name;
        private final MeshMap neighbours;
        private final int[] offsets;
        private final int[] targets;

        Factory(String name, MeshMap neighbours, int length, String what) {
            MeshSet set = neighbours.from();
            if (!set.equals(neighbours.to()) || neighbours.arity() != MeshMap.VARIABLE) {
                throw new IllegalArgumentException(
                        neighbours + ", expected a map with variable arity from a set to itself");
            }
            Checks.length("number of " + what, length, set.size());
            this.name = name;
            this.neighbours = neighbours;
            offsets = neighbours.rowOffsets();
            targets = neighbours.toArray();
            checkSymmetry(neighbours, offsets, targets);
        }

        void checkColours(int[] colours) {
            int wrong = ParallelRanges.first(colours.length, GRAIN, e -> sameColour(e, colours) >= 0);
            if (wrong >= 0) {
                throw new IllegalArgumentException(neighbours + " joins the elements " + wrong + " and "
                        + sameColour(wrong, colours) + ", which have the colour " + colours[wrong]
                        + ", expected different ones");
            }
        }

        /** Returns a neighbour that has the colour of an element, or -1. */
        private int sameColour(int element, int[] colours) {
            for (int p = offsets[element]; p < offsets[element + 1]; p++) {
                if (colours[element] >= 0 && colours[targets[p]] == colours[element]) {
                    return targets[p];
                }
            }
            return -1;
        }

        ColourSweep sweep(Function<Factory, int[]> choice) {
            int[][] members = members(choice.apply(this));
            List<ColourSet> sets = new ArrayList<>();
            for (int colour = 0; colour < members.length; colour++) {
                if (members[colour].length == 0) {
                    throw new IllegalArgumentException("no element of " + neighbours.from() + " has the colour "
                            + colour + ", expected all colours from 0 to " + (members.length - 1));
                }
                sets.add(new ColourSet(name + "-" + colour, neighbours, offsets, targets, members[colour]));
            }
            return new ColourSweep(neighbours, sets);
        }
    }

    /**
     * Returns the colours that {@link #of(String, MeshMap, int[])} gives. A set whose elements are numbered by colours,
     * in the old order within each, has the same colours again, and those of a colour lie side by side, which saves
     * devices a look-up. Elements are coloured by several threads; the result does not depend on them.
     *
     * @param offsets    where the neighbours of each element start, and the length of the list
     * @param neighbours of all elements
     * @param classes    the class of each element, from 0; {@link #LEFT_OUT} for none
     * @return a colour for each element, those of lower classes first; {@link #LEFT_OUT} where there is no class
     */
    public static int[] colours(int[] offsets, int[] neighbours, int[] classes) {
        return FirstFit.colours(offsets, neighbours, classes,
                (count, task) -> ParallelRanges.run(count, 1, task));
    }

    private static void checkSymmetry(MeshMap map, int[] offsets, int[] targets) {
        int wrong = ParallelRanges.first(offsets.length - 1, GRAIN, e -> !isMutual(e, offsets, targets));
        for (int p = wrong < 0 ? 0 : offsets[wrong]; wrong >= 0 && p < offsets[wrong + 1]; p++) {
            boolean back = leadsTo(targets[p], wrong, offsets, targets);
            if (targets[p] == wrong || !back) {
                throw new IllegalArgumentException(map + " leads from element " + wrong + " to " + targets[p]
                        + (back ? ", expected other elements" : " but not back, expected neighbours"));
            }
        }
    }

    private static boolean isMutual(int element, int[] offsets, int[] targets) {
        for (int p = offsets[element]; p < offsets[element + 1]; p++) {
            if (targets[p] == element || !leadsTo(targets[p], element, offsets, targets)) {
                return false;
            }
        }
        return true;
    }

    private static boolean leadsTo(int from, int to, int[] offsets, int[] targets) {
        for (int p = offsets[from]; p < offsets[from + 1]; p++) {
            if (targets[p] == to) {
                return true;
            }
        }
        return false;
    }

    /** Returns the elements of each colour, in ascending order. */
    private static int[][] members(int[] colours) {
        int[] counts = new int[Arrays.stream(colours).max().orElse(LEFT_OUT) + 1];
        for (int colour : colours) {
            if (colour >= 0) {
                counts[colour]++;
            }
        }
        int[][] members = new int[counts.length][];
        Arrays.setAll(members, colour -> new int[counts[colour]]);
        for (int e = colours.length - 1; e >= 0; e--) {
            if (colours[e] >= 0) {
                members[colours[e]][--counts[colours[e]]] = e;
            }
        }
        return members;
    }

    /**
     * Returns the colours, in the order in which they run.
     *
     * @return at least one unless no element has a class
     */
    public List<ColourSet> colours() {
        return colours;
    }

    /**
     * Declares a loop for each colour and runs them one after the other.
     *
     * @param name      the name of the sequence
     * @param kernel    what is done with an element
     * @param arguments gives the loop's arguments for a colour; a dat may be written through {@link ColourSet#own} and
     *                  read through {@link ColourSet#around}
     * @return the sequence
     * @throws IllegalArgumentException if the arguments do not fit the kernel, or there are no colours
     */
    public LoopSequence sequence(String name, LoopKernel kernel, Function<ColourSet, LoopArgument[]> arguments) {
        return sequence(name, colour -> kernel, arguments);
    }

    /**
     * Declares a loop for each colour, with a kernel of its own, and runs them one after the other.
     *
     * @param name      the name of the sequence
     * @param kernels   gives the kernel for a colour
     * @param arguments gives the loop's arguments for a colour
     * @return the sequence
     * @throws IllegalArgumentException if the arguments do not fit the kernels, or there are no colours
     */
    public LoopSequence sequence(String name, Function<ColourSet, LoopKernel> kernels,
            Function<ColourSet, LoopArgument[]> arguments) {
        LoopSequence.Builder sequence = neighbours.from().mesh().sequence(name);
        loops(kernels, arguments).forEach(sequence::run);
        return sequence.build();
    }

    /**
     * Declares a loop for each colour, with a kernel of its own.
     *
     * @param kernels   gives the kernel for a colour
     * @param arguments gives the loop's arguments for a colour
     * @return the loops, in the order in which they are to run
     * @throws IllegalArgumentException if the arguments do not fit the kernels
     */
    public List<ParallelLoop> loops(Function<ColourSet, LoopKernel> kernels,
            Function<ColourSet, LoopArgument[]> arguments) {
        Mesh mesh = neighbours.from().mesh();
        List<ParallelLoop> loops = new ArrayList<>();
        for (ColourSet colour : colours) {
            loops.add(mesh.loop(kernels.apply(colour), colour.set(), arguments.apply(colour)));
        }
        return loops;
    }

    @Override
    public String toString() {
        return colours.size() + " colours of " + neighbours.from();
    }
}
