package org.trellis.fem;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;

/**
 * The order of the unknowns in vectors: free ones first, in the order of the nodes, then constrained ones. So a vector
 * of the system is the beginning of one with all unknowns. Over ranks numbers are those of the whole, and the vectors
 * of a rank have what it owns.
 */
public final class Unknowns {
    private static final int NODES_PER_TASK = 1 << 14;
    /** Nodes that are numbered by one call, of which there are many, so that the JVM compiles it soon. */
    private static final int BLOCK = 1 << 9;

    private final Constraints constraints;
    private final int[] places;
    private final int free;
    /** Made when they are asked for. */
    private int[] ofCells;
    /** What this rank has of them, or null on one rank. */
    private LocalFormSpace share;

    Unknowns(Constraints constraints) {
        this.constraints = constraints;
        places = new int[Checks.arrayLength("unknowns",
                (long) constraints.space().nodes() * constraints.fields())];
        free = number();
    }

    /** Takes an order: places from 0, those of free unknowns first. */
    Unknowns(Constraints constraints, int[] places, int free) {
        this.constraints = constraints;
        this.places = places;
        this.free = free;
    }

    /** Says that these are the unknowns of all ranks, and what this one has of them. */
    Unknowns over(LocalFormSpace mine) {
        share = mine;
        return this;
    }

    /** Returns what this rank has of them; null on one rank. */
    LocalFormSpace share() {
        return share;
    }

    /** Numbers free unknowns, then constrained ones, block by block; returns how many are free. */
    private int number() {
        int blocks = Math.ceilDiv(places.length, BLOCK);
        int[] before = new int[blocks + 1];
        ParallelRanges.run(blocks, NODES_PER_TASK / BLOCK, (from, to) -> {
            for (int block = from; block < to; block++) {
                before[block + 1] = free(block * BLOCK, end(block));
            }
        });
        ParallelRanges.accumulate(before);
        ParallelRanges.run(blocks, NODES_PER_TASK / BLOCK, (from, to) -> {
            for (int block = from; block < to; block++) {
                place(block * BLOCK, end(block), before[block], before[blocks]);
            }
        });
        return before[blocks];
    }

    /** The first unknown behind a block. */
    private int end(int block) {
        return (int) Math.min(places.length, (block + 1L) * BLOCK);
    }

    private int free(int from, int to) {
        int count = 0;
        for (int u = from; u < to; u++) {
            count += constraints.isFixed(u) ? 0 : 1;
        }
        return count;
    }

    /** Places unknowns behind those that are free before them, and constrained ones likewise behind all free ones. */
    private void place(int from, int to, int before, int all) {
        int next = before;
        int fixed = all + from - before;
        for (int u = from; u < to; u++) {
            places[u] = constraints.isFixed(u) ? fixed++ : next++;
        }
    }

    /**
     * Returns the number of free unknowns, which is that of equations, of all ranks.
     *
     * @return at least 0
     */
    public int free() {
        return free;
    }

    /**
     * Returns the number of all unknowns.
     *
     * @return nodes times fields
     */
    public int total() {
        return places.length;
    }

    /**
     * Returns the place of an unknown in vectors.
     *
     * @param unknown {@code node * fields + field}
     * @return less than {@link #free} if it is free
     */
    public int place(int unknown) {
        return places[unknown];
    }

    /** Returns the places of the unknowns of each cell, the array itself. */
    int[] ofCells() {
        if (ofCells == null) {
            int fields = constraints.fields();
            int[] nodes = constraints.space().cellNodes();
            int[] table = new int[Checks.arrayLength("unknowns of cells", (long) nodes.length * fields)];
            ParallelRanges.strips(nodes.length, NODES_PER_TASK, (from, to) -> {
                for (int k = from; k < to; k++) {
                    for (int a = 0; a < fields; a++) {
                        table[k * fields + a] = places[nodes[k] * fields + a];
                    }
                }
            });
            ofCells = table;
        }
        return ofCells;
    }

    /** Returns the unknowns of a cell. */
    int perCell() {
        return constraints.space().element().nodes() * constraints.fields();
    }

    /** Says whether an unknown is fixed at another value than 0. */
    boolean anyGiven() {
        return ParallelRanges.first(places.length, NODES_PER_TASK, u -> constraints.value(u) != 0) >= 0;
    }

    /** Returns the given values at the places of constrained unknowns, and 0 elsewhere. */
    double[] given() {
        double[] given = new double[places.length];
        ParallelRanges.strips(places.length, NODES_PER_TASK, (from, to) -> {
            for (int u = from; u < to; u++) {
                given[places[u]] = constraints.value(u);
            }
        });
        return given;
    }

    /**
     * Puts together the values at all nodes. Over ranks collective: all have them then.
     *
     * @param solution a vector of the system: the free unknowns, over ranks those that the rank owns
     * @return node by node, the fields of a node side by side; given values where they are given
     */
    public double[] expand(double... solution) {
        double[] all = given();
        double[] nodes = new double[places.length];
        System.arraycopy(share == null ? solution : share.gather(solution), 0, all, 0, free);
        Arrays.parallelSetAll(nodes, u -> all[places[u]]);
        return nodes;
    }

    /**
     * Picks the free unknowns.
     *
     * @param nodes values at all nodes, the fields of a node side by side
     * @return a vector of the system
     */
    public double[] restrict(double... nodes) {
        double[] vector = new double[free];
        for (int u = 0; u < places.length; u++) {
            if (places[u] < free) {
                vector[places[u]] = nodes[u];
            }
        }
        return share == null ? vector : Arrays.stream(share.numbers().own()).mapToDouble(k -> vector[k]).toArray();
    }
}
