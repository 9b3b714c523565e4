package org.trellis.cuda.sparse;

import java.util.Arrays;

/**
 * How one chunk of {@link PackedLayout} is stored.
 *
 * @param diagonals columns of the diagonals at row 0 of the chunk, increasing
 * @param masked    whether some row has no entry on some diagonal
 * @param run       entries of a unit, in consecutive columns
 * @param units     index slots
 * @param bases     bases of the codes, or null if columns are 32-bit ones
 */
record PackedChunk(int[] diagonals, boolean masked, int run, int units, int[] bases) {
    /** The most diagonals of a chunk. */
    static final int MAXIMUM_DIAGONALS = 127;

    /** The most index slots of a chunk. */
    static final int MAXIMUM_UNITS = 0xffff;

    /** The most bases that stand in the record itself. */
    static final int INLINED = 12;

    private static final int[] RUNS = {6, 4, 3, 2};
    private static final int[] NONE = {};

    /** Finds the way to store a chunk that takes the fewest bytes. Not for several threads at once. */
    static final class Planner {
        private final HostCsr matrix;
        private final ChunkRows rows;
        private final boolean detect;
        private int[] scratch = new int[4096];

        Planner(HostCsr matrix, ChunkRows rows, boolean detect) {
            this.matrix = matrix;
            this.rows = rows;
            this.detect = detect;
        }

        PackedChunk plan(int chunk) {
            int[] diagonals = detect && rows.shape().cooperating() == 1 ? findDiagonals(chunk) : NONE;
            PackedChunk plain = withDiagonals(chunk, NONE);
            if (diagonals.length == 0) {
                return plain;
            }
            PackedChunk other = withDiagonals(chunk, diagonals);
            return bytes(other) < bytes(plain) ? other : plain;
        }

        /** Diagonals that enough of the rows have for it to be shorter to store zeros in the others. */
        private int[] findDiagonals(int chunk) {
            int count = 0;
            for (int row = 0; row < rows.rowsOf(chunk); row++) {
                reserve(count + length(chunk, row));
                for (int k = start(chunk, row); k < start(chunk, row) + length(chunk, row); k++) {
                    scratch[count++] = matrix.columnIndices()[k] - row;
                }
            }
            Arrays.sort(scratch, 0, count);
            int least = leastEntries();
            int[] found = new int[MAXIMUM_DIAGONALS];
            int used = 0;
            for (int from = 0, to; from < count && used < MAXIMUM_DIAGONALS; from = to) {
                for (to = from; to < count && scratch[to] == scratch[from];) {
                    to++;
                }
                if (to - from >= least) {
                    found[used++] = scratch[from];
                }
            }
            return Arrays.copyOf(found, used);
        }

        /** A diagonal takes a value for each row and a base; otherwise each entry takes a value and a code. */
        private int leastEntries() {
            int valueBytes = matrix.precision().bytes();
            return Math.ceilDiv(rows.shape().rows() * valueBytes + Integer.BYTES, valueBytes + Short.BYTES);
        }

        private PackedChunk withDiagonals(int chunk, int[] diagonals) {
            int run = detect ? longestRun(chunk, diagonals) : 1;
            int units = 0;
            int heads = 0;
            int onDiagonals = 0;
            for (int row = 0; row < rows.rowsOf(chunk); row++) {
                reserve(heads + length(chunk, row));
                int rest = 0;
                for (int k = start(chunk, row); k < start(chunk, row) + length(chunk, row); k++) {
                    if (isRest(diagonals, matrix.columnIndices()[k], row) && rest++ % run == 0) {
                        scratch[heads++] = matrix.columnIndices()[k];
                    }
                }
                onDiagonals += length(chunk, row) - rest;
                units = Math.max(units, Math.ceilDiv(rest / run, rows.shape().cooperating()));
            }
            boolean masked = onDiagonals < diagonals.length * rows.shape().rows();
            return new PackedChunk(diagonals, masked, run, units, ColumnCodes.cover(scratch, heads));
        }

        private int longestRun(int chunk, int[] diagonals) {
            for (int run : RUNS) {
                boolean all = true;
                for (int row = 0; row < rows.rowsOf(chunk) && all; row++) {
                    all = consistsOfRuns(chunk, row, diagonals, run);
                }
                if (all) {
                    return run;
                }
            }
            return 1;
        }

        private boolean consistsOfRuns(int chunk, int row, int[] diagonals, int run) {
            int rest = 0;
            int previous = 0;
            for (int k = start(chunk, row); k < start(chunk, row) + length(chunk, row); k++) {
                int column = matrix.columnIndices()[k];
                if (isRest(diagonals, column, row)) {
                    if (rest % run != 0 && column != previous + 1) {
                        return false;
                    }
                    previous = column;
                    rest++;
                }
            }
            return rest % run == 0;
        }

        private int start(int chunk, int row) {
            return rows.starts()[rows.firstOf(chunk) + row];
        }

        private int length(int chunk, int row) {
            return rows.lengths()[rows.firstOf(chunk) + row];
        }

        private long bytes(PackedChunk chunk) {
            ChunkShape shape = rows.shape();
            return (long) shape.slotEntries() * chunk.valueSlots() * matrix.precision().bytes()
                    + (long) ChunkShape.WARP * chunk.codeSlots(shape) * Short.BYTES
                    + (long) chunk.tableLength(shape) * Integer.BYTES;
        }

        private void reserve(int length) {
            if (length > scratch.length) {
                scratch = Arrays.copyOf(scratch, Math.max(length, 2 * scratch.length));
            }
        }
    }

    /** Returns whether an entry is on none of the diagonals. */
    static boolean isRest(int[] diagonals, int column, int row) {
        return diagonals.length == 0 || Arrays.binarySearch(diagonals, column - row) < 0;
    }

    boolean coded() {
        return bases != null;
    }

    private int baseCount() {
        return coded() ? bases.length : 0;
    }

    /** Returns whether all bases stand in the record. */
    boolean inlined() {
        return diagonals.length + baseCount() <= INLINED;
    }

    /** Returns the bases of the diagonals and then those of the codes. */
    int[] allBases() {
        int[] all = Arrays.copyOf(diagonals, diagonals.length + baseCount());
        System.arraycopy(coded() ? bases : NONE, 0, all, diagonals.length, baseCount());
        return all;
    }

    /** Returns the value slots. */
    int valueSlots() {
        return diagonals.length + units * run;
    }

    /** Returns the index slots in units of 32 codes. */
    int codeSlots(ChunkShape shape) {
        return units * shape.perThread() * (coded() ? 1 : 2);
    }

    /** Returns the length of the masks: an integer for each 32 diagonals and each row. */
    private int maskLength(ChunkShape shape) {
        return masked ? Math.ceilDiv(diagonals.length, Integer.SIZE) * shape.rows() : 0;
    }

    /** Returns the length of the table: bases that do not stand in the record, then masks. */
    int tableLength(ChunkShape shape) {
        return (inlined() ? 0 : diagonals.length + baseCount()) + maskLength(shape);
    }

    /** Returns the bit field that the kernel reads. */
    int bits() {
        return units | diagonals.length << 16 | baseCount() << 23 | run << 28 | (coded() ? 0 : 1 << 31);
    }
}
