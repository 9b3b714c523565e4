package org.trellis.cuda.driver;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.DeviceException;

/** Loads the native libraries that are really there; everything else in this module works with their interfaces. */
public final class NativeLibraries {
    private static final String DRIVER = "libcuda.so";
    private static final String NVRTC = "libnvrtc.so";
    private static final String NCCL = "libnccl.so";

    /** Guards {@link #loaded}: the driver is initialised once a process. */
    private static final Object LOCK = new Object();
    private static CudaDriver loaded;

    private NativeLibraries() {}

    /**
     * Finds the driver's library without loading it.
     *
     * @param finder where to look
     * @return the files found, best first; empty if no driver is installed
     */
    public static List<Path> driverFiles(LibraryFinder finder) {
        // Toolkits have a stub without a version that links but does not work.
        return finder.libraries(DRIVER, List.of()).stream()
                .filter(file -> !file.getFileName().toString().equals(DRIVER)).toList();
    }

    /**
     * Finds NVRTC without loading it.
     *
     * @param finder where to look
     * @param places files or folders that come first
     * @return the files found, best first
     */
    public static List<Path> nvrtcFiles(LibraryFinder finder, List<Path> places) {
        return finder.libraries(NVRTC, places);
    }

    /**
     * Loads and initialises the driver; later calls return the same object.
     *
     * @param finder where to look
     * @return the driver's calls
     * @throws BackendUnavailableException if no driver is installed or it does not work; says why
     */
    public static CudaDriver driver(LibraryFinder finder) {
        synchronized (LOCK) {
            if (loaded == null) {
                loaded = load(driverFiles(finder));
            }
            return loaded;
        }
    }

    private static CudaDriver load(List<Path> files) {
        if (files.isEmpty()) {
            throw new BackendUnavailableException("no NVIDIA driver: libcuda.so.1 is not installed");
        }
        try {
            return JCudaBinding.load(files.getFirst());
        } catch (DeviceException e) {
            throw new BackendUnavailableException("the NVIDIA driver does not start: " + e.getMessage());
        } catch (LinkageError e) {
            throw new BackendUnavailableException("JCuda's native library cannot be loaded: " + firstLine(e));
        }
    }

    private static String firstLine(Throwable e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse(e.getClass().getSimpleName()).strip();
    }

    /**
     * Loads the first NVRTC that works and that the driver understands.
     *
     * @param files         candidates, best first
     * @param driverVersion the CUDA version of the driver, 1000 × major + 10 × minor; an NVRTC of a later major version
     *                      makes code that the driver may not load, and is passed over
     * @return its functions
     * @throws BackendUnavailableException if there is none; says why for each candidate
     */
    public static Nvrtc nvrtc(List<Path> files, int driverVersion) {
        List<String> reasons = new ArrayList<>();
        for (Path file : files) {
            try {
                Nvrtc nvrtc = ForeignNvrtc.load(file);
                int version = nvrtc.version();
                if (version / 1000 <= driverVersion / 1000) {
                    return nvrtc;
                }
                reasons.add(file + " is of CUDA " + version / 1000 + ", the driver of CUDA " + driverVersion / 1000);
            } catch (BackendUnavailableException | DeviceException e) {
                reasons.add(e.getMessage());
            }
        }
        throw new BackendUnavailableException(reasons.isEmpty()
                ? "NVRTC (libnvrtc.so) is not installed"
                : "no usable NVRTC: " + String.join("; ", reasons));
    }

    /**
     * Loads the first NCCL that works.
     *
     * @param finder where to look
     * @param places files or folders that come first
     * @return its functions
     * @throws BackendUnavailableException if there is none; says why for each that was found
     */
    public static Nccl nccl(LibraryFinder finder, List<Path> places) {
        List<String> reasons = new ArrayList<>();
        for (Path file : finder.libraries(NCCL, places)) {
            try {
                return ForeignNccl.load(file);
            } catch (BackendUnavailableException e) {
                reasons.add(e.getMessage());
            }
        }
        String where = places.isEmpty()
                ? ""
                : ", nor is one at " + String.join(", ", places.stream().map(Path::toString).toList());
        throw new BackendUnavailableException(reasons.isEmpty()
                ? "NCCL (libnccl.so.2) is not installed in a usual place" + where
                : "no usable NCCL: " + String.join("; ", reasons));
    }
}
