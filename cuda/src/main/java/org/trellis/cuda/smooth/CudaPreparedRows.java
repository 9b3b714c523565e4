package org.trellis.cuda.smooth;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.PreparedStep;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaKernel;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.cuda.runtime.LaunchSequence;
import org.trellis.memory.DenseVector;
import org.trellis.solve.smooth.SmootherKernels;

/**
 * Staged rows on the device. A wide stage is a launch of its own; narrow ones in a row are one launch of one block,
 * which synchronises its threads between them.
 */
final class CudaPreparedRows implements SmootherKernels.PreparedRows {
    /** Slots up to which a stage is left to one block: what that takes is about a launch's time. */
    private static final int MAX_BLOCK_SLOTS = 1024;

    private final SlotLayout layout;
    private final CudaKernel stage;
    private final CudaKernel stages;
    private final List<CudaBuffer> buffers = new ArrayList<>();
    private CudaBuffer chunkOffsets;
    private CudaBuffer columns;
    private CudaBuffer values;
    private CudaBuffer rows;
    private CudaBuffer factors;
    private CudaBuffer slots;
    private boolean closed;

    CudaPreparedRows(CudaContext context, SlotLayout layout, CudaKernel stage, CudaKernel stages) {
        this.layout = layout;
        this.stage = stage;
        this.stages = stages;
        try {
            chunkOffsets = upload(context, MemorySegment.ofArray(layout.chunkOffsets()));
            columns = upload(context, MemorySegment.ofArray(layout.columns()));
            values = upload(context, CudaVector.memoryOf(layout.values()));
            rows = upload(context, MemorySegment.ofArray(layout.rows()));
            factors = layout.factors() == null ? null : upload(context, CudaVector.memoryOf(layout.factors()));
            slots = upload(context, MemorySegment.ofArray(layout.stageSlots()));
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    @SuppressWarnings("MustBeClosed") // closed with this or the step
    private CudaBuffer upload(CudaContext context, MemorySegment source) {
        CudaBuffer buffer = context.upload(source);
        buffers.add(buffer);
        return buffer;
    }

    @Override
    @SuppressWarnings("MustBeClosed") // closed with this or the step
    public PreparedStep bind(double keep, double scale, DenseVector b, DenseVector x, SmootherKernels.Visit visit) {
        CudaVector right = (CudaVector) b;
        CudaVector iterate = (CudaVector) x;
        List<KernelLaunch> launches = new ArrayList<>();
        try {
            int[] bounds = layout.stageSlots();
            for (int first = visit.from(); first < visit.to();) {
                int end = first + 1;
                if (narrow(first)) {
                    while (end < visit.to() && narrow(end)) {
                        end++;
                    }
                    launches.add(operands(stages.launch(LaunchShape.of(1, CudaSmootherKernels.WIDE_BLOCK), 13), keep,
                            scale, right, iterate).set(9, slots).setInt(10, first).setInt(11, end)
                            .setInt(12, visit.backward() ? 1 : 0));
                } else {
                    int count = bounds[end] - bounds[first];
                    LaunchShape shape = LaunchShape.covering(count, CudaSmootherKernels.BLOCK);
                    launches.add(operands(stage.launch(shape, 11), keep, scale, right, iterate)
                            .setInt(9, bounds[first]).setInt(10, bounds[end]));
                }
                first = end;
            }
        } catch (RuntimeException | Error e) {
            launches.forEach(KernelLaunch::close);
            throw e;
        }
        List<KernelLaunch> ordered = visit.backward() ? launches.reversed() : launches;
        return right == null
                ? new LaunchSequence(ordered, this::requireOpen, iterate)
                : new LaunchSequence(ordered, this::requireOpen, right, iterate);
    }

    private boolean narrow(int number) {
        return layout.stageSlots()[number + 1] - layout.stageSlots()[number] <= MAX_BLOCK_SLOTS;
    }

    private KernelLaunch operands(KernelLaunch launch, double keep, double scale, CudaVector b, CudaVector x) {
        requireOpen();
        return launch.set(0, chunkOffsets).set(1, columns).set(2, values).set(3, rows)
                .setAddress(4, factors == null ? 0 : factors.address()).setDouble(5, keep).setDouble(6, scale)
                .setAddress(7, b == null ? 0 : b.address()).set(8, x);
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the rows of a smoother on the device are closed");
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            buffers.forEach(CudaBuffer::close);
        }
    }
}
