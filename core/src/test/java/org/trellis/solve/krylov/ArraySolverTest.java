package org.trellis.solve.krylov;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.TrellisException;
import org.trellis.memory.HostVector;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class ArraySolverTest {
    private static final List<ArraySolver.Method> METHODS = List.of(ArraySolver.lu(), ArraySolver.cholesky(),
            ArraySolver.ldlt(), ArraySolver.iterative(SolverConfig.of("cg", "jacobi"), "reference"));

    private static CsrMatrix definite(int n, SplittableRandom random) {
        CsrMatrix part = AwkwardMatrices.random(n, n, row -> Math.min(n, 3), Precision.F64, random);
        return part.plus(part.transpose()).plus(CsrMatrix.identity(n, Precision.F64).scaled(20));
    }

    @Test
    void solvesAndTakesOtherValues() {
        SplittableRandom random = TestSeed.random("solvesAndTakesOtherValues");
        for (int n : new int[]{1, 2, 40}) {
            CsrMatrix a = definite(n, random);
            CsrMatrix other = a.scaled(0.5);
            double[] x = random.doubles(n, -1, 1).toArray();
            for (ArraySolver.Method method : METHODS) {
                try (ArraySolver solver = method.prepare(a)) {
                    assertArrayEquals(x, solver.solve(a.multiply(x)), 1e-6);
                    solver.refill(other);
                    assertSame(other, solver.matrix());
                    assertArrayEquals(x, solver.solve(other.multiply(x)), 1e-6);
                    double condition = solver.reciprocalCondition();
                    assertTrue(Double.isNaN(condition) || (condition > 0.1 && condition <= 1), "" + condition);
                    assertThrows(IllegalArgumentException.class, () -> solver.refill(CsrMatrix.identity(n + 1,
                            Precision.F64)));
                    assertThrows(IllegalArgumentException.class, () -> solver.solve(new double[n + 1]));
                }
            }
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // that is what this is about
    void refusesUseAfterClose() {
        CsrMatrix a = definite(5, TestSeed.random("refusesUseAfterClose"));
        for (ArraySolver.Method method : METHODS) {
            ArraySolver solver = method.prepare(a);
            solver.close();
            solver.close();
            assertThrows(IllegalStateException.class, () -> solver.solve(new double[5]));
            assertThrows(IllegalStateException.class, () -> solver.refill(a));
        }
    }

    /** Pivots of the first values would divide by zero for the second ones. */
    @Test
    void luChoosesOtherPivotsWhereOldOnesAreUseless() {
        CsrMatrix first = DenseBlocks.fromRows(new double[][]{{8, 1, 1}, {1, 8, 1}, {1, 1, 8}}, Precision.F64);
        CsrMatrix second = CsrMatrix.of(3, 3, new int[]{0, 3, 6, 9}, new int[]{0, 1, 2, 0, 1, 2, 0, 1, 2},
                new double[]{0, 1, 2, 3, 0, 4, 5, 6, 0});
        try (ArraySolver solver = ArraySolver.lu().prepare(first)) {
            solver.refill(second);
            double[] x = {1, -2, 3};
            assertArrayEquals(x, solver.solve(second.multiply(x)), 1e-13);
            assertArrayEquals(x, solver.solveTransposed(second.transpose().multiply(x)), 1e-13);
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // there is nothing to close where it throws
    void saysWhatItCannot() {
        CsrMatrix singular = DenseBlocks.fromRows(new double[][]{{1, 1}, {1, 1}}, Precision.F64);
        assertThrows(TrellisException.class, () -> ArraySolver.lu().prepare(singular));
        CsrMatrix a = definite(30, TestSeed.random("saysWhatItCannot"));
        SolverConfig hasty = SolverConfig.of("cg", "none").with(StoppingCriteria.relative(1e-14, 1));
        try (ArraySolver solver = ArraySolver.iterative(hasty, "reference").prepare(a)) {
            double[] b = TestSeed.random("b").doubles(30, -1, 1).toArray();
            assertTrue(assertThrows(ArithmeticException.class, () -> solver.solve(b)).getMessage().contains(
                    "ITERATION_LIMIT"));
            assertThrows(UnsupportedOperationException.class, () -> solver.solveTransposed(b));
        }
    }

    @Test
    void functionsOfArraysAreOperatorsAndPreconditioners() {
        CsrMatrix a = definite(30, TestSeed.random("functionsOfArrays"));
        CsrMatrix transpose = a.transpose();
        double[] x = TestSeed.random("x").doubles(30, -1, 1).toArray();
        try (Backend backend = Backends.open("reference", Configuration.load());
                ArrayOperator operator = new ArrayOperator(30, 30, (in, out) -> copy(a.multiply(in), out),
                        (in, out) -> copy(transpose.multiply(in), out), false, backend);
                ArrayOperator inverse = new ArrayOperator(30, 30, (in, out) -> copy(in, out), null, true, backend);
                LinearSolver solver = KrylovMethod.CG.prepare(operator, inverse, backend, Map.of())) {
            HostVector y = HostVector.of(x.clone());
            operator.apply(2, HostVector.of(x), -1, y);
            double[] product = a.multiply(x);
            for (int i = 0; i < 30; i++) {
                assertEquals(2 * product[i] - x[i], y.get(i), 1e-12);
            }
            assertArrayEquals(product, ArrayOperator.multiply(operator, x));
            HostVector z = HostVector.zeros(Precision.F64, 30);
            operator.applyTransposed(1, HostVector.of(x), 0, z);
            assertArrayEquals(transpose.multiply(x), z.doubles(), 1e-12);
            assertThrows(UnsupportedOperationException.class,
                    () -> inverse.applyTransposed(1, HostVector.of(x), 0, z));
            HostVector solution = HostVector.zeros(Precision.F64, 30);
            assertTrue(solver.solve(HostVector.of(product), solution, StoppingCriteria.relative(1e-12, 100))
                    .converged());
            assertArrayEquals(x, solution.doubles(), 1e-9);
        }
    }

    private static void copy(double[] from, double[] to) {
        System.arraycopy(from, 0, to, 0, to.length);
    }
}
