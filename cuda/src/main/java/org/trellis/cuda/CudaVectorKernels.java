package org.trellis.cuda;

import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.cuda.runtime.PinnedBuffer;
import org.trellis.memory.DenseVector;
import org.trellis.solve.VectorKernels;

/**
 * Vector operations on the device. Each thread works on 16 bytes at a time; arithmetic is in double precision and
 * rounded once. A dot product or sum of squares is deterministic: the number of blocks depends on length and device
 * only, each block sums in a fixed order, and the block that finishes last sums the blocks in theirs.
 */
final class CudaVectorKernels implements VectorKernels {
    private static final int THREADS = 256;
    private static final int BLOCKS_PER_MULTIPROCESSOR = 8;
    private static final long WIDE_BYTES = 16;

    private final CudaContext context;
    private final Map<Variant, Launches> launches = new HashMap<>();
    private CudaBuffer partialSums;
    private CudaBuffer counter;
    private PinnedBuffer result;

    CudaVectorKernels(CudaContext context) {
        this.context = context;
    }

    @Override
    public double dot(DenseVector x, DenseVector y) {
        int length = x.length();
        if (length == 0) {
            return 0;
        }
        launches(x, y).dot
                .set(0, (CudaVector) x).set(1, (CudaVector) y).setInt(2, length)
                .shape(shape(x))
                .run();
        context.synchronize();
        return result.memory().get(ValueLayout.JAVA_DOUBLE, 0);
    }

    @Override
    public double sumOfSquares(DenseVector x, double s) {
        int length = x.length();
        if (length == 0) {
            return 0;
        }
        launches(x).squares
                .set(0, (CudaVector) x).setDouble(1, s).setInt(2, length)
                .shape(shape(x))
                .run();
        context.synchronize();
        return result.memory().get(ValueLayout.JAVA_DOUBLE, 0);
    }

    @Override
    public void axpy(double alpha, DenseVector x, DenseVector y) {
        if (y.length() > 0) {
            launches(x, y).axpy
                    .setDouble(0, alpha).set(1, (CudaVector) x).set(2, (CudaVector) y).setInt(3, y.length())
                    .shape(shape(y))
                    .run();
        }
    }

    @Override
    public void xpby(DenseVector x, double beta, DenseVector y) {
        if (y.length() > 0) {
            launches(x, y).xpby
                    .set(0, (CudaVector) x).setDouble(1, beta).set(2, (CudaVector) y).setInt(3, y.length())
                    .shape(shape(y))
                    .run();
        }
    }

    @Override
    public void multiplyElements(DenseVector x, DenseVector y, DenseVector z) {
        if (z.length() > 0) {
            launches(x, y, z).multiply
                    .set(0, (CudaVector) x).set(1, (CudaVector) y).set(2, (CudaVector) z).setInt(3, z.length())
                    .shape(shape(z))
                    .run();
        }
    }

    /** A thread for every 16 bytes, but no more blocks than are resident at a time: the rest is a loop. */
    private LaunchShape shape(DenseVector vector) {
        long items = ((long) vector.length() * vector.precision().bytes() + WIDE_BYTES - 1) / WIDE_BYTES;
        return LaunchShape.of((int) Math.min(maximumBlocks(), (items + THREADS - 1) / THREADS), THREADS);
    }

    private int maximumBlocks() {
        return context.device().multiprocessors() * BLOCKS_PER_MULTIPROCESSOR;
    }

    /** Loads of 16 bytes where all vectors allow them; parts of vectors may begin elsewhere. */
    private Launches launches(DenseVector... vectors) {
        boolean wide = true;
        for (DenseVector vector : vectors) {
            wide &= ((CudaVector) vector).address() % WIDE_BYTES == 0;
        }
        return launches.computeIfAbsent(new Variant(vectors[0].precision(), wide), this::prepare);
    }

    @SuppressWarnings("MustBeClosed") // closed with the context
    private Launches prepare(Variant variant) {
        Precision precision = variant.precision;
        if (partialSums == null) {
            partialSums = context.buffer((long) maximumBlocks() * Double.BYTES);
        }
        if (counter == null) {
            counter = context.zeros(Integer.BYTES);
        }
        if (result == null) {
            result = context.pinned(Double.BYTES);
        }
        KernelSource source = KernelSource.resource(CudaVectorKernels.class, "vector/vector.cu")
                .define("REAL", precision == Precision.F64 ? "double" : "float")
                .define("WIDTH", variant.wide ? WIDE_BYTES / precision.bytes() : 1)
                .define("THREADS", THREADS);
        LaunchShape one = LaunchShape.of(1, THREADS);
        return new Launches(sum(source, "trellisDot"), sum(source, "trellisSquares"),
                context.kernel(source, "trellisAxpy").launch(one, 4),
                context.kernel(source, "trellisXpby").launch(one, 4),
                context.kernel(source, "trellisMultiply").launch(one, 4));
    }

    @SuppressWarnings("MustBeClosed") // closed with the context
    private KernelLaunch sum(KernelSource source, String name) {
        return context.kernel(source, name).launch(LaunchShape.of(1, THREADS), 6)
                .set(3, partialSums).set(4, counter).setAddress(5, result.address());
    }

    /** Which kernels are meant: of which elements, and whether they load 16 bytes at once or one element. */
    private record Variant(Precision precision, boolean wide) {}

    /** The kernels of one variant; closed with the context. */
    private record Launches(KernelLaunch dot, KernelLaunch squares, KernelLaunch axpy, KernelLaunch xpby,
            KernelLaunch multiply) {}
}
