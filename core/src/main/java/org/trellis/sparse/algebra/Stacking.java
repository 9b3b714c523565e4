package org.trellis.sparse.algebra;

import java.util.Arrays;
import java.util.List;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** Puts matrices beside and below each other. */
public final class Stacking {
    private Stacking() {}

    /**
     * Puts matrices beside each other.
     *
     * @param parts at least one, all with the same number of rows and the same precision
     * @return a new matrix
     * @throws IllegalArgumentException if there is none, or sizes or precisions do not fit; names the first that does
     *                                  not
     */
    public static CsrMatrix horizontal(List<CsrMatrix> parts) {
        return blocks(new CsrMatrix[][]{parts.toArray(CsrMatrix[]::new)});
    }

    /**
     * Puts matrices below each other.
     *
     * @param parts at least one, all with the same number of columns and the same precision
     * @return a new matrix
     * @throws IllegalArgumentException if there is none, or sizes or precisions do not fit; names the first that does
     *                                  not
     */
    public static CsrMatrix vertical(List<CsrMatrix> parts) {
        return blocks(parts.stream().map(part -> new CsrMatrix[]{part}).toArray(CsrMatrix[][]::new));
    }

    /**
     * Puts matrices on the diagonal of a larger one.
     *
     * @param parts at least one, all of the same precision
     * @return a new matrix without entries beside them
     * @throws IllegalArgumentException if there is none or precisions differ
     */
    public static CsrMatrix diagonal(List<CsrMatrix> parts) {
        CsrMatrix[][] blocks = new CsrMatrix[parts.size()][parts.size()];
        for (int i = 0; i < blocks.length; i++) {
            blocks[i][i] = parts.get(i);
        }
        return blocks(blocks);
    }

    /**
     * Makes a matrix of blocks.
     *
     * @param blocks rows of equal length; null stands for a block without entries, whose size follows from the others
     * @return a new matrix
     * @throws IllegalArgumentException if a row or column of blocks has none that is not null, rows of blocks differ in
     *                                  length, sizes or precisions do not fit, or there are 2³¹ rows, columns or
     *                                  non-zeros of a row; names the block
     */
    public static CsrMatrix blocks(CsrMatrix[][] blocks) {
        if (blocks.length == 0 || blocks[0].length == 0) {
            throw new IllegalArgumentException("no blocks, expected at least one");
        }
        int[] firstRows = starts(blocks, blocks.length, true);
        int[] firstColumns = starts(blocks, blocks[0].length, false);
        Precision precision = precision(blocks);
        if (blocks[0].length == 1) {
            return CsrFill.below(firstColumns[1], precision, Arrays.stream(blocks).map(line -> line[0]).toList());
        }
        int rows = firstRows[blocks.length];
        int[] lengths = new int[Checks.arrayLength("lengths of the rows of all blocks", rows)];
        for (int i = 0; i < blocks.length; i++) {
            for (CsrMatrix block : blocks[i]) {
                for (int row = firstRows[i]; block != null && row < firstRows[i + 1]; row++) {
                    lengths[row] = sum(lengths[row], block.rowLength(row - firstRows[i]),
                            "non-zeros of a row of all blocks");
                }
            }
        }
        return CsrFill.fill(firstColumns[blocks[0].length], precision, lengths,
                () -> (row, columns, values, at) -> {
                    int found = Arrays.binarySearch(firstRows, row);
                    int i = found < 0 ? -found - 2 : found;
                    while (firstRows[i + 1] <= row) {
                        i++;
                    }
                    int to = at;
                    for (int j = 0; j < blocks[i].length; j++) {
                        if (blocks[i][j] != null) {
                            int local = row - firstRows[i];
                            CsrSegment source = blocks[i][j].segmentOf(local);
                            int count = source.rowEnd(local) - source.rowStart(local);
                            source.values().copyRange(source.rowStart(local), values, to, count);
                            for (int k = source.rowStart(local); k < source.rowEnd(local); k++) {
                                columns[to++] = firstColumns[j] + source.columnIndices()[k];
                            }
                        }
                    }
                });
    }

    private static Precision precision(CsrMatrix[][] blocks) {
        CsrMatrix first = null;
        for (CsrMatrix[] line : blocks) {
            for (CsrMatrix block : line) {
                if (first == null) {
                    first = block;
                } else if (block != null && block.precision() != first.precision()) {
                    throw new IllegalArgumentException("blocks " + first + " and " + block
                            + ", expected equal precisions");
                }
            }
        }
        return first.precision();
    }

    /** Returns where rows (or columns) of blocks start, and the end of the last. */
    private static int[] starts(CsrMatrix[][] blocks, int count, boolean ofRows) {
        int[] starts = new int[count + 1];
        for (int i = 0; i < count; i++) {
            int size = -1;
            int others = ofRows ? blocks[0].length : blocks.length;
            if (ofRows && blocks[i].length != others) {
                throw new IllegalArgumentException("row " + i + " of blocks has " + blocks[i].length
                        + " blocks, expected " + others);
            }
            for (int j = 0; j < others; j++) {
                CsrMatrix block = ofRows ? blocks[i][j] : blocks[j][i];
                int own = block == null ? size : ofRows ? block.rows() : block.columns();
                if (size >= 0 && own != size) {
                    throw new IllegalArgumentException("block (" + (ofRows ? i + ", " + j : j + ", " + i) + ") is a "
                            + block + ", expected " + size + (ofRows ? " rows" : " columns"));
                }
                size = own;
            }
            if (size < 0) {
                throw new IllegalArgumentException((ofRows ? "row " : "column ") + i
                        + " of blocks has none that is not null, so its size is unknown");
            }
            starts[i + 1] = sum(starts[i], size, ofRows ? "rows of all blocks" : "columns of all blocks");
        }
        return starts;
    }

    private static int sum(int a, int b, String what) {
        long sum = (long) a + b;
        if (sum > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(what + " are " + sum + ", expected at most " + Integer.MAX_VALUE);
        }
        return (int) sum;
    }
}
