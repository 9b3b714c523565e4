package org.trellis.cuda.solve;

import com.google.errorprone.annotations.MustBeClosed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;

/** Scaled systems on the GPU. */
class CudaScaledSystemsTest extends ScaledSystemsContract {
    @Override
    @MustBeClosed
    protected Backend open() {
        return TestGpu.open();
    }

    @ParameterizedTest
    @CsvSource({"cg,none", "cg,jacobi", "fcg,jacobi", "pipelined-cg,jacobi", "minres,none", "gmres,none",
        "bicgstab,jacobi", "idr,jacobi"})
    void iteratesAlike(String method, String preconditioner) {
        requireAlike(method, preconditioner);
    }
}
