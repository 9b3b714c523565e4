package org.trellis.cuda.sparse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

/** Reads layouts back as the kernels do: each entry is found once, in its row, with its column. */
class LayoutsTest {
    private static final int WARP = 32;

    /** Counts the entries that a kernel would multiply. */
    private static final class Found {
        private final HostCsr matrix;
        private final String context;
        private final int[] rowOf;
        private final boolean[] seen;

        Found(HostCsr matrix, String context) {
            this.matrix = matrix;
            this.context = context;
            this.rowOf = new int[matrix.nonZeros()];
            this.seen = new boolean[matrix.nonZeros()];
            for (int row = 0; row < matrix.rows(); row++) {
                Arrays.fill(rowOf, matrix.rowOffsets()[row], matrix.rowOffsets()[row + 1], row);
            }
        }

        void entry(int row, int column, int source) {
            assertTrue(source >= 0, context + ": an entry that is read has no value, row " + row);
            assertEquals(rowOf[source], row, context + ": row of entry " + source);
            assertEquals(matrix.columnIndices()[source], column, context + ": column of entry " + source);
            assertFalse(seen[source], context + ": entry " + source + " is read twice");
            seen[source] = true;
        }

        void allSeen() {
            for (int k = 0; k < seen.length; k++) {
                assertTrue(seen[k], context + ": entry " + k + " is never read");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void chunksHoldEveryEntryOnce(Precision precision) {
        SplittableRandom random = TestSeed.random("chunksHoldEveryEntryOnce");
        int[] groups = TestLength.isLong() ? new int[]{1, 2, 32} : new int[]{1, 32};
        int[] windows = TestLength.isLong() ? new int[]{1, 7, 1 << 20} : new int[]{7, 1 << 20};
        for (Map.Entry<String, CsrMatrix> each : matrices(precision, random).entrySet()) {
            HostCsr matrix = HostCsr.of(each.getValue());
            for (int cooperating : groups) {
                for (int perThread : new int[]{1, 4}) {
                    for (int window : windows) {
                        ChunkRows rows = ChunkRows.of(matrix, new ChunkShape(cooperating, perThread), window);
                        String context = each.getKey() + ", " + rows.shape() + ", window " + window;
                        checkSell(matrix, rows, context);
                        checkPacked(matrix, rows, false, context + ", plain");
                        checkPacked(matrix, rows, true, context + ", runs");
                    }
                }
            }
        }
    }

    private static void checkSell(HostCsr matrix, ChunkRows rows, String context) {
        SellLayout layout = SellLayout.of(matrix, rows);
        Found found = new Found(matrix, context);
        ChunkShape shape = rows.shape();
        assertEquals(rows.paddedEntries(), layout.columns().length, context);
        for (int chunk = 0; chunk < rows.chunks(); chunk++) {
            for (int slot = layout.chunkSlots()[chunk]; slot < layout.chunkSlots()[chunk + 1]; slot++) {
                for (int place = 0; place < shape.slotEntries(); place++) {
                    int at = slot * shape.slotEntries() + place;
                    if (layout.columns()[at] >= 0) {
                        found.entry(rowAt(rows, chunk, place), layout.columns()[at], layout.source()[at]);
                    } else {
                        assertEquals(-1, layout.source()[at], context + ": padding has a value");
                    }
                }
            }
        }
        found.allSeen();
    }

    /** The row that a kernel adds to at a place of a slot. */
    private static int rowAt(ChunkRows rows, int chunk, int place) {
        ChunkShape shape = rows.shape();
        int local = place / WARP * shape.partRows() + place % WARP / shape.cooperating();
        int position = rows.firstOf(chunk) + local;
        if (position >= rows.count()) {
            return -1;
        }
        if (!rows.hasTargets()) {
            return position;
        }
        int target = rows.targets()[position];
        return target >= 0 ? target : rows.splits()[ChunkRows.SPLIT_RECORD * rows.splitOf()[-1 - target]];
    }

    private static void checkPacked(HostCsr matrix, ChunkRows rows, boolean detect, String context) {
        PackedLayout layout = PackedLayout.of(matrix, rows, detect);
        Found found = new Found(matrix, context);
        for (int chunk = 0; chunk < rows.chunks(); chunk++) {
            new PackedReader(layout, chunk).read(found);
        }
        found.allSeen();
    }

    /** What {@code packed.cu} does with a chunk. */
    private static final class PackedReader {
        private final PackedLayout layout;
        private final ChunkRows rows;
        private final ChunkShape shape;
        private final int chunk;
        private final int record;
        private final int bits;
        private final int table;
        private final int diagonals;
        private final int bases;

        PackedReader(PackedLayout layout, int chunk) {
            this.layout = layout;
            this.rows = layout.rows();
            this.shape = rows.shape();
            this.chunk = chunk;
            this.record = 16 * chunk;
            this.bits = layout.records()[record + 3];
            this.table = layout.records()[record + 2] >> 1;
            this.diagonals = bits >> 16 & 0x7f;
            this.bases = bits >> 23 & 0x1f;
        }

        void read(Found found) {
            int run = bits >> 28 & 7;
            int units = bits & 0xffff;
            int firstValue = layout.records()[record] * WARP;
            for (int diagonal = 0; diagonal < diagonals; diagonal++) {
                for (int place = 0; place < shape.slotEntries(); place++) {
                    if (present(diagonal, place)) {
                        found.entry(rowAt(rows, chunk, place), base(diagonal) + place,
                                layout.source()[firstValue + diagonal * shape.slotEntries() + place]);
                    }
                }
            }
            int firstUnit = firstValue + diagonals * shape.slotEntries();
            for (int unit = 0; unit < units; unit++) {
                for (int place = 0; place < shape.slotEntries(); place++) {
                    int column = column(unit, place);
                    for (int j = 0; j < run && column >= 0; j++) {
                        int source = layout.source()[firstUnit + (unit * run + j) * shape.slotEntries() + place];
                        found.entry(rowAt(rows, chunk, place), column + j, source);
                    }
                }
            }
        }

        private boolean present(int diagonal, int place) {
            boolean masked = (layout.records()[record + 2] & 1) != 0;
            int masks = table + (inlined() ? 0 : diagonals + bases);
            return !masked
                    || (layout.tables()[masks + diagonal / 32 * shape.rows() + place] >> diagonal % 32 & 1) != 0;
        }

        private boolean inlined() {
            return diagonals + bases <= 12;
        }

        private int base(int index) {
            return inlined() ? layout.records()[record + 4 + index] : layout.tables()[table + index];
        }

        private int column(int unit, int place) {
            int firstCode = layout.records()[record + 1] * WARP;
            if (bits < 0) {
                int at = firstCode + 2 * (unit * shape.slotEntries() + place);
                return (layout.codes()[at] & 0xffff) | layout.codes()[at + 1] << 16;
            }
            int lane = place % WARP;
            int code = layout.codes()[firstCode + (unit * WARP + lane) * shape.perThread() + place / WARP] & 0xffff;
            return code == 0xffff ? -1 : base(diagonals + (code >> 12)) + (code & 0xfff);
        }
    }

    @Test
    void tilesHoldEveryEntryOnce() {
        SplittableRandom random = TestSeed.random("tilesHoldEveryEntryOnce");
        for (Map.Entry<String, CsrMatrix> each : matrices(Precision.F64, random).entrySet()) {
            HostCsr matrix = HostCsr.of(each.getValue());
            for (int limit : new int[]{32, 128, 1024}) {
                checkTiles(matrix, TileLayout.of(matrix, limit, 32), limit, each.getKey() + ", limit " + limit);
                TileLayout coded = TileLayout.of(matrix, limit, 16);
                checkTiles(matrix, coded, limit, each.getKey() + ", coded, limit " + limit);
                checkTileCodes(matrix, coded, each.getKey());
            }
        }
    }

    private static void checkTiles(HostCsr matrix, TileLayout layout, int limit, String context) {
        int nonZeros = 0;
        int row = 0;
        List<Integer> pieces = new ArrayList<>();
        for (int tile = 0; tile < layout.count(); tile++) {
            int[] record = Arrays.copyOfRange(layout.tiles(), 8 * tile, 8 * tile + 8);
            assertEquals(nonZeros, record[2], context);
            assertTrue(record[3] <= limit, context + ": a tile of " + record[3]);
            nonZeros += record[3];
            if (record[7] < 0) {
                assertEquals(row, record[0], context);
                row += record[1];
                assertEquals(matrix.rowOffsets()[row], nonZeros, context + ": a tile ends within a row");
            } else {
                assertEquals(1, record[1], context);
                assertEquals(record[0], layout.splits()[4 * record[7]], context);
                pieces.add(record[6] >> 6);
                row = record[0] + 1;
            }
        }
        assertEquals(matrix.nonZeros(), nonZeros, context);
        assertEquals(matrix.rows(), row, context);
        assertEquals(layout.pieces(), pieces.size(), context);
        for (int i = 0; i < pieces.size(); i++) {
            assertEquals(i, pieces.get(i), context);
        }
    }

    private static void checkTileCodes(HostCsr matrix, TileLayout layout, String context) {
        for (int tile = 0; tile < layout.count(); tile++) {
            int[] record = Arrays.copyOfRange(layout.tiles(), 8 * tile, 8 * tile + 8);
            for (int k = 0; k < record[3]; k++) {
                int at = 2 * record[4] + ((record[6] & 32) != 0 ? 2 * k : k);
                int code = layout.codes()[at] & 0xffff;
                int column = (record[6] & 32) != 0
                        ? code | layout.codes()[at + 1] << 16
                        : layout.bases()[record[5] + (code >> 12)] + (code & 0xfff);
                assertEquals(matrix.columnIndices()[record[2] + k], column, context);
            }
        }
    }

    @Test
    void codedRowsHoldEveryColumn() {
        SplittableRandom random = TestSeed.random("codedRowsHoldEveryColumn");
        boolean someWide = false;
        boolean someCoded = false;
        for (Map.Entry<String, CsrMatrix> each : matrices(Precision.F64, random).entrySet()) {
            HostCsr matrix = HostCsr.of(each.getValue());
            CodedCsrLayout layout = CodedCsrLayout.of(matrix);
            for (int row = 0; row < matrix.rows(); row++) {
                int group = row / CodedCsrLayout.GROUP_ROWS;
                int first = matrix.rowOffsets()[group * CodedCsrLayout.GROUP_ROWS];
                boolean wide = (layout.groups()[group] & 1) != 0;
                someWide |= wide;
                someCoded |= !wide;
                for (int k = matrix.rowOffsets()[row]; k < matrix.rowOffsets()[row + 1]; k++) {
                    int at = (layout.groups()[group] >>> 1) + (wide ? 2 : 1) * (k - first);
                    int code = layout.codes()[at] & 0xffff;
                    int column = wide
                            ? code | layout.codes()[at + 1] << 16
                            : layout.bases()[16 * group + (code >> 12)] + (code & 0xfff);
                    assertEquals(matrix.columnIndices()[k], column, each.getKey());
                }
            }
        }
        assertTrue(someWide && someCoded, "both kinds of groups are tried");
    }

    @Test
    void stencilsTakeNoColumnsAndBlocksOneForEachRun() {
        CsrMatrix stencil = AwkwardMatrices.stencil(512, 64, Precision.F64, TestSeed.random("stencil"));
        PackedLayout packed = PackedLayout.of(HostCsr.of(stencil),
                ChunkRows.of(HostCsr.of(stencil), new ChunkShape(1, 2), 1), true);
        assertTrue(packed.codes().length < stencil.nonZeros() / 20, packed.codes().length + " codes");
        CsrMatrix blocks = AwkwardMatrices.random(3, 9000, row -> 9000, Precision.F64, TestSeed.random("blocks"));
        PackedLayout runs = PackedLayout.of(HostCsr.of(blocks),
                ChunkRows.of(HostCsr.of(blocks), new ChunkShape(32, 1), 1), true);
        assertTrue(runs.codes().length <= blocks.nonZeros() / 6 + 3 * WARP, runs.codes().length + " codes");
    }

    private static Map<String, CsrMatrix> matrices(Precision precision, SplittableRandom random) {
        Map<String, CsrMatrix> all = AwkwardMatrices.all(precision, random);
        all.put("far columns", AwkwardMatrices.random(130, 400_000, row -> row % 40, precision, random));
        return all;
    }
}
