package org.trellis.cuda.sparse;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * A matrix in chunks of which each is a stencil with constant coefficients, as {@code stencil.cu} reads it: the entries
 * of a chunk are on at most 32 diagonals, and those of each diagonal have one value, bit for bit. Neither columns nor
 * values are stored for entries; chunks with the same values share them.
 *
 * @param records sixteen integers a chunk: first value slot in units of 32, start of its table, diagonals, 1 if rows
 *                have masks, columns of the diagonals at row 0 of the chunk
 * @param tables  columns for which a record has no room, and masks
 * @param source  for each stored value the index of an entry that has it, or -1 for padding
 */
record StencilLayout(int[] records, int[] tables, int[] source) {
    /** The most diagonals of a chunk, which are bits of a mask. */
    static final int MOST = Integer.SIZE;

    private static final int RECORD = 16;
    private static final int INLINED = 12;
    private static final int HEADER = RECORD - INLINED;
    private static final int SAMPLED_CHUNKS = 16;

    /**
     * What one chunk has.
     *
     * @param diagonals columns at row 0 of the chunk, increasing
     * @param entries   an entry of each diagonal
     * @param masked    whether some row has no entry on some diagonal
     */
    private record Chunk(int[] diagonals, int[] entries, boolean masked) {
        int bases() {
            return diagonals.length > INLINED ? diagonals.length : 0;
        }
    }

    /**
     * Lays a matrix out.
     *
     * @param matrix    the matrix
     * @param chunkRows the rows of a chunk
     * @return the layout, or empty if some chunk is no stencil; that is mostly found out from a few rows
     */
    static Optional<StencilLayout> of(HostCsr matrix, int chunkRows) {
        if (!isLikely(matrix, chunkRows)) {
            return Optional.empty();
        }
        Chunk[] chunks = new Chunk[Math.ceilDiv(matrix.rows(), chunkRows)];
        AtomicBoolean other = new AtomicBoolean();
        IntStream.range(0, chunks.length).parallel().filter(chunk -> !other.get()).forEach(chunk -> {
            chunks[chunk] = chunk(matrix, chunk, chunkRows);
            if (chunks[chunk] == null) {
                other.set(true);
            }
        });
        return other.get() ? Optional.empty() : Optional.of(fill(matrix, chunks, chunkRows));
    }

    /** Says whether chunks of a sample are all stencils. Takes a few thousand rows at most. */
    static boolean isLikely(HostCsr matrix, int chunkRows) {
        int chunks = Math.ceilDiv(matrix.rows(), chunkRows);
        int step = Math.max(1, chunks / SAMPLED_CHUNKS);
        for (int chunk = 0; chunk < chunks; chunk += step) {
            if (chunk(matrix, chunk, chunkRows) == null) {
                return false;
            }
        }
        return true;
    }

    /** Returns null for a chunk that is no stencil. Infinite values must not meet rows without an entry. */
    private static Chunk chunk(HostCsr matrix, int number, int chunkRows) {
        int[] diagonals = new int[MOST];
        int[] entries = new int[MOST];
        int count = 0;
        int first = number * chunkRows;
        int end = (int) Math.min(matrix.rows(), (long) first + chunkRows);
        for (int row = first; row < end; row++) {
            int at = 0;
            for (int k = matrix.rowOffsets()[row]; k < matrix.rowOffsets()[row + 1]; k++, at++) {
                int offset = matrix.columnIndices()[k] - (row - first);
                while (at < count && diagonals[at] < offset) {
                    at++;
                }
                if (at == count || diagonals[at] != offset) {
                    if (count == MOST || !Double.isFinite(matrix.values().get(k))) {
                        return null;
                    }
                    System.arraycopy(diagonals, at, diagonals, at + 1, count - at);
                    System.arraycopy(entries, at, entries, at + 1, count - at);
                    diagonals[at] = offset;
                    entries[at] = k;
                    count++;
                } else if (matrix.bits(k) != matrix.bits(entries[at])) {
                    return null;
                }
            }
        }
        int stored = matrix.rowOffsets()[end] - matrix.rowOffsets()[first];
        return new Chunk(Arrays.copyOf(diagonals, count), Arrays.copyOf(entries, count), stored < count * chunkRows);
    }

    private static StencilLayout fill(HostCsr matrix, Chunk[] chunks, int chunkRows) {
        int[] records = new int[Math.multiplyExact(RECORD, chunks.length)];
        Map<List<Long>, Integer> slots = new HashMap<>();
        IntList source = new IntList();
        long tableLength = 0;
        for (int i = 0; i < chunks.length; i++) {
            Chunk chunk = chunks[i];
            int[] entries = chunk.entries();
            records[RECORD * i] = slots.computeIfAbsent(Arrays.stream(entries).mapToObj(matrix::bits).toList(), key -> {
                source.add(Arrays.copyOf(entries, entries.length));
                IntStream.range(entries.length, MOST).forEach(padding -> source.add(-1));
                return slots.size();
            });
            records[RECORD * i + 1] = Math.toIntExact(tableLength);
            records[RECORD * i + 2] = entries.length;
            records[RECORD * i + 3] = chunk.masked() ? 1 : 0;
            if (chunk.bases() == 0) {
                System.arraycopy(chunk.diagonals(), 0, records, RECORD * i + HEADER, entries.length);
            }
            tableLength += chunk.bases() + (chunk.masked() ? chunkRows : 0);
        }
        int[] tables = new int[Math.toIntExact(tableLength)];
        IntStream.range(0, chunks.length).parallel()
                .forEach(i -> fillTable(matrix, chunks[i], i * chunkRows, chunkRows, tables, records[RECORD * i + 1]));
        return new StencilLayout(records, tables, source.toArray());
    }

    private static void fillTable(HostCsr matrix, Chunk chunk, int first, int chunkRows, int[] tables, int start) {
        System.arraycopy(chunk.diagonals(), 0, tables, start, chunk.bases());
        if (!chunk.masked()) {
            return;
        }
        int end = (int) Math.min(matrix.rows(), (long) first + chunkRows);
        for (int row = first; row < end; row++) {
            int mask = 0;
            for (int k = matrix.rowOffsets()[row]; k < matrix.rowOffsets()[row + 1]; k++) {
                mask |= 1 << Arrays.binarySearch(chunk.diagonals(), matrix.columnIndices()[k] - (row - first));
            }
            tables[start + chunk.bases() + row - first] = mask;
        }
    }
}
