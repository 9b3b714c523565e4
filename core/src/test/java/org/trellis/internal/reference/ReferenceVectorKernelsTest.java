package org.trellis.internal.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.memory.HostVector;
import org.trellis.solve.VectorKernelsContract;

final class ReferenceVectorKernelsTest extends VectorKernelsContract {
    @Override
    protected Backend openBackend() {
        return new ReferenceBackend();
    }

    @Test
    void computesByHand() {
        ReferenceVectorKernels kernels = new ReferenceVectorKernels(new ReferenceTurn());
        HostVector x = HostVector.of(1.0, 2, 3);
        HostVector y = HostVector.of(4.0, 5, 6);
        assertEquals(32, kernels.dot(x, y));
        kernels.axpy(2, x, y);
        assertArrayEquals(new double[]{6, 9, 12}, y.doubles());
        kernels.xpby(x, -1, y);
        assertArrayEquals(new double[]{-5, -7, -9}, y.doubles());
        kernels.multiplyElements(x, x, y);
        assertArrayEquals(new double[]{1, 4, 9}, y.doubles());
    }
}
