package org.trellis.cuda;

import com.google.errorprone.annotations.MustBeClosed;
import org.junit.jupiter.api.Assumptions;
import org.trellis.backend.Availability;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.mesh.GroupKernels;

/** The GPU of the machine that tests run on, if it has one. */
public final class TestGpu {
    private TestGpu() {}

    /**
     * Opens the backend, or skips the test with the reason why it cannot be opened.
     *
     * @return a backend that the test closes
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public static CudaBackend open() {
        return open(0);
    }

    /**
     * Opens the backend on a device, or skips the test with the reason why it cannot be opened.
     *
     * @param device its number
     * @return a backend that the test closes
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public static CudaBackend open(int device) {
        requireOne();
        return (CudaBackend) new CudaBackendProvider()
                .open(Configuration.builder().set(ConfigurationKeys.CUDA_DEVICE, device).build());
    }

    private static void requireOne() {
        Availability availability = new CudaBackendProvider().probe();
        Assumptions.assumeTrue(availability.available(), availability.reason());
    }

    /**
     * Returns the number of devices, or skips the test if there is none.
     *
     * @return at least 1
     */
    public static int count() {
        try (CudaBackend backend = open(0)) {
            return backend.context().driver().deviceCount();
        }
    }

    /**
     * Says whether NCCL can join two ranks, or skips the test if there is no device.
     *
     * @return false if there is one device only, or NCCL is not found
     */
    public static boolean joins() {
        try (CudaBackend backend = open(0)) {
            return backend.context().driver().deviceCount() > 1
                    && backend.kernels(GroupKernels.class).missing().isEmpty();
        }
    }
}
