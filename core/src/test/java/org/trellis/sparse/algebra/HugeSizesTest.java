package org.trellis.sparse.algebra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.EllMatrix;
import org.trellis.sparse.SellMatrix;

/** Sizes of 2³¹ and about: a sentence with the size and what is expected. */
final class HugeSizesTest {
    private static final CsrMatrix WIDE = new CsrBuilder(Integer.MAX_VALUE, Precision.F32, 0).build();

    @Test
    void blocksOfTooManyColumnsAreRefused() {
        assertEquals("columns of all blocks are 4294967294, expected at most 2147483647",
                assertThrows(IllegalArgumentException.class, () -> Stacking.horizontal(List.of(WIDE, WIDE)))
                        .getMessage());
        assertEquals("columns of all blocks are 2147483648, expected at most 2147483647",
                assertThrows(IllegalArgumentException.class,
                        () -> Stacking.diagonal(List.of(WIDE, CsrMatrix.identity(1, Precision.F32)))).getMessage());
    }

    @Test
    void sumsOfTooManyColumnsAreRefused() {
        String message = assertThrows(IllegalArgumentException.class, () -> MatrixNorms.one(WIDE)).getMessage();
        assertTrue(message.startsWith("sums of columns needs an array of 2147483647 elements"), message);
    }

    /** One row of 66,000 entries, which all 66,000 rows would have. */
    @Test
    void paddedFormatsOfTooManyEntriesAreRefused() {
        int n = 66_000;
        CsrBuilder builder = new CsrBuilder(n, Precision.F32, n);
        for (int column = 0; column < n; column++) {
            builder.add(column, 1);
        }
        builder.endRow();
        for (int row = 1; row < n; row++) {
            builder.endRow();
        }
        CsrMatrix arrow = builder.build();
        assertEquals("ELLPACK would store 4356000000 entries (66000 rows of 66000), expected at most 2147483639",
                assertThrows(IllegalArgumentException.class, () -> EllMatrix.from(arrow)).getMessage());
        String message = assertThrows(IllegalArgumentException.class, () -> SellMatrix.from(arrow, n, 1)).getMessage();
        assertTrue(message.contains("more than 2147483639 entries with padding"), message);
    }

    @Test
    void anyNumberOfExpectedEntriesWorks() {
        for (long expected : new long[]{Long.MAX_VALUE, Long.MIN_VALUE, Integer.MAX_VALUE, 0}) {
            if (expected != Integer.MAX_VALUE || Runtime.getRuntime().maxMemory() < 8L * Integer.MAX_VALUE) {
                CsrMatrix one = new CsrBuilder(1, Precision.F32, expected).add(0, 2).endRow().build();
                assertEquals(2, one.get(0, 0));
            }
        }
    }
}
