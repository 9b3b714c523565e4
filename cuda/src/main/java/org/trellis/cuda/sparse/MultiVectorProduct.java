package org.trellis.cuda.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;

/** The product with several vectors: compressed rows, a thread for each vector of a row, compiled for their number. */
final class MultiVectorProduct {
    /** The layout that the kernel reads. */
    static final SpmvParameters LAYOUT = SpmvParameters.of(SpmvFamily.CSR);

    private static final int BLOCK_SIZE = 128;
    private static final int MAXIMUM_LANES = 32;

    private MultiVectorProduct() {}

    /**
     * Prepares launches.
     *
     * @param context     where
     * @param types       of values and sums
     * @param layout      the matrix as plain compressed rows
     * @param count       the number of vectors
     * @param wideOffsets whether row offsets have 64 bits
     * @return a launch that lacks α, β, X and Y
     */
    @MustBeClosed
    static KernelLaunch launch(CudaContext context, NumberTypes types, DeviceLayout layout, int count,
            boolean wideOffsets) {
        int lanes = lanes(count);
        LaunchShape shape = LaunchShape.covering((long) layout.units() * lanes, BLOCK_SIZE);
        @SuppressWarnings("MustBeClosed") // returned, or closed here
        KernelLaunch launch = context.kernel(source(types, count, wideOffsets), ProductSource.FUNCTION)
                .launch(shape, ProductSource.COMMON_ARGUMENTS + layout.argumentCount());
        try {
            ProductSource.clearOptional(launch);
            layout.bind(launch, ProductSource.COMMON_ARGUMENTS);
            return launch;
        } catch (RuntimeException e) {
            launch.close();
            throw e;
        }
    }

    /** Returns the source for a number of vectors. */
    static KernelSource source(NumberTypes types, int count, boolean wideOffsets) {
        return KernelSource.resource(MultiVectorProduct.class, "multiple.cu", "product.cuh")
                .define("VALUE", NumberTypes.name(types.values()))
                .define("SUM", NumberTypes.name(types.sums()))
                .define("WIDE_OFFSETS", wideOffsets ? 1 : 0)
                .define("BLOCK_SIZE", BLOCK_SIZE)
                .define("COOPERATING", lanes(count))
                .define("VECTORS", count);
    }

    /** Threads that share a row: a power of two that holds the vectors, at most a warp. */
    static int lanes(int count) {
        return count == 1 ? 1 : Math.min(MAXIMUM_LANES, 2 * Integer.highestOneBit(count - 1));
    }
}
