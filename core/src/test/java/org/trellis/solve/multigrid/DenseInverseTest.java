package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.algebra.MatrixProduct;
import org.trellis.testing.TestSeed;

/** Inverses and pseudo-inverses by their defining equations. */
final class DenseInverseTest {
    private static CsrMatrix product(CsrMatrix... factors) {
        CsrMatrix result = factors[0];
        for (int i = 1; i < factors.length; i++) {
            result = MatrixProduct.multiply(result, factors[i]);
        }
        return result;
    }

    /** Penrose's four equations. */
    private static void assertPseudoInverse(CsrMatrix a, DenseInverse inverse, int nullity) {
        CsrMatrix b = inverse.matrix();
        assertEquals(nullity, inverse.nullity());
        assertTrue(product(a, b, a).closeTo(a, 0, 1e-9), "A B A = A, seed " + TestSeed.value());
        assertTrue(product(b, a, b).closeTo(b, 0, 1e-9), "B A B = B, seed " + TestSeed.value());
        CsrMatrix ab = product(a, b);
        CsrMatrix ba = product(b, a);
        assertTrue(ab.closeTo(ab.transpose(), 0, 1e-9) && ba.closeTo(ba.transpose(), 0, 1e-9));
    }

    private static CsrMatrix random(int rows, int columns, SplittableRandom random) {
        return DenseBlocks.fromRowMajor(rows, columns, random.doubles((long) rows * columns, -1, 1).toArray(),
                Precision.F64);
    }

    @Test
    void invertsWhatHasAnInverse() {
        SplittableRandom random = TestSeed.random("invertsWhatHasAnInverse");
        for (int size : new int[]{0, 1, 2, 17, 40}) {
            CsrMatrix general = random(size, size, random);
            CsrMatrix definite = product(general, general.transpose()).plus(CsrMatrix.identity(size, Precision.F64));
            CsrMatrix indefinite = general.plus(general.transpose());
            for (CsrMatrix a : new CsrMatrix[]{general, definite, indefinite}) {
                DenseInverse inverse = DenseInverse.of(a);
                assertEquals(0, inverse.nullity());
                assertTrue(product(a, inverse.matrix()).closeTo(CsrMatrix.identity(size, Precision.F64), 0, 1e-8),
                        "size " + size + ", seed " + TestSeed.value());
            }
        }
    }

    @Test
    void tellsIndefiniteMatrices() {
        SplittableRandom random = TestSeed.random("tellsIndefiniteMatrices");
        for (int size : new int[]{1, 2, 17, 40}) {
            CsrMatrix left = random(size, Math.max(1, size - 3), random);
            CsrMatrix semidefinite = product(left, left.transpose());
            assertFalse(DenseInverse.isIndefinite(semidefinite), "size " + size + ", seed " + TestSeed.value());
            double shift = 1e-3 * semidefinite.diagonal().get(size - 1);
            CsrMatrix indefinite = semidefinite.plus(CsrMatrix.identity(size, Precision.F64).scaled(-shift));
            assertTrue(DenseInverse.isIndefinite(size > 3 ? indefinite : semidefinite.scaled(-1)),
                    "size " + size + ", seed " + TestSeed.value());
        }
        assertFalse(DenseInverse.isIndefinite(Grids.freeLine(30)));
    }

    @Test
    void takesPseudoInversesOfSingularMatrices() {
        SplittableRandom random = TestSeed.random("takesPseudoInversesOfSingularMatrices");
        assertPseudoInverse(Grids.freeLine(30), DenseInverse.of(Grids.freeLine(30)), 1);
        CsrMatrix left = random(12, 9, random);
        CsrMatrix symmetric = product(left, left.transpose());
        assertPseudoInverse(symmetric, DenseInverse.of(symmetric), 3);
        CsrMatrix unsymmetric = product(left, random(9, 12, random));
        assertPseudoInverse(unsymmetric, DenseInverse.of(unsymmetric), 3);
        CsrMatrix zero = CsrMatrix.identity(4, Precision.F64).scaled(0);
        assertPseudoInverse(zero, DenseInverse.of(zero), 4);
    }
}
