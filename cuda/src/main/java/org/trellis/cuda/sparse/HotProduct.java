package org.trellis.cuda.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.DeviceAttribute;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaKernel;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.sparse.SpmvParameters;

/**
 * Launches of the product with hot columns: {@code gather.cu}, then {@code hot.cu} on as many blocks as are resident at
 * a time, each of which goes through many tiles.
 */
final class HotProduct {
    /**
     * Shared memory for hot elements. Two blocks of 512 threads are resident with it; on R-MAT graphs of scale 20, half
     * as much and a third more were slower.
     */
    static final int HOT_BYTES = 48 << 10;

    /** Where the layout's arguments have the hot elements, see {@code hot.cu}. */
    private static final int ELEMENTS = 7;
    private static final int X = 2;
    private static final int GATHER_THREADS = 256;

    private HotProduct() {}

    /** Returns the number of hot columns. */
    static int columns(NumberTypes types) {
        return HOT_BYTES / types.values().bytes();
    }

    /** Says why a device cannot run the product, or nothing. */
    static Optional<String> objection(CudaContext context, SpmvParameters parameters, NumberTypes types) {
        int wanted = HOT_BYTES + CudaConstraints.sharedBytes(parameters, types.sums());
        int limit = context.driver().deviceAttribute(context.device().number(),
                DeviceAttribute.SHARED_MEMORY_PER_BLOCK_OPTIN);
        return wanted <= limit
                ? Optional.empty()
                : Optional.of("family csr-hot takes " + wanted + " bytes of shared memory in a block, the device has "
                        + limit + "; csr-balanced works");
    }

    /**
     * Creates the launches.
     *
     * @param context    the context
     * @param source     the product's source
     * @param parameters parameters of the family
     * @param types      of values and sums
     * @param layout     the matrix
     * @param arguments  the number of the product's arguments
     * @return the product, which has the gathering run before it
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the product, or here
    static KernelLaunch launch(CudaContext context, KernelSource source, SpmvParameters parameters, NumberTypes types,
            DeviceLayout layout, int arguments) {
        CudaKernel kernel = context.kernel(source, ProductSource.FUNCTION);
        KernelLaunch product = kernel.launch(shape(context, kernel, parameters, types, layout), arguments);
        if (layout.hotCount() == 0) {
            return product;
        }
        try {
            return product.after(gather(context, types, layout), X, X);
        } catch (RuntimeException e) {
            product.close();
            throw e;
        }
    }

    /** Returns the launch: no more blocks than are resident, no fewer than one. */
    private static LaunchShape shape(CudaContext context, CudaKernel kernel, SpmvParameters parameters,
            NumberTypes types, DeviceLayout layout) {
        int tile = parameters.blockSize() * parameters.rowsPerGroup();
        int products = tile + tile / (types.sums().bytes() == Double.BYTES ? 16 : 32) + 1;
        int shared = HOT_BYTES + products * types.sums().bytes();
        kernel.allowShared(shared);
        int resident = context.device().multiprocessors()
                * Math.max(1, kernel.residentBlocks(parameters.blockSize(), shared));
        return new LaunchShape(Math.min(layout.units(), resident), 1, parameters.blockSize(), shared);
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    private static KernelLaunch gather(CudaContext context, NumberTypes types, DeviceLayout layout) {
        KernelSource source = KernelSource.resource(HotProduct.class, "gather.cu")
                .define("VALUE", NumberTypes.name(types.values()));
        return context.kernel(source, "gatherHot")
                .launch(LaunchShape.covering(layout.hotCount(), GATHER_THREADS), 4)
                .set(0, layout.hot()).setInt(1, layout.hotCount())
                .setAddress(3, layout.argument(ELEMENTS));
    }

    /** Gives the gathering before a product where the matrix is now. */
    static void bind(KernelLaunch product, DeviceLayout layout) {
        if (layout.hotCount() > 0) {
            product.before().set(0, layout.hot()).setAddress(3, layout.argument(ELEMENTS));
        }
    }
}
