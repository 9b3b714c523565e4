package org.trellis.cuda.solve;

import com.google.errorprone.annotations.MustBeClosed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.cuda.TestGpu;

/** Eigenvalues on the GPU. */
class CudaEigenTest extends EigenContract {
    @Override
    @MustBeClosed
    protected Backend open() {
        return TestGpu.open();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jacobi", "ssor", "amg"})
    void everyMethodFindsWhatIsKnown(String preconditioner) {
        requireKnown(preconditioner);
    }
}
