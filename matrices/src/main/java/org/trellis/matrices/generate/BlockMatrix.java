package org.trellis.matrices.generate;

import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;

/**
 * A square matrix of dense b × b blocks: on the diagonal only, or on it and at random places of a symmetric pattern.
 * The pattern takes 4 bytes a block row and 16 a pair of blocks while the matrix is made.
 */
public final class BlockMatrix implements MatrixGenerator {
    private static final long PATTERN = 1;
    private static final long VALUES = 2;

    private final int blockRows;
    private final int block;
    private final int neighbours;
    private final int window;
    private final ValueRule values;
    private final long seed;

    private BlockMatrix(int blockRows, int block, int neighbours, int window, ValueRule values, long seed) {
        this.blockRows = Checks.notNegative("block: blockRows", blockRows);
        this.block = Checks.positive("block: block", block);
        this.neighbours = Checks.notNegative("block: neighbours", neighbours);
        this.window = Checks.notNegative("block: window", window);
        this.values = values;
        this.seed = seed;
        if ((long) blockRows * block > Integer.MAX_VALUE - 8L) {
            throw new IllegalArgumentException("block: " + blockRows + " block rows of " + block
                    + " rows make more than " + (Integer.MAX_VALUE - 8) + " rows, expected no more");
        }
        if (mostPairs() > (Integer.MAX_VALUE - 8L) / 2) {
            throw new IllegalArgumentException("block: " + blockRows + " block rows of " + neighbours
                    + " neighbours make more than " + (Integer.MAX_VALUE - 8) / 2 + " pairs, expected no more");
        }
    }

    /**
     * Makes a block diagonal matrix.
     *
     * @param blockRows number of blocks, at least 0
     * @param block     rows and columns of a block, at least 1
     * @param values    the values; symmetric, and positive definite with {@link ValueRule#DOMINANT}
     * @param seed      any number
     * @return a matrix of {@code blockRows·block} rows of {@code block} entries each
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public static BlockMatrix diagonal(int blockRows, int block, ValueRule values, long seed) {
        return new BlockMatrix(blockRows, block, 0, 0, values, seed);
    }

    /**
     * Makes a matrix of a random symmetric block pattern: each block row draws {@code neighbours/2} others (rounded up
     * and down in turn) from a window around itself, and each pair drawn is filled on both sides of the diagonal. Pairs
     * drawn from both ends count once, so that a block row has {@code neighbours} blocks beside the diagonal on average
     * or, where the window is small, fewer.
     *
     * @param blockRows  number of block rows, at least 0
     * @param block      rows and columns of a block, at least 1
     * @param neighbours blocks beside the diagonal in a block row on average, at least 0
     * @param window     block columns from which they are drawn; 0 stands for all
     * @param values     the values; symmetric, and positive definite with {@link ValueRule#DOMINANT}
     * @param seed       any number
     * @return a matrix of {@code blockRows·block} rows
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public static BlockMatrix random(int blockRows, int block, int neighbours, int window, ValueRule values,
            long seed) {
        return new BlockMatrix(blockRows, block, neighbours, window, values, seed);
    }

    @Override
    public int rows() {
        return blockRows * block;
    }

    @Override
    public int columns() {
        return rows();
    }

    @Override
    public CsrMatrix generate(Precision precision, ProgressListener progress) {
        // Pairs are listed by both ends and sorted. A pair drawn from both ends is one, so half of them are sure.
        long pairs = (long) blockRows * Math.min(Math.max(0, width() - 1), neighbours / 2);
        HeapCheck.check(rows(), columns(), saturatedProduct(blockRows + pairs, (long) block * block), precision);
        HeapCheck.check(blockRows, blockRows, 2 * mostPairs(), Precision.F32);
        return new Rows(drawPattern(), block, values, SplitMix.hash(seed, VALUES)).generate(precision, progress);
    }

    private static long saturatedProduct(long a, long b) {
        return Math.multiplyHigh(a, b) == 0 && a * b >= 0 ? a * b : Long.MAX_VALUE;
    }

    private int width() {
        return window == 0 ? blockRows : Math.min(window, blockRows);
    }

    private long mostPairs() {
        return ((long) blockRows * neighbours + 1) / 2;
    }

    private SymmetricPattern drawPattern() {
        int width = width();
        int[] from = new int[(int) mostPairs()];
        int[] to = new int[(int) mostPairs()];
        int count = 0;
        RowBuffer buffer = new RowBuffer();
        for (int row = 0; row < blockRows; row++) {
            int draws = Math.min(width - 1, (neighbours + row % 2) / 2);
            int start = Math.max(0, Math.min(blockRows - width, row - width / 2));
            ColumnSampler.draw(SplitMix.of(SplitMix.hash(seed, PATTERN), row), start, width, draws + 1, row, buffer);
            for (int k = 0; k < buffer.size(); k++) {
                if (buffer.column(k) != row) {
                    from[count] = row;
                    to[count++] = buffer.column(k);
                }
            }
        }
        return SymmetricPattern.ofEdges(blockRows, from, to, count);
    }

    /** The rows, once the pattern is there. */
    private record Rows(SymmetricPattern pattern, int block, ValueRule values, long seed) implements RowSource {
        @Override
        public int rows() {
            return pattern.vertices() * block;
        }

        @Override
        public int columns() {
            return rows();
        }

        @Override
        public int length(int row) {
            return (pattern.degree(row / block) + 1) * block;
        }

        @Override
        public void fill(int row, RowBuffer buffer) {
            int blockRow = row / block;
            int degree = pattern.degree(blockRow);
            int before = 0;
            while (before < degree && pattern.neighbour(blockRow, before) < blockRow) {
                addBlock(pattern.neighbour(blockRow, before++), buffer);
            }
            addBlock(blockRow, buffer);
            for (int k = before; k < degree; k++) {
                addBlock(pattern.neighbour(blockRow, k), buffer);
            }
            values.apply(seed, row, buffer);
        }

        private void addBlock(int blockColumn, RowBuffer buffer) {
            for (int j = 0; j < block; j++) {
                buffer.add(blockColumn * block + j, 0);
            }
        }
    }
}
