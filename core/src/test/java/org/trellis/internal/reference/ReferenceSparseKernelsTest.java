package org.trellis.internal.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.memory.HostVector;
import org.trellis.memory.MultiVector;
import org.trellis.sparse.CooMatrix;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.EllMatrix;
import org.trellis.sparse.SellMatrix;
import org.trellis.sparse.SparseKernelsContract;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SymmetricMatrix;

/** The reference against products worked out by hand. */
final class ReferenceSparseKernelsTest extends SparseKernelsContract {
    /** The matrix [[1, 0, 2], [0, 0, 0], [0, 3, 4], [5, 0, 0]]. */
    private static final CsrMatrix MATRIX = CsrMatrix.of(4, 3, new int[]{0, 2, 2, 4, 5}, new int[]{0, 2, 1, 2, 0},
            new double[]{1, 2, 3, 4, 5});

    @Override
    protected Backend openBackend() {
        return new ReferenceBackend();
    }

    private static List<SparseMatrix> everyFormat() {
        return List.of(MATRIX, CooMatrix.from(MATRIX), EllMatrix.from(MATRIX), SellMatrix.from(MATRIX, 2, 4),
                SellMatrix.from(MATRIX, 3, 1));
    }

    @SuppressWarnings("MustBeClosed") // an operator of the reference holds nothing but its matrix
    private static SpmvOperator prepare(SparseMatrix matrix) {
        ReferenceSparseKernels kernels = new ReferenceSparseKernels(new ReferenceLock());
        return kernels.prepare(matrix, kernels.rule(matrix));
    }

    @Test
    void multipliesByHand() {
        for (SparseMatrix matrix : everyFormat()) {
            HostVector y = HostVector.of(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
            prepare(matrix).multiply(HostVector.of(1.0, 10, 100), y);
            assertArrayEquals(new double[]{201, 0, 430, 5}, y.doubles(), 0, matrix.toString());
        }
    }

    @Test
    void scalesAndAddsByHand() {
        for (SparseMatrix matrix : everyFormat()) {
            HostVector y = HostVector.of(1.0, 2, 3, 4);
            prepare(matrix).multiply(2, HostVector.of(1.0, 10, 100), -1, y);
            assertArrayEquals(new double[]{401, -2, 857, 6}, y.doubles(), 0, matrix.toString());
        }
    }

    @Test
    void multipliesTransposedByHand() {
        for (SparseMatrix matrix : everyFormat()) {
            HostVector y = HostVector.of(7.0, 7, 7);
            prepare(matrix).multiplyTransposed(1, HostVector.of(1.0, 10, 100, 1000), 1, y);
            assertArrayEquals(new double[]{5008, 307, 409}, y.doubles(), 0, matrix.toString());
        }
    }

    @Test
    void multipliesSeveralVectorsByHand() {
        for (SparseMatrix matrix : everyFormat()) {
            MultiVector x = new MultiVector(HostVector.of(1.0, -1, 10, -10, 100, -100), 3, 2);
            HostVector y = HostVector.of(new double[8]);
            prepare(matrix).multiply(1, x, 0, new MultiVector(y, 4, 2));
            assertArrayEquals(new double[]{201, -201, 0, 0, 430, -430, 5, -5}, y.doubles(), 0, matrix.toString());
        }
    }

    @Test
    void multipliesFromOneTriangleByHand() {
        // [[1, 2, 0], [2, 0, 3], [0, 3, 4]]
        CsrMatrix lower = CsrMatrix.of(3, 3, new int[]{0, 1, 2, 4}, new int[]{0, 0, 1, 2}, new double[]{1, 2, 3, 4});
        HostVector y = HostVector.of(new double[3]);
        prepare(SymmetricMatrix.ofLower(lower)).multiply(HostVector.of(1.0, 10, 100), y);
        assertArrayEquals(new double[]{21, 302, 430}, y.doubles(), 0);
    }
}
