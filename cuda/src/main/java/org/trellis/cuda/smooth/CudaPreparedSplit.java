package org.trellis.cuda.smooth;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.cuda.runtime.LaunchSequence;
import org.trellis.memory.DenseVector;
import org.trellis.solve.SplitProduct;
import org.trellis.solve.smooth.SmootherKernels;
import org.trellis.solve.smooth.SplitRows;
import org.trellis.solve.smooth.StagedRows;

/**
 * The sweeps of Eisenstat's product on the device: a launch for each wide stage, one for narrow stages in a row. The
 * matrix is read once by both sweeps together.
 */
final class CudaPreparedSplit implements SmootherKernels.PreparedSplit {
    static final int THREADS = 256;
    /** Rows up to which a stage is left to one block: what that takes is about a launch's time. */
    private static final int MAX_BLOCK_ROWS = 1024;
    /** The most blocks of a launch, for a multiprocessor: each leaves two parts of sums. */
    private static final int BLOCKS_PER_MULTIPROCESSOR = 8;
    /** Arguments that say where a triangle is, and which of its stages are meant. */
    private static final int COMMON = 7;

    private final CudaContext context;
    private final KernelSource source;
    private final int[] stages;
    private final String name;
    private final List<CudaBuffer> buffers = new ArrayList<>();
    private CudaBuffer[] lower;
    private CudaBuffer[] upper;
    private CudaBuffer middle;
    private CudaBuffer weights;
    private CudaBuffer parts;
    private CudaBuffer arrived;
    private final double centre;
    private final double weight;
    private final List<Span> spans = new ArrayList<>();
    private boolean closed;

    /** Stages that are one launch, and the number of its first block among those of all launches. */
    private record Span(int from, int to, int blocks, int base) {}

    @SuppressWarnings("MustBeClosed") // closed with this
    CudaPreparedSplit(CudaContext context, SplitRows rows) {
        this.context = context;
        this.stages = rows.stages();
        this.name = rows.lower().toString();
        this.source = source(rows.lower().precision());
        this.centre = rows.middle().value();
        this.weight = rows.weights().value();
        int blocks = span(context.device().multiprocessors() * BLOCKS_PER_MULTIPROCESSOR);
        try {
            lower = triangle(new StagedRows(rows.lower(), null, null, stages, StagedRows.Schedule.STAGES));
            upper = triangle(new StagedRows(rows.upper(), null, null, stages, StagedRows.Schedule.STAGES));
            middle = diagonal(rows.middle());
            weights = diagonal(rows.weights());
            parts = own(context.zeros(2L * blocks * Double.BYTES));
            arrived = own(context.zeros(Integer.BYTES));
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    static KernelSource source(Precision precision) {
        return KernelSource.resource(CudaPreparedSplit.class, "split.cu")
                .define("REAL", precision == Precision.F64 ? "double" : "float").define("THREADS", THREADS);
    }

    /** Cuts stages into launches; returns the number of all their blocks. */
    private int span(int most) {
        int total = 0;
        for (int first = 0; first + 1 < stages.length;) {
            int end = first + 1;
            while (narrow(first) && end + 1 < stages.length && narrow(end)) {
                end++;
            }
            int rows = stages[first + 1] - stages[first];
            int blocks = narrow(first) ? 1 : Math.clamp(Math.ceilDiv(rows, THREADS), 1, most);
            spans.add(new Span(first, end, blocks, total));
            total += blocks;
            first = end;
        }
        if (spans.isEmpty()) {
            spans.add(new Span(0, 0, 1, 0));
        }
        return Math.max(1, total);
    }

    private boolean narrow(int stage) {
        return stages[stage + 1] - stages[stage] <= MAX_BLOCK_ROWS;
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private CudaBuffer own(CudaBuffer buffer) {
        buffers.add(buffer);
        return buffer;
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private CudaBuffer[] triangle(StagedRows rows) {
        SlotLayout layout = SlotLayout.of(rows);
        return new CudaBuffer[]{own(context.upload(MemorySegment.ofArray(layout.chunkOffsets()))),
            own(context.upload(MemorySegment.ofArray(layout.columns()))),
            own(context.upload(CudaVector.memoryOf(layout.values()))),
            own(context.upload(MemorySegment.ofArray(layout.stageSlots()))),
            own(context.upload(MemorySegment.ofArray(stages)))};
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private CudaBuffer diagonal(SplitRows.Diagonal diagonal) {
        return diagonal.elements() == null ? null : own(context.upload(CudaVector.memoryOf(diagonal.elements())));
    }

    /** Sets the arguments of a launch that are its kernel's own. */
    @FunctionalInterface
    private interface Operands {
        void set(KernelLaunch launch, Span span);
    }

    @SuppressWarnings("MustBeClosed") // closed with the step
    private PreparedStep bind(String kernel, CudaBuffer[] triangle, boolean backward, int arguments, Operands operands,
            CudaVector... vectors) {
        requireOpen();
        List<KernelLaunch> launches = new ArrayList<>();
        try {
            for (Span span : backward ? spans.reversed() : spans) {
                KernelLaunch launch = context.kernel(source, kernel)
                        .launch(LaunchShape.of(span.blocks(), THREADS), COMMON + arguments);
                launches.add(launch);
                for (int i = 0; i < triangle.length; i++) {
                    launch.set(i, triangle[i]);
                }
                launch.setInt(COMMON - 2, span.from()).setInt(COMMON - 1, span.to());
                operands.set(launch, span);
            }
        } catch (RuntimeException | Error e) {
            launches.forEach(KernelLaunch::close);
            throw e;
        }
        return new LaunchSequence(launches, this::requireOpen, vectors);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("triangles of " + name + " on the device are closed");
        }
    }

    @Override
    public PreparedStep bindResidual(DenseVector r) {
        CudaVector residual = (CudaVector) r;
        return bind("trellisSplitResidual", lower, false, 1, (launch, span) -> launch.set(COMMON, residual), residual);
    }

    @Override
    public PreparedStep bindDirection(SplitProduct.Coefficients coefficients, DenseVector residual, DenseVector split,
            DenseVector direction) {
        CudaVector scalars = (CudaVector) coefficients.scalars();
        CudaVector r = (CudaVector) residual;
        CudaVector hat = (CudaVector) split;
        CudaVector p = (CudaVector) direction;
        return bind("trellisSplitBackward", upper, true, 6, (launch, span) -> launch.set(COMMON, scalars)
                .setInt(COMMON + 1, coefficients.next()).setInt(COMMON + 2, coefficients.last()).set(COMMON + 3, r)
                .set(COMMON + 4, hat).set(COMMON + 5, p), scalars, r, hat, p);
    }

    @Override
    public PreparedStep bindProduct(SplitProduct.Sums sums, DenseVector split, DenseVector direction,
            DenseVector residual, DenseVector y) {
        CudaVector scalars = (CudaVector) sums.scalars();
        CudaVector[] vectors =
                {(CudaVector) split, (CudaVector) direction, (CudaVector) residual, (CudaVector) y, scalars};
        Span last = spans.getLast();
        return bind("trellisSplitForward", lower, false, 14, (launch, span) -> {
            launch.setAddress(COMMON, middle == null ? 0 : middle.address()).setDouble(COMMON + 1, centre)
                    .setAddress(COMMON + 2, weights == null ? 0 : weights.address()).setDouble(COMMON + 3, weight);
            for (int i = 0; i < 4; i++) {
                launch.set(COMMON + 4 + i, vectors[i]);
            }
            launch.set(COMMON + 8, parts).setInt(COMMON + 9, span.base())
                    .setInt(COMMON + 10, span.equals(last) ? span.base() + span.blocks() : 0)
                    .set(COMMON + 11, arrived)
                    .setAddress(COMMON + 12, scalars.address() + (long) sums.sigma() * Double.BYTES)
                    .setAddress(COMMON + 13, scalars.address() + (long) sums.square() * Double.BYTES);
        }, vectors);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            buffers.forEach(CudaBuffer::close);
        }
    }
}
