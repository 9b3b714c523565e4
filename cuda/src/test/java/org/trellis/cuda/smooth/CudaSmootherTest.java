package org.trellis.cuda.smooth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.cuda.TestGpu;
import org.trellis.cuda.runtime.GraphPart;
import org.trellis.memory.DenseVector;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SmootherContract;
import org.trellis.sparse.CsrMatrix;

/** The smoothers of the GPU. */
class CudaSmootherTest extends SmootherContract {
    @Override
    @MustBeClosed
    protected Backend openBackend() {
        return TestGpu.open();
    }

    @Override
    protected boolean runsBlocks() {
        return false;
    }

    @Test
    void blocksAreRefused() {
        try (Backend backend = TestGpu.open()) {
            assertThrows(UnsupportedKernelException.class, () -> Preconditioners.of("hybrid-gauss-seidel",
                    CsrMatrix.identity(5, Precision.F64), backend, Map.of()));
        }
    }

    @Test
    void allStepsCanBePartsOfGraphs() {
        try (Backend backend = TestGpu.open();
                DenseVector r = backend.vector(Precision.F64, 9);
                DenseVector z = backend.vector(Precision.F64, 9)) {
            for (String name : List.of("jacobi", "chebyshev", "ssor", "ic0", "fsai", "block-jacobi", "polynomial")) {
                try (Smoother smoother = Preconditioners.smoother(name, CsrMatrix.identity(9, Precision.F64), null,
                        backend, Map.of())) {
                    List<PreparedStep> steps = smoother.bindApplication(r, z);
                    assertEquals(steps.size(), steps.stream().filter(GraphPart.class::isInstance).count(), name);
                    steps.forEach(PreparedStep::close);
                }
            }
        }
    }
}
