package org.trellis.sparse.algebra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.solve.direct.SparseLu;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.TestSeed;

/** Estimates of the 1-norm of what is never formed. */
class OneNormEstimateTest {
    private static double estimate(CsrMatrix a, int power) {
        CsrMatrix transposed = a.transpose();
        return MatrixNorms.oneEstimate(a.rows(), repeated(a, power), repeated(transposed, power));
    }

    private static UnaryOperator<double[]> repeated(CsrMatrix a, int power) {
        return x -> {
            double[] y = x;
            for (int k = 0; k < power; k++) {
                y = a.multiply(y);
            }
            return y;
        };
    }

    @Test
    void isALowerBoundThatIsMostlyRight() {
        SplittableRandom random = TestSeed.random("one-norm");
        int exact = 0;
        for (int run = 0; run < 40; run++) {
            int n = 1 + random.nextInt(run < 8 ? 6 : 80);
            CsrMatrix a = RandomMatrices.ofDensity(n, n, 0.2, Precision.F64, new java.util.Random(random.nextLong()))
                    .mapValues((i, j, value) -> value - 0.4);
            double norm = MatrixNorms.one(MatrixProduct.power(a, 3));
            double found = estimate(a, 3);
            String context = a + ", norm " + norm + ", found " + found + ", seed " + TestSeed.value();
            assertTrue(found <= norm * (1 + 1e-12) && found >= norm / 3, context);
            exact += found >= norm * (1 - 1e-12) ? 1 : 0;
        }
        assertTrue(exact >= 25, exact + " of 40 exact, seed " + TestSeed.value());
    }

    @Test
    void estimatesInverses() {
        CsrMatrix a = CsrMatrix.diagonals(50, 50, Precision.F64, new int[]{-1, 0, 1}, new double[]{-1},
                new double[]{2.5}, new double[]{-1.2});
        SparseLu factors = SparseLu.of(a);
        SparseLu ofTranspose = SparseLu.of(a.transpose());
        double found = MatrixNorms.oneEstimate(50, factors::solve, ofTranspose::solve);
        double norm = 0;
        for (int j = 0; j < 50; j++) {
            double[] unit = new double[50];
            unit[j] = 1;
            double sum = 0;
            for (double element : factors.solve(unit)) {
                sum += Math.abs(element);
            }
            norm = Math.max(norm, sum);
        }
        assertEquals(norm, found, 1e-10 * norm);
    }

    @Test
    void awkwardSizes() {
        assertEquals(0, MatrixNorms.oneEstimate(0, x -> x, x -> x));
        assertEquals(1, MatrixNorms.oneEstimate(3, x -> x, x -> x));
        assertEquals(1, MatrixNorms.oneEstimate(300, x -> x, x -> x));
        assertEquals(0, MatrixNorms.oneEstimate(30, x -> new double[30], x -> new double[30]));
        assertThrows(IllegalArgumentException.class, () -> MatrixNorms.oneEstimate(-1, x -> x, x -> x));
    }
}
