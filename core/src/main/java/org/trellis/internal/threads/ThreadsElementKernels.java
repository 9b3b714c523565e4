package org.trellis.internal.threads;

import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ElementKernels;

/**
 * Element kernels on all threads. Vectors are cut into blocks of {@value #BLOCK} elements whatever the number of
 * threads, and the partial dot products of the blocks are added up in their order, so that the bits never change.
 */
public final class ThreadsElementKernels implements ElementKernels {
    private static final int BLOCK = 16_384;

    private final WorkerTeam team;
    private double[] partial = new double[0];

    /**
     * Creates the kernels.
     *
     * @param team the threads that run them
     */
    public ThreadsElementKernels(WorkerTeam team) {
        this.team = team;
    }

    /** An operation on the elements from one index to another. */
    private interface RangeTask {
        void run(int block, int from, int to);
    }

    private void blocks(int length, RangeTask task) {
        int count = Math.ceilDiv(length, BLOCK);
        team.run(count,
                block -> task.run(block, block * BLOCK, Math.min(length - block * BLOCK, BLOCK) + block * BLOCK));
    }

    private double dot(DenseVector x, DenseVector y) {
        HostVector a = (HostVector) x;
        HostVector b = (HostVector) y;
        double[] sums = sums(a.length());
        blocks(a.length(), (block, from, to) -> sums[block] = RangeLoops.dot(a, b, from, to));
        return total(sums, a.length());
    }

    /** Room for a partial sum of each block. */
    private double[] sums(int length) {
        int blocks = Math.ceilDiv(length, BLOCK);
        if (partial.length < blocks) {
            partial = new double[blocks];
        }
        return partial;
    }

    private static double total(double[] sums, int length) {
        double sum = 0;
        for (int block = 0; block < Math.ceilDiv(length, BLOCK); block++) {
            sum += sums[block];
        }
        return sum;
    }

    @Override
    public void update(double alpha, DenseVector d, DenseVector x, double beta, DenseVector y) {
        HostVector factors = (HostVector) d;
        HostVector a = (HostVector) x;
        HostVector b = (HostVector) y;
        blocks(b.length(), factors == null
                ? (block, from, to) -> RangeLoops.axpby(alpha, a, beta, b, from, to)
                : (block, from, to) -> RangeLoops.multiplyAdd(alpha, factors, a, beta, b, from, to));
    }

    @Override
    public void dot(DenseVector x, DenseVector y, DenseVector result, int at) {
        ((HostVector) result).set(at, dot(x, y));
    }
}
