package org.trellis.cuda.smooth;

import java.util.List;
import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.cuda.runtime.LaunchSequence;
import org.trellis.memory.DenseVector;
import org.trellis.solve.smooth.SmootherKernels;
import org.trellis.solve.smooth.SplitRows;
import org.trellis.solve.smooth.StagedRows;

/** Sweeps on the device, a launch for each colour or level that is wide, and updates of vectors, as parts of graphs. */
public final class CudaSmootherKernels implements SmootherKernels {
    /** Threads of a block where a thread has a row. */
    static final int BLOCK = 128;
    /** Threads of the one block that does narrow stages. */
    static final int WIDE_BLOCK = 512;

    private static final int BLOCKS_PER_MULTIPROCESSOR = 16;
    private static final String BACKEND = "cuda";

    private final CudaContext context;

    /**
     * Creates the kernels of a context; they are compiled when first used.
     *
     * @param context the context, which outlives this object
     */
    public CudaSmootherKernels(CudaContext context) {
        this.context = context;
    }

    /**
     * Returns the source of the kernels.
     *
     * @param precision of the elements
     * @param threads   of a block
     * @return the source
     */
    static KernelSource source(Precision precision, int threads) {
        return KernelSource.resource(CudaSmootherKernels.class, "sweeps.cu").define("REAL", name(precision))
                .define("THREADS", threads);
    }

    private static String name(Precision precision) {
        return precision == Precision.F64 ? "double" : "float";
    }

    @Override
    public int rowsWorthAStage() {
        return 1;
    }

    @Override
    public PreparedRows prepare(StagedRows rows) {
        if (rows.schedule() != StagedRows.Schedule.STAGES) {
            throw new UnsupportedKernelException("sweeps over blocks of rows in their order", BACKEND,
                    "a block of " + rows.entries() + " would be one thread's work; Gauss-Seidel sweeps with"
                            + " order=coloured run there");
        }
        Precision precision = rows.entries().precision();
        return new CudaPreparedRows(context, SlotLayout.of(rows),
                context.kernel(source(precision, BLOCK), "trellisStage"),
                context.kernel(source(precision, WIDE_BLOCK), "trellisStages"));
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with the step
    public PreparedStep bindCorrection(CorrectionFactors factors, DenseVector d, DenseVector r, DenseVector c,
            DenseVector x) {
        CudaVector[] operands = {(CudaVector) d, (CudaVector) r, (CudaVector) c, (CudaVector) x};
        int length = x.length();
        if (length == 0) {
            return new LaunchSequence(List.of(), () -> {}, operands);
        }
        KernelLaunch launch = context.kernel(source(x.precision(), BLOCK), "trellisCorrect").launch(shape(length), 8)
                .setDouble(0, factors.alpha()).setDouble(1, factors.beta()).setDouble(2, factors.gamma())
                .set(3, operands[0]).set(4, operands[1]).set(5, operands[2]).set(6, operands[3]).setInt(7, length);
        return new LaunchSequence(List.of(launch), () -> {}, operands);
    }

    /** Has the sweeps for stages; rows that are one block would be one thread's work. */
    @Override
    public Optional<PreparedSplit> prepareSplit(SplitRows rows) {
        return rows.schedule() == StagedRows.Schedule.STAGES
                ? Optional.of(new CudaPreparedSplit(context, rows))
                : Optional.empty();
    }

    private LaunchShape shape(int items) {
        int most = context.device().multiprocessors() * BLOCKS_PER_MULTIPROCESSOR;
        return LaunchShape.of(Math.clamp(Math.ceilDiv(items, BLOCK), 1, most), BLOCK);
    }
}
