package org.trellis.solve.eigen;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.trellis.solve.eigen.TestSpectra.dense;
import static org.trellis.solve.eigen.TestSpectra.diagonal;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.TestSeed;

/** Singular values against those that are known by hand, and against a dense method. */
final class SingularValuesTest {
    private static void check(CsrMatrix a, SingularTriplets found, String context) {
        assertEquals(found.values().length, found.converged(), context + ": " + found);
        for (int k = 0; k < found.values().length; k++) {
            double[] u = found.left().get(k);
            double[] v = found.right().get(k);
            double[] av = a.multiply(v);
            double[] atu = a.transpose().multiply(u);
            double square = 0;
            for (int i = 0; i < u.length; i++) {
                square += Math.pow(av[i] - found.values()[k] * u[i], 2);
            }
            for (int i = 0; i < v.length; i++) {
                square += Math.pow(atu[i] - found.values()[k] * v[i], 2);
            }
            assertEquals(found.residuals()[k], Math.sqrt(square), 0.01 * found.residuals()[k] + 1e-13, context);
            for (int j = 0; j <= k; j++) {
                assertEquals(j == k ? 1 : 0, dot(u, found.left().get(j)), 1e-9, context + ", left " + j + ", " + k);
                assertEquals(j == k ? 1 : 0, dot(v, found.right().get(j)), 1e-9, context + ", right " + j + ", " + k);
            }
        }
    }

    private static double dot(double[] x, double[] y) {
        double sum = 0;
        for (int i = 0; i < x.length; i++) {
            sum += x[i] * y[i];
        }
        return sum;
    }

    /** All singular values, the largest first, of a matrix that is filled up with zeros. */
    private static double[] all(double[][] rows, int columns) {
        int n = Math.max(rows.length, columns);
        double[][] square = new double[n][n];
        for (int i = 0; i < rows.length; i++) {
            System.arraycopy(rows[i], 0, square[i], 0, columns);
        }
        DenseSvd svd = new DenseSvd(square);
        double[] values = new double[n];
        Arrays.setAll(values, k -> -svd.value(k));
        Arrays.sort(values);
        return Arrays.stream(values).map(x -> -x).limit(Math.min(rows.length, columns)).toArray();
    }

    /** Of [3 0; 4 5]: 3 √5 and √5. */
    @Test
    void agreesWithAHand() {
        CsrMatrix a = dense(new double[][]{{3, 0}, {4, 5}});
        SingularTriplets both = SingularValues.largest(a, 2);
        assertArrayEquals(new double[]{3 * Math.sqrt(5), Math.sqrt(5)}, both.values(), 1e-14);
        check(a, both, "by hand");
        assertArrayEquals(new double[]{4}, SingularValues.largest(diagonal(-4), 1).values());
    }

    @Test
    void denseDecompositionsMultiplyOut() {
        SplittableRandom random = TestSeed.random("denseDecompositionsMultiplyOut");
        for (int n : new int[]{0, 1, 2, 5, 20}) {
            for (int rank = 0; rank <= n; rank += Math.max(1, n / 2)) {
                double[][] a = new double[n][n];
                for (int r = 0; r < rank; r++) {
                    double[] x = random.doubles(n, -1, 1).toArray();
                    double[] y = random.doubles(n, -1, 1).toArray();
                    for (int i = 0; i < n; i++) {
                        for (int j = 0; j < n; j++) {
                            a[i][j] += x[i] * y[j];
                        }
                    }
                }
                multiplyOut(a, new DenseSvd(a), n + " rows of rank " + rank + ", seed " + TestSeed.value());
            }
        }
    }

    private static void multiplyOut(double[][] a, DenseSvd svd, String context) {
        int n = a.length;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double product = 0;
                double left = 0;
                double right = 0;
                for (int k = 0; k < n; k++) {
                    product += svd.left(i, k) * svd.value(k) * svd.right(j, k);
                    left += svd.left(k, i) * svd.left(k, j);
                    right += svd.right(k, i) * svd.right(k, j);
                }
                assertEquals(a[i][j], product, 1e-12, context);
                assertEquals(i == j ? 1 : 0, left, 1e-12, context + ", left");
                assertEquals(i == j ? 1 : 0, right, 1e-12, context + ", right");
            }
        }
    }

    @Test
    void agreesWithADenseMethodOnAnyShape() {
        SplittableRandom random = TestSeed.random("agreesWithADenseMethodOnAnyShape");
        for (int[] shape : new int[][]{{1, 1}, {1, 7}, {7, 1}, {5, 3}, {60, 40}, {40, 90}, {64, 64}}) {
            double[][] rows = new double[shape[0]][shape[1]];
            for (int k = 0; k < 5 * Math.max(shape[0], shape[1]); k++) {
                rows[random.nextInt(shape[0])][random.nextInt(shape[1])] = random.nextDouble(-1, 1);
            }
            double[] all = all(rows, shape[1]);
            CsrMatrix a = dense(rows);
            int count = Math.min(all.length, 3);
            String context = shape[0] + " x " + shape[1] + ", seed " + TestSeed.value();
            SingularTriplets largest = SingularValues.of(a).count(count).multiplicities().find();
            assertArrayEquals(Arrays.copyOf(all, count), largest.values(), 1e-8, context);
            check(a, largest, context);
            SingularTriplets smallest = SingularValues.of(a).count(count).smallest().basis(30).multiplicities().find();
            for (int k = 0; k < count; k++) {
                assertEquals(all[all.length - 1 - k], smallest.values()[k], 1e-8, context + ": " + smallest);
            }
            check(a, smallest, context + ", smallest");
        }
    }

    @Test
    void findsMultipleAndVanishingValues() {
        double[] spectrum = new double[100];
        Arrays.setAll(spectrum, i -> i < 3 ? -7 : i * 0.02);
        SingularTriplets found = SingularValues.largest(diagonal(spectrum), 4);
        assertArrayEquals(new double[]{7, 7, 7, 1.98}, found.values(), 1e-8);
        check(diagonal(spectrum), found, "multiple");
        assertArrayEquals(new double[2], SingularValues.largest(diagonal(0, 0, 0), 2).values());
        assertArrayEquals(new double[]{5, 0, 0}, SingularValues.largest(diagonal(0, 5, 0), 3).values(), 1e-15);
    }

    /** A matrix with singular values that fall by a factor from one to the next, and vectors without zeros. */
    private static double[][] graded(int rows, int columns, double factor, SplittableRandom random) {
        double[][] a = new double[rows][columns];
        int rank = Math.min(rows, columns);
        double[] x = random.doubles(rows, -1, 1).toArray();
        double[] y = random.doubles(columns, -1, 1).toArray();
        double xx = dot(x, x);
        double yy = dot(y, y);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                double sum = 0;
                for (int k = 0; k < rank; k++) {
                    double left = (i == k ? 1 : 0) - 2 * x[i] * x[k] / xx;
                    double right = (j == k ? 1 : 0) - 2 * y[j] * y[k] / yy;
                    sum += left * Math.pow(factor, k) * right;
                }
                a[i][j] = sum;
            }
        }
        return a;
    }

    /** Left vectors are not made orthogonal one by one, which small values beside large ones would show. */
    @Test
    void leftVectorsInheritOrthogonality() {
        SplittableRandom random = TestSeed.random("leftVectorsInheritOrthogonality");
        for (double factor : new double[]{0.99, 0.9, 0.6, 0.3, 0.1, 0.01}) {
            for (int[] shape : new int[][]{{90, 61}, {61, 90}, {70, 70}}) {
                double[][] rows = graded(shape[0], shape[1], factor, random);
                String context = Arrays.toString(shape) + ", factor " + factor + ", seed " + TestSeed.value();
                int count = random.nextInt(3, 9);
                SingularTriplets found =
                        SingularValues.of(dense(rows)).count(count).basis(random.nextInt(count + 3, 30))
                                .tolerance(1e-12).find();
                assertEquals(count, found.converged(), context + ": " + found);
                for (int k = 0; k < count; k++) {
                    assertEquals(Math.pow(factor, k), found.values()[k], 1e-14, context + ", value " + k);
                    for (int j = 0; j < k; j++) {
                        assertEquals(0, dot(found.left().get(j), found.left().get(k)), 1e-11, context + ", left " + k);
                        assertEquals(0, dot(found.right().get(j), found.right().get(k)), 1e-11, context);
                    }
                }
            }
        }
    }

    /** Squares of entries would be out of range; small values would drown in those of AᵀA. */
    @Test
    void numbersOfAnySizeAreSafe() {
        CsrMatrix a = diagonal(1, 1e-3, 1e-7, 1e-10);
        for (int exponent : new int[]{-960, -532, 0, 532, 1000}) {
            SingularTriplets found = SingularValues.largest(a.scaled(Math.scalb(1.0, exponent)), 4);
            assertEquals(4, found.converged(), "2^" + exponent + ": " + found);
            for (int k = 0; k < 4; k++) {
                double expected = a.get(k, k);
                assertEquals(expected, Math.scalb(found.values()[k], -exponent), 1e-15, "2^" + exponent);
            }
        }
    }

    @Test
    void everyBackendAndPrecisionFindsTheSame() {
        for (Precision precision : Precision.values()) {
            CsrMatrix a = TestSpectra.line(30).submatrix(0, 30, 0, 25).toPrecision(precision);
            double expected = SingularValues.largest(a, 1).values()[0];
            for (Backend backend : TestSpectra.backends()) {
                try (backend; SpmvOperator product = backend.kernels(SparseKernels.class).prepare(a)) {
                    SingularTriplets found = SingularValues.of(product, backend).basis(25).find();
                    assertEquals(1, found.converged(), backend.name() + ": " + found);
                    assertEquals(expected, found.values()[0], precision == Precision.F64 ? 1e-9 : 1e-4,
                            backend.name());
                }
            }
        }
    }

    @Test
    void saysWhenItDidNotConverge() {
        SingularTriplets early = SingularValues.of(TestSpectra.line(2000)).count(3).smallest().basis(10)
                .maximumProducts(20).find();
        assertEquals(0, early.converged());
        assertTrue(early.products() <= 60, early.products() + " products");
        assertThrows(ArithmeticException.class, early::requireConverged);
    }

    @Test
    void refusesWhatDoesNotFit() {
        CsrMatrix a = dense(new double[][]{{1, 2, 3}, {4, 5, 6}});
        assertThrows(IllegalArgumentException.class, () -> SingularValues.largest(a, 3));
        assertThrows(IllegalArgumentException.class, () -> SingularValues.of(a).count(0));
        assertThrows(IllegalArgumentException.class, () -> SingularValues.of(a).basis(2));
        CsrMatrix nan = dense(new double[][]{{1, Double.NaN}});
        assertThrows(IllegalArgumentException.class, () -> SingularValues.largest(nan, 1));
        assertThrows(IllegalArgumentException.class,
                () -> SingularValues.largest(CsrMatrix.identity(0, Precision.F64), 1));
    }
}
