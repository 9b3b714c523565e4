package org.trellis.bench.adapters.cusparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.trellis.backend.Availability;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;

/** cuSPARSE's sliced format, and what the peer says where there is no GPU. */
class SlicedEllTest {
    /** 33 rows: row 0 with columns 0 and 2, rows 1 to 31 with their number as value, row 32 empty but for column 1. */
    private static CsrMatrix matrix() {
        CsrBuilder builder = new CsrBuilder(40, Precision.F64, 40);
        builder.add(0, 10).add(2, 20).endRow();
        for (int row = 1; row < 32; row++) {
            builder.add(row, row).endRow();
        }
        return builder.add(1, 7).endRow().build();
    }

    @Test
    void slicesAreStoredByColumns() {
        SlicedEll slices = SlicedEll.of(matrix().segments().getFirst());
        assertArrayEquals(new int[]{0, 64, 96}, slices.sliceOffsets());
        assertEquals(0, slices.columns()[0]);
        assertEquals(2, slices.columns()[32]);
        assertEquals(20, slices.values().get(32));
        assertEquals(31, slices.columns()[31]);
        assertEquals(31, slices.values().get(31));
        assertEquals(-1, slices.columns()[33]);
        assertEquals(1, slices.columns()[64]);
        assertEquals(7, slices.values().get(64));
        assertEquals(-1, slices.columns()[65]);
        assertEquals(0, slices.values().get(65));
    }

    @Test
    void aMatrixThatGrowsTooMuchIsRefused() {
        int[] offsets = new int[40_001];
        java.util.Arrays.fill(offsets, 1, offsets.length, 100_000);
        assertTrue(SlicedEll.objection(offsets).orElseThrow().contains("3200000 entries for 100000 non-zeros"),
                SlicedEll.objection(offsets).toString());
        assertFalse(SlicedEll.objection(matrix().segments().getFirst().rowOffsets()).isPresent());
    }

    @Test
    void algorithmsHaveNames() {
        for (CusparseAlgorithm algorithm : CusparseAlgorithm.values()) {
            assertEquals(algorithm, CusparseAlgorithm.of(algorithm.label()));
        }
        assertThrows(IllegalArgumentException.class, () -> CusparseAlgorithm.of("csr-alg3"));
    }

    @Test
    void thePeerSaysWhyItCannotBeUsed() {
        Availability availability = new CusparsePeer().probe();
        assertFalse(availability.reason().isBlank());
    }
}
