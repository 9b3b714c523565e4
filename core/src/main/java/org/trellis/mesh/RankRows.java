package org.trellis.mesh;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.mesh.device.ScalarType;

/**
 * Declares maps and data of which each rank brings some rows, so that no rank has to have all of them:
 *
 * <pre>{@code
 * MeshSet nodes = mesh.set("nodes", 1_000_000);               // sizes are those of the whole sets
 * MeshSet edges = mesh.set("edges", 2_998_000);
 * RankRows rows = RankRows.of(mesh);
 * int[] mine = rows.block(edges);                             // or any others, such as what a file's share has
 * MeshMap ends = rows.map("ends", edges, nodes, 2, mine, endsOf(mine));
 * Dat length = rows.dat("length", edges, 1, Precision.F64, mine, lengthsOf(mine));
 * }</pre>
 *
 * <p>Elements and targets are those of the user's numbering of the whole sets. Every element's row has to come from one
 * rank, whichever: that is found out when the mesh is divided ({@link Mesh#divide}), and one that no rank or two ranks
 * have brought is refused there. Ranks make the same calls in the same order, but with rows of their own; maps and dats
 * that are declared as usual may be beside them. A dat's values can be taken and given as usual, which divides the
 * mesh before.
 *
 * <p>On one rank, and on a mesh without ranks, all rows are brought by that rank; a mesh without ranks is then as if
 * they had been declared whole. Sets of a mesh with brought rows stay in the user's order, and it has no checkpoints.
 */
public final class RankRows {
    private final Mesh mesh;

    private RankRows(Mesh mesh) {
        this.mesh = mesh;
    }

    /**
     * Begins to declare rows.
     *
     * @param mesh a mesh that has not been divided
     * @return what declares in it
     * @throws IllegalArgumentException if the mesh is over ranks and has checkpoints
     */
    public static RankRows of(Mesh mesh) {
        if (mesh.ranks().isPresent() && mesh.options().checkpoints().isPresent()) {
            throw new IllegalArgumentException("rows that ranks bring to a mesh with checkpoints, which compare what "
                    + "has been declared as a whole; expected a mesh without");
        }
        return new RankRows(mesh);
    }

    private int rank() {
        return mesh.ranks().map(MeshRanks::rank).orElse(0);
    }

    private int ranks() {
        return mesh.ranks().map(MeshRanks::ranks).orElse(1);
    }

    /**
     * Returns a block of a set: of as many blocks of consecutive elements as there are ranks, all about as large, the
     * one that has this rank's number.
     *
     * @param set a set
     * @return the user's numbers of its elements, rising
     */
    public int[] block(MeshSet set) {
        return IntStream.range(first(set.size(), rank()), first(set.size(), rank() + 1)).toArray();
    }

    private int first(int size, int rank) {
        return (int) Math.ceilDiv((long) rank * size, (long) ranks());
    }

    /**
     * Declares a map whose elements have the same number of entries.
     *
     * @param name     for messages; no other map has it
     * @param from     the set whose elements have entries
     * @param to       the set that they lead to
     * @param arity    entries of an element, at least 1
     * @param elements the elements of {@code from} whose rows this rank brings; not copied
     * @param targets  their targets, row after row; not copied
     * @return the map
     * @throws IllegalArgumentException if numbers do not fit, an element or target is out of range or an element is
     *                                  there twice; names rank and place
     * @throws IllegalStateException    if the mesh has been divided, or is closed
     */
    public MeshMap map(String name, MeshSet from, MeshSet to, int arity, int[] elements, int[] targets) {
        Checks.positive("arity of map '" + name + "'", arity);
        Checks.length("number of targets of map '" + name + "' with " + arity + " entries for each of "
                + elements.length + " elements of rank " + rank(), targets.length, (long) arity * elements.length);
        return map(name, from, to, arity, new ContributedRows(elements, null, targets));
    }

    /**
     * Declares a map whose elements have different numbers of entries.
     *
     * @param name     for messages; no other map has it
     * @param from     the set whose elements have entries
     * @param to       the set that they lead to
     * @param elements the elements of {@code from} whose rows this rank brings; not copied
     * @param offsets  where the row of each of them starts, and the number of targets; not copied
     * @param targets  row after row; not copied
     * @return the map, of arity {@link MeshMap#VARIABLE}
     * @throws IllegalArgumentException if numbers do not fit, an element or target is out of range or an element is
     *                                  there twice; names rank and place
     * @throws IllegalStateException    if the mesh has been divided, or is closed
     */
    public MeshMap map(String name, MeshSet from, MeshSet to, int[] elements, int[] offsets, int[] targets) {
        Checks.length("number of row offsets of map '" + name + "' for " + elements.length + " elements of rank "
                + rank(), offsets.length, elements.length + 1L);
        if (offsets[0] != 0 || offsets[elements.length] != targets.length) {
            throw new IllegalArgumentException("row offsets of map '" + name + "' on rank " + rank() + " run from "
                    + offsets[0] + " to " + offsets[elements.length] + ", expected 0 to " + targets.length
                    + " (the number of targets)");
        }
        for (int row = 0; row < elements.length; row++) {
            if (offsets[row + 1] < offsets[row]) {
                throw new IllegalArgumentException("row offset " + (row + 1) + " of map '" + name + "' on rank "
                        + rank() + " is " + offsets[row + 1] + ", expected at least " + offsets[row]);
            }
        }
        return map(name, from, to, MeshMap.VARIABLE, new ContributedRows(elements, offsets, targets));
    }

    private MeshMap map(String name, MeshSet from, MeshSet to, int arity, ContributedRows rows) {
        String what = "map '" + name + "'";
        mesh.declarations().requireOwn(from, what);
        mesh.declarations().requireOwn(to, what);
        requireElements(what, from, rows.elements());
        for (int row = 0; row < rows.elements().length; row++) {
            for (int p = rows.start(row, arity); p < rows.start(row + 1, arity); p++) {
                if (rows.targets()[p] < 0 || rows.targets()[p] >= to.size()) {
                    throw new IllegalArgumentException(what + " leads from element " + rows.elements()[row]
                            + " of set '" + from.name() + "', entry " + (p - rows.start(row, arity))
                            + ", brought by rank " + rank()
                            + ", to " + rows.targets()[p] + ", expected 0 to " + (to.size() - 1) + " (set '" + to.name()
                            + "')");
                }
            }
        }
        if (mesh.ranks().isEmpty()) {
            return whole(name, from, to, arity, rows);
        }
        return mesh.declarations().add(MeshMap.brought(name, from, to, arity, rows));
    }

    /** Puts all rows in the order of their elements. */
    private MeshMap whole(String name, MeshSet from, MeshSet to, int arity, ContributedRows rows) {
        int[] rowOf = places("map '" + name + "'", from, rows.elements());
        int[] offsets = new int[from.size() + 1];
        for (int e = 0; e < rowOf.length; e++) {
            offsets[e + 1] = offsets[e] + rows.start(rowOf[e] + 1, arity) - rows.start(rowOf[e], arity);
        }
        int[] targets = new int[rows.targets().length];
        for (int e = 0; e < rowOf.length; e++) {
            System.arraycopy(rows.targets(), rows.start(rowOf[e], arity), targets, offsets[e],
                    offsets[e + 1] - offsets[e]);
        }
        return arity == MeshMap.VARIABLE
                ? mesh.map(name, from, to, offsets, targets)
                : mesh.map(name, from, to, arity, targets);
    }

    /**
     * Declares a dat of real numbers.
     *
     * @param name       for messages; no other dat has it
     * @param set        the set that it is on
     * @param components values of an element, at least 1
     * @param precision  their precision
     * @param elements   the elements whose values this rank brings; not copied
     * @param values     their values, components side by side; not copied, rounded to nearest in single precision
     * @return the dat, in the layout of the mesh's options
     * @throws IllegalArgumentException if numbers do not fit, or an element is out of range or there twice; names rank
     *                                  and place
     * @throws IllegalStateException    if the mesh has been divided, or is closed
     */
    public Dat dat(String name, MeshSet set, int components, Precision precision, int[] elements, double[] values) {
        return dat(name, set, components, ScalarType.of(precision), new ContributedValues(elements, values));
    }

    /**
     * Declares a dat of whole numbers.
     *
     * @param name       for messages; no other dat has it
     * @param set        the set that it is on
     * @param components values of an element, at least 1
     * @param elements   the elements whose values this rank brings; not copied
     * @param values     their values, components side by side
     * @return the dat, in the layout of the mesh's options
     * @throws IllegalArgumentException if numbers do not fit, or an element is out of range or there twice; names rank
     *                                  and place
     * @throws IllegalStateException    if the mesh has been divided, or is closed
     */
    public Dat intDat(String name, MeshSet set, int components, int[] elements, int[] values) {
        return dat(name, set, components, ScalarType.INT,
                new ContributedValues(elements, Arrays.stream(values).asDoubleStream().toArray()));
    }

    private Dat dat(String name, MeshSet set, int components, ScalarType type, ContributedValues brought) {
        String what = "dat '" + name + "'";
        mesh.declarations().requireOwn(set, what);
        mesh.division().requireWhole(what + " with rows of ranks");
        Checks.length("number of values for " + what + " of " + components + " components on "
                + brought.elements().length + " elements of rank " + rank(), brought.values().length,
                (long) brought.elements().length * Checks.positive("number of components of " + what, components));
        requireElements(what, set, brought.elements());
        if (mesh.ranks().isPresent()) {
            return mesh.declarations().dat(name, set, components, type).brought(brought);
        }
        int[] places = places(what, set, brought.elements());
        double[] values = new double[brought.values().length];
        for (int e = 0; e < places.length; e++) {
            System.arraycopy(brought.values(), places[e] * components, values, e * components, components);
        }
        return mesh.declarations().dat(name, set, components, type).setAll(values);
    }

    private void requireElements(String what, MeshSet set, int... elements) {
        if (mesh.ranks().isPresent() && !set.inUserOrder()) {
            throw new IllegalArgumentException("rows of " + what + " that ranks bring, on " + set
                    + ", which has been renumbered; expected a set in the user's order");
        }
        BitSet seen = new BitSet();
        for (int row = 0; row < elements.length; row++) {
            if (elements[row] < 0 || elements[row] >= set.size()) {
                throw new IllegalArgumentException("row " + row + " of " + what + " on rank " + rank()
                        + " is of element " + elements[row] + ", expected 0 to " + (set.size() - 1) + " (set '"
                        + set.name() + "')");
            }
            if (seen.get(elements[row])) {
                throw new IllegalArgumentException("rank " + rank() + " brings element " + elements[row] + " of "
                        + what + " twice, expected each element once");
            }
            seen.set(elements[row]);
        }
    }

    /** Returns the row of each element, all of which there have to be. */
    private static int[] places(String what, MeshSet set, int... elements) {
        int[] places = new int[set.size()];
        Arrays.fill(places, -1);
        for (int row = 0; row < elements.length; row++) {
            places[elements[row]] = row;
        }
        for (int e = 0; e < places.length; e++) {
            if (places[e] < 0) {
                throw new IllegalArgumentException("element " + e + " of set '" + set.name() + "' has no row of " + what
                        + ", expected a row for each of its " + set.size() + " elements");
            }
        }
        return places;
    }

}
