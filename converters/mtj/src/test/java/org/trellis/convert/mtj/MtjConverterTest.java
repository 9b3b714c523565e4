package org.trellis.convert.mtj;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import no.uib.cipr.matrix.sparse.CompRowMatrix;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class MtjConverterTest {
    @Test
    void goesThereAndBack() {
        SplittableRandom random = TestSeed.random("MTJ goesThereAndBack");
        AwkwardMatrices.all(Precision.F64, random).forEach((name, matrix) -> {
            CompRowMatrix there = MtjConverter.toMtj(matrix);
            matrix.forEachEntry((i, j, value) -> assertEquals(value, there.get(i, j), name));
            assertTrue(matrix.sameAs(MtjConverter.view(there)), name);
            assertSame(there.getData(), MtjConverter.view(there).onlySegment().values().doubles(), name);
        });
    }
}
