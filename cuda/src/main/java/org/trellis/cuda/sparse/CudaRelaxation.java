package org.trellis.cuda.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.StructLaunch;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.PreparedRelaxation;

/** Rows on a CUDA device that are relaxed in place, each the business of as many threads; arguments are CudaRows'. */
final class CudaRelaxation implements PreparedRelaxation {
    private final int threads;
    private final List<CudaBuffer> buffers = new ArrayList<>();
    private final StructLaunch launch;
    private boolean closed;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    CudaRelaxation(CudaContext context, int[] offsets, int[] columns, HostVector values, int[] targets,
            HostVector inverse, int threads) {
        this.threads = threads;
        this.launch = context.kernel(CudaRows.source(values.precision(), threads), "trellisRelaxRows")
                .structLaunch(CudaRows.BYTES);
        upload(context, CudaRows.OFFSETS, MemorySegment.ofArray(offsets));
        upload(context, CudaRows.COLUMNS, MemorySegment.ofArray(columns));
        upload(context, CudaRows.VALUES, CudaVector.memoryOf(values));
        upload(context, CudaRows.TARGETS, MemorySegment.ofArray(targets));
        upload(context, CudaRows.INVERSE, CudaVector.memoryOf(inverse));
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private void upload(CudaContext context, long member, MemorySegment source) {
        CudaBuffer buffer = context.upload(source);
        buffers.add(buffer);
        launch.block().set(ValueLayout.JAVA_LONG, member, buffer.address());
    }

    @Override
    public void relax(int from, int to, double omega, DenseVector b, DenseVector x) {
        if (to <= from) {
            return;
        }
        MemorySegment block = launch.block();
        CudaRows.pointer(block, CudaRows.X, x);
        CudaRows.pointer(block, CudaRows.B, b);
        CudaRows.pointer(block, CudaRows.Y, x);
        block.set(ValueLayout.JAVA_DOUBLE, CudaRows.SECOND, omega);
        block.set(ValueLayout.JAVA_DOUBLE, CudaRows.THIRD, 1 - omega);
        block.set(ValueLayout.JAVA_INT, CudaRows.FROM, from);
        block.set(ValueLayout.JAVA_INT, CudaRows.TO, to);
        launch.run(LaunchShape.covering((long) (to - from) * threads, CudaRows.THREADS));
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            buffers.forEach(CudaBuffer::close);
            launch.close();
        }
    }
}
