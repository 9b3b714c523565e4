package org.trellis.internal.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.ElementKernelsContract;
import org.trellis.sparse.ElementKernels;

final class ReferenceElementKernelsTest extends ElementKernelsContract {
    @Override
    protected Backend openBackend() {
        return new ReferenceBackend();
    }

    @Test
    void computesByHand() {
        ElementKernels kernels = new ReferenceElementKernels(new ReferenceLock());
        HostVector x = HostVector.of(1.0, 2, 3);
        HostVector y = HostVector.of(4.0, 5, 6);
        HostVector sum = HostVector.zeros(Precision.F64, 2);
        kernels.dot(x, y, sum, 1);
        assertArrayEquals(new double[]{0, 32}, sum.doubles());
        kernels.update(2, null, x, 1, y);
        assertArrayEquals(new double[]{6, 9, 12}, y.doubles());
        kernels.update(1, null, x, -1, y);
        assertArrayEquals(new double[]{-5, -7, -9}, y.doubles());
        kernels.update(-1, x, x, 0, y);
        assertArrayEquals(new double[]{-1, -4, -9}, y.doubles());
    }
}
