package org.trellis.matrices;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.Precision;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.Solution;
import org.trellis.systems.Solvers;
import org.trellis.systems.SystemSolver;
import org.trellis.testing.SharedData;

/** Real systems with small residuals whose solutions are far from the exact ones: the report shows both. */
final class RealSystemsTest {
    @ParameterizedTest
    @ValueSource(strings = {"fs_183_1.mtx", "arc130.mtx", "cryg2500.mtx.gz"})
    void errorsAreWithinTheBound(String name) throws IOException {
        CsrMatrix a = MatrixMarket.read(SharedData.folder("matrices").resolve(name), ReadOptions.DEFAULT);
        double[] exact = HostVector.zeros(Precision.F64, a.rows()).fill(1).toDoubleArray();
        double[] b = a.multiply(exact);
        try (SystemSolver auto = Solvers.auto(a)) {
            Solution solution = auto.solve(b).orThrow();
            double error = error(solution.x());
            assertTrue(error <= solution.forwardErrorBound(), error + ": " + solution);
            assertTrue(solution.conditionEstimate() > 1e8, solution::toString);
            assertTrue(solution.toString().contains(", error up to "), solution::toString);
        }
        try (SystemSolver gmres = Solvers.gmres(a)) {
            assertTrue(gmres.solve(b).toString().contains(", error unknown"));
        }
    }

    private static double error(double[] x) {
        double sum = 0;
        for (double element : x) {
            sum += (element - 1) * (element - 1);
        }
        return Math.sqrt(sum / x.length);
    }
}
