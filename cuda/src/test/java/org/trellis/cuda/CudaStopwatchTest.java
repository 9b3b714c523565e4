package org.trellis.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.DeviceStopwatch;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelCompiler;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.FakeDriver;
import org.trellis.memory.HostVector;

/** Marks in the queue, on a driver in plain Java and on the GPU of this machine if there is one. */
class CudaStopwatchTest {
    /** No device reads the memory of its host faster. */
    private static final double BYTES_PER_SECOND = 1e12;

    private static final KernelCompiler COMPILER = new KernelCompiler() {
        @Override
        public String version() {
            return "fake 1";
        }

        @Override
        public byte[] compile(KernelSource source, String architecture) {
            return architecture.getBytes(StandardCharsets.US_ASCII);
        }
    };

    @TempDir
    private Path folder;

    @MustBeClosed
    private CudaBackend open(FakeDriver driver) {
        return CudaBackend.open(driver, COMPILER,
                Configuration.builder().set(ConfigurationKeys.CACHE_DIRECTORY, folder).build());
    }

    @Test
    void readsTimesWhenTheyAreThere() {
        FakeDriver driver = new FakeDriver();
        try (CudaBackend backend = open(driver);
                DeviceStopwatch.Stretch stretch = backend.kernels(DeviceStopwatch.class).newStretch()) {
            assertThrows(IllegalStateException.class, stretch::end);
            assertThrows(IllegalStateException.class, stretch::seconds);
            for (int turn = 0; turn < 3; turn++) {
                driver.holdEventsBack(true);
                stretch.begin();
                assertThrows(IllegalStateException.class, stretch::seconds);
                stretch.end();
                assertEquals(OptionalDouble.empty(), stretch.seconds());
                assertEquals(OptionalDouble.empty(), stretch.seconds());
                driver.holdEventsBack(false);
                assertEquals(1e-3, stretch.seconds().orElseThrow(), 1e-12);
            }
        }
    }

    @Test
    void keepsTheDeviceBusyForAsLongAsTheHostTookTheLastTime() throws InterruptedException {
        FakeDriver driver = new FakeDriver();
        try (CudaBackend backend = open(driver);
                DeviceStopwatch.Stretch stretch = backend.kernels(DeviceStopwatch.class).newStretch()) {
            stretch.begin();
            assertEquals(10_000, delayNanos(driver));
            Thread.sleep(2);
            stretch.end();
            stretch.begin();
            assertEquals(200_000, delayNanos(driver), "not longer, however slow the host was");
            stretch.end();
            // Another process may take the processor in any of these.
            long least = 200_000;
            for (int turn = 0; turn < 10_000 && least == 200_000; turn++) {
                stretch.begin();
                least = Math.min(least, delayNanos(driver));
                stretch.end();
            }
            assertTrue(least < 200_000 && least >= 10_000, least + " ns");
        }
    }

    /** The first argument of the last kernel; the driver notes it behind the shape. */
    private static long delayNanos(FakeDriver driver) {
        String arguments = driver.launches().getLast().replaceFirst(".* threads ", "");
        return Long.parseLong(arguments.split(" ")[0]);
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void givesItsEventsBack() {
        FakeDriver driver = new FakeDriver();
        CudaBackend backend = open(driver);
        DeviceStopwatch stopwatch = backend.kernels(DeviceStopwatch.class);
        DeviceStopwatch.Stretch closed = stopwatch.newStretch();
        closed.close();
        closed.close();
        DeviceStopwatch.Stretch forgotten = stopwatch.newStretch();
        backend.close();
        assertThrows(IllegalStateException.class, forgotten::begin);
        assertEquals(0, driver.open());
    }

    /** Between the fastest that a copy can be and what went by on the host, however busy the device is. */
    @Test
    void timesWorkOnADevice() {
        int length = 1 << 20;
        HostVector zeros = HostVector.zeros(Precision.F64, length);
        try (CudaBackend backend = TestGpu.open();
                DeviceStopwatch.Stretch stretch = backend.kernels(DeviceStopwatch.class).newStretch();
                CudaVector vector = backend.vector(Precision.F64, length)) {
            long start = System.nanoTime();
            stretch.begin();
            vector.copyFrom(zeros);
            stretch.end();
            OptionalDouble seconds = stretch.seconds();
            while (seconds.isEmpty()) {
                Thread.onSpinWait();
                seconds = stretch.seconds();
            }
            double most = 1e-9 * (System.nanoTime() - start);
            double least = (double) length * Double.BYTES / BYTES_PER_SECOND;
            double found = seconds.getAsDouble();
            assertTrue(found >= least && found <= most, found + " s, expected " + least + " to " + most);
        }
    }
}
