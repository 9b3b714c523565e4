package org.trellis.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.trellis.common.Checks;
import org.trellis.kernel.LoopKernel;

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

    private final MeshMap neighbours;
    private final List<ColourSet> colours;

    private ColourSweep(MeshMap neighbours, List<ColourSet> colours) {
        this.neighbours = neighbours;
        this.colours = List.copyOf(colours);
    }

    /**
     * The elements of a colour.
     *
     * @param set    a set of as many elements
     * @param own    leads from each to the one that it stands for
     * @param around leads to the neighbours of that, with variable arity
     */
    public record ColourSet(MeshSet set, MeshMap own, MeshMap around) {}

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
        MeshSet set = neighbours.from();
        if (!set.equals(neighbours.to()) || neighbours.arity() != MeshMap.VARIABLE) {
            throw new IllegalArgumentException(
                    neighbours + ", expected a map with variable arity from a set to itself");
        }
        Checks.length("number of classes", classes.length, set.size());
        int[] offsets = neighbours.rowOffsets();
        int[] targets = neighbours.toArray();
        checkSymmetry(neighbours, offsets, targets);
        int[] colours = colours(offsets, targets, classes);
        int count = Arrays.stream(colours).max().orElse(LEFT_OUT) + 1;
        List<ColourSet> sets = new ArrayList<>();
        for (int colour = 0; colour < count; colour++) {
            sets.add(declare(name + "-" + colour, neighbours, offsets, targets, members(colours, colour)));
        }
        return new ColourSweep(neighbours, sets);
    }

    /**
     * Returns the colours that {@link #of(String, MeshMap, int[])} gives. A set whose elements are numbered by colours,
     * in the old order within each, has the same colours again, and those of a colour lie side by side, which saves
     * devices a look-up.
     *
     * @param offsets    where the neighbours of each element start, and the length of the list
     * @param neighbours of all elements
     * @param classes    the class of each element, from 0; {@link #LEFT_OUT} for none
     * @return a colour for each element, those of lower classes first; {@link #LEFT_OUT} where there is no class
     */
    public static int[] colours(int[] offsets, int[] neighbours, int[] classes) {
        int[] colours = new int[classes.length];
        Arrays.fill(colours, LEFT_OUT);
        int count = 0;
        for (int wanted = 0; wanted <= Arrays.stream(classes).max().orElse(LEFT_OUT); wanted++) {
            count = colour(wanted, classes, offsets, neighbours, colours, count);
        }
        return colours;
    }

    private static void checkSymmetry(MeshMap map, int[] offsets, int[] targets) {
        for (int e = 0; e + 1 < offsets.length; e++) {
            for (int p = offsets[e]; p < offsets[e + 1]; p++) {
                boolean back = false;
                for (int q = offsets[targets[p]]; q < offsets[targets[p] + 1]; q++) {
                    back |= targets[q] == e;
                }
                if (targets[p] == e || !back) {
                    throw new IllegalArgumentException(map + " leads from element " + e + " to " + targets[p]
                            + (back ? ", expected other elements" : " but not back, expected neighbours"));
                }
            }
        }
    }

    /** Gives first-fit colours from {@code base} on to a class; returns the next colour. */
    private static int colour(int wanted, int[] classes, int[] offsets, int[] targets, int[] colours, int base) {
        int next = base;
        boolean[] taken = new boolean[16];
        for (int e = 0; e < classes.length; e++) {
            if (classes[e] == wanted) {
                int room = offsets[e + 1] - offsets[e] + 1;
                taken = room > taken.length ? new boolean[2 * room] : taken;
                Arrays.fill(taken, 0, room, false);
                for (int p = offsets[e]; p < offsets[e + 1]; p++) {
                    int colour = colours[targets[p]] - base;
                    if (colour >= 0 && colour < room) {
                        taken[colour] = true;
                    }
                }
                int free = 0;
                while (taken[free]) {
                    free++;
                }
                colours[e] = base + free;
                next = Math.max(next, base + free + 1);
            }
        }
        return next;
    }

    private static int[] members(int[] colours, int colour) {
        int count = 0;
        int[] members = new int[colours.length];
        for (int e = 0; e < colours.length; e++) {
            if (colours[e] == colour) {
                members[count++] = e;
            }
        }
        return Arrays.copyOf(members, count);
    }

    private static ColourSet declare(String name, MeshMap map, int[] offsets, int[] targets, int[] members) {
        int[] starts = new int[members.length + 1];
        for (int i = 0; i < members.length; i++) {
            starts[i + 1] = starts[i] + offsets[members[i] + 1] - offsets[members[i]];
        }
        int[] around = new int[starts[members.length]];
        for (int i = 0; i < members.length; i++) {
            System.arraycopy(targets, offsets[members[i]], around, starts[i], starts[i + 1] - starts[i]);
        }
        Mesh mesh = map.from().mesh();
        MeshSet set = mesh.set(name, members.length);
        return new ColourSet(set, mesh.map(name + "-own", set, map.from(), 1, members),
                mesh.map(name + "-around", set, map.from(), starts, around));
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
