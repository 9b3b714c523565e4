package org.trellis.bench.prediction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.cuda.TestGpu;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.sparse.CsrMatrix;

/** What kernels of a device take, on one that is emulated and on a GPU. */
@Timeout(value = 100, unit = TimeUnit.SECONDS)
class DeviceKernelTimesTest {
    @TempDir
    private Path folder;

    /** The emulated kernels of solvers take longer to compile than all the rest. */
    @Test
    @EnabledIfSystemProperty(named = "trellis.test.emulation", matches = ".+")
    @SuppressWarnings("MustBeClosed") // closed by the clock
    void emulatedKernelsAreMeasured() {
        check(() -> EmulatedGpu.in(folder).open(0));
    }

    @Test
    void kernelsOfAGpuAreMeasured() {
        // Without a GPU this ends the test, which a rank could not.
        try (Backend probe = gpu()) {
            assertEquals("cuda", probe.name());
        }
        check(DeviceKernelTimesTest::gpu);
    }

    @MustBeClosed
    private static Backend gpu() {
        return TestGpu.open(0);
    }

    /** A device begins a step and then goes through entries; nothing of it hides messages. */
    private static void check(Supplier<Backend> devices) {
        CsrMatrix matrix =
                MatrixSpec.parse("poisson2d:nx=40,ny=31").generate(Precision.F64, ProgressListener.NONE);
        KernelTimes times = KernelClock.measure(matrix, devices);
        assertEquals(1240, times.rows());
        assertEquals(matrix.nonZeros(), times.nonZeros());
        assertTrue(times.step() > 0 && times.step() < 1, times::toString);
        assertTrue(times.product() >= 0 && times.sweep() >= 0 && times.iteration() >= 0, times::toString);
        assertEquals(0, times.element());
        assertFalse(times.hides());
    }
}
