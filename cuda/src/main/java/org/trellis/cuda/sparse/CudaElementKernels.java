package org.trellis.cuda.sparse;

import java.util.EnumMap;
import java.util.Map;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.ElementKernels;

/**
 * Updates and dot products on the device, and the sorting of new values into layouts. Arithmetic is in double precision
 * and rounded once. Dot products have the same bits each time: the number of blocks depends on length and device only,
 * and the block that comes last adds up the blocks in their order.
 */
public final class CudaElementKernels implements ElementKernels {
    private static final int THREADS = 256;
    private static final int BLOCKS_PER_MULTIPROCESSOR = 8;

    private final CudaContext context;
    private final Map<Precision, Launches> launches = new EnumMap<>(Precision.class);
    private CudaBuffer partialSums;
    private CudaBuffer counter;

    /** The kernels of one precision; closed with the context. */
    private record Launches(KernelLaunch update, KernelLaunch dot, KernelLaunch refill) {}

    /**
     * Creates the kernels of a context; they are compiled when first used.
     *
     * @param context the context, which outlives this object
     */
    public CudaElementKernels(CudaContext context) {
        this.context = context;
    }

    @Override
    public void update(double alpha, DenseVector d, DenseVector x, double beta, DenseVector y) {
        if (y.length() > 0) {
            launches(y.precision()).update
                    .setDouble(0, alpha).setAddress(1, d == null ? 0 : ((CudaVector) d).address())
                    .set(2, (CudaVector) x).setDouble(3, beta).set(4, (CudaVector) y).setInt(5, y.length())
                    .shape(shape(y.length()))
                    .run();
        }
    }

    @Override
    public void dot(DenseVector x, DenseVector y, DenseVector result, int at) {
        launches(x.precision()).dot
                .set(0, (CudaVector) x).set(1, (CudaVector) y).setInt(2, x.length())
                .setAddress(5, ((CudaVector) result).address() + (long) at * Double.BYTES)
                .shape(shape(x.length()))
                .run();
    }

    /** Sorts values into another order; a negative source is a zero. */
    void refill(Precision precision, long values, CudaBuffer source, CudaBuffer target, int count) {
        if (count > 0) {
            launches(precision).refill.setAddress(0, values).set(1, source).set(2, target).setInt(3, count)
                    .shape(shape(count)).run();
        }
    }

    private LaunchShape shape(int items) {
        return LaunchShape.of(Math.clamp(Math.ceilDiv(items, THREADS), 1, maximumBlocks()), THREADS);
    }

    private int maximumBlocks() {
        return context.device().multiprocessors() * BLOCKS_PER_MULTIPROCESSOR;
    }

    private Launches launches(Precision precision) {
        Launches known = launches.get(precision);
        if (known == null) {
            known = prepare(precision);
            launches.put(precision, known);
        }
        return known;
    }

    /** What is made before something fails is kept: it is used at the next attempt, or closed with the context. */
    @SuppressWarnings("MustBeClosed") // closed with the context
    private Launches prepare(Precision precision) {
        if (partialSums == null) {
            partialSums = context.buffer((long) maximumBlocks() * Double.BYTES);
        }
        if (counter == null) {
            counter = context.zeros(Integer.BYTES);
        }
        KernelSource source = KernelSource.resource(CudaElementKernels.class, "elements.cu")
                .define("REAL", NumberTypes.name(precision)).define("THREADS", THREADS);
        LaunchShape one = LaunchShape.of(1, THREADS);
        return new Launches(context.kernel(source, "trellisUpdate").launch(one, 6),
                context.kernel(source, "trellisDotTo").launch(one, 6).set(3, partialSums).set(4, counter),
                context.kernel(source, "trellisRefill").launch(one, 4));
    }
}
