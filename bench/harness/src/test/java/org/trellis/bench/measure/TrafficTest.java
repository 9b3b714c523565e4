package org.trellis.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** The equations of the thesis on a matrix of 3 x 5 with 7 entries. */
class TrafficTest {
    private static final Traffic DOUBLE = new Traffic(3, 5, 7, 8);
    private static final Traffic SINGLE = new Traffic(3, 5, 7, 4);

    @Test
    void countsTwoOperationsAnEntry() {
        assertEquals(14, DOUBLE.flops());
    }

    @Test
    void countsEffectiveBytesByEquation44() {
        assertEquals(7 * (2 * 8 + 4) + 3 * (8 + 4), DOUBLE.effectiveBytes());
        assertEquals(7 * (2 * 4 + 4) + 3 * (4 + 4), SINGLE.effectiveBytes());
    }

    @Test
    void countsMinimumBytesWithXByColumns() {
        assertEquals(7 * 12 + 3 * 4 + 3 * 8 + 5 * 8, DOUBLE.minimumBytes());
        assertEquals(7 * 8 + 3 * 4 + 3 * 4 + 5 * 4, SINGLE.minimumBytes());
    }

    @Test
    void agreesWithEquation46OnSquareMatrices() {
        assertEquals(20 * (8 + 4) + 6 * (2 * 8 + 4), new Traffic(6, 6, 20, 8).minimumBytes());
    }

    @Test
    void hasNoIntensityWithoutEntries() {
        assertEquals(0, new Traffic(3, 3, 0, 8).intensity());
        assertEquals(14.0 / 160, DOUBLE.intensity(), 1e-15);
    }

    @Test
    void countsBeyond32Bits() {
        assertEquals(20L * 3_000_000_000L, new Traffic(0, 0, 3_000_000_000L, 8).effectiveBytes());
    }
}
