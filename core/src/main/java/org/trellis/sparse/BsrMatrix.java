package org.trellis.sparse;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.memory.HostVector;

/**
 * A matrix as compressed rows of dense blocks of one size, as SciPy's {@code bsr_array} and cuSPARSE have it. A form to
 * bring matrices in and out; products run on its {@link #toCsr}.
 *
 * @param blockRows     number of rows of blocks
 * @param blockColumns  number of columns of blocks
 * @param height        rows of a block, at least 1
 * @param width         columns of a block, at least 1
 * @param rowOffsets    {@code blockRows + 1} offsets of blocks; not copied
 * @param columnIndices the column of each block, increasing within a row; not copied
 * @param values        the elements of each block, row by row, {@code height * width} of them; not copied
 */
public record BsrMatrix(int blockRows, int blockColumns, int height, int width, int[] rowOffsets,
        int[] columnIndices, HostVector values) {
    /**
     * Checks sizes and structure.
     *
     * @throws IllegalArgumentException if an invariant is violated; names the first violation
     */
    public BsrMatrix {
        Checks.positive("height", height);
        Checks.positive("width", width);
        requireProduct("rows", blockRows, height);
        requireProduct("columns", blockColumns, width);
        Checks.length("number of values", values.length(), (long) columnIndices.length * height * width);
        CsrMatrix.of(blockRows, blockColumns, rowOffsets, columnIndices, new float[columnIndices.length]);
    }

    private static void requireProduct(String what, int blocks, int size) {
        if ((long) Checks.notNegative("blocks of " + what, blocks) * size >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException(blocks + " blocks of " + size + " " + what + ", expected fewer than "
                    + Integer.MAX_VALUE + " " + what);
        }
    }

    /**
     * Copies a matrix. A block is stored if an entry lies in it; its other elements are 0.
     *
     * @param matrix a matrix
     * @param height rows of a block, of which the rows of the matrix are a multiple
     * @param width  columns of a block, likewise
     * @return its blocks
     * @throws IllegalArgumentException if a size is no multiple, or the blocks have 2³¹ elements or more
     */
    public static BsrMatrix from(CsrMatrix matrix, int height, int width) {
        Checks.positive("height", height);
        Checks.positive("width", width);
        if (matrix.rows() % height != 0 || matrix.columns() % width != 0) {
            throw new IllegalArgumentException("blocks of " + height + " x " + width + " in " + matrix
                    + ", expected sizes that are multiples");
        }
        int blockRows = matrix.rows() / height;
        int[] offsets = new int[blockRows + 1];
        int[] columns = blockColumns(matrix, height, width, offsets);
        int area = Math.multiplyExact(height, width);
        HostVector values = HostVector.zeros(matrix.precision(), Checks.arrayLength("blocks of " + matrix,
                (long) columns.length * area));
        matrix.forEachEntry((row, column, value) -> {
            int block = Arrays.binarySearch(columns, offsets[row / height], offsets[row / height + 1], column / width);
            values.set(block * area + row % height * width + column % width, value);
        });
        return new BsrMatrix(blockRows, matrix.columns() / width, height, width, offsets, columns, values);
    }

    /** Also sets the offsets. */
    private static int[] blockColumns(CsrMatrix matrix, int height, int width, int[] offsets) {
        int[] lastRow = new int[matrix.columns() / width];
        Arrays.fill(lastRow, -1);
        int[] found = new int[16];
        int count = 0;
        for (int blockRow = 0; blockRow < offsets.length - 1; blockRow++) {
            for (int row = blockRow * height; row < (blockRow + 1) * height; row++) {
                CsrSegment segment = matrix.segmentOf(row);
                for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                    int block = segment.columnIndices()[k] / width;
                    if (lastRow[block] != blockRow) {
                        lastRow[block] = blockRow;
                        found = count == found.length ? Arrays.copyOf(found, 2 * count) : found;
                        found[count++] = block;
                    }
                }
            }
            Arrays.sort(found, offsets[blockRow], count);
            offsets[blockRow + 1] = count;
        }
        return Arrays.copyOf(found, count);
    }

    /**
     * Copies to compressed rows. Elements of 0 within a block become entries.
     *
     * @return a new matrix
     */
    public CsrMatrix toCsr() {
        int[] lengths = new int[blockRows * height];
        Arrays.setAll(lengths, row -> Math.multiplyExact(rowOffsets[row / height + 1] - rowOffsets[row / height],
                width));
        return CsrFill.fill(blockColumns * width, values.precision(), lengths, () -> (row, columns, target, at) -> {
            int to = at;
            for (int block = rowOffsets[row / height]; block < rowOffsets[row / height + 1]; block++) {
                int from = (block * height + row % height) * width;
                values.copyRange(from, target, to, width);
                for (int j = 0; j < width; j++) {
                    columns[to++] = columnIndices[block] * width + j;
                }
            }
        });
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BsrMatrix bsr && height == bsr.height && width == bsr.width
                && toCsr().sameAs(bsr.toCsr());
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(columnIndices) + 31 * height + width;
    }

    @Override
    public String toString() {
        return "BSR matrix of " + blockRows + " x " + blockColumns + " blocks of " + height + " x " + width + ", "
                + columnIndices.length + " stored";
    }
}
