package org.trellis.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.ElementKernelsContract;
import org.trellis.sparse.ElementKernels;
import org.trellis.testing.TestSeed;

/** The contract on the GPU, and a vector long enough for several rounds of every block. */
class CudaElementKernelsTest extends ElementKernelsContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return TestGpu.open();
    }

    @Test
    void longVectorsAreSummedTheSameWayEveryTime() {
        int length = 20_000_003;
        SplittableRandom random = TestSeed.random("longVectors");
        HostVector host = HostVector.of(Precision.F32, length, i -> random.nextDouble(-1, 1));
        double expected = 0;
        double scale = 0;
        for (int i = 0; i < length; i++) {
            expected += host.get(i) * host.get(length - 1 - i);
            scale += Math.abs(host.get(i) * host.get(length - 1 - i));
        }
        HostVector reversed = HostVector.of(Precision.F32, length, i -> host.get(length - 1 - i));
        try (CudaBackend backend = TestGpu.open();
                CudaVector x = backend.vector(Precision.F32, length);
                CudaVector y = backend.vector(Precision.F32, length);
                CudaVector sums = backend.vector(Precision.F64, 2)) {
            x.copyFrom(host);
            y.copyFrom(reversed);
            ElementKernels kernels = backend.kernels(ElementKernels.class);
            kernels.dot(x, y, sums, 0);
            HostVector found = HostVector.zeros(Precision.F64, 2);
            for (int i = 0; i < 20; i++) {
                kernels.dot(x, y, sums, 1);
                sums.copyTo(found);
                assertEquals(expected, found.get(0), 1e-9 * scale);
                assertTrue(found.get(1) == found.get(0), "the sum changed");
            }
        }
    }
}
