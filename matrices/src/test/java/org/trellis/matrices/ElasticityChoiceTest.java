package org.trellis.matrices;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.Solution;
import org.trellis.systems.Solvers;
import org.trellis.systems.SystemSolver;

/** The automatic choice recognises the unknowns of a node, and nothing where there are none. */
final class ElasticityChoiceTest {
    @ParameterizedTest
    @CsvSource({"'elasticity2d:nx=110', 2, 0.8", "'elasticity3d:nx=19', 3, 0.8", "'poisson2d:nx=150', 1, 1",
        "'anisotropic2d:nx=150', 1, 1", "'poisson3d:nx=30', 1, 1"})
    void blocksAreRecognised(String spec, int blockSize, double share) {
        CsrMatrix a = MatrixSpec.parse(spec).generate(Precision.F64, ProgressListener.NONE);
        double[] b = a.multiply(HostVector.zeros(Precision.F64, a.rows()).fill(1).toDoubleArray());
        try (SystemSolver auto = Solvers.auto(a); SystemSolver scalar = Solvers.cg(a).multigrid()) {
            Solution solution = auto.solve(b).orThrow();
            String notes = String.join("\n", solution.report().facts().notes());
            assertEquals(blockSize > 1, notes.contains("by nodes of " + blockSize + " unknowns"), notes);
            assertTrue(notes.contains("cg with amg"), notes);
            int most = (int) (share * scalar.solve(b).report().iterations());
            assertTrue(solution.report().iterations() <= most, solution + ", expected at most " + most);
        }
    }
}
