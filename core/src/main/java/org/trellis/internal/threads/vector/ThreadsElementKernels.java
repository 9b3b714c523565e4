package org.trellis.internal.threads.vector;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.HashMap;
import java.util.Map;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.internal.threads.team.UnitTask;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.kernel.LoopKernel;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ElementKernels;

/**
 * Element kernels on all threads, by the generated loops of the solvers' vector kernels where those do. Vectors are cut
 * into blocks of {@value #BLOCK} elements whatever the number of threads, and the partial dot products of the blocks
 * are added up in their order, so that the bits never change.
 */
public final class ThreadsElementKernels implements ElementKernels {
    private static final int BLOCK = 16_384;
    /** Units for each thread, so that one that is held up leaves work to the others. */
    private static final int UNITS_PER_THREAD = 4;

    private final WorkerTeam team;
    private final int maxUnits;
    private final Map<Precision, Map<LoopKernel, SegmentLoop>> loops = new HashMap<>();
    private double[] partial = new double[0];

    /**
     * Creates the kernels.
     *
     * @param team the threads that run them
     */
    public ThreadsElementKernels(WorkerTeam team) {
        this.team = team;
        this.maxUnits = team.size() == 1 ? 1 : UNITS_PER_THREAD * team.size();
    }

    private SegmentLoop loop(LoopKernel kernel, Precision precision) {
        return loops.computeIfAbsent(precision, p -> new HashMap<>()).computeIfAbsent(kernel,
                k -> new SegmentLoop(k, precision, maxUnits));
    }

    private static int blocks(int length) {
        return Math.ceilDiv(length, BLOCK);
    }

    private static int start(int block, int length) {
        return (int) Math.min(length, (long) block * BLOCK);
    }

    /** The first block of a unit. */
    private static int first(int unit, int units, int blocks) {
        return (int) ((long) blocks * unit / units);
    }

    private PreparedStep updating(LoopKernel kernel, HostVector y, Object... operands) {
        SegmentLoop loop = loop(kernel, y.precision());
        int length = y.length();
        int blocks = blocks(length);
        int units = Math.min(blocks, maxUnits);
        UnitTask task = unit -> loop.run(unit, operands, start(first(unit, units, blocks), length),
                start(first(unit + 1, units, blocks), length));
        return () -> team.run(units, task);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // a step that holds nothing
    public void update(double alpha, DenseVector d, DenseVector x, double beta, DenseVector y) {
        bindUpdate(alpha, d, x, beta, y).run();
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public PreparedStep bindUpdate(double alpha, DenseVector d, DenseVector x, double beta, DenseVector y) {
        HostVector written = (HostVector) y;
        double[] a = {alpha};
        double[] b = {beta};
        // By its full name: the class is generated, and pages of the API are made from what is not.
        if (d == null && beta == 0) {
            return updating(org.trellis.solve.VectorsLoops.SCALED, written, a, x, y);
        } else if (d == null) {
            return updating(org.trellis.solve.VectorsLoops.AXPBY, written, a, x, b, y);
        } else if (beta == 0) {
            return updating(org.trellis.solve.VectorsLoops.SCALED_PRODUCT, written, a, d, x, y);
        } else {
            return updating(org.trellis.solve.VectorsLoops.ADD_PRODUCT, written, a, d, x, b, y);
        }
    }

    @Override
    public void dot(DenseVector x, DenseVector y, DenseVector result, int at) {
        HostVector a = (HostVector) x;
        HostVector b = (HostVector) y;
        int length = a.length();
        int blocks = blocks(length);
        if (partial.length < blocks) {
            partial = new double[blocks];
        }
        double[] parts = partial;
        int units = Math.min(blocks, maxUnits);
        team.run(units, unit -> {
            for (int block = first(unit, units, blocks); block < first(unit + 1, units, blocks); block++) {
                parts[block] = RangeLoops.dot(a, b, start(block, length), start(block + 1, length));
            }
        });
        double sum = 0;
        for (int block = 0; block < blocks; block++) {
            sum += partial[block];
        }
        ((HostVector) result).set(at, sum);
    }
}
