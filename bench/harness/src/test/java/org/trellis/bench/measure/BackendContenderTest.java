package org.trellis.bench.measure;

import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.testing.FailingBackend;

class BackendContenderTest {
    @Test
    void givesBackWhatItHasWhenAnAllocationFails() {
        CsrMatrix matrix = CsrMatrix.identity(5, Precision.F64);
        FailingBackend.failEach(backend -> new BackendContender(backend,
                backend.kernels(SparseKernels.class).rule(matrix), Precision.F64)
                .prepare(matrix, HostVector.zeros(Precision.F64, 5)));
    }
}
