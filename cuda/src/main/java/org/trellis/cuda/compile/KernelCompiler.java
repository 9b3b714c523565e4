package org.trellis.cuda.compile;

/** Turns CUDA C into machine code. */
public interface KernelCompiler {
    /**
     * Returns which compiler it is.
     *
     * @return name and version, part of the key of the cache, for example {@code nvrtc 13.0}
     */
    String version();

    /**
     * Says whether several threads may compile at once, so that kernels can be compiled before they are asked for.
     *
     * @return false unless a compiler says otherwise
     */
    default boolean isConcurrent() {
        return false;
    }

    /**
     * Compiles.
     *
     * @param source       the source
     * @param architecture the device's own architecture, for example {@code sm_90}; or one of the virtual machine, for
     *                     example {@code compute_80}
     * @return the machine code, a cubin; or PTX, the text that the driver translates
     * @throws org.trellis.common.KernelCompilationException if the source does not compile
     */
    byte[] compile(KernelSource source, String architecture);
}
