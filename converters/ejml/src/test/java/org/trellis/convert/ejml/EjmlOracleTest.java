package org.trellis.convert.ejml;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.ejml.data.DMatrixRMaj;
import org.ejml.data.DMatrixSparseCSC;
import org.ejml.sparse.csc.CommonOps_DSCC;
import org.ejml.sparse.csc.RandomMatrices_DSCC;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.BipartiteMatching;
import org.trellis.sparse.algebra.RandomMatrices;
import org.trellis.sparse.algebra.Reductions;
import org.trellis.sparse.algebra.Stacking;
import org.trellis.systems.LinearSystems;
import org.trellis.testing.TestSeed;

/** Conveniences of matrices, with EJML's as the oracle. */
final class EjmlOracleTest {
    private static final int TURNS = 60;

    private static CsrMatrix random(SplittableRandom random, int rows, int columns) {
        long most = (long) rows * columns;
        return RandomMatrices.uniform(rows, columns, random.nextLong(most + 1), -1, 1, Precision.F64, random);
    }

    @Test
    void agreesWithEjml() {
        SplittableRandom random = TestSeed.random("agreesWithEjml");
        for (int turn = 0; turn < TURNS; turn++) {
            int rows = 1 + random.nextInt(25);
            int columns = 1 + random.nextInt(25);
            CsrMatrix a = random(random, rows, columns);
            CsrMatrix b = random(random, rows, columns);
            DMatrixSparseCSC ourA = EjmlConverter.toEjml(a);
            DMatrixSparseCSC ourB = EjmlConverter.toEjml(b);
            DMatrixSparseCSC product = new DMatrixSparseCSC(rows, columns, 0);
            CommonOps_DSCC.elementMult(ourA, ourB, product, null, null);
            assertTrue(EjmlConverter.fromEjml(product).sameAs(a.hadamard(b)));
            assertArrayEquals(CommonOps_DSCC.sumRows(ourA, null).data, Reductions.rowSums(a).doubles(), 1e-13);
            assertArrayEquals(CommonOps_DSCC.sumCols(ourA, null).data, Reductions.columnSums(a).doubles(), 1e-13);
            assertArrayEquals(CommonOps_DSCC.maxRows(ourA, null, null).data, Reductions.rowMaxima(a).doubles());
            assertArrayEquals(CommonOps_DSCC.maxCols(ourA, null).data, Reductions.columnMaxima(a).doubles());
            assertArrayEquals(CommonOps_DSCC.minRows(ourA, null, null).data, Reductions.rowMinima(a).doubles());
            assertArrayEquals(CommonOps_DSCC.minCols(ourA, null).data, Reductions.columnMinima(a).doubles());
            assertEquals(CommonOps_DSCC.elementSum(ourA), Reductions.sum(a), 1e-12);
            DMatrixSparseCSC beside = new DMatrixSparseCSC(rows, 2 * columns, 0);
            CommonOps_DSCC.concatColumns(ourA, ourB, beside);
            assertTrue(EjmlConverter.fromEjml(beside).sameAs(Stacking.horizontal(List.of(a, b))));
        }
    }

    @Test
    void diagonalsAndInversesAgree() {
        SplittableRandom random = TestSeed.random("diagonalsAndInversesAgree");
        for (int turn = 0; turn < 10; turn++) {
            int n = 1 + random.nextInt(20);
            double[] diagonal = random.doubles(n, 1, 2).toArray();
            CsrMatrix ours = CsrMatrix.diagonals(n, n, Precision.F64, new int[]{0}, diagonal);
            assertTrue(EjmlConverter.fromEjml(CommonOps_DSCC.diag(diagonal)).sameAs(ours));
            DMatrixSparseCSC definite = RandomMatrices_DSCC.symmetricPosDef(n, 0.3, new Random(random.nextLong()));
            CsrMatrix a = EjmlConverter.fromEjml(definite);
            DMatrixRMaj expected = new DMatrixRMaj(n, n);
            assertTrue(CommonOps_DSCC.invert(definite.copy(), expected));
            double[][] inverse = LinearSystems.inverse(a);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    assertEquals(expected.get(i, j), inverse[i][j], 1e-9);
                }
            }
            assertEquals(n, BipartiteMatching.maximum(a.withDiagonal(HostVector.of(diagonal))).size());
        }
    }
}
