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
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.KroneckerProduct;
import org.trellis.testing.TestSeed;

/** Unsymmetric problems against spectra that are known, by hand, by formula, or from a dense method. */
final class UnsymmetricEigenvaluesTest {
    /** Tridiagonal with −1 − c, 2, −1 + c; eigenvalues 2 − 2 √(1 − c²) cos(k π / (n + 1)), complex for c above 1. */
    private static CsrMatrix convection(int n, double c) {
        CsrBuilder builder = new CsrBuilder(n, Precision.F64, 3L * n);
        for (int i = 0; i < n; i++) {
            if (i > 0) {
                builder.add(i - 1, -1 - c);
            }
            builder.add(i, 2);
            if (i + 1 < n) {
                builder.add(i + 1, -1 + c);
            }
            builder.endRow();
        }
        return builder.build();
    }

    private static void check(CsrMatrix a, ComplexEigenPairs found, String context) {
        assertEquals(found.real().length, found.converged(), context + ": " + found);
        for (int k = 0; k < found.real().length; k++) {
            double[] x = found.realVectors().get(k);
            double[] y = found.imaginaryVectors().get(k);
            double[] ax = a.multiply(x);
            double[] ay = a.multiply(y);
            double square = 0;
            double length = 0;
            for (int i = 0; i < x.length; i++) {
                square += Math.pow(ax[i] - found.real()[k] * x[i] + found.imaginary()[k] * y[i], 2)
                        + Math.pow(ay[i] - found.real()[k] * y[i] - found.imaginary()[k] * x[i], 2);
                length += x[i] * x[i] + y[i] * y[i];
            }
            assertEquals(1, length, 1e-12, context);
            assertEquals(found.residuals()[k], Math.sqrt(square), 0.01 * found.residuals()[k] + 1e-13, context);
        }
    }

    /** Eigenvalues of [0 −2; 2 0] are ±2i. */
    @Test
    void agreesWithAHand() {
        CsrMatrix turn = dense(new double[][]{{0, -2}, {2, 0}});
        ComplexEigenPairs both = UnsymmetricEigenvalues.of(turn).count(1).find();
        assertArrayEquals(new double[]{0, 0}, both.real(), 1e-15);
        assertArrayEquals(new double[]{2, -2}, both.imaginary(), 1e-15);
        check(turn, both, "by hand");
        ComplexEigenPairs one = UnsymmetricEigenvalues.of(diagonal(-3)).find();
        assertArrayEquals(new double[]{-3}, one.real(), 1e-15);
    }

    @Test
    void agreesWithAFormula() {
        int n = 120;
        double root = Math.sqrt(1 - 4e-4);
        CsrMatrix a = convection(n, 0.02); // nearly normal, so that eigenvalues are as exact as residuals are small
        ComplexEigenPairs right = UnsymmetricEigenvalues.of(a).count(3).largestReal().basis(40).find();
        ComplexEigenPairs nearest = UnsymmetricEigenvalues.of(a).count(3).nearest(0).find();
        for (int k = 0; k < 3; k++) {
            assertEquals(2 + 2 * root * Math.cos((k + 1) * Math.PI / (n + 1)), right.real()[k], 1e-7);
            assertEquals(2 - 2 * root * Math.cos((k + 1) * Math.PI / (n + 1)), nearest.real()[k], 1e-7);
        }
        check(a, right, "largest real part");
        check(a, nearest, "nearest");
        CsrMatrix complex = convection(12, 1.5);
        ComplexEigenPairs top = UnsymmetricEigenvalues.of(complex).count(2).largestImaginary().find();
        assertEquals(2 * Math.sqrt(1.25) * Math.cos(Math.PI / 13), top.imaginary()[0], 1e-6);
        assertEquals(-top.imaginary()[0], top.imaginary()[1]);
        check(complex, top, "largest imaginary part");
    }

    @Test
    void agreesWithADenseMethodOnRandomMatrices() {
        SplittableRandom random = TestSeed.random("agreesWithADenseMethodOnRandomMatrices");
        for (int n : new int[]{1, 2, 3, 6, 30, 80}) {
            double[][] rows = new double[n][n];
            for (int k = 0; k < 6 * n; k++) {
                rows[random.nextInt(n)][random.nextInt(n)] = random.nextDouble(-1, 1);
            }
            CsrMatrix a = dense(rows);
            int count = Math.min(n, 1 + random.nextInt(5));
            double sigma = random.nextDouble(-0.5, 0.5);
            RealSchur all = new RealSchur(DenseBlocks.toRows(a));
            String context = n + " rows, " + count + " eigenvalues, seed " + TestSeed.value();
            for (Side side : Side.values()) {
                UnsymmetricEigenvalues search = UnsymmetricEigenvalues.of(a).count(count).multiplicities();
                ComplexEigenPairs found = switch (side) {
                    case MAGNITUDE -> search.largestMagnitude().find();
                    case RIGHT -> search.largestReal().find();
                    case LEFT -> search.smallestReal().find();
                    case TOP -> search.largestImaginary().find();
                };
                double[] ranks = new double[n];
                Arrays.setAll(ranks, k -> -side.rank(all.real(k), all.imaginary(k)));
                Arrays.sort(ranks);
                for (int k = 0; k < count; k++) {
                    assertEquals(-ranks[k], side.rank(found.real()[k], found.imaginary()[k]), 1e-6,
                            context + ", " + side + ": " + found);
                }
                check(a, found, context + ", " + side);
            }
            ComplexEigenPairs nearest = UnsymmetricEigenvalues.of(a).count(count).nearest(sigma).find();
            double[] distances = new double[n];
            Arrays.setAll(distances, k -> Math.hypot(all.real(k) - sigma, all.imaginary(k)));
            Arrays.sort(distances);
            for (int k = 0; k < count; k++) {
                assertEquals(distances[k], Math.hypot(nearest.real()[k] - sigma, nearest.imaginary()[k]), 1e-6,
                        context + ": " + nearest);
            }
            check(a, nearest, context + ", nearest");
        }
    }

    /** A Jordan block of two rows: the eigenvalue comes twice, with one vector, and moves by a root of rounding. */
    @Test
    void findsDefectiveEigenvalues() {
        CsrMatrix a = dense(new double[][]{{3, 1, 0, 0}, {0, 3, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, -1}});
        ComplexEigenPairs found = UnsymmetricEigenvalues.of(a).count(3).find();
        assertEquals(3, found.real()[0], 1e-7);
        assertEquals(3, found.real()[1], 1e-7);
        assertEquals(1, Math.abs(found.real()[2]), 1e-7);
        check(a, found, "defective");
    }

    @Test
    void findsMultipleEigenvalues() {
        double[] spectrum = new double[80];
        Arrays.setAll(spectrum, i -> i < 3 ? 5 : i * 0.03);
        ComplexEigenPairs found = UnsymmetricEigenvalues.of(diagonal(spectrum)).count(4).multiplicities().find();
        assertArrayEquals(new double[]{5, 5, 5, 79 * 0.03}, found.real(), 1e-8);
        assertArrayEquals(new double[]{0, 0, 0}, UnsymmetricEigenvalues.of(diagonal(0, 0, 0)).count(3).find().real());
        assertArrayEquals(new double[]{0, 0},
                UnsymmetricEigenvalues.of(diagonal(0, 0, 4)).count(2).nearest(0).find().real(), 1e-12);
    }

    /** Eigenvectors that are nearly dependent: eigenvalues are those of the formula all the same. */
    @Test
    void eigenvaluesThatMoveWithResidualsAreThoseOfTheMatrix() {
        int nx = 40;
        int ny = 35;
        double c = 0.25;
        CsrMatrix a = KroneckerProduct.of(CsrMatrix.identity(ny, Precision.F64), convection(nx, c))
                .plus(KroneckerProduct.of(TestSpectra.line(ny), CsrMatrix.identity(nx, Precision.F64)));
        double[] all = new double[nx * ny];
        for (int i = 0; i < nx; i++) {
            for (int j = 0; j < ny; j++) {
                all[i * ny + j] = -2 + 2 * Math.sqrt(1 - c * c) * Math.cos((i + 1) * Math.PI / (nx + 1))
                        - TestSpectra.ofLine(ny, j + 1);
            }
        }
        Arrays.sort(all);
        ComplexEigenPairs found = UnsymmetricEigenvalues.of(a).count(6).tolerance(1e-8).find();
        check(a, found, "convection");
        for (int k = 0; k < 6; k++) {
            assertEquals(-all[k], found.real()[k], 1e-6, found.toString());
            assertEquals(0, found.imaginary()[k], found.toString());
        }
    }

    @Test
    void everyBackendAndPrecisionFindsTheSame() {
        for (Precision precision : Precision.values()) {
            CsrMatrix a = convection(30, 0.1).toPrecision(precision);
            double expected = 2 + 2 * Math.sqrt(1 - 0.01) * Math.cos(Math.PI / 31);
            double tolerance = precision == Precision.F64 ? 1e-8 : 1e-3;
            for (Backend backend : TestSpectra.backends()) {
                try (backend; SpmvOperator product = backend.kernels(SparseKernels.class).prepare(a)) {
                    ComplexEigenPairs found = UnsymmetricEigenvalues.of(product, backend).basis(25).find();
                    assertEquals(found.real().length, found.converged(), backend.name() + ": " + found);
                    assertEquals(expected, found.real()[0], tolerance, backend.name());
                }
            }
        }
    }

    @Test
    void numbersOfAnySizeAreSafe() {
        double expected = UnsymmetricEigenvalues.of(convection(24, 0.3)).find().real()[0];
        for (int exponent : new int[]{-960, -532, 532, 1000}) {
            CsrMatrix scaled = convection(24, 0.3).scaled(Math.scalb(1.0, exponent));
            ComplexEigenPairs found = UnsymmetricEigenvalues.of(scaled).find();
            assertEquals(found.real().length, found.converged(), "2^" + exponent + ": " + found);
            assertEquals(expected, Math.scalb(found.real()[0], -exponent), 1e-9, "2^" + exponent);
            ComplexEigenPairs nearest = UnsymmetricEigenvalues.of(scaled).nearest(0).find();
            assertEquals(nearest.real().length, nearest.converged(), "2^" + exponent + ": " + nearest);
        }
    }

    @Test
    void saysWhenItDidNotConverge() {
        ComplexEigenPairs early = UnsymmetricEigenvalues.of(convection(2000, 0.1)).count(3).smallestReal().basis(10)
                .maximumProducts(20).find();
        assertEquals(0, early.converged());
        assertTrue(early.products() <= 40, early.products() + " products");
        assertThrows(ArithmeticException.class, early::requireConverged);
    }

    @Test
    void refusesWhatDoesNotFit() {
        CsrMatrix a = convection(3, 0.5);
        assertThrows(IllegalArgumentException.class, () -> UnsymmetricEigenvalues.of(a).count(4).find());
        assertThrows(IllegalArgumentException.class, () -> UnsymmetricEigenvalues.of(a).count(0));
        assertThrows(IllegalArgumentException.class, () -> UnsymmetricEigenvalues.of(a.selectRows(0)));
        assertThrows(IllegalArgumentException.class, () -> UnsymmetricEigenvalues.of(a).basis(2));
        assertThrows(IllegalArgumentException.class, () -> UnsymmetricEigenvalues.of(a).nearest(Double.NaN));
        CsrMatrix nan = dense(new double[][]{{1, Double.NaN}, {0, 1}});
        assertThrows(IllegalArgumentException.class, () -> UnsymmetricEigenvalues.of(nan).find());
    }
}
