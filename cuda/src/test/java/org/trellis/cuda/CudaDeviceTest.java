package org.trellis.cuda;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.DeviceException;
import org.trellis.common.KernelCompilationException;
import org.trellis.common.Precision;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaDevice;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.KernelLaunch;
import org.trellis.memory.HostVector;
import org.trellis.testing.TestSeed;

/** Copies, launches, timing and failures on the GPU of this machine; skipped where there is none. */
class CudaDeviceTest {
    private static final KernelSource ADD = new KernelSource("add.cu", """
            extern "C" __global__ void add(int* y, int a, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < n) y[i] += a;
            }
            extern "C" __global__ void nothing() {}
            """, Map.of(), List.of());

    @Test
    void listsDevices() {
        try (CudaBackend backend = TestGpu.open()) {
            CudaDevice device = backend.context().device();
            assertEquals(device, CudaDevice.all(backend.context().driver()).get(device.number()));
            assertTrue(device.memoryBytes() > 1L << 30 && device.multiprocessors() > 0 && device.capabilityMajor() >= 5,
                    device.toString());
            System.out.println(backend + ": " + backend.device().properties());
        }
    }

    @Test
    void copiesOfEverySizeComeBack() {
        SplittableRandom random = TestSeed.random("copies");
        try (CudaBackend backend = TestGpu.open()) {
            for (int length : new int[]{0, 1, 1023, 1 << 20, (1 << 20) + 1, 3_333_333}) {
                int[] data = random.ints(length).toArray();
                int[] back = new int[length];
                try (CudaBuffer buffer = backend.context().upload(MemorySegment.ofArray(data));
                        CudaBuffer second = backend.context().buffer(buffer.bytes())) {
                    second.copyFrom(buffer);
                    second.copyTo(MemorySegment.ofArray(back));
                }
                assertArrayEquals(data, back);
            }
        }
    }

    @Test
    void launchesTakeTheirArguments() {
        try (CudaBackend backend = TestGpu.open()) {
            CudaContext context = backend.context();
            int n = 1000;
            try (CudaBuffer y = context.buffer(4L * n);
                    KernelLaunch add = context.kernel(ADD, "add").launch(LaunchShape.covering(n, 128), 3)) {
                y.clear();
                add.set(0, y).setInt(2, n);
                for (int a = 1; a <= 10; a++) {
                    add.setInt(1, a).run();
                }
                int[] result = new int[n];
                y.copyTo(MemorySegment.ofArray(result));
                assertTrue(Arrays.stream(result).allMatch(v -> v == 55), Arrays.toString(result));
            }
        }
    }

    @Test
    void twoBackendsWorkSideBySide() {
        try (CudaBackend first = TestGpu.open();
                CudaBackend second = TestGpu.open();
                CudaVector a = first.vector(Precision.F64, 5);
                CudaVector b = second.vector(Precision.F64, 5)) {
            a.copyFrom(HostVector.of(1.0, 2, 3, 4, 5));
            b.copyFrom(HostVector.of(5.0, 4, 3, 2, 1));
            HostVector back = HostVector.zeros(Precision.F64, 5);
            a.copyTo(back);
            assertEquals(2, back.get(1));
            b.copyTo(back);
            assertEquals(4, back.get(1));
        }
    }

    @Test
    void refusesWhatDoesNotFitOrCompile() {
        try (CudaBackend backend = TestGpu.open()) {
            CudaContext context = backend.context();
            DeviceException e = assertThrows(DeviceException.class, () -> context.buffer(1L << 45));
            assertEquals(2, e.code());
            assertTrue(e.getMessage().contains("allocating 35184372088832 bytes on cuda:0"), e.getMessage());
            assertThrows(DeviceException.class, () -> context.kernel(ADD, "subtract"));
            KernelCompilationException k = assertThrows(KernelCompilationException.class,
                    () -> context.kernel(new KernelSource("bad.cu", "\nnonsense;\n", Map.of(), List.of()), "bad"));
            assertEquals("bad.cu:2: nonsense;", k.sourceLine());
            try (KernelLaunch launch = context.kernel(ADD, "nothing").launch(new LaunchShape(1, 1, 32, 1 << 30), 0)) {
                assertThrows(DeviceException.class, launch::run);
            }
            context.synchronize();
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void timesWhatTheDeviceDoes() {
        try (CudaBackend backend = TestGpu.open()) {
            DeviceTiming timing = backend.kernels(DeviceTiming.class);
            double bandwidth = timing.copyBandwidth();
            assertTrue(bandwidth > 1e9 && bandwidth < 1e14, "copy bandwidth " + bandwidth);
            KernelLaunch nothing = backend.context().kernel(ADD, "nothing").launch(LaunchShape.of(1, 32), 0);
            double[] kernel = sorted(timing.time(200, nothing::run));
            double[] call = sorted(hostSeconds(2000, nothing::run));
            double[] round = sorted(hostSeconds(2000, () -> {
                nothing.run();
                timing.synchronize();
            }));
            System.out.printf(Locale.ROOT,
                    "copy %.0f GB/s; empty kernel: device %.2f us, call %.2f us, call and wait %.2f us%n",
                    bandwidth * 1e-9, kernel[100] * 1e6, call[1000] * 1e6, round[1000] * 1e6);
            assertTrue(kernel[100] < 1e-4, "an empty kernel takes " + kernel[100] + " s");
        }
    }

    private static double[] sorted(double[] values) {
        Arrays.sort(values);
        return values;
    }

    private static double[] hostSeconds(int repetitions, Runnable work) {
        double[] seconds = new double[repetitions];
        for (int i = 0; i < 10 * repetitions; i++) {
            work.run();
        }
        for (int i = 0; i < repetitions; i++) {
            long start = System.nanoTime();
            work.run();
            seconds[i] = (System.nanoTime() - start) * 1e-9;
        }
        return seconds;
    }
}
