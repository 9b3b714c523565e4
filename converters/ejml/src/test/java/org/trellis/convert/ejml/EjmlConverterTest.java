package org.trellis.convert.ejml;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.ejml.data.DMatrixSparseCSC;
import org.ejml.data.FMatrixSparseCSC;
import org.ejml.sparse.csc.CommonOps_DSCC;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class EjmlConverterTest {
    @Test
    void goesThereAndBack() {
        SplittableRandom random = TestSeed.random("EJML goesThereAndBack");
        AwkwardMatrices.all(Precision.F64, random).forEach((name, matrix) -> {
            DMatrixSparseCSC there = EjmlConverter.toEjml(matrix);
            assertTrue(CommonOps_DSCC.checkStructure(there), name);
            matrix.forEachEntry((i, j, value) -> assertEquals(value, there.get(i, j), name));
            assertTrue(matrix.sameAs(EjmlConverter.fromEjml(there)), name);
            CsrMatrix floats = matrix.toPrecision(Precision.F32);
            FMatrixSparseCSC asFloats = EjmlConverter.toEjmlFloat(matrix);
            assertTrue(floats.sameAs(EjmlConverter.fromEjml(asFloats)), name);
        });
    }

    @Test
    void sharesArraysWhereItSays() {
        CsrMatrix matrix = AwkwardMatrices.random(20, 30, row -> row % 7, Precision.F64, TestSeed.random("shares"));
        DMatrixSparseCSC transpose = EjmlConverter.viewTransposed(matrix);
        assertSame(matrix.onlySegment().values().doubles(), transpose.nz_values);
        assertSame(transpose.nz_rows, EjmlConverter.view(transpose).transposed().onlySegment().columnIndices());
        assertTrue(matrix.sameAs(EjmlConverter.view(transpose).transposed()));
        HostVector vector = HostVector.of(1.0, 2, 3);
        assertSame(vector.doubles(), EjmlConverter.viewColumn(vector).data);
        assertThrows(IllegalStateException.class,
                () -> EjmlConverter.viewTransposed(matrix.toPrecision(Precision.F32)));
    }

    @Test
    void sortsWhatIsNotSorted() {
        DMatrixSparseCSC unsorted = new DMatrixSparseCSC(3, 1, 2);
        unsorted.nz_rows = new int[]{2, 0};
        unsorted.nz_values = new double[]{5, 7};
        unsorted.col_idx = new int[]{0, 2};
        unsorted.nz_length = 2;
        unsorted.indicesSorted = false;
        CsrMatrix sorted = EjmlConverter.fromEjml(unsorted);
        assertEquals(7, sorted.get(0, 0));
        assertEquals(5, sorted.get(2, 0));
        assertEquals(2, unsorted.nz_rows[0]);
    }
}
