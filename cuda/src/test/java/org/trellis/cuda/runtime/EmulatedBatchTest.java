package org.trellis.cuda.runtime;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.backend.DeviceBatch;
import org.trellis.backend.DeviceBatches;
import org.trellis.common.Precision;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ElementKernels;

/** Kernels that are kept back and queued together, run on the host. */
class EmulatedBatchTest {
    private static final int LENGTH = 37;

    @TempDir
    private static Path folder;

    private static double first(CudaVector vector) {
        HostVector copy = HostVector.zeros(Precision.F64, LENGTH);
        vector.copyTo(copy);
        return copy.get(LENGTH - 1);
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    private static CudaVector ones(CudaBackend backend) {
        CudaVector vector = backend.vector(Precision.F64, LENGTH);
        vector.copyFrom(HostVector.of(Precision.F64, LENGTH, i -> 1));
        return vector;
    }

    @Test
    void queuesTheSameKernelsAsAWhole() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (CudaBackend backend = gpu.open();
                CudaVector x = ones(backend);
                CudaVector y = ones(backend);
                DeviceBatch batch = backend.kernels(DeviceBatches.class).batch()) {
            ElementKernels elements = backend.kernels(ElementKernels.class);
            // The first call makes what it needs.
            elements.update(0, null, x, 1, y);
            double expected = 1;
            for (int run = 0; run < 5; run++) {
                // The factor is an argument that changes; the third kernel comes in odd runs of the second half.
                batch.begin(null);
                elements.update(run, null, x, 2, y);
                elements.update(1, null, x, 1, y);
                expected = 2 * expected + run + 1;
                if (run == 4) {
                    elements.update(1, null, x, 1, y);
                    expected++;
                }
                int before = gpu.launches();
                batch.end();
                assertEquals(run == 4 ? 3 : 2, gpu.launches() - before, "kernels of run " + run);
                assertEquals(run > 0 && run < 4, batch.isJoined(), "run " + run);
                assertEquals(0, batch.interruptions());
                assertEquals(expected, first(y), "run " + run);
            }
            assertEquals(3, gpu.graphLaunches());
        }
    }

    @Test
    void queuesWhatIsKeptBeforeAnythingElse() {
        EmulatedGpu gpu = EmulatedGpu.in(folder);
        try (CudaBackend backend = gpu.open();
                CudaVector x = ones(backend);
                CudaVector y = ones(backend);
                DeviceBatch batch = backend.kernels(DeviceBatches.class).batch()) {
            ElementKernels elements = backend.kernels(ElementKernels.class);
            List<String> gates = new ArrayList<>();
            for (int run = 0; run < 3; run++) {
                batch.begin(() -> gates.add("gate"));
                elements.update(1, null, x, 0, y);
                elements.update(1, null, x, 1, y);
                assertEquals(run, gates.size(), "nothing is queued yet");
                assertEquals(2, first(y), "a copy finds what kernels wrote that were kept");
                assertTrue(batch.interruptions() > 0);
                elements.update(1, null, x, 1, y);
                backend.context().submit();
                batch.end();
                assertEquals(run + 1, gates.size());
                assertEquals(3, first(y));
            }
            batch.begin(() -> gates.add("gate"));
            batch.end();
            assertEquals(4, gates.size(), "without kernels, too");
        }
    }

    @Test
    void forgetsWhatIsAbandoned() {
        try (CudaBackend backend = EmulatedGpu.in(folder).open();
                CudaVector x = ones(backend);
                CudaVector y = ones(backend);
                DeviceBatch batch = backend.kernels(DeviceBatches.class).batch();
                DeviceBatch other = backend.kernels(DeviceBatches.class).batch()) {
            ElementKernels elements = backend.kernels(ElementKernels.class);
            batch.begin(null);
            assertThrows(IllegalStateException.class, () -> other.begin(null));
            elements.update(5, null, x, 0, y);
            batch.abandon();
            assertEquals(1, first(y));
            assertFalse(batch.isJoined());
            other.begin(null);
            elements.update(5, null, x, 0, y);
            other.end();
            assertArrayEquals(new double[]{5}, new double[]{first(y)});
        }
    }
}
