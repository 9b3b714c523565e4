package org.trellis.solve.krylov;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class ArrayOperatorTest {
    private static CsrMatrix definite(int n, SplittableRandom random) {
        CsrMatrix part = AwkwardMatrices.random(n, n, row -> Math.min(n, 3), Precision.F64, random);
        return part.plus(part.transpose()).plus(CsrMatrix.identity(n, Precision.F64).scaled(20));
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
