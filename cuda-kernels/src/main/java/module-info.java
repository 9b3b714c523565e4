/**
 * Machine code of the kernels that most programs use, for devices of several architectures. Nothing has to be called:
 * the CUDA backend finds it where the module or its jar is there.
 */
module org.trellis.cuda.kernels {
    requires org.trellis.cuda;

    provides org.trellis.cuda.compile.KernelArchive with
            org.trellis.cuda.kernels.ReleasedKernels;
}
