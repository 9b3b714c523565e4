package org.trellis.cuda.sparse;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The stored rows of the SELL-C-σ families, in the order in which they are stored. Without sorting these are the rows
 * of the matrix. With sorting, rows longer than a limit are first cut into pieces, and rows and pieces are then sorted
 * by decreasing length within windows of σ of them.
 *
 * @param shape   how many stored rows make a chunk
 * @param starts  the first non-zero of each stored row
 * @param lengths the non-zeros of each stored row
 * @param targets the row of the matrix, or {@code -1 - piece} for a piece; null without sorting
 * @param splitOf for each piece which of the split rows it belongs to
 * @param splits  four integers a split row: row, first piece, pieces, 0
 */
record ChunkRows(ChunkShape shape, int[] starts, int[] lengths, int[] targets, int[] splitOf, int[] splits) {
    /** Integers of a split row. */
    static final int SPLIT_RECORD = 4;

    private static final int[] NONE = {};

    static ChunkRows of(HostCsr matrix, ChunkShape shape, int sortingWindow) {
        if (sortingWindow == 1) {
            int[] lengths = new int[matrix.rows()];
            Arrays.setAll(lengths, matrix::rowLength);
            return new ChunkRows(shape, matrix.rowOffsets(), lengths, null, NONE, NONE);
        }
        return cut(matrix, shape).sorted(sortingWindow);
    }

    private static ChunkRows cut(HostCsr matrix, ChunkShape shape) {
        int limit = shape.longestStoredRow(matrix.meanRowLength());
        int count = 0;
        for (int row = 0; row < matrix.rows(); row++) {
            count += Math.max(1, Math.ceilDiv(matrix.rowLength(row), limit));
        }
        int[] starts = new int[count];
        int[] lengths = new int[count];
        int[] targets = new int[count];
        IntList splitOf = new IntList();
        IntList splits = new IntList();
        int at = 0;
        for (int row = 0; row < matrix.rows(); row++) {
            int length = matrix.rowLength(row);
            int parts = Math.max(1, Math.ceilDiv(length, limit));
            if (parts > 1) {
                splits.add(row, splitOf.size(), parts, 0);
            }
            for (int part = 0; part < parts; part++, at++) {
                starts[at] = matrix.rowOffsets()[row] + part * limit;
                lengths[at] = Math.min(limit, length - part * limit);
                targets[at] = parts == 1 ? row : -1 - splitOf.size();
                if (parts > 1) {
                    splitOf.add(splits.size() / SPLIT_RECORD - 1);
                }
            }
        }
        return new ChunkRows(shape, starts, lengths, targets, splitOf.toArray(), splits.toArray());
    }

    /** Sorts by decreasing length, stored rows of equal length in their order, within each window. */
    private ChunkRows sorted(int window) {
        int[] order = new int[count()];
        IntStream.range(0, (int) Math.ceilDiv((long) count(), window)).parallel().forEach(w -> {
            int from = w * window;
            int to = (int) Math.min(count(), (long) from + window);
            long[] keys = new long[to - from];
            Arrays.setAll(keys, i -> (long) (Integer.MAX_VALUE - lengths[from + i]) << 32 | from + i);
            Arrays.parallelSort(keys);
            for (int i = 0; i < keys.length; i++) {
                order[from + i] = (int) keys[i];
            }
        });
        return new ChunkRows(shape, reorder(starts, order), reorder(lengths, order), reorder(targets, order), splitOf,
                splits);
    }

    private static int[] reorder(int[] elements, int[] order) {
        int[] moved = new int[order.length];
        Arrays.setAll(moved, i -> elements[order[i]]);
        return moved;
    }

    /** Returns the number of stored rows. */
    int count() {
        return lengths.length;
    }

    /** Returns the number of chunks. */
    int chunks() {
        return Math.ceilDiv(count(), shape.rows());
    }

    /** Returns the first stored row of a chunk. */
    int firstOf(int chunk) {
        return chunk * shape.rows();
    }

    /** Returns how many stored rows a chunk has; the last one may have fewer than the others. */
    int rowsOf(int chunk) {
        return Math.min(shape.rows(), count() - firstOf(chunk));
    }

    boolean hasTargets() {
        return targets != null;
    }

    int splitCount() {
        return splits.length / SPLIT_RECORD;
    }

    /** Returns the slots that a chunk takes if each row is stored entry by entry. */
    int slots(int chunk) {
        int longest = 0;
        for (int i = firstOf(chunk); i < firstOf(chunk) + rowsOf(chunk); i++) {
            longest = Math.max(longest, lengths[i]);
        }
        return Math.ceilDiv(longest, shape.cooperating());
    }

    /** Returns the entries with padding if each row is stored entry by entry. */
    long paddedEntries() {
        return shape.slotEntries() * IntStream.range(0, chunks()).parallel().mapToLong(this::slots).sum();
    }
}
