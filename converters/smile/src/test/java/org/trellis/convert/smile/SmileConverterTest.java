package org.trellis.convert.smile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;
import smile.math.matrix.SparseMatrix;

final class SmileConverterTest {
    @Test
    void goesThereAndBack() {
        SplittableRandom random = TestSeed.random("Smile goesThereAndBack");
        AwkwardMatrices.all(Precision.F64, random).forEach((name, matrix) -> {
            SparseMatrix there = SmileConverter.toSmile(matrix);
            assertEquals(matrix.rows(), there.nrows(), name);
            matrix.forEachEntry((i, j, value) -> assertEquals(value, there.get(i, j), name));
            assertTrue(matrix.sameAs(SmileConverter.fromSmile(there)), name);
            CsrMatrix floats = matrix.toPrecision(Precision.F32);
            assertTrue(
                    floats.sameAs(SmileConverter.fromSmile(SmileConverter.toSmile(floats)).toPrecision(Precision.F32)),
                    name);
        });
    }

    @Test
    void viewsTheTranspose() {
        CsrMatrix matrix = AwkwardMatrices.random(20, 30, row -> row % 7, Precision.F64, TestSeed.random("views"));
        assertTrue(matrix.transpose().sameAs(SmileConverter.fromSmile(SmileConverter.viewTransposed(matrix))));
    }
}
