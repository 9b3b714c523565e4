package org.trellis.sparse.algebra;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Maximal independent sets of the graph of a matrix, on several threads and yet the same each time: a vertex joins when
 * its weight is the greatest among those within the distance that are still undecided (M. Luby, SIAM J. Comput. 15,
 * 1986; for distance 2 N. Bell, S. Dalton, L. Olson, SIAM J. Sci. Comput. 34(4), 2012, section 3.2). Weights are fixed
 * pseudo-random functions of the vertex' index, so that a few rounds will do, whatever the order of the rows.
 */
public final class IndependentSets {
    private static final int ROWS_PER_TASK = 1024;
    private static final byte UNDECIDED = 1;
    private static final byte IN = 2;
    private static final byte OUT = 0;

    private final CsrMatrix graph;
    private final int distance;
    private final long seed;
    private final byte[] states;
    /** The greatest key seen from a row, and the one seen from it one step further. */
    private long[] keys;
    private long[] next;

    private IndependentSets(CsrMatrix graph, int distance, long seed) {
        this.graph = graph;
        this.distance = distance;
        this.seed = seed;
        this.states = new byte[graph.rows()];
        this.keys = new long[graph.rows()];
        this.next = new long[graph.rows()];
    }

    /**
     * Finds a maximal set of rows that are no neighbours. Costs a few passes over the matrix, about as many as the
     * number of rows has binary digits at most, and {@link MatrixGraphs#symmetric}.
     *
     * @param matrix a square matrix, whose pattern need not be symmetric
     * @param seed   another one gives another set
     * @return for each row whether it is in the set; each row that is not has a neighbour that is
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static boolean[] distance1(CsrMatrix matrix, long seed) {
        return new IndependentSets(MatrixGraphs.symmetric(matrix), 1, seed).find();
    }

    /**
     * Finds a maximal set of rows that are neither neighbours nor have a common neighbour. Costs about twice as much as
     * {@link #distance1}.
     *
     * @param matrix a square matrix, whose pattern need not be symmetric
     * @param seed   another one gives another set
     * @return for each row whether it is in the set; each row that is not has one in the set within two steps
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static boolean[] distance2(CsrMatrix matrix, long seed) {
        return new IndependentSets(MatrixGraphs.symmetric(matrix), 2, seed).find();
    }

    private boolean[] find() {
        Arrays.fill(states, UNDECIDED);
        boolean undecided = states.length > 0;
        while (undecided) {
            spread();
            undecided = decide() > 0;
        }
        boolean[] chosen = new boolean[states.length];
        for (int row = 0; row < chosen.length; row++) {
            chosen[row] = states[row] == IN;
        }
        return chosen;
    }

    /** Lets each row know the greatest key within the distance. */
    private void spread() {
        for (int row = 0; row < states.length; row++) {
            keys[row] = key(row);
        }
        for (int step = 0; step < distance; step++) {
            ParallelRanges.run(states.length, ROWS_PER_TASK, (from, to) -> {
                for (int row = from; row < to; row++) {
                    next[row] = greatestAround(row);
                }
            });
            long[] old = keys;
            keys = next;
            next = old;
        }
    }

    private long greatestAround(int row) {
        CsrSegment segment = graph.segmentOf(row);
        int[] columns = segment.columnIndices();
        int end = segment.rowEnd(row);
        long greatest = keys[row];
        for (int k = segment.rowStart(row); k < end; k++) {
            greatest = Math.max(greatest, keys[columns[k]]);
        }
        return greatest;
    }

    /** Returns the number of rows that stay undecided. */
    private int decide() {
        AtomicInteger left = new AtomicInteger();
        ParallelRanges.run(states.length, ROWS_PER_TASK, (from, to) -> {
            int here = 0;
            for (int row = from; row < to; row++) {
                if (states[row] != UNDECIDED) {
                    continue;
                }
                if (keys[row] == key(row)) {
                    states[row] = IN;
                } else if (keys[row] >>> (Long.SIZE - 2) == IN - 1) {
                    states[row] = OUT;
                } else {
                    here++;
                }
            }
            left.addAndGet(here);
        });
        return left.get();
    }

    /** The state, then the weight, then the index, so that no two are equal: 1, 30 and 31 bits. */
    private long key(int row) {
        if (states[row] == OUT) {
            return 0;
        }
        long weight = weight(row, seed);
        return (states[row] == IN ? 1L << (Long.SIZE - 2) : 0) | (((weight << 31) | row) + 1);
    }

    /**
     * Returns the weight of a vertex, a fixed pseudo-random function of its index, for those who search for the same
     * sets elsewhere.
     *
     * @param vertex the index
     * @param seed   another one gives other weights
     * @return 30 bits
     */
    public static long weight(long vertex, long seed) {
        long mixed = (vertex + seed) * 0x9E3779B97F4A7C15L;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed >>> 34;
    }
}
