package org.trellis.cuda;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.backend.Device;
import org.trellis.backend.DeviceBatches;
import org.trellis.backend.DeviceQueues;
import org.trellis.backend.DeviceStopwatch;
import org.trellis.backend.DeviceTiming;
import org.trellis.backend.KernelExtensions;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.cuda.algebra.CudaAlgebra;
import org.trellis.cuda.compile.KernelArchives;
import org.trellis.cuda.compile.KernelCache;
import org.trellis.cuda.compile.KernelCompiler;
import org.trellis.cuda.driver.CudaDriver;
import org.trellis.cuda.mesh.CudaLoopKernels;
import org.trellis.cuda.multigrid.CudaAggregationKernels;
import org.trellis.cuda.multigrid.CudaClassicalKernels;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.smooth.CudaSmootherKernels;
import org.trellis.cuda.solve.CudaPersistentKernels;
import org.trellis.cuda.sparse.CudaBasisKernels;
import org.trellis.cuda.sparse.CudaRowKernels;
import org.trellis.cuda.sparse.CudaSparseKernels;
import org.trellis.mesh.GroupKernels;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.device.PatternKernels;
import org.trellis.solve.PersistentKernels;
import org.trellis.solve.multigrid.AggregationKernels;
import org.trellis.solve.multigrid.ClassicalKernels;
import org.trellis.solve.smooth.SmootherKernels;
import org.trellis.sparse.BasisKernels;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.RowKernels;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.algebra.MatrixAlgebra;

/**
 * Runs kernels on one CUDA device. Kernels are queued and return at once; what hands a number to the host
 * (copies to the host) waits for it, and {@link DeviceTiming#synchronize()} waits for all.
 *
 * <p>Kernels of one backend are called from one thread at a time; several backends, on one device or on several, work
 * side by side.
 */
public final class CudaBackend implements Backend {
    /** The oldest CUDA version that a driver must support: 11.0, of the first driver for today's data-centre GPUs. */
    static final int OLDEST_DRIVER = 11_000;

    private final CudaContext context;
    private final Device device;
    private final Map<Class<?>, Object> kernels;
    private final KernelExtensions extensions = new KernelExtensions();

    private CudaBackend(CudaContext context, int driverVersion, List<Path> nccl) {
        this.context = context;
        Map<String, String> properties = new LinkedHashMap<>(context.device().properties());
        properties.put("driverCudaVersion", driverVersion / 1000 + "." + driverVersion % 1000 / 10);
        properties.put("kernelCompiler", context.compilerVersion());
        this.device = new Device(context.device().name(), context.space(), properties);
        CudaLoopKernels loops = new CudaLoopKernels(context);
        CudaAlgebra algebra = new CudaAlgebra(context);
        CudaSparseKernels sparse = new CudaSparseKernels(context, algebra);
        Map<Class<?>, Object> all = new LinkedHashMap<>();
        all.put(SparseKernels.class, sparse);
        all.put(MatrixAlgebra.class, algebra);
        all.put(AggregationKernels.class, new CudaAggregationKernels(context, algebra));
        all.put(ClassicalKernels.class, new CudaClassicalKernels(context, algebra));
        all.put(ElementKernels.class, sparse.elements());
        all.put(LoopKernels.class, loops);
        all.put(SmootherKernels.class, new CudaSmootherKernels(context));
        all.put(PersistentKernels.class, new CudaPersistentKernels(context));
        all.put(PatternKernels.class, loops.patterns());
        all.put(DeviceTiming.class, new CudaTiming(context));
        all.put(DeviceQueues.class, new CudaQueues(context));
        if (context.driver().hasGraphs()) {
            all.put(DeviceBatches.class, new CudaBatches(context));
        }
        all.put(DeviceStopwatch.class, new CudaStopwatch(context));
        all.put(HaloKernels.class, loops.halos());
        all.put(GroupKernels.class, loops.groups(nccl));
        all.put(RowKernels.class, new CudaRowKernels(context));
        all.put(BasisKernels.class, new CudaBasisKernels(context));
        this.kernels = Map.copyOf(all);
    }

    /**
     * Opens a device.
     *
     * @param driver        the driver
     * @param compiler      compiles kernels
     * @param configuration says which device and where compiled kernels are kept
     * @return a backend that the caller closes
     * @throws IllegalArgumentException                   if there is no such device
     * @throws org.trellis.common.DeviceException         if the device cannot be used
     */
    @MustBeClosed
    public static CudaBackend open(CudaDriver driver, KernelCompiler compiler, Configuration configuration) {
        KernelCache cache = new KernelCache(configuration.get(ConfigurationKeys.CACHE_DIRECTORY).resolve("kernels"));
        @SuppressWarnings("MustBeClosed") // closed with the backend, or here
        CudaContext context =
                CudaContext.open(driver, configuration.get(ConfigurationKeys.CUDA_DEVICE), compiler, cache,
                        archives(configuration),
                        configuration.get(ConfigurationKeys.CUDA_KERNEL_LIST).stream().findFirst());
        try {
            return new CudaBackend(context, driver.driverVersion(), configuration.get(ConfigurationKeys.CUDA_NCCL));
        } catch (RuntimeException e) {
            context.close();
            throw e;
        }
    }

    private static KernelArchives archives(Configuration configuration) {
        return configuration.get(ConfigurationKeys.CUDA_PRECOMPILED).equals("yes")
                ? KernelArchives.installed()
                : KernelArchives.of();
    }

    /**
     * Returns the context that everything happens in, for programs that work with CUDA's own objects too.
     *
     * @return the context, closed with the backend
     */
    public CudaContext context() {
        return context;
    }

    @Override
    public String name() {
        return CudaBackendProvider.NAME;
    }

    @Override
    public Device device() {
        return device;
    }

    @Override
    public <K> K kernels(Class<K> kernelInterface) {
        context.makeCurrent();
        Object found = kernels.get(kernelInterface);
        if (found == null) {
            return extensions.find(kernelInterface, this)
                    .orElseThrow(() -> new UnsupportedKernelException(kernelInterface.getSimpleName(), name(),
                            "it has " + kernels.keySet().stream().map(Class::getSimpleName).sorted().toList()));
        }
        return kernelInterface.cast(found);
    }

    @Override
    @MustBeClosed
    public CudaVector vector(Precision precision, int length) {
        return context.vector(precision, length);
    }

    @Override
    public void close() {
        context.close();
    }

    @Override
    public String toString() {
        return "backend " + name() + " on " + device.name();
    }
}
