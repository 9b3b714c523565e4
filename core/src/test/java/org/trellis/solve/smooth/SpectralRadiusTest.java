package org.trellis.solve.smooth;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.sparse.CsrMatrix;

class SpectralRadiusTest {
    /** Vectors for estimates are drawn in pieces, and are those that one generator gives one after the other. */
    @Test
    void vectorsAreThoseOfOneGenerator() {
        int rows = 5000;
        SplittableRandom random = new SplittableRandom(LanczosRadius.SEED);
        for (int turn = 0; turn < 2; turn++) {
            assertArrayEquals(random.doubles(rows, -1, 1).toArray(), SpectralRadius.draw(rows, turn));
        }
    }

    /** D⁻¹A of the first has the eigenvalues 0.5 and 1.5, which two steps find; rows of the second bound it by 2. */
    @Test
    void boundsAreAMarginAboveTheRadiusAndWithinWhatRowsSay() {
        CsrMatrix far = CsrMatrix.of(3, 3, new int[]{0, 2, 4, 5}, new int[]{0, 1, 0, 1, 2},
                new double[]{1, 4, 4, 64, 7});
        assertEquals(1.5 * LanczosRadius.MARGIN, SpectralRadius.bound("test", far), 1e-6);
        CsrMatrix near = CsrMatrix.of(2, 2, new int[]{0, 2, 4}, new int[]{0, 1, 0, 1}, new double[]{1, -1, -1, 1});
        assertEquals(2, SpectralRadius.bound("test", near));
        assertEquals(1, SpectralRadius.bound("test", CsrMatrix.of(0, 0, new int[1], new int[0], new double[0])));
    }

    @Test
    void refusesADiagonalThatIsNotPositive() {
        CsrMatrix matrix = CsrMatrix.of(2, 2, new int[]{0, 1, 2}, new int[]{0, 1}, new double[]{1, -3});
        String message = assertThrows(IllegalArgumentException.class, () -> SpectralRadius.bound("test", matrix))
                .getMessage();
        assertTrue(message.contains("diagonal element of row 1 is -3.0, expected a positive diagonal"), message);
    }
}
