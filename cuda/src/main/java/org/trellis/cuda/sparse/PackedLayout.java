package org.trellis.cuda.sparse;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * SELL-C-σ for warps with compressed columns, as {@code packed.cu} reads it. Chunks store diagonals without columns
 * and the other entries as units of entries in consecutive columns, with a column of 16 bits a unit where the
 * chunk's columns can be coded (see {@link ColumnCodes}) and of 32 bits where not.
 *
 * @param rows    the stored rows
 * @param records sixteen integers a chunk: first value slot and first code slot in units of 32, start of its table with
 *                the mask flag, bit field, bases
 * @param tables  bases and masks
 * @param codes   columns
 * @param source  the index of each stored value in the matrix, -1 for padding
 */
record PackedLayout(ChunkRows rows, int[] records, int[] tables, short[] codes, int[] source) {
    private static final int RECORD = 16;
    private static final int HEADER = RECORD - PackedChunk.INLINED;
    private static final int BLOCK = 256;

    /**
     * Lays out a matrix.
     *
     * @param matrix the matrix
     * @param rows   the stored rows
     * @param detect whether to look for diagonals and runs
     * @return the layout
     * @throws ArithmeticException if it does not fit arrays; {@link CudaConstraints} has refused such matrices
     */
    static PackedLayout of(HostCsr matrix, ChunkRows rows, boolean detect) {
        PackedChunk[] plans = new PackedChunk[rows.chunks()];
        inBlocks(rows.chunks(), (from, to) -> {
            PackedChunk.Planner planner = new PackedChunk.Planner(matrix, rows, detect);
            for (int chunk = from; chunk < to; chunk++) {
                plans[chunk] = planner.plan(chunk);
            }
        });
        PackedLayout layout = allocate(rows, plans);
        inBlocks(rows.chunks(), (from, to) -> {
            for (int chunk = from; chunk < to; chunk++) {
                layout.fill(matrix, chunk, plans[chunk]);
            }
        });
        return layout;
    }

    private static PackedLayout allocate(ChunkRows rows, PackedChunk[] plans) {
        ChunkShape shape = rows.shape();
        int[] records = new int[Math.multiplyExact(RECORD, plans.length)];
        long valueSlots = 0;
        long codeSlots = 0;
        long tableLength = 0;
        for (int chunk = 0; chunk < plans.length; chunk++) {
            PackedChunk plan = plans[chunk];
            int record = RECORD * chunk;
            records[record] = Math.toIntExact(valueSlots);
            records[record + 1] = Math.toIntExact(codeSlots);
            records[record + 2] = Math.toIntExact(2 * tableLength) + (plan.masked() ? 1 : 0);
            records[record + 3] = plan.bits();
            if (plan.inlined()) {
                int[] bases = plan.allBases();
                System.arraycopy(bases, 0, records, record + HEADER, bases.length);
            }
            valueSlots += (long) plan.valueSlots() * shape.perThread();
            codeSlots += plan.codeSlots(shape);
            tableLength += plan.tableLength(shape);
        }
        int[] source = new int[Math.toIntExact(valueSlots * ChunkShape.WARP)];
        short[] codes = new short[Math.toIntExact(codeSlots * ChunkShape.WARP)];
        return new PackedLayout(rows, records, new int[Math.toIntExact(tableLength)], codes, source);
    }

    private void fill(HostCsr matrix, int chunk, PackedChunk plan) {
        ChunkShape shape = rows.shape();
        int record = RECORD * chunk;
        int firstValue = records[record] * ChunkShape.WARP;
        int firstCode = records[record + 1] * ChunkShape.WARP;
        int masks = records[record + 2] >> 1;
        Arrays.fill(source, firstValue, firstValue + plan.valueSlots() * shape.slotEntries(), -1);
        Arrays.fill(codes, firstCode, firstCode + plan.codeSlots(shape) * ChunkShape.WARP,
                (short) ColumnCodes.PADDING);
        if (!plan.inlined()) {
            int[] bases = plan.allBases();
            System.arraycopy(bases, 0, tables, masks, bases.length);
            masks += bases.length;
        }
        RowWriter writer = new RowWriter(matrix, plan, firstValue, firstCode, masks);
        for (int row = 0; row < rows.rowsOf(chunk); row++) {
            int start = rows.starts()[rows.firstOf(chunk) + row];
            writer.write(row, start, start + rows.lengths()[rows.firstOf(chunk) + row]);
        }
    }

    /** Stores the rows of a chunk. */
    private final class RowWriter {
        private final HostCsr matrix;
        private final PackedChunk plan;
        private final int firstValue;
        private final int firstCode;
        private final int masks;
        private final ChunkShape shape = rows.shape();

        RowWriter(HostCsr matrix, PackedChunk plan, int firstValue, int firstCode, int masks) {
            this.matrix = matrix;
            this.plan = plan;
            this.firstValue = firstValue;
            this.firstCode = firstCode;
            this.masks = masks;
        }

        void write(int row, int from, int to) {
            int rest = 0;
            for (int k = from; k < to; k++) {
                int column = matrix.columnIndices()[k];
                if (PackedChunk.isRest(plan.diagonals(), column, row)) {
                    writeInUnit(row, rest++, k, column);
                } else {
                    writeOnDiagonal(row, Arrays.binarySearch(plan.diagonals(), column - row), k);
                }
            }
        }

        private void writeOnDiagonal(int row, int diagonal, int k) {
            source[firstValue + diagonal * shape.slotEntries() + row] = k;
            if (plan.masked()) {
                tables[masks + diagonal / Integer.SIZE * shape.rows() + row] |= 1 << diagonal;
            }
        }

        private void writeInUnit(int row, int index, int k, int column) {
            int unit = index / plan.run();
            int slot = unit / shape.cooperating();
            int place = shape.place(row, unit);
            int valueSlot = plan.diagonals().length + slot * plan.run() + index % plan.run();
            source[firstValue + valueSlot * shape.slotEntries() + place] = k;
            if (index % plan.run() != 0) {
                return;
            }
            if (plan.coded()) {
                int lane = place % ChunkShape.WARP;
                int part = place / ChunkShape.WARP;
                int at = (slot * ChunkShape.WARP + lane) * shape.perThread() + part;
                codes[firstCode + at] = (short) ColumnCodes.encode(plan.bases(), column);
            } else {
                ColumnCodes.writeWide(codes, firstCode + 2 * (slot * shape.slotEntries() + place), column);
            }
        }
    }

    /** Runs an action on ranges of chunks, in parallel. */
    private static void inBlocks(int chunks, RangeAction action) {
        IntStream.range(0, Math.ceilDiv(chunks, BLOCK)).parallel()
                .forEach(block -> action.run(block * BLOCK, Math.min(chunks, (block + 1) * BLOCK)));
    }

    private interface RangeAction {
        void run(int from, int to);
    }
}
