package org.trellis.internal.threads.smooth;

import java.util.Arrays;
import java.util.stream.IntStream;
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
 * The sweeps of Eisenstat's product on all threads. Sums are those of blocks of {@value #BLOCK} rows of a stage, or
 * of narrow stages in a row, added up in their order, so that bits do not depend on the number of threads.
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
        this.starts = cut(stages, lowerOffsets);
    }

    /** Units begin with a block: narrow stages in a row are cut where one of them starts. */
    private static int[] cut(int[] stages, int[] offsets) {
        IntStream.Builder starts = IntStream.builder();
        int last = -BLOCK;
        boolean open = false;
        for (int stage = 0; stage + 1 < stages.length; stage++) {
            int first = stages[stage];
            int end = stages[stage + 1];
            boolean narrow = StagedUnits.isNarrow(first, end, offsets);
            for (int row = first; row < end; row += narrow ? end - first : BLOCK) {
                if (!open || !narrow || row - last >= BLOCK) {
                    starts.add(row);
                    last = row;
                }
                open = narrow;
            }
        }
        return starts.add(stages[stages.length - 1]).build().toArray();
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
