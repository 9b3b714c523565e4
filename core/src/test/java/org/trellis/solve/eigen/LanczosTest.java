package org.trellis.solve.eigen;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.direct.SparseCholesky;
import org.trellis.solve.eigen.Lanczos.Result;
import org.trellis.solve.eigen.Lanczos.Settings;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.algebra.KroneckerProduct;
import org.trellis.testing.TestSeed;

/** Against spectra that are known. */
final class LanczosTest {
    /** Eigenvalues 2 - 2 cos(k pi / (n + 1)). */
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

    private static double ofLine(int n, int k) {
        return 2 - 2 * Math.cos(k * Math.PI / (n + 1));
    }

    private static void checkPairs(CsrMatrix a, Result result, double tolerance) {
        for (int k = 0; k < result.values().length; k++) {
            double[] v = result.vectors().get(k);
            double[] product = a.multiply(v);
            double residual = 0;
            double norm = 0;
            for (int i = 0; i < v.length; i++) {
                residual += Math.pow(product[i] - result.values()[k] * v[i], 2);
                norm += v[i] * v[i];
            }
            assertEquals(1, norm, 1e-12);
            assertTrue(Math.sqrt(residual) < tolerance, "pair " + k + ": residual " + Math.sqrt(residual));
        }
    }

    @Test
    void findsBothEndsOfALine() {
        int n = 300;
        CsrMatrix a = line(n);
        Result largest = Lanczos.largest(a, 4);
        Result smallest = Lanczos.smallest(a, 4);
        assertTrue(largest.converged() && smallest.converged());
        for (int k = 0; k < 4; k++) {
            assertEquals(ofLine(n, n - k), largest.values()[k], 1e-11);
            assertEquals(ofLine(n, k + 1), smallest.values()[k], 1e-11);
        }
        checkPairs(a, largest, 1e-8);
        checkPairs(a, smallest, 1e-8);
        assertTrue(largest.products() < 3000, largest.products() + " products");
    }

    @Test
    void findsAllEigenvaluesOfSmallMatrices() {
        for (int n : new int[]{1, 2, 3, 10, 25}) {
            Result all = Lanczos.largest(line(n), n);
            assertTrue(all.converged());
            for (int k = 0; k < n; k++) {
                assertEquals(ofLine(n, n - k), all.values()[k], 1e-12, n + " rows");
            }
            checkPairs(line(n), all, 1e-11);
        }
    }

    @Test
    void findsAGivenDiagonal() {
        SplittableRandom random = TestSeed.random("findsAGivenDiagonal");
        double[] spectrum = random.doubles(500, -3, 5).toArray();
        spectrum[7] = -9;
        spectrum[400] = 11;
        spectrum[401] = 10.5;
        CsrMatrix a = CsrMatrix.identity(500, Precision.F64).scaleRows(HostVector.of(spectrum));
        assertArrayEquals(new double[]{11, 10.5}, Lanczos.largest(a, 2).values(), 1e-9);
        assertEquals(-9, Lanczos.smallest(a, 1).values()[0], 1e-9);
        double[] sorted = spectrum.clone();
        Arrays.sort(sorted);
        Result floats = Lanczos.smallest(a.toPrecision(Precision.F32), 1);
        assertEquals(sorted[0], floats.values()[0], 1e-6);
    }

    /** One starting vector shows each eigenvalue of an identity once; the others come from new ones. */
    @Test
    void goesOnAfterInvariantSpaces() {
        Result ones = Lanczos.largest(CsrMatrix.identity(40, Precision.F64), 5);
        assertTrue(ones.converged());
        assertArrayEquals(new double[]{1, 1, 1, 1, 1}, ones.values(), 1e-14);
        Result zeros = Lanczos.smallest(CsrMatrix.identity(6, Precision.F64).scaled(0), 6);
        assertArrayEquals(new double[6], zeros.values(), 1e-15);
        CsrMatrix twoValued = DenseBlocks.fromRows(new double[][]{{2, 0, 0}, {0, 2, 0}, {0, 0, -1}}, Precision.F64);
        assertArrayEquals(new double[]{2, 2, -1}, Lanczos.largest(twoValued, 3).values(), 1e-13);
    }

    /** The small end of a Laplacian is the large end of its inverse. */
    @Test
    void worksOnInverses() {
        int n = 40;
        CsrMatrix grid = KroneckerProduct.of(line(n), CsrMatrix.identity(n, Precision.F64))
                .plus(KroneckerProduct.of(CsrMatrix.identity(n, Precision.F64), line(n)));
        SparseCholesky factorisation = SparseCholesky.of(grid);
        Result inverse = Lanczos.largest(factorisation::solve, n * n, 1, Settings.of(1));
        assertEquals(2 * ofLine(n, 1), 1 / inverse.values()[0], 1e-11);
        assertTrue(inverse.products() <= 60, inverse.products() + " products");
    }

    @Test
    void saysWhenItDidNotConverge() {
        Result early = Lanczos.smallest(line(2000)::multiply, 2000, 3, new Settings(10, 1e-12, 20));
        assertFalse(early.converged());
        assertTrue(early.residuals()[0] > 0);
        assertTrue(early.products() <= 30, early.products() + " products");
    }

    @Test
    void isDeterministic() {
        assertArrayEquals(Lanczos.largest(line(100), 3).values(), Lanczos.largest(line(100), 3).values());
    }

    @Test
    void refusesWhatDoesNotFit() {
        assertThrows(IllegalArgumentException.class, () -> Lanczos.largest(line(3), 4));
        assertThrows(IllegalArgumentException.class, () -> Lanczos.largest(line(3), 0));
        assertThrows(IllegalArgumentException.class, () -> Lanczos.largest(line(3).selectRows(0), 1));
        assertThrows(IllegalArgumentException.class, () -> new Settings(2, 1e-3, 5));
    }

    @Test
    void eigenvaluesOfScaledMatricesAreTheScaledOnes() {
        Result expected = Lanczos.largest(line(100), 2);
        for (int exponent : new int[]{-960, -665, -532, -498, 498, 515, 532, 665, 1000}) {
            Result found = Lanczos.largest(line(100).scaled(Math.scalb(1.0, exponent)), 2);
            assertTrue(found.converged(), "2^" + exponent);
            for (int k = 0; k < 2; k++) {
                assertEquals(expected.values()[k], Math.scalb(found.values()[k], -exponent), "2^" + exponent);
                assertEquals(expected.residuals()[k], Math.scalb(found.residuals()[k], -exponent), "2^" + exponent);
            }
        }
    }

    @Test
    void refusesWhatIsNoNumber() {
        CsrMatrix nan = DenseBlocks.fromRows(new double[][]{{1, 0}, {0, Double.NaN}}, Precision.F64);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> Lanczos.largest(nan, 1)).getMessage()
                .contains("norm NaN"));
        CsrMatrix huge =
                DenseBlocks.fromRows(new double[][]{{0.9, 0.9, 0.9}, {0.9, 0.9, 0.9}, {0.9, 0.9, 0.9}}, Precision.F64)
                        .scaled(Math.scalb(1.0, 1023));
        assertThrows(IllegalArgumentException.class, () -> Lanczos.largest(huge, 1));
    }
}
