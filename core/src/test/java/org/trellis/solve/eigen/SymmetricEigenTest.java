package org.trellis.solve.eigen;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

/** Eigenvalues of small dense symmetric matrices, beside those of Jacobi's method. */
final class SymmetricEigenTest {
    private static double[] sorted(SymmetricEigen eigen, int n) {
        double[] values = new double[n];
        Arrays.setAll(values, eigen::value);
        Arrays.sort(values);
        return values;
    }

    private static double[][] copy(double[][] a) {
        return Arrays.stream(a).map(double[]::clone).toArray(double[][]::new);
    }

    private static double[][] random(int n, double density, double scale, SplittableRandom random) {
        double[][] a = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j <= i; j++) {
                a[i][j] = random.nextDouble() < density ? random.nextDouble(-scale, scale) : 0;
                a[j][i] = a[i][j];
            }
        }
        return a;
    }

    /** Checks A v = λ v, and that vectors are orthonormal. */
    private static void check(double[][] a, SymmetricEigen eigen, double norm, String context) {
        int n = a.length;
        for (int k = 0; k < n; k++) {
            for (int i = 0; i < n; i++) {
                double image = 0;
                for (int j = 0; j < n; j++) {
                    image += a[i][j] * eigen.vector(j, k);
                }
                assertEquals(eigen.value(k) * eigen.vector(i, k), image, 1e-14 * n * norm, context);
            }
            for (int other = 0; other <= k; other++) {
                double product = 0;
                for (int i = 0; i < n; i++) {
                    product += eigen.vector(i, k) * eigen.vector(i, other);
                }
                assertEquals(other == k ? 1 : 0, product, 1e-14 * n, context);
            }
        }
    }

    /** [2 1; 1 2] has 1 and 3; [0 1; 1 0] has −1 and 1, where the shift's two candidates are equally far. */
    @Test
    void agreesWithAHand() {
        assertArrayEquals(new double[]{1, 3}, sorted(new SymmetricEigen(new double[][]{{2, 1}, {1, 2}}), 2), 1e-15);
        assertArrayEquals(new double[]{-1, 1}, sorted(new SymmetricEigen(new double[][]{{0, 1}, {1, 0}}), 2), 1e-15);
        assertArrayEquals(new double[]{-7}, sorted(new SymmetricEigen(new double[][]{{-7}}), 1));
        assertArrayEquals(new double[0], sorted(new SymmetricEigen(new double[0][0]), 0));
        assertArrayEquals(new double[3], sorted(new SymmetricEigen(new double[3][3]), 3));
        double[][] ones = {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}};
        assertArrayEquals(new double[]{0, 0, 3}, sorted(new SymmetricEigen(ones), 3), 1e-15);
    }

    @Test
    void agreesWithJacobisMethodOnRandomMatrices() {
        SplittableRandom random = TestSeed.random("agreesWithJacobisMethodOnRandomMatrices");
        for (int n : new int[]{2, 3, 5, 17, 40}) {
            for (double density : new double[]{0.05, 0.4, 1}) {
                for (double scale : new double[]{1, 0x1p-300, 0x1p300}) {
                    double[][] a = random(n, density, scale, random);
                    double[] expected = new double[n];
                    Arrays.setAll(expected, new JacobiEigen(copy(a))::value);
                    Arrays.sort(expected);
                    SymmetricEigen eigen = new SymmetricEigen(copy(a));
                    String context = n + " rows, density " + density + ", scale " + scale + ", seed "
                            + TestSeed.value();
                    assertArrayEquals(expected, sorted(eigen, n), 1e-14 * n * scale, context);
                    check(a, eigen, scale, context);
                }
            }
        }
    }

    /** A restarted search gives eigenvalues on the diagonal, a row beside them, and a tridiagonal rest. */
    @Test
    void decomposesArrowsWithMultipleEigenvalues() {
        double[][] a = new double[12][12];
        for (int i = 0; i < 12; i++) {
            a[i][i] = i < 4 ? 5 : 12 - i;
            if (i < 6) {
                a[i][6] = i < 3 ? 0 : 0.1 * i;
                a[6][i] = a[i][6];
            } else if (i > 6) {
                a[i][i - 1] = 1e-3;
                a[i - 1][i] = 1e-3;
            }
        }
        SymmetricEigen eigen = new SymmetricEigen(copy(a));
        check(a, eigen, 12, "arrow");
        assertEquals(3, Arrays.stream(sorted(eigen, 12)).filter(x -> Math.abs(x - 5) < 1e-14).count());
    }

    @Test
    void refusesWhatIsNoNumber() {
        double[][] nan = {{1, Double.NaN, 0}, {Double.NaN, 2, 1}, {0, 1, 3}};
        assertThrows(ArithmeticException.class, () -> new SymmetricEigen(nan));
    }
}
