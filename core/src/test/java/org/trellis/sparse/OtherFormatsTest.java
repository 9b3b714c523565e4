package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

/** COO, ELLPACK, SELL-C-σ and the symmetric view: by hand, there and back, and their violations. */
final class OtherFormatsTest {
    /** [[1, 0, 2], [0, 0, 0], [0, 3, 4], [5, 0, 0]]. */
    private static final CsrMatrix SMALL = CsrMatrix.of(4, 3, new int[]{0, 2, 2, 4, 5}, new int[]{0, 2, 1, 2, 0},
            new double[]{1, 2, 3, 4, 5});

    @Test
    void ellpackByHand() {
        EllMatrix ell = EllMatrix.from(SMALL);
        assertEquals(2, ell.width());
        assertArrayEquals(new int[]{0, 0, 1, 0, 2, 0, 2, 0}, ell.columnIndices());
        assertArrayEquals(new double[]{1, 0, 3, 5, 2, 0, 4, 0}, ell.values().doubles());
        assertArrayEquals(new int[]{2, 0, 2, 1}, ell.rowLengths());
    }

    @Test
    void sellByHand() {
        SellMatrix sell = SellMatrix.from(SMALL, 2, 4);
        assertEquals(Permutation.ofNewIndices(0, 3, 1, 2), sell.order());
        assertArrayEquals(new int[]{0, 4, 6}, sell.chunkOffsets());
        assertArrayEquals(new int[]{0, 1, 2, 2, 0, 0}, sell.columnIndices());
        assertArrayEquals(new double[]{1, 3, 2, 4, 5, 0}, sell.values().doubles());
        assertArrayEquals(new int[]{2, 2, 1, 0}, sell.laneLengths());
        SellMatrix unsorted = SellMatrix.from(SMALL, 3, 1);
        assertEquals(Permutation.identity(4), unsorted.order());
        assertArrayEquals(new int[]{0, 6, 9}, unsorted.chunkOffsets());
    }

    @Test
    void cooSumsDuplicatesInOrder() {
        CooMatrix coo = CooMatrix.of(2, 3, new int[]{1, 0, 1, 1, 1}, new int[]{2, 1, 0, 2, 2},
                HostVector.of(1e16, 7, 5, 1, -1e16));
        CsrMatrix expected = CsrMatrix.of(2, 3, new int[]{0, 1, 3}, new int[]{1, 0, 2}, new double[]{7, 5, 0});
        assertTrue(expected.sameAs(coo.toCsr()));
        assertEquals(5, coo.nonZeros());
    }

    @Test
    void cooSumsDuplicatesOfLongRows() {
        int entries = 1000;
        int[] rows = new int[entries];
        int[] columns = new int[entries];
        double[] values = new double[entries];
        for (int k = 0; k < entries; k++) {
            columns[k] = (k * 7919) % 50;
            values[k] = k;
        }
        CsrMatrix csr = CooMatrix.of(1, 50, rows, columns, HostVector.of(values)).toCsr();
        assertEquals(50, csr.nonZeros());
        double sum = 0;
        for (int column = 0; column < 50; column++) {
            sum += csr.get(0, column);
        }
        assertEquals(entries * (entries - 1) / 2.0, sum);
    }

    @Test
    void cooRefusesBadEntries() {
        HostVector one = HostVector.of(1.0);
        refused("entry 0: row 2, expected 0 to 1", () -> CooMatrix.of(2, 2, new int[]{2}, new int[]{0}, one));
        refused("entry 0: column -1, expected 0 to 1", () -> CooMatrix.of(2, 2, new int[]{1}, new int[]{-1}, one));
        refused("columnIndices.length is 0, expected 1", () -> CooMatrix.of(2, 2, new int[]{1}, new int[0], one));
        refused("number of values is 1, expected 2", () -> CooMatrix.of(2, 2, new int[2], new int[2], one));
    }

    @Test
    void comeBackUnchanged() {
        SplittableRandom random = TestSeed.random("comeBackUnchanged");
        for (Precision precision : Precision.values()) {
            AwkwardMatrices.all(precision, random).forEach((name, csr) -> {
                String context = name + ", seed " + TestSeed.value();
                thereAndBack(csr, CooMatrix::from, context);
                thereAndBack(csr, EllMatrix::from, context);
                for (int chunk : TestLength.isLong() ? new int[]{1, 3, 8, 64} : new int[]{3, 64}) {
                    for (int window : TestLength.isLong() ? new int[]{1, 5, 64, 100_000} : new int[]{1, 64}) {
                        thereAndBack(csr, m -> SellMatrix.from(m, chunk, window),
                                context + ", SELL-" + chunk + "-" + window);
                    }
                }
            });
        }
    }

    private static void thereAndBack(CsrMatrix csr, Function<CsrMatrix, SparseMatrix> conversion, String context) {
        SparseMatrix converted = conversion.apply(csr);
        assertEquals(Optional.empty(), converted.firstViolation(), context);
        assertEquals(csr.nonZeros(), converted.nonZeros(), context);
        assertTrue(csr.sameAs(converted.toCsr()), context);
        long[] visited = {0};
        converted.forEachEntry((i, j, a) -> {
            visited[0]++;
            assertEquals(csr.get(i, j), a, context);
        });
        assertEquals(csr.nonZeros(), visited[0], context);
    }

    @Test
    void symmetricViewComesBack() {
        SplittableRandom random = TestSeed.random("symmetricViewComesBack");
        CsrMatrix full = AwkwardMatrices.symmetrised(AwkwardMatrices.stencil(13, 7, Precision.F64, random));
        SymmetricMatrix view = SymmetricMatrix.from(full);
        assertEquals(full.nonZeros(), view.nonZeros());
        assertEquals((full.nonZeros() + 91) / 2, view.lower().nonZeros());
        assertTrue(full.sameAs(view.toCsr()));
        assertTrue(view.storedBytes() < 0.65 * full.storedBytes());
    }

    @Test
    void symmetricViewRefusesWhatIsNot() {
        refused("entry (0, 1) is 2.0, entry (1, 0) is 3.0", () -> SymmetricMatrix
                .from(CsrMatrix.of(2, 2, new int[]{0, 1, 2}, new int[]{1, 0}, new double[]{2, 3})));
        refused("there is an entry (0, 1) but none at (1, 0)",
                () -> SymmetricMatrix.from(CsrMatrix.of(2, 2, new int[]{0, 1, 1}, new int[]{1}, new double[]{2})));
        refused("it has 4 rows and 3 columns", () -> SymmetricMatrix.from(SMALL));
        refused("row 0 has an entry in column 1, expected columns up to 0",
                () -> SymmetricMatrix.ofLower(CsrMatrix.of(2, 2, new int[]{0, 1, 1}, new int[]{1}, new double[]{2})));
        refused("expected a square one", () -> SymmetricMatrix.ofLower(SMALL));
    }

    @Test
    void ellpackRefusesWhatDoesNotFit() {
        assertEquals(Optional.empty(), EllMatrix.constraint(1000, 1000));
        assertTrue(EllMatrix.constraint(1_000_000, 100_000).orElseThrow()
                .startsWith("ELLPACK would store 100000000000 entries"));
        refused("chunkRows is 0, expected at least 1", () -> SellMatrix.from(SMALL, 0, 1));
        refused("sortingWindow is 0, expected at least 1", () -> SellMatrix.from(SMALL, 4, 0));
    }

    @Test
    void violationsAreFound() {
        EllMatrix ell = EllMatrix.from(SMALL);
        ell.columnIndices()[7] = 2;
        assertEquals(Optional.of("row 3, slot 1: padding has column 2, expected 0"), ell.firstViolation());
        assertThrows(IllegalStateException.class, ell::requireValid);
        EllMatrix value = EllMatrix.from(SMALL);
        value.values().set(7, 1);
        assertEquals(Optional.of("row 3, slot 1: padding has value 1.0, expected 0"), value.firstViolation());
        SellMatrix sell = SellMatrix.from(SMALL, 2, 4);
        sell.columnIndices()[2] = 0;
        assertEquals(Optional.of("position 0, slot 1: column 0, expected 1 to 2"), sell.firstViolation());
        SellMatrix lengths = SellMatrix.from(SMALL, 2, 4);
        lengths.laneLengths()[3] = 1;
        assertEquals(Optional.of("lane lengths add up to 6, expected 5"), lengths.firstViolation());
        SellMatrix order = SellMatrix.from(SMALL, 2, 4);
        order.laneLengths()[0] = 1;
        assertTrue(order.firstViolation().orElseThrow().contains("padding has column 2"));
    }

    private static void refused(String message, Runnable call) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, call::run);
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    @Test
    void coordinatesOfFewEntriesInManyColumns() {
        CsrMatrix matrix = CooMatrix.of(3, 1_000_000, new int[]{2, 0, 2, 2}, new int[]{999_999, 5, 7, 999_999},
                HostVector.of(1.0, 2.0, 3.0, 4.0)).toCsr();
        assertTrue(matrix.sameAs(CsrMatrix.of(3, 1_000_000, new int[]{0, 1, 1, 3}, new int[]{5, 7, 999_999},
                new double[]{2, 3, 5})));
    }
}
