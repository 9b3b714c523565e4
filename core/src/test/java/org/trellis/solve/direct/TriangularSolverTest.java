package org.trellis.solve.direct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.direct.TriangularSolver.Levels;
import org.trellis.solve.direct.TriangularSolver.Triangle;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class TriangularSolverTest {
    @Test
    void solvesRandomTriangles() {
        SplittableRandom random = TestSeed.random("solvesRandomTriangles");
        for (int trial = 0; trial < 60; trial++) {
            int n = random.nextInt(0, 90);
            Precision precision = trial % 2 == 0 ? Precision.F32 : Precision.F64;
            CsrMatrix noise = AwkwardMatrices.random(n, n, row -> random.nextInt(Math.min(n, 6) + 1), precision, random)
                    .plus(CsrMatrix.identity(n, precision).scaled(4));
            for (Triangle triangle : Triangle.values()) {
                CsrMatrix t = triangle == Triangle.LOWER ? noise.lowerTriangle(0) : noise.upperTriangle(0);
                CsrMatrix unit = t.mapValues((i, j, v) -> i == j ? 1 : v / 8);
                HostVector b = HostVector.of(Precision.F64, n, i -> random.nextDouble(-1, 1));
                String context = "trial " + trial + ", " + triangle + ", seed " + TestSeed.value();
                check(t, t, triangle, false, b, context);
                check(unit, t.mapValues((i, j, v) -> i == j ? Double.NaN : v / 8), triangle, true, b, context);
            }
        }
    }

    /** Solves with one matrix and checks with another, which may differ where the solver must not look. */
    private static void check(CsrMatrix t, CsrMatrix given, Triangle triangle, boolean unit, HostVector b,
            String context) {
        TriangularSolver solver = TriangularSolver.of(given, triangle, unit);
        double[] right = b.toDoubleArray();
        double error = TestSystems.backwardError(t, solver.solve(b).doubles(), right);
        double transposed = TestSystems.backwardError(t.transpose(), solver.solveTransposed(b).doubles(), right);
        assertTrue(error < 1e-14 && transposed < 1e-14, context + ": " + error + ", " + transposed);
        Levels levels = solver.levels();
        int[] level = new int[t.rows()];
        for (int l = 0; l < levels.count(); l++) {
            assertTrue(levels.offsets()[l] < levels.offsets()[l + 1], context + ": level " + l + " is empty");
            for (int k = levels.offsets()[l]; k < levels.offsets()[l + 1]; k++) {
                level[levels.rows()[k]] = l;
            }
        }
        t.forEachEntry((i, j, v) -> assertTrue(i == j || level[j] < level[i], context));
        assertEquals(t.rows(), levels.offsets()[levels.count()], context);
    }

    @Test
    void countsLevels() {
        assertEquals(1,
                TriangularSolver.of(CsrMatrix.identity(9, Precision.F64), Triangle.UPPER, false).levels().count());
        CsrMatrix chain = TestSystems.line(9, Precision.F64).lowerTriangle(0);
        assertEquals(9, TriangularSolver.of(chain, Triangle.LOWER, false).levels().count());
        assertArrayEquals(new int[]{0}, TriangularSolver.of(CsrMatrix.identity(0, Precision.F64), Triangle.LOWER, true)
                .levels().offsets());
    }

    @Test
    void refusesWhatIsNotTriangular() {
        CsrMatrix full = DenseBlocks.fromRows(new double[][]{{1, 2}, {3, 4}}, Precision.F64);
        assertEquals("LOWER triangular system: there is an entry (0, 1), expected none on that side of the diagonal",
                assertThrows(IllegalArgumentException.class, () -> TriangularSolver.of(full, Triangle.LOWER, false))
                        .getMessage());
        assertThrows(IllegalArgumentException.class, () -> TriangularSolver.of(full, Triangle.UPPER, true));
        CsrMatrix hollow = full.lowerTriangle(-1);
        assertEquals(0, assertThrows(FactorisationException.class,
                () -> TriangularSolver.of(hollow, Triangle.LOWER, false)).row());
        assertArrayEquals(new double[]{1, -2},
                TriangularSolver.of(hollow, Triangle.LOWER, true).solve(HostVector.of(1.0, 1)).doubles());
        assertThrows(IllegalArgumentException.class,
                () -> TriangularSolver.of(full.selectRows(0), Triangle.LOWER, true));
        assertThrows(IllegalArgumentException.class,
                () -> TriangularSolver.of(hollow, Triangle.LOWER, true).solve(HostVector.of(1.0)));
    }
}
