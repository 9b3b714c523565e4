/**
 * The CUDA backend of Trellis: NVIDIA GPUs through the driver, with kernels compiled at run time. On a machine without
 * a GPU the backend says why it is not available and nothing else changes.
 */
@SuppressWarnings("requires-automatic") // JCuda has no module descriptor
module org.trellis.cuda {
    requires transitive org.trellis.core;
    requires static com.google.errorprone.annotations;
    requires static org.trellis.fem;
    requires jcuda;

    exports org.trellis.cuda;
    exports org.trellis.cuda.driver;
    exports org.trellis.cuda.compile;
    exports org.trellis.cuda.runtime;

    uses org.trellis.cuda.compile.KernelArchive;

    provides org.trellis.backend.BackendProvider with
            org.trellis.cuda.CudaBackendProvider;
    provides org.trellis.backend.KernelExtension with
            org.trellis.cuda.fem.CudaFormsExtension;
}
