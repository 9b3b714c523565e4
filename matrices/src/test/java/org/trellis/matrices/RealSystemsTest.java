package org.trellis.matrices;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.Precision;
import org.trellis.common.TrellisException;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.memory.HostVector;
import org.trellis.solve.krylov.KrylovMethod;
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
        int solved = 0;
        for (KrylovMethod method : KrylovMethod.values()) {
            if (method.needsSymmetric() || method.isComplex()) {
                continue;
            }
            for (String preconditioner : List.of("jacobi", "ilu0")) {
                solved += isSolvedWithABound(a, b, method, preconditioner) ? 1 : 0;
            }
        }
        assertTrue(solved >= 2, solved + " methods solved it");
    }

    /** A solution that converged says how far it may be off. */
    private static boolean isSolvedWithABound(CsrMatrix a, double[] b, KrylovMethod method, String preconditioner) {
        try (SystemSolver solver = Solvers.method(a, method.label(), preconditioner).maximumIterations(300)) {
            Solution solution = solver.solve(b);
            double error = error(solution.x());
            boolean isVoid = solution.forwardErrorBound() >= 1;
            assertTrue(!solution.converged() || isVoid || error <= 10 * solution.forwardErrorBound(),
                    () -> method + " with " + preconditioner + ", error " + error + ": " + solution);
            return solution.converged();
        } catch (IllegalArgumentException | TrellisException e) {
            return false; // They do not go together.
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
