package org.trellis.sparse.algebra;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.BackendMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** What the algebra of every backend has to compute: the same bits as the host's. */
@SuppressWarnings("MustBeClosed") // what is made is closed with the backend
public abstract class MatrixAlgebraContract {
    private Backend backend;
    private MatrixAlgebra algebra;

    /**
     * Opens the backend under test.
     *
     * @return a backend that the test closes
     */
    @MustBeClosed
    protected abstract Backend openBackend();

    @BeforeEach
    void open() {
        backend = openBackend();
        algebra = backend.kernels(MatrixAlgebra.class);
    }

    @AfterEach
    void close() {
        if (backend != null) {
            backend.close();
        }
    }

    private static void assertSame(CsrMatrix expected, BackendMatrix found, String context) {
        CsrMatrix host = found.toCsr();
        assertEquals(expected.nonZeros(), found.nonZeros(), context);
        host.requireValid();
        assertTrue(expected.sameAs(host), () -> context + ", seed " + TestSeed.value() + ": expected\n"
                + expected.toText() + "found\n" + host.toText());
        found.close();
    }

    /**
     * Rows of no, few, some hundred and several thousand columns, few and many of them, so that every way to work on a
     * row is taken.
     */
    @Test
    void multiplies() {
        SplittableRandom random = TestSeed.random("multiplies");
        for (Precision precision : Precision.values()) {
            CsrMatrix few = AwkwardMatrices.random(35, 41, row -> row % 13 == 0 ? 30 : row % 4, precision, random);
            CsrMatrix many = AwkwardMatrices.random(400, 41, row -> row % 130 == 0 ? 30 : row % 20 == 3 ? 2 : 0,
                    precision, random);
            multiplies(few, precision, random);
            multiplies(many, precision, random);
        }
    }

    private void multiplies(CsrMatrix a, Precision precision, SplittableRandom random) {
        CsrMatrix b = AwkwardMatrices.random(41, 6000, row -> row == 40 ? 5500 : row % 11 == 1 ? 900 : row % 6,
                precision, random);
        CsrMatrix c = AwkwardMatrices.random(41, 300, row -> row % 6, precision, random);
        for (CsrMatrix right : new CsrMatrix[]{b, c}) {
            CsrMatrix expected = MatrixProduct.multiply(a, right);
            BackendMatrix product = algebra.multiply(algebra.upload(a), algebra.upload(right));
            BackendMatrix again = algebra.multiplyAgain(product, algebra.upload(a.scaled(0.1)),
                    algebra.upload(right));
            assertSame(MatrixProduct.again(expected, a.scaled(0.1), right), again, "known, " + precision);
            assertSame(expected, product, right + ", " + precision);
        }
    }

    /** Rows of hundreds of terms in few columns, and more rows than any that are given up. */
    @Test
    void multipliesManyTermsOfFewColumns() {
        SplittableRandom random = TestSeed.random("multipliesManyTermsOfFewColumns");
        CsrMatrix a = AwkwardMatrices.random(70, 400, row -> row == 3 ? 300 : row % 7, Precision.F64, random);
        CsrMatrix b = AwkwardMatrices.random(400, 23, row -> row % 4, Precision.F64, random);
        assertSame(MatrixProduct.multiply(a, b), algebra.multiply(algebra.upload(a), algebra.upload(b)), "few");
        CsrMatrix wide = AwkwardMatrices.random(2000, 400, row -> 1 + row % 3, Precision.F64, random);
        CsrMatrix c = AwkwardMatrices.random(400, 500, row -> 90, Precision.F64, random);
        assertSame(MatrixProduct.multiply(wide, c), algebra.multiply(algebra.upload(wide), algebra.upload(c)), "many");
    }

    @Test
    void multipliesThree() {
        SplittableRandom random = TestSeed.random("multipliesThree");
        CsrMatrix a = AwkwardMatrices.random(30, 30, row -> row % 5, Precision.F64, random);
        CsrMatrix p = AwkwardMatrices.random(30, 8, row -> row % 3, Precision.F64, random);
        CsrMatrix r = p.transpose();
        assertSame(MatrixProduct.multiply(r, MatrixProduct.multiply(a, p)),
                algebra.triple(algebra.upload(r), algebra.upload(a), algebra.upload(p)), "R (A P)");
    }

    @Test
    void transposesAndAdds() {
        SplittableRandom random = TestSeed.random("transposesAndAdds");
        for (Precision precision : Precision.values()) {
            CsrMatrix a = AwkwardMatrices.random(131, 157, row -> row % 9 == 0 ? 70 : row % 5, precision, random);
            CsrMatrix b = AwkwardMatrices.random(131, 157, row -> row % 4, precision, random);
            BackendMatrix there = algebra.upload(a);
            assertSame(a.transpose(), algebra.transpose(there), "transpose");
            CsrMatrix other = a.mapValues((row, column, value) -> 2 * value - row);
            try (BackendMatrix structure = algebra.transpose(there); BackendMatrix values = algebra.upload(other)) {
                assertSame(other.transpose(), algebra.transposeAgain(structure, values), "transpose again");
                assertThrows(IllegalArgumentException.class, () -> algebra.transposeAgain(values, values));
            }
            assertSame(a.combine(0.3, b, -1.7), algebra.combine(0.3, there, -1.7, algebra.upload(b)), "sum");
            assertSame(a.submatrix(7, 90, 30, 140), algebra.submatrix(there, 7, 90, 30, 140), "block");
            assertSame(a.filter((row, column, value) -> row == column || Math.abs(value) >= 0.5),
                    algebra.dropSmall(there, 0.5), "filter");
            for (Precision wanted : Precision.values()) {
                assertSame(a.toPrecision(wanted), algebra.toPrecision(there, wanted), precision + " to " + wanted);
            }
            HostVector factors = HostVector.of(precision, 131, i -> i - 4.5);
            try (DenseVector scale = backend.vector(precision, 131)) {
                scale.copyFrom(factors);
                assertSame(a.scaleRows(factors), algebra.scaleRows(there, scale), "scaled rows");
            }
        }
    }

    @Test
    void findsDiagonalsAndSymmetry() {
        CsrMatrix a = DenseBlocks.fromRows(new double[][]{{4, -1, 0}, {-1.1, 0, 2}, {0, 2, 5}}, Precision.F64);
        BackendMatrix there = algebra.upload(a);
        try (DenseVector diagonal = backend.vector(Precision.F64, 3)) {
            algebra.diagonal(there, diagonal);
            HostVector host = HostVector.zeros(Precision.F64, 3);
            diagonal.copyTo(host);
            assertArrayEquals(new double[]{4, 0, 5}, host.toDoubleArray());
        }
        assertFalse(algebra.isSymmetric(there, 0.05));
        assertTrue(algebra.isSymmetric(there, 0.2));
        assertTrue(algebra.isSymmetric(there, -1));
        assertFalse(algebra.isSymmetric(algebra.upload(CsrMatrix.of(2, 2, new int[]{0, 2, 3}, new int[]{0, 1, 1},
                new double[]{1, 0, 1})), -1));
    }

    @Test
    void makesDiagonalMatrices() {
        for (Precision precision : Precision.values()) {
            try (DenseVector elements = backend.vector(precision, 3)) {
                elements.copyFrom(HostVector.of(precision, 3, k -> k - 1.5 * k * k));
                BackendMatrix made = algebra.diagonalMatrix(elements);
                elements.copyFrom(HostVector.zeros(precision, 3));
                assertSame(CsrMatrix.of(3, 3, new int[]{0, 1, 2, 3}, new int[]{0, 1, 2},
                        HostVector.of(precision, 3, k -> k - 1.5 * k * k)), made, "elements of 0 stay");
            }
        }
    }

    @Test
    void invertsDiagonalsAndSums() {
        CsrMatrix a = DenseBlocks.fromRows(new double[][]{{4, -1, 0}, {-1, -2, 2}, {0, 2, 8}}, Precision.F64);
        BackendMatrix there = algebra.upload(a);
        HostVector host = HostVector.zeros(Precision.F64, 3);
        try (DenseVector inverse = backend.vector(Precision.F64, 3)) {
            assertEquals(-1, algebra.invertDiagonal(there, 2, inverse));
            inverse.copyTo(host);
            assertArrayEquals(new double[]{0.5, -1, 0.25}, host.toDoubleArray());
            assertEquals(-1, algebra.invertRowSums(there, 3, inverse));
            inverse.copyTo(host);
            assertArrayEquals(new double[]{3 * (1 / 5.0), 3 * (1 / -5.0), 3 * (1 / 10.0)}, host.toDoubleArray());
            BackendMatrix hollow = algebra.upload(a.filter((row, column, value) -> row != 1));
            assertEquals(1, algebra.invertDiagonal(hollow, 1, inverse));
            assertEquals(1, algebra.invertRowSums(hollow, 1, inverse));
        }
    }

    @Test
    void takesEmptyMatrices() {
        CsrMatrix none = CsrMatrix.of(0, 3, new int[]{0}, new int[0], new double[0]);
        CsrMatrix empty = CsrMatrix.of(3, 2, new int[]{0, 0, 0, 0}, new int[0], new double[0]);
        BackendMatrix first = algebra.upload(none);
        BackendMatrix second = algebra.upload(empty);
        assertSame(MatrixProduct.multiply(none, empty), algebra.multiply(first, second), "no rows");
        assertSame(none.transpose(), algebra.transpose(first), "transpose of no rows");
        assertSame(empty.transpose(), algebra.transpose(second), "transpose of no entries");
        assertSame(empty, algebra.combine(1, second, 1, second), "sum of nothing");
    }

    @Test
    void refusesWhatDoesNotFit() {
        BackendMatrix a = algebra.upload(CsrMatrix.identity(3, Precision.F64));
        BackendMatrix b = algebra.upload(CsrMatrix.identity(4, Precision.F64));
        BackendMatrix c = algebra.upload(CsrMatrix.identity(3, Precision.F32));
        assertThrows(IllegalArgumentException.class, () -> algebra.multiply(a, b));
        assertThrows(IllegalArgumentException.class, () -> algebra.multiply(a, c));
        assertThrows(IllegalArgumentException.class, () -> algebra.combine(1, a, 1, b));
        assertThrows(IndexOutOfBoundsException.class, () -> algebra.submatrix(a, 0, 4, 0, 1));
        BackendMatrix full = algebra.upload(DenseBlocks.fromRows(new double[][]{{1, 2, 0}, {0, 1, 0}, {0, 0, 1}},
                Precision.F64));
        String message =
                assertThrows(IllegalArgumentException.class, () -> algebra.multiplyAgain(a, full, full)).getMessage();
        assertTrue(message.contains("row 0"), message);
        try (DenseVector five = backend.vector(Precision.F64, 5)) {
            assertThrows(IllegalArgumentException.class, () -> algebra.scaleRows(a, five));
            assertThrows(IllegalArgumentException.class, () -> algebra.diagonal(a, five));
        }
    }
}
