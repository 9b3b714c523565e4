package org.trellis.internal.threads.smooth;

import java.util.Optional;
import java.util.function.Function;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.internal.threads.team.UnitTask;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.smooth.SmootherKernels;
import org.trellis.solve.smooth.SplitRows;
import org.trellis.solve.smooth.StagedRows;

/**
 * Sweeps on all threads: the rows of a stage are cut into units, and a stage begins when the one before is done. Each
 * row is computed as by one thread, so bits do not depend on their number.
 */
public final class ThreadsSmootherKernels implements SmootherKernels {
    private static final int BLOCK = 16_384;
    /** Threads gain on one that streams through its rows in their order only if levels have about so many together. */
    private static final int ROWS_WORTH_A_STAGE = 8_192;
    private static final int FEWEST_WORTH_A_STAGE = 512;
    /** Rows of a level, on average, from which on it costs less that they do not wait for each other. */
    private static final int ROWS_WORTH_A_LEVEL = 32;

    private final WorkerTeam team;
    private final Function<SplitRows, SplitKernel> splitLoops;

    /**
     * Creates the kernels.
     *
     * @param team the threads that run them
     */
    public ThreadsSmootherKernels(WorkerTeam team) {
        this(team, rows -> null);
    }

    /**
     * Creates the kernels with other loops for Eisenstat's product.
     *
     * @param team       the threads that run them
     * @param splitLoops makes loops of triangles, or null for those of this package
     */
    public ThreadsSmootherKernels(WorkerTeam team, Function<SplitRows, SplitKernel> splitLoops) {
        this.team = team;
        this.splitLoops = splitLoops;
    }

    @Override
    public int rowsWorthAStage() {
        return team.size() == 1
                ? Integer.MAX_VALUE
                : Math.max(FEWEST_WORTH_A_STAGE, ROWS_WORTH_A_STAGE / team.size());
    }

    @Override
    public int rowsWorthALevel() {
        return ROWS_WORTH_A_LEVEL;
    }

    @Override
    public PreparedRows prepare(StagedRows rows) {
        return new Rows(rows);
    }

    @Override
    public PreparedStep bindCorrection(CorrectionFactors factors, DenseVector d, DenseVector r, DenseVector c,
            DenseVector x) {
        return inBlocks(new DenseVector[]{d, r, c, x}, factors, DoubleCorrection::run, FloatCorrection::run);
    }

    @Override
    public PreparedStep bindFirstOfTwo(CorrectionFactors factors, DenseVector d, DenseVector r, DenseVector c,
            DenseVector x) {
        return inBlocks(new DenseVector[]{d, r, c, x}, factors, DoubleCorrection::first, FloatCorrection::first);
    }

    @Override
    public PreparedStep bindLastOfTwo(CorrectionFactors factors, DenseVector d, DenseVector r, DenseVector c,
            DenseVector x) {
        return inBlocks(new DenseVector[]{d, r, c, x}, factors, DoubleCorrection::last, FloatCorrection::last);
    }

    /** A loop over some elements of d, r, c and x. */
    private interface Loop {
        void run(CorrectionFactors factors, HostVector d, HostVector r, HostVector c, HostVector x, int from, int to);
    }

    private PreparedStep inBlocks(DenseVector[] vectors, CorrectionFactors factors, Loop doubles, Loop floats) {
        HostVector d = (HostVector) vectors[0];
        HostVector r = (HostVector) vectors[1];
        HostVector c = (HostVector) vectors[2];
        HostVector x = (HostVector) vectors[3];
        Loop loop = x.precision() == Precision.F64 ? doubles : floats;
        int length = x.length();
        UnitTask task = block -> {
            int from = block * BLOCK;
            loop.run(factors, d, r, c, x, from, Math.min(length - from, BLOCK) + from);
        };
        return () -> team.run(Math.ceilDiv(length, BLOCK), task);
    }

    @Override
    public Optional<PreparedSplit> prepareSplit(SplitRows rows) {
        SplitKernel loops = splitLoops.apply(rows);
        return Optional.of(new ThreadsSplit(team, rows, loops != null ? loops : ThreadsSplit.loops(rows)));
    }

    /** Rows with the loop for their precision. */
    private final class Rows implements PreparedRows {
        private final int[] stages;
        private final boolean blocks;
        private final int[] offsets;
        private final StagedKernel kernel;
        private boolean closed;

        /** Keeps no entries beside those of the kernel. */
        Rows(StagedRows rows) {
            this.stages = rows.stages();
            this.blocks = rows.schedule() == StagedRows.Schedule.BLOCKS;
            this.offsets = rows.entries().onlySegment().rowOffsets();
            this.kernel = rows.entries().precision() == Precision.F64
                    ? DoubleStagedRows.of(rows)
                    : FloatStagedRows.of(rows);
        }

        @Override
        public PreparedStep bind(double keep, double scale, DenseVector b, DenseVector x, Visit visit) {
            StagedKernel.Relaxation relaxation =
                    new StagedKernel.Relaxation(keep, scale, (HostVector) b, (HostVector) x);
            Runnable sweep = StagedUnits.of(stages, blocks, offsets, visit, new StagedUnits.Sizes(team.size(), 1)).on(
                    team, visit.backward(), (from, to) -> kernel.run(from, to, visit.backward(), relaxation));
            return () -> {
                if (closed) {
                    throw new IllegalStateException(kernel + " of a smoother are closed");
                }
                sweep.run();
            };
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
