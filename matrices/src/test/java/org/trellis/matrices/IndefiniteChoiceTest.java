package org.trellis.matrices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.Solution;
import org.trellis.systems.Solvers;
import org.trellis.systems.SystemSolver;

/** A matrix that looks like diffusion but is indefinite is factorised where its factors are sparse. */
final class IndefiniteChoiceTest {
    @Test
    void wavesAreFactorisedOnceMultigridHasFailed() {
        CsrMatrix a = MatrixSpec.parse("helmholtz2d:nx=150").generate(Precision.F64, ProgressListener.NONE);
        double[] b = a.multiply(HostVector.zeros(Precision.F64, a.rows()).fill(1).toDoubleArray());
        try (SystemSolver auto = Solvers.auto(a)) {
            Solution solution = auto.solve(b).orThrow();
            String notes = String.join("\n", solution.report().facts().notes());
            assertTrue(notes.contains("auto: cg with amg") && notes.contains("on to the next choice"), notes);
            assertEquals("direct", solution.report().method(), notes);
            for (double element : solution.x()) {
                assertEquals(1, element, solution.forwardErrorBound() * Math.sqrt(a.rows()) + 1e-12, notes);
            }
        }
    }
}
