package org.trellis.cuda.compile;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.trellis.common.BackendUnavailableException;
import org.trellis.cuda.driver.LibraryFinder;
import org.trellis.cuda.driver.NativeLibraries;

/** Finds a compiler: NVRTC, else nvcc. */
public final class Compilers {
    private static final String NVCC = "nvcc";

    private Compilers() {}

    /**
     * Returns whether a compiler is installed, without loading or running one.
     *
     * @param finder where to look
     * @param places files or folders that come first
     * @return the file of the one that {@link #open} would try first
     */
    public static Optional<Path> locate(LibraryFinder finder, List<Path> places) {
        List<Path> libraries = NativeLibraries.nvrtcFiles(finder, places);
        return libraries.isEmpty() ? finder.program(NVCC) : Optional.of(libraries.getFirst());
    }

    /**
     * Opens a compiler.
     *
     * @param finder        where to look
     * @param places        files or folders that come first
     * @param driverVersion the CUDA version of the driver, 1000 × major + 10 × minor
     * @return the compiler
     * @throws BackendUnavailableException if there is none that works; says why
     */
    public static KernelCompiler open(LibraryFinder finder, List<Path> places, int driverVersion) {
        try {
            return new NvrtcCompiler(
                    NativeLibraries.nvrtc(NativeLibraries.nvrtcFiles(finder, places), driverVersion));
        } catch (BackendUnavailableException e) {
            Path nvcc = finder.program(NVCC).orElseThrow(() -> new BackendUnavailableException(
                    e.getMessage() + ", and there is no nvcc to compile kernels with either"));
            return new NvccCompiler(nvcc);
        }
    }
}
