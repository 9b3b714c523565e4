package org.trellis.convert.ojalgo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.ojalgo.matrix.store.R064CSR;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class OjAlgoConverterTest {
    @Test
    void goesThereAndBack() {
        SplittableRandom random = TestSeed.random("ojAlgo goesThereAndBack");
        AwkwardMatrices.all(Precision.F64, random).forEach((name, matrix) -> {
            if (matrix.rows() == 0 || matrix.columns() == 0) {
                return; // ojAlgo has no such matrices
            }
            R064CSR there = OjAlgoConverter.toOjAlgo(matrix);
            assertNotSame(matrix.onlySegment().columnIndices(), there.indices, name);
            matrix.forEachEntry((i, j, value) -> assertEquals(value, there.doubleValue(i, j), name));
            assertTrue(matrix.sameAs(OjAlgoConverter.view(there)), name);
            assertTrue(matrix.sameAs(OjAlgoConverter.view(there.toCSC()).toCsr()), name);
        });
    }

    @Test
    void sharesArraysWhereItSays() {
        CsrMatrix matrix = AwkwardMatrices.random(20, 30, row -> row % 7, Precision.F64, TestSeed.random("shares"));
        R064CSR view = OjAlgoConverter.view(matrix);
        assertSame(matrix.onlySegment().values().doubles(), view.values);
        assertSame(view.indices, OjAlgoConverter.view(view).onlySegment().columnIndices());
        CsrMatrix floats = matrix.toPrecision(Precision.F32);
        assertThrows(IllegalStateException.class, () -> OjAlgoConverter.view(floats));
        assertTrue(floats.sameAs(OjAlgoConverter.view(OjAlgoConverter.toOjAlgo(floats)).toPrecision(Precision.F32)));
    }
}
