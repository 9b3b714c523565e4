package org.trellis.cuda;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Availability;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.DeviceException;
import org.trellis.cuda.compile.Compilers;
import org.trellis.cuda.driver.CudaDriver;
import org.trellis.cuda.driver.LibraryFinder;
import org.trellis.cuda.driver.NativeLibraries;
import org.trellis.cuda.runtime.CudaDevice;

/** Announces the {@code cuda} backend. */
public final class CudaBackendProvider implements BackendProvider {
    /** The name of the backend. */
    static final String NAME = "cuda";

    private static final int PRIORITY = 100;

    private final LibraryFinder finder;
    private final DriverLoader loader;

    /** Loads the driver; a seam for tests. */
    @FunctionalInterface
    interface DriverLoader {
        /**
         * Loads the driver.
         *
         * @param finder where to look
         * @return the driver
         * @throws BackendUnavailableException if there is none that works
         */
        CudaDriver load(LibraryFinder finder);
    }

    /** Creates the provider; for the service loader. */
    public CudaBackendProvider() {
        this(LibraryFinder.ofSystem(), NativeLibraries::driver);
    }

    CudaBackendProvider(LibraryFinder finder, DriverLoader loader) {
        this.finder = finder;
        this.loader = loader;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int priority() {
        return PRIORITY;
    }

    @Override
    public Availability probe() {
        if (NativeLibraries.driverFiles(finder).isEmpty()) {
            return Availability.no("no NVIDIA driver: libcuda.so.1 is not installed");
        }
        try {
            CudaDriver driver = loader.load(finder);
            List<CudaDevice> devices = CudaDevice.all(driver);
            if (devices.isEmpty()) {
                return Availability.no("the NVIDIA driver sees no device");
            }
            return probeCompiler(driver, devices);
        } catch (BackendUnavailableException | DeviceException | IllegalArgumentException e) {
            return Availability.no(e.getMessage());
        }
    }

    private Availability probeCompiler(CudaDriver driver, List<CudaDevice> devices) {
        int version = driver.driverVersion();
        if (version < CudaBackend.OLDEST_DRIVER) {
            return Availability.no("the NVIDIA driver supports CUDA " + text(version) + ", and Trellis needs "
                    + text(CudaBackend.OLDEST_DRIVER) + " or later");
        }
        List<Path> places = Configuration.builder().build().get(ConfigurationKeys.CUDA_NVRTC);
        Optional<Path> compiler = Compilers.locate(finder, places);
        if (compiler.isEmpty()) {
            return Availability
                    .no("kernels cannot be compiled: there is neither NVRTC (libnvrtc.so of the CUDA toolkit;"
                            + " name it with " + ConfigurationKeys.CUDA_NVRTC.name() + ") nor nvcc");
        }
        return Availability.yes(String.join(", ", devices.stream().map(CudaDevice::name).toList()) + ", CUDA "
                + text(version) + ", kernels compiled by " + compiler.get());
    }

    private static String text(int version) {
        return version / 1000 + "." + version % 1000 / 10;
    }

    @Override
    public int devices() {
        return Math.max(1, loader.load(finder).deviceCount());
    }

    @Override
    @MustBeClosed
    public Backend open(Configuration configuration) {
        try {
            CudaDriver driver = loader.load(finder);
            if (driver.driverVersion() < CudaBackend.OLDEST_DRIVER) {
                throw new BackendUnavailableException("the NVIDIA driver supports CUDA " + text(driver.driverVersion())
                        + ", and Trellis needs " + text(CudaBackend.OLDEST_DRIVER) + " or later");
            }
            return CudaBackend.open(driver,
                    Compilers.open(finder, configuration.get(ConfigurationKeys.CUDA_NVRTC), driver.driverVersion()),
                    configuration);
        } catch (DeviceException e) {
            throw new BackendUnavailableException("the cuda backend cannot be opened: " + e.getMessage());
        }
    }
}
