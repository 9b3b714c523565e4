package org.trellis.solve.eigen;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.solve.VectorArithmetic;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.TestSeed;

/** Functions of matrices against Taylor's series, eigenvectors that are known, and each other. */
class MatrixFunctionsTest {
    private static CsrMatrix random(int n, boolean symmetric, SplittableRandom random) {
        double[][] a = new double[n][n];
        for (int k = 0; k < 4 * n; k++) {
            int i = random.nextInt(n);
            int j = random.nextInt(n);
            a[i][j] = random.nextDouble(-1, 1);
            if (symmetric) {
                a[j][i] = a[i][j];
            }
        }
        return DenseBlocks.fromRows(a, Precision.F64);
    }

    /** −1, 2, −1. */
    private static CsrMatrix line(int n) {
        CsrBuilder builder = new CsrBuilder(n, Precision.F64, 3L * n);
        for (int i = 0; i < n; i++) {
            if (i > 0) {
                builder.add(i - 1, -1);
            }
            builder.add(i, 2);
            if (i + 1 < n) {
                builder.add(i + 1, -1);
            }
            builder.endRow();
        }
        return builder.build();
    }

    /** By the series in a thousand steps. */
    private static double[] taylor(CsrMatrix a, double t, double[] x) {
        double[] y = x.clone();
        for (int step = 0; step < 1000; step++) {
            double[] term = y;
            double[] sum = y.clone();
            for (int k = 1; k < 12; k++) {
                term = a.multiply(term);
                for (int i = 0; i < term.length; i++) {
                    term[i] *= t / 1000 / k;
                    sum[i] += term[i];
                }
            }
            y = sum;
        }
        return y;
    }

    private static double difference(double[] x, double[] y) {
        double[] d = x.clone();
        for (int i = 0; i < d.length; i++) {
            d[i] -= y[i];
        }
        return VectorArithmetic.norm(d) / VectorArithmetic.norm(y);
    }

    @Test
    void exponentialsByHand() {
        MatrixFunctions nilpotent =
                MatrixFunctions.of(DenseBlocks.fromRows(new double[][]{{0, 1}, {0, 0}}, Precision.F64));
        assertArrayEquals(new double[]{7, 2}, nilpotent.exponential(3, new double[]{1, 2}).vector(), 1e-14);
        assertArrayEquals(new double[]{1, 2}, nilpotent.exponential(0, new double[]{1, 2}).vector());
        assertArrayEquals(new double[]{0, 0}, nilpotent.exponential(3, new double[2]).vector());
        MatrixFunctions rotation =
                MatrixFunctions.of(DenseBlocks.fromRows(new double[][]{{0, -1}, {1, 0}}, Precision.F64));
        assertArrayEquals(new double[]{Math.cos(50), Math.sin(50)},
                rotation.exponential(50, new double[]{1, 0}).vector(), 1e-8);
        assertArrayEquals(new double[]{Math.E * Math.E}, MatrixFunctions.of(CsrMatrix.identity(1, Precision.F64))
                .exponential(2, new double[]{1}).vector(), 1e-13);
        assertEquals(0, MatrixFunctions.of(CsrMatrix.identity(0, Precision.F64)).exponential(1, new double[0])
                .vector().length);
    }

    @Test
    void exponentialsOfRandomMatrices() {
        SplittableRandom random = TestSeed.random("exponentials");
        for (boolean symmetric : new boolean[]{false, true}) {
            for (double t : new double[]{0.1, 3, -8}) {
                CsrMatrix a = random(60, symmetric, random);
                double[] x = random.doubles(60, -1, 1).toArray();
                MatrixFunctions.Result result = MatrixFunctions.of(a).basis(20).exponential(t, x);
                String context = a + ", t = " + t + ", seed " + TestSeed.value() + ": " + result;
                assertTrue(result.converged(), context);
                assertTrue(difference(result.vector(), taylor(a, t, x)) < 1e-8, context);
            }
        }
    }

    /** Heat on a line: two eigenvectors whose exponentials are known, over a time in which one dies out. */
    @Test
    void stiffExponentialsAndTheirErrors() {
        int n = 200;
        CsrMatrix a = line(n).scaled(-1);
        double[] x = new double[n];
        double[] expected = new double[n];
        double t = 400;
        for (int mode : new int[]{1, 150}) {
            double eigenvalue = -4 * Math.pow(Math.sin(mode * Math.PI / (2 * (n + 1))), 2);
            for (int i = 0; i < n; i++) {
                double element = Math.sin(mode * Math.PI * (i + 1) / (n + 1));
                x[i] += element + 1e-3 * Math.sin(7 * mode * (i + 1.0));
                expected[i] += Math.exp(t * eigenvalue) * element;
            }
        }
        double[] clean = x.clone();
        for (int mode : new int[]{1, 150}) {
            for (int i = 0; i < n; i++) {
                clean[i] -= 1e-3 * Math.sin(7 * mode * (i + 1.0));
            }
        }
        for (double tolerance : new double[]{1e-4, 1e-7, 1e-10}) {
            MatrixFunctions.Result result = MatrixFunctions.of(a).tolerance(tolerance).exponential(t, clean);
            assertTrue(result.converged(), result::toString);
            assertTrue(difference(result.vector(), expected) <= tolerance, result::toString);
        }
        // With all modes at once it takes steps, and two halves are the whole.
        MatrixFunctions functions = MatrixFunctions.of(a);
        MatrixFunctions.Result whole = functions.exponential(t, x);
        assertTrue(whole.converged() && whole.steps() > 3, whole::toString);
        double[] halves = functions.exponential(t / 2, functions.exponential(t / 2, x).vector()).vector();
        assertTrue(difference(halves, whole.vector()) < 1e-9, whole::toString);
        MatrixFunctions.Result limited = MatrixFunctions.of(a).maximumProducts(30).exponential(t, x);
        assertFalse(limited.converged(), limited::toString);
    }

    @Test
    void functionsOfSymmetricMatrices() {
        SplittableRandom random = TestSeed.random("symmetric functions");
        CsrMatrix a = line(120);
        double[] x = random.doubles(120, -1, 1).toArray();
        MatrixFunctions functions = MatrixFunctions.of(a);
        MatrixFunctions.Result root = functions.symmetric(Math::sqrt, x);
        assertTrue(root.converged(), root::toString);
        double[] twice = functions.symmetric(Math::sqrt, root.vector()).vector();
        assertTrue(difference(twice, a.multiply(x)) < 1e-8, root::toString);
        MatrixFunctions.Result exponential = functions.symmetric(Math::exp, x);
        assertTrue(difference(exponential.vector(), functions.exponential(1, x).vector()) < 1e-9,
                exponential::toString);
        assertTrue(exponential.products() < 60, exponential::toString);
        // An eigenvector's space has one vector.
        double[] mode = new double[120];
        java.util.Arrays.setAll(mode, i -> Math.sin(5 * Math.PI * (i + 1) / 121));
        double eigenvalue = 4 * Math.pow(Math.sin(5 * Math.PI / 242), 2);
        MatrixFunctions.Result one = functions.symmetric(Math::log, mode);
        for (int i = 0; i < 120; i++) {
            assertEquals(Math.log(eigenvalue) * mode[i], one.vector()[i], 1e-8);
        }
        assertArrayEquals(new double[120], functions.symmetric(Math::exp, new double[120]).vector());
    }

    @Test
    void runsOnOtherBackendsAndInSinglePrecision() {
        double[] x = TestSeed.random("functions on backends").doubles(50, -1, 1).toArray();
        double[] expected = MatrixFunctions.of(line(50)).exponential(-2, x).vector();
        for (Precision precision : Precision.values()) {
            try (Backend reference = Backends.open("reference", Configuration.load());
                    SpmvOperator product = reference.kernels(SparseKernels.class)
                            .prepare(line(50).toPrecision(precision))) {
                MatrixFunctions.Result result = MatrixFunctions.of(product, reference).exponential(-2, x);
                assertTrue(result.converged(), result::toString);
                assertTrue(difference(result.vector(), expected) < (precision == Precision.F64 ? 1e-9 : 1e-4),
                        result::toString);
            }
        }
    }

    private static void refused(String expected, Runnable call) {
        String message = assertThrows(IllegalArgumentException.class, call::run).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void refusesWhatItCannotCompute() {
        MatrixFunctions functions = MatrixFunctions.of(line(3));
        refused("expected a square matrix", () -> MatrixFunctions.of(line(3).submatrix(0, 2, 0, 3)));
        refused("length of x is 2", () -> functions.exponential(1, new double[2]));
        refused("element 1 of x is NaN", () -> functions.exponential(1, new double[]{0, Double.NaN, 0}));
        refused("expected a finite number", () -> functions.exponential(Double.POSITIVE_INFINITY, new double[3]));
        refused("the function is NaN at -", () -> MatrixFunctions.of(line(3).scaled(-1))
                .symmetric(Math::sqrt, new double[]{1, 2, 3}));
        refused("exceeds the largest number", () -> functions.exponential(1e6, new double[]{1, 2, 3}));
        refused("basis of 1 vectors", () -> functions.basis(1));
        refused("tolerance is 0.0", () -> functions.tolerance(0));
        refused("differ from those of a symmetric operator", () -> MatrixFunctions.of(
                DenseBlocks.fromRows(new double[][]{{1, 2, 0}, {0, 1, 5}, {0, 0, 3}}, Precision.F64))
                .symmetric(Math::exp, new double[]{1, 2, 3}));
    }
}
