package org.trellis.matrices.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.matrices.generate.JumpDiffusion.Coefficient;
import org.trellis.matrices.generate.JumpDiffusion.Field;
import org.trellis.sparse.CsrMatrix;

class JumpDiffusionTest {
    private static Coefficient checkerboard(double contrast, int block) {
        return new Coefficient(Field.CHECKERBOARD, contrast, block, 0, 0);
    }

    @Test
    void twoCellsAreRightByHand() {
        // k = 1 and 3: the flux between them is 2·3/4 = 1.5; three boundary faces give 2k each.
        CsrMatrix matrix = JumpDiffusion.of2d(2, 1, checkerboard(3, 1)).generate(Precision.F64);
        double[][] expected = {{1.5 + 6, -1.5}, {-1.5, 1.5 + 18}};
        assertArrayEquals(expected, Dense.of(matrix));
    }

    @Test
    void blocksAlternate() {
        Coefficient field = checkerboard(5, 2);
        assertEquals(1, field.at(1, 1, 0));
        assertEquals(5, field.at(2, 1, 0));
        assertEquals(1, field.at(2, 2, 0));
        assertEquals(5, field.at(2, 2, 2));
    }

    @Test
    void withoutContrastTheInteriorIsPoisson() {
        CsrMatrix matrix = JumpDiffusion.of3d(3, 3, 3, checkerboard(1, 1)).generate(Precision.F64);
        assertEquals(6, matrix.get(13, 13));
        assertEquals(-1, matrix.get(13, 14));
        assertEquals(3 * 1 + 3 * 2, matrix.get(0, 0), "three faces inside, three on the boundary");
    }

    @Test
    void matricesAreDefiniteAndSymmetric() {
        Coefficient random = new Coefficient(Field.INCLUSIONS, 1e4, 2, 0.3, 5);
        for (RowSource source : new RowSource[]{JumpDiffusion.of2d(11, 7, checkerboard(1e6, 2)),
            JumpDiffusion.of3d(6, 5, 4, random), JumpDiffusion.of2d(1, 1, random), JumpDiffusion.of3d(1, 1, 9, random),
            JumpDiffusion.of2d(9, 9, checkerboard(1e-6, 3))}) {
            CsrMatrix matrix = source.generate(Precision.F64);
            assertTrue(Dense.isSymmetric(matrix));
            assertTrue(Dense.isPositiveDefinite(matrix));
        }
        assertEquals(7L * 120 - 2 * (30 + 20 + 24),
                JumpDiffusion.of3d(6, 5, 4, random).generate(Precision.F32).nonZeros());
    }

    @Test
    void inclusionsHaveTheirShareAndSeed() {
        Coefficient random = new Coefficient(Field.INCLUSIONS, 9, 1, 0.25, 7);
        int found = 0;
        int differing = 0;
        Coefficient other = new Coefficient(Field.INCLUSIONS, 9, 1, 0.25, 8);
        for (int x = 0; x < 100; x++) {
            for (int y = 0; y < 100; y++) {
                found += random.at(x, y, 3) == 9 ? 1 : 0;
                differing += random.at(x, y, 3) == other.at(x, y, 3) ? 0 : 1;
            }
        }
        assertEquals(2500, found, 200, "about a quarter of 10,000; 200 are 4.6 deviations");
        assertTrue(differing > 3000, "another seed chooses other cells: " + differing);
    }

    @Test
    void wrongParametersAreNamed() {
        StencilsTest.assertMessage("contrast is -1.0", () -> checkerboard(-1, 1));
        StencilsTest.assertMessage("block is 0", () -> checkerboard(1, 0));
        StencilsTest.assertMessage("share is 1.5", () -> new Coefficient(Field.INCLUSIONS, 1, 1, 1.5, 0));
    }
}
