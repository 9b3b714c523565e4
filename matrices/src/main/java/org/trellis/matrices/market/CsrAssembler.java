package org.trellis.matrices.market;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.support.Workers;

/**
 * Assembles entries into compressed rows.
 *
 * <p>Entries that already are in the order of rows and columns are copied. All others are scattered by a stable
 * counting sort over rows, in parallel: the entries are cut into segments, one a thread, every segment counts its
 * entries per row, a running sum over rows and segments gives each segment its own places in each row, and the
 * segments are scattered. Because the sort is stable, a file that is sorted by columns, as most are, gives rows with
 * ascending columns; other rows are sorted afterwards. Stored triangles are mirrored on the way.
 *
 * <p>Cost: O(entries + threads * rows), three passes over the entries; memory 16 bytes an entry of the file, 12 bytes
 * an entry of the result and 4 bytes a row and thread.
 */
final class CsrAssembler {

    /** Cells that the counters of additional segments may use beside two per entry. */
    private static final long SPARE_COUNTERS = 1 << 20;

    private final int rows;
    private final boolean mirrored;
    private final double mirrorSign;
    private final boolean pattern;
    private final Workers workers;
    private final EntryBlock[] blocks;

    private int[] rowOffsets;
    private int[] columns;
    private double[] values;

    CsrAssembler(MarketHeader header, ComplexPolicy policy, List<EntryBlock> blocks, Workers workers) {
        this.rows = header.rows();
        this.mirrored = header.mirrored();
        this.mirrorSign = mirrorSign(header, policy);
        this.pattern = header.field() == MarketField.PATTERN;
        this.blocks = blocks.stream().filter(block -> block.count() > 0).toArray(EntryBlock[]::new);
        this.workers = workers;
    }

    /** What a mirrored entry is multiplied with. */
    static double mirrorSign(MarketHeader header, ComplexPolicy policy) {
        boolean conjugated = header.symmetry() == MarketSymmetry.HERMITIAN && header.field() == MarketField.COMPLEX
                && policy == ComplexPolicy.IMAGINARY_PART;
        return header.symmetry() == MarketSymmetry.SKEW_SYMMETRIC || conjugated ? -1 : 1;
    }

    /** Number of entries when stored triangles are mirrored, duplicates counted. */
    static long expandedEntries(MarketHeader header, List<EntryBlock> blocks) {
        long entries = 0;
        for (EntryBlock block : blocks) {
            entries += header.mirrored() ? 2L * block.count() - block.shape().diagonal() : block.count();
        }
        return entries;
    }

    /** Assembles {@code entries} entries, as {@link #expandedEntries} counts them. */
    CsrArrays assemble(int entries) throws IOException {
        rowOffsets = new int[rows + 1];
        columns = new int[entries];
        values = new double[entries];
        if (isOrdered()) {
            copyOrdered();
            return new CsrArrays(rowOffsets, columns, values);
        }
        int[] lengths = scatter();
        if (finishRows(lengths)) {
            compact(lengths);
        }
        return new CsrArrays(rowOffsets, columns, values);
    }

    private boolean isOrdered() {
        long previous = -1;
        for (EntryBlock block : blocks) {
            if (mirrored || !block.shape().rowMajor() || block.firstKey() <= previous) {
                return false;
            }
            previous = block.lastKey();
        }
        return true;
    }

    private void copyOrdered() throws IOException {
        int[] starts = new int[blocks.length + 1];
        for (int b = 0; b < blocks.length; b++) {
            starts[b + 1] = starts[b] + blocks[b].count();
        }
        workers.run(worker -> {
            for (int b = worker; b < blocks.length; b += workers.threads()) {
                int previousRow = b == 0 ? -1 : (int) (blocks[b - 1].lastKey() >>> 32);
                copyOrdered(blocks[b], starts[b], previousRow);
            }
        });
        int lastRow = blocks.length == 0 ? -1 : (int) (blocks[blocks.length - 1].lastKey() >>> 32);
        Arrays.fill(rowOffsets, lastRow + 1, rows + 1, columns.length);
    }

    private void copyOrdered(EntryBlock block, int start, int previousRow) {
        int row = previousRow;
        int[] blockRows = block.rows();
        int shift = start - block.from();
        for (int k = block.from(); k < block.to(); k++) {
            while (row < blockRows[k]) {
                row++;
                rowOffsets[row] = k + shift;
            }
        }
        System.arraycopy(block.columns(), block.from(), columns, start, block.count());
        if (pattern) {
            Arrays.fill(values, start, start + block.count(), 1);
        } else {
            System.arraycopy(block.values(), block.from(), values, start, block.count());
        }
    }

    /** Fills the rows, in the order of the file, and returns their lengths. */
    private int[] scatter() throws IOException {
        int segments = Math.clamp((2L * columns.length + SPARE_COUNTERS) / (rows + 1L), 1, workers.threads());
        int[] cuts = segmentCuts(segments);
        int[][] places = new int[segments][];
        workers.run(worker -> {
            if (worker < segments) {
                places[worker] = count(cuts[worker], cuts[worker + 1]);
            }
        });
        placeSegments(places);
        workers.run(worker -> {
            if (worker < segments) {
                scatter(cuts[worker], cuts[worker + 1], places[worker]);
            }
        });
        return places[0];
    }

    /** Cuts the blocks into runs of about equally many entries. */
    private int[] segmentCuts(int segments) {
        long total = 0;
        for (EntryBlock block : blocks) {
            total += block.count();
        }
        int[] cuts = new int[segments + 1];
        long before = 0;
        int segment = 1;
        for (int b = 0; b < blocks.length; b++) {
            while (segment < segments && before >= total * segment / segments) {
                cuts[segment] = b;
                segment++;
            }
            before += blocks[b].count();
        }
        Arrays.fill(cuts, segment, segments + 1, blocks.length);
        return cuts;
    }

    private int[] count(int fromBlock, int toBlock) {
        int[] counts = new int[rows];
        for (int b = fromBlock; b < toBlock; b++) {
            int[] blockRows = blocks[b].rows();
            int[] blockColumns = blocks[b].columns();
            int to = blocks[b].to();
            for (int k = blocks[b].from(); k < to; k++) {
                counts[blockRows[k]]++;
                if (mirrored && blockRows[k] != blockColumns[k]) {
                    counts[blockColumns[k]]++;
                }
            }
        }
        return counts;
    }

    /** Turns counts into the place of each segment's first entry in each row. */
    private void placeSegments(int[][] places) {
        int next = 0;
        for (int row = 0; row < rows; row++) {
            rowOffsets[row] = next;
            for (int[] place : places) {
                int count = place[row];
                place[row] = next;
                next += count;
            }
        }
        rowOffsets[rows] = next;
    }

    private void scatter(int fromBlock, int toBlock, int[] places) {
        for (int b = fromBlock; b < toBlock; b++) {
            if (mirrored) {
                scatterMirrored(blocks[b], places);
            } else {
                scatterGeneral(blocks[b], places);
            }
        }
    }

    private void scatterGeneral(EntryBlock block, int[] places) {
        int[] blockRows = block.rows();
        int[] blockColumns = block.columns();
        double[] blockValues = block.values();
        int to = block.to();
        for (int k = block.from(); k < to; k++) {
            int place = places[blockRows[k]]++;
            columns[place] = blockColumns[k];
            values[place] = pattern ? 1 : blockValues[k];
        }
    }

    private void scatterMirrored(EntryBlock block, int[] places) {
        int[] blockRows = block.rows();
        int[] blockColumns = block.columns();
        double[] blockValues = block.values();
        int to = block.to();
        for (int k = block.from(); k < to; k++) {
            int row = blockRows[k];
            int column = blockColumns[k];
            double value = pattern ? 1 : blockValues[k];
            int place = places[row]++;
            columns[place] = column;
            values[place] = value;
            if (row != column) {
                int mirror = places[column]++;
                columns[mirror] = row;
                values[mirror] = mirrorSign * value;
            }
        }
    }

    /** Sorts rows and adds up duplicates; whether any row became shorter. */
    private boolean finishRows(int[] lengths) throws IOException {
        int threads = workers.threads();
        boolean[] shortened = new boolean[threads];
        workers.run(worker -> {
            RowFinisher finisher = new RowFinisher(columns, values);
            int to = rowAt(worker + 1, threads);
            for (int row = rowAt(worker, threads); row < to; row++) {
                int length = rowOffsets[row + 1] - rowOffsets[row];
                lengths[row] = length < 2 ? length : finisher.finish(rowOffsets[row], rowOffsets[row + 1]);
                shortened[worker] |= lengths[row] < length;
            }
        });
        for (boolean one : shortened) {
            if (one) {
                return true;
            }
        }
        return false;
    }

    /** First row of a share of about equally many entries. */
    private int rowAt(int share, int shares) {
        if (share == 0 || share == shares) {
            return share == 0 ? 0 : rows;
        }
        int found = Arrays.binarySearch(rowOffsets, (int) ((long) columns.length * share / shares));
        return Math.min(rows, found >= 0 ? found : -found - 1);
    }

    private void compact(int[] lengths) {
        int next = 0;
        for (int row = 0; row < rows; row++) {
            int from = rowOffsets[row];
            System.arraycopy(columns, from, columns, next, lengths[row]);
            System.arraycopy(values, from, values, next, lengths[row]);
            rowOffsets[row] = next;
            next += lengths[row];
        }
        rowOffsets[rows] = next;
        columns = Arrays.copyOf(columns, next);
        values = Arrays.copyOf(values, next);
    }
}
