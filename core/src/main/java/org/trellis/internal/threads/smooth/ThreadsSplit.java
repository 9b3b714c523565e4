package org.trellis.internal.threads.smooth;

import java.util.Arrays;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.SplitProduct;
import org.trellis.solve.smooth.SmootherKernels;
import org.trellis.solve.smooth.SplitRows;
import org.trellis.solve.smooth.StagedRows;

/**
 * The sweeps of Eisenstat's product on all threads. Sums are those of blocks of {@value #BLOCK} rows of a stage, added
 * up in their order, so that bits do not depend on the number of threads.
 */
final class ThreadsSplit implements SmootherKernels.PreparedSplit {
    private static final int BLOCK = 1_024;

    private final WorkerTeam team;
    private final SplitKernel kernel;
    private final int[] stages;
    private final boolean blocks;
    private final int[] lowerOffsets;
    private final int[] upperOffsets;
    /** Where each block of rows starts, and their number. */
    private final int[] starts;
    private boolean closed;

    /** Returns loops over one row after the other. */
    static SplitKernel loops(SplitRows rows) {
        return rows.lower().precision() == Precision.F64 ? DoubleSplitRows.of(rows) : FloatSplitRows.of(rows);
    }

    ThreadsSplit(WorkerTeam team, SplitRows rows, SplitKernel kernel) {
        this.team = team;
        this.stages = rows.stages();
        this.blocks = rows.schedule() == StagedRows.Schedule.BLOCKS;
        this.lowerOffsets = rows.lower().onlySegment().rowOffsets();
        this.upperOffsets = rows.upper().onlySegment().rowOffsets();
        this.kernel = kernel;
        this.starts = cut(stages);
    }

    private static int[] cut(int[] stages) {
        int[] starts = new int[16];
        int count = 0;
        for (int stage = 0; stage + 1 < stages.length; stage++) {
            for (int row = stages[stage]; row < stages[stage + 1]; row += BLOCK) {
                starts = count + 1 == starts.length ? Arrays.copyOf(starts, 2 * count + 2) : starts;
                starts[count++] = row;
            }
        }
        starts[count] = stages[stages.length - 1];
        return Arrays.copyOf(starts, count + 1);
    }

    private Runnable units(int[] offsets, boolean backward, StagedUnits.Work work) {
        SmootherKernels.Visit visit = new SmootherKernels.Visit(backward, 0, stages.length - 1);
        return StagedUnits.of(stages, blocks, offsets, visit, new StagedUnits.Sizes(team.size(), BLOCK)).on(team,
                backward, work);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("triangles of " + kernel + " are closed");
        }
    }

    /** A vector whose storage begins with it; what a solver allocates does. */
    private static HostVector whole(DenseVector vector) {
        HostVector host = (HostVector) vector;
        if (host.offset() != 0) {
            throw new IllegalArgumentException("Eisenstat's product with " + host + ", a part of another vector from "
                    + "element " + host.offset() + ", expected a whole one");
        }
        return host;
    }

    @Override
    public PreparedStep bindResidual(DenseVector r) {
        HostVector residual = whole(r);
        Runnable sweep = units(lowerOffsets, false, (from, to) -> kernel.residual(from, to, residual));
        return () -> {
            requireOpen();
            sweep.run();
        };
    }

    @Override
    public PreparedStep bindDirection(SplitProduct.Coefficients coefficients, DenseVector residual, DenseVector split,
            DenseVector direction) {
        SplitKernel.Operands operands =
                new SplitKernel.Operands(whole(split), whole(direction), whole(residual), null);
        HostVector scalars = (HostVector) coefficients.scalars();
        double[] beta = {0};
        Runnable sweep = units(upperOffsets, true, (from, to) -> kernel.backward(from, to, beta[0], operands));
        return () -> {
            requireOpen();
            beta[0] = coefficients.last() < 0
                    ? 0
                    : scalars.get(coefficients.next()) / scalars.get(coefficients.last());
            sweep.run();
        };
    }

    @Override
    public PreparedStep bindProduct(SplitProduct.Sums sums, DenseVector split, DenseVector direction,
            DenseVector residual, DenseVector y) {
        SplitKernel.Operands operands =
                new SplitKernel.Operands(whole(split), whole(direction), whole(residual), whole(y));
        HostVector scalars = (HostVector) sums.scalars();
        double[] parts = new double[2 * (starts.length - 1)];
        Runnable sweep = units(lowerOffsets, false, (from, to) -> forward(from, to, operands, parts));
        return () -> {
            requireOpen();
            sweep.run();
            double sigma = 0;
            double square = 0;
            for (int i = 0; i < parts.length; i += 2) {
                sigma += parts[i];
                square += parts[i + 1];
            }
            scalars.set(sums.sigma(), sigma);
            scalars.set(sums.square(), square);
        };
    }

    /** Visits the blocks of a unit, which begins and ends with one. */
    private void forward(int from, int to, SplitKernel.Operands operands, double[] parts) {
        for (int block = Arrays.binarySearch(starts, from); starts[block] < to; block++) {
            kernel.forward(starts[block], starts[block + 1], operands, parts, 2 * block);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
