package org.trellis.cuda;

import com.google.errorprone.annotations.MustBeClosed;
import org.junit.jupiter.api.Assumptions;
import org.trellis.backend.Availability;
import org.trellis.common.Configuration;

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
        Availability availability = new CudaBackendProvider().probe();
        Assumptions.assumeTrue(availability.available(), availability.reason());
        return (CudaBackend) new CudaBackendProvider().open(Configuration.builder().build());
    }
}
