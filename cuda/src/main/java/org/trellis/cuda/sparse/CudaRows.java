package org.trellis.cuda.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.StructLaunch;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.PreparedRows;

/** Rows of a matrix on a CUDA device, each the business of as many threads. */
final class CudaRows implements PreparedRows {
    static final int THREADS = 128;
    static final long OFFSETS = 0;
    static final long COLUMNS = 8;
    static final long VALUES = 16;
    static final long X = 24;
    private static final long W = 32;
    static final long INVERSE = 40;
    static final long B = 48;
    static final long Y = 56;
    private static final long FIRST = 64;
    static final long SECOND = 72;
    static final long THIRD = 80;
    static final long FROM = 88;
    static final long TO = 92;
    private static final long SPLIT = 96;
    static final long TARGETS = 104;
    static final long BYTES = 112;

    private final int threads;
    private final int count;
    private final CudaBuffer offsets;
    private final CudaBuffer columns;
    private final CudaBuffer values;
    private final StructLaunch combining;
    private final StructLaunch sweeping;
    private final StructLaunch splitting;
    private boolean closed;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    CudaRows(CudaContext context, int[] offsets, int[] columns, HostVector values, int threads) {
        this.threads = threads;
        this.count = offsets.length - 1;
        this.offsets = context.upload(MemorySegment.ofArray(offsets));
        this.columns = context.upload(MemorySegment.ofArray(columns));
        this.values = context.upload(CudaVector.memoryOf(values));
        KernelSource source = source(values.precision(), threads);
        this.combining = context.kernel(source, "trellisCombineRows").structLaunch(BYTES);
        this.sweeping = context.kernel(source, "trellisSweepRows").structLaunch(BYTES);
        this.splitting = context.kernel(source, "trellisSplitRows").structLaunch(BYTES);
        fill(combining.block());
        fill(sweeping.block());
        fill(splitting.block());
    }

    /**
     * Returns the source of the kernels.
     *
     * @param precision of the elements
     * @param threads   of a row
     * @return the source
     */
    static KernelSource source(Precision precision, int threads) {
        return KernelSource.resource(CudaRows.class, "rows.cu")
                .define("REAL", precision == Precision.F64 ? "double" : "float").define("THREADS", THREADS)
                .define("WIDTH", threads);
    }

    private void fill(MemorySegment block) {
        block.set(ValueLayout.JAVA_LONG, OFFSETS, offsets.address());
        block.set(ValueLayout.JAVA_LONG, COLUMNS, columns.address());
        block.set(ValueLayout.JAVA_LONG, VALUES, values.address());
    }

    static void pointer(MemorySegment block, long member, DenseVector vector) {
        block.set(ValueLayout.JAVA_LONG, member, ((CudaVector) vector).address());
    }

    private void run(StructLaunch launch, int from, int to) {
        if (to > from) {
            launch.block().set(ValueLayout.JAVA_INT, FROM, from);
            launch.block().set(ValueLayout.JAVA_INT, TO, to);
            launch.run(LaunchShape.covering((long) (to - from) * threads, THREADS));
        }
    }

    @Override
    public void combine(int from, int to, double a, DenseVector x, double b, DenseVector w, double c, DenseVector y) {
        MemorySegment block = combining.block();
        pointer(block, X, x);
        pointer(block, W, w);
        pointer(block, Y, y);
        block.set(ValueLayout.JAVA_DOUBLE, FIRST, a);
        block.set(ValueLayout.JAVA_DOUBLE, SECOND, b);
        block.set(ValueLayout.JAVA_DOUBLE, THIRD, c);
        run(combining, from, to);
    }

    @Override
    public void sweep(int from, int to, double momentum, DenseVector w, double step, DenseVector x, SweepData data,
            DenseVector y) {
        MemorySegment block = sweeping.block();
        pointer(block, X, x);
        pointer(block, W, w);
        pointer(block, INVERSE, data.inverse());
        pointer(block, B, data.b());
        pointer(block, Y, y);
        block.set(ValueLayout.JAVA_DOUBLE, FIRST, momentum);
        block.set(ValueLayout.JAVA_DOUBLE, SECOND, step);
        run(sweeping, from, to);
    }

    @Override
    public void multiplySplit(double a, DenseVector x, int split, DenseVector others, double c, DenseVector y) {
        MemorySegment block = splitting.block();
        pointer(block, X, x);
        pointer(block, W, others);
        pointer(block, Y, y);
        block.set(ValueLayout.JAVA_DOUBLE, FIRST, a);
        block.set(ValueLayout.JAVA_DOUBLE, THIRD, c);
        block.set(ValueLayout.JAVA_INT, SPLIT, split);
        run(splitting, 0, count);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            offsets.close();
            columns.close();
            values.close();
            combining.close();
            sweeping.close();
            splitting.close();
        }
    }
}
