package org.trellis.cuda.sparse;

import java.lang.foreign.ValueLayout;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.cuda.runtime.PinnedBuffer;

/** Adds up the partial sums that a fused product leaves, in one block and a fixed order. */
final class DotResult implements AutoCloseable {
    private static final int THREADS = 256;

    private final CudaContext context;
    private final CudaBuffer partials;
    private final PinnedBuffer result;
    private final KernelLaunch launch;

    DotResult(CudaContext context, NumberTypes types, int count) {
        this.context = context;
        this.partials = context.buffer((long) count * types.sums().bytes());
        this.result = context.pinned(Double.BYTES);
        KernelSource source = KernelSource.resource(DotResult.class, "reduce.cu", "product.cuh")
                .define("VALUE", NumberTypes.name(types.values()))
                .define("SUM", NumberTypes.name(types.sums()))
                .define("BLOCK_SIZE", THREADS);
        this.launch = context.kernel(source, "reduce").launch(LaunchShape.of(1, THREADS), 3)
                .set(0, partials).setInt(1, count).setAddress(2, result.address());
    }

    CudaBuffer partials() {
        return partials;
    }

    /** Adds up and waits. */
    double read() {
        launch.run();
        context.synchronize();
        return result.memory().get(ValueLayout.JAVA_DOUBLE, 0);
    }

    @Override
    public void close() {
        launch.close();
        result.close();
        partials.close();
    }
}
