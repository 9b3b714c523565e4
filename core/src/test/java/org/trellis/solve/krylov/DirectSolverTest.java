package org.trellis.solve.krylov;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.direct.LuOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.TestSeed;

/** What a solution with factors costs, and what is known of it. */
final class DirectSolverTest {
    private static final StoppingCriteria USUAL = StoppingCriteria.defaults(Precision.F64);

    private static SolveReport solve(DirectSolver solver, double[] b, HostVector x) {
        return solver.solve(HostVector.of(b), x, USUAL, IterationObserver.NONE);
    }

    /** Diagonally dominant rows, whose factors need no refinement. */
    private static CsrMatrix dominant(int n, boolean symmetric, SplittableRandom random) {
        double[][] rows = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                rows[i][j] = random.nextDouble(-1, 1);
                rows[j][i] = symmetric ? rows[i][j] : random.nextDouble(-1, 1);
            }
            rows[i][i] = 2 * n;
        }
        return DenseBlocks.fromRows(rows, Precision.F64);
    }

    @Test
    void whatIsGoodAtFirstIsNotRefined() {
        SplittableRandom random = TestSeed.random("whatIsGoodAtFirstIsNotRefined");
        for (boolean symmetric : new boolean[]{true, false}) {
            CsrMatrix a = dominant(30, symmetric, random);
            double[] exact = random.doubles(30, -1, 1).toArray();
            HostVector x = HostVector.zeros(Precision.F64, 30);
            DirectSolver solver = DirectSolver.of(a, symmetric, LuOptions.defaults(), Double.POSITIVE_INFINITY);
            SolveReport report = solve(solver, a.multiply(exact), x);
            assertTrue(report.detail().contains(" 0 steps of refinement"),
                    () -> report.detail() + ", seed " + TestSeed.value());
            assertArrayEquals(exact, x.toDoubleArray(), 1e-12);
            assertEquals(report.rightHandSideNorm(), report.residualHistory().getFirst(), "the residual of zeros");
            SolveReport again = solve(solver, a.multiply(exact), x);
            assertTrue(again.residualHistory().getFirst() < 1e-12 * report.rightHandSideNorm(), again::toString);
        }
    }

    @Test
    void anAnalysisCountsAndIsFactorisedLater() {
        CsrMatrix a = dominant(12, true, TestSeed.random("anAnalysisCounts"));
        DirectSolver solver = DirectSolver.analysed(a, true, LuOptions.defaults());
        assertEquals(12 * 13 / 2, solver.predicted().nonZeros());
        HostVector x = HostVector.zeros(Precision.F64, 12);
        assertThrows(IllegalStateException.class, () -> solve(solver, new double[12], x));
        assertThrows(FactorisationException.class, () -> solver.factorised(10));
        assertTrue(solve(solver.factorised(1e6), a.multiply(new double[12]), x).converged());
        assertEquals(12 * 13 / 2, solver.factorNonZeros());
    }

    @Test
    void errorsAreEstimatedUnlessThatIsLeftOut() {
        CsrMatrix a = dominant(20, true, TestSeed.random("errorsAreEstimated"));
        double[] b = a.multiply(new double[20]);
        b[3] = 1;
        HostVector x = HostVector.zeros(Precision.F64, 20);
        SolveReport known = solve(DirectSolver.of(a, true, LuOptions.defaults(), Double.POSITIVE_INFINITY), b, x);
        assertTrue(known.facts().error().isKnown(), known::toString);
        DirectSolver plain = DirectSolver.of(a, true, LuOptions.defaults(), Double.POSITIVE_INFINITY)
                .withoutErrorEstimates();
        assertFalse(solve(plain, b, x).facts().error().isKnown());
        assertTrue(plain.condition() >= 1);
    }
}
