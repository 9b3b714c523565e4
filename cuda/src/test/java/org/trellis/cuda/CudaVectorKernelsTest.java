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
import org.trellis.solve.VectorKernels;
import org.trellis.solve.VectorKernelsContract;
import org.trellis.testing.TestSeed;

/** The contract on the GPU, and a vector long enough for several rounds of every block. */
class CudaVectorKernelsTest extends VectorKernelsContract {
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
                CudaVector y = backend.vector(Precision.F32, length)) {
            x.copyFrom(host);
            y.copyFrom(reversed);
            VectorKernels kernels = backend.kernels(VectorKernels.class);
            double first = kernels.dot(x, y);
            assertEquals(expected, first, 1e-9 * scale);
            for (int i = 0; i < 20; i++) {
                assertTrue(kernels.dot(x, y) == first, "the sum changed");
            }
        }
    }
}
