package org.trellis.sparse.algebra;

import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.mesh.order.FreeColours;
import org.trellis.mesh.plan.Colouring;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.MirrorEntries;

/**
 * The graph of a square matrix: its rows are the vertices, and two rows are neighbours if one of them has an entry in
 * the column of the other. Values count for nothing, so an explicit zero is an edge.
 */
public final class MatrixGraphs {
    private MatrixGraphs() {}

    /**
     * Returns a matrix whose pattern is symmetric, for those who walk through neighbours row by row. Costs a search in
     * another row for each entry, and two passes and a transposition unless the pattern is symmetric already.
     *
     * @param matrix a square matrix
     * @return {@code matrix} itself if its pattern is symmetric, else a new matrix with the entries of both triangles,
     *         of values that mean nothing
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static CsrMatrix symmetric(CsrMatrix matrix) {
        requireSquare(matrix);
        return firstLonely(matrix, -1).isEmpty() ? matrix : matrix.combine(1, matrix.transpose(), 1);
    }

    /**
     * Finds an entry that differs from its mirror image. Costs a look into another row for each entry, on several
     * threads, and four bytes a row for each of them.
     *
     * @param matrix    a square matrix
     * @param tolerance how far two values may be apart, as a share of the greatest absolute value among both and the
     *                  smaller diagonal element of their rows: sums that cancel are rounded as what they are sums of
     * @return the first row of such an entry, or empty if the matrix is symmetric to within the tolerance; a missing
     *         entry is a zero
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static Optional<Integer> firstAsymmetry(CsrMatrix matrix, double tolerance) {
        requireSquare(matrix);
        return firstLonely(matrix, tolerance);
    }

    /** Looks at patterns alone if the tolerance is negative. Most symmetric matrices are so to the last bit. */
    private static Optional<Integer> firstLonely(CsrMatrix matrix, double tolerance) {
        if (matrix.segments().size() == 1 && equalsMirror(matrix.onlySegment(), tolerance >= 0)) {
            return Optional.empty();
        }
        AtomicInteger first = new AtomicInteger(Integer.MAX_VALUE);
        int grain = ParallelRanges.grain(matrix.rows(), 2 * matrix.nonZeros());
        ParallelRanges.run(matrix.rows(), grain, () -> new Mirror(matrix), (from, to, mirror) -> {
            for (int row = from; row < to && row < first.get(); row++) {
                if (!mirror.has(row, tolerance)) {
                    first.accumulateAndGet(row, Math::min);
                }
            }
        });
        return first.get() == Integer.MAX_VALUE ? Optional.empty() : Optional.of(first.get());
    }

    /** Says whether pattern, and values if asked for, are those of the transpose to the last bit. */
    private static boolean equalsMirror(CsrSegment segment, boolean values) {
        HostVector numbers = segment.values();
        int shift = numbers.offset();
        if (!values) {
            return MirrorEntries.all(segment, (k, mirror) -> true);
        }
        if (numbers.precision() == Precision.F64) {
            double[] doubles = numbers.doubleStorage();
            return MirrorEntries.all(segment, (k, mirror) -> doubles[shift + k] == doubles[shift + mirror]);
        }
        float[] floats = numbers.floatStorage();
        return MirrorEntries.all(segment, (k, mirror) -> floats[shift + k] == floats[shift + mirror]);
    }

    /**
     * Compares rows with columns, for one thread. Rows are walked in their order, so a row finds its mirror image in
     * another one right behind the one that was found there last, if patterns are symmetric; else it is searched for.
     */
    private static final class Mirror {
        private final CsrRowCursor rows;
        private final CsrRowCursor others;
        /** Where in its segment the next mirror image of each row is likely to be. */
        private final int[] likely;

        Mirror(CsrMatrix matrix) {
            rows = new CsrRowCursor(matrix);
            others = new CsrRowCursor(matrix);
            likely = new int[matrix.rows()];
        }

        boolean has(int row, double tolerance) {
            rows.moveTo(row);
            int[] columns = rows.columns();
            int end = rows.end();
            double diagonal = tolerance < 0 ? 0 : diagonal(row);
            for (int k = rows.start(); k < end; k++) {
                int column = columns[k];
                if (column == row) {
                    continue;
                }
                int found = find(row, column);
                if (tolerance < 0) {
                    if (found < 0) {
                        return false;
                    }
                    continue;
                }
                double value = rows.value(k);
                double mirror = found < 0 ? 0 : others.value(found);
                // Only two entries that are there are both sums that may have been rounded.
                double scale = Math.max(found < 0 ? 0 : diagonal, Math.max(Math.abs(value), Math.abs(mirror)));
                if (!(Math.abs(value - mirror) <= tolerance * scale)) {
                    return false;
                }
            }
            return true;
        }

        /** Returns the size of the element on the diagonal of the row at hand, 0 if it is absent. */
        private double diagonal(int row) {
            int at = Arrays.binarySearch(rows.columns(), rows.start(), rows.end(), row);
            return at < 0 ? 0 : Math.abs(rows.value(at));
        }

        /** Finds the mirror image of an entry, which is in the row of its column. */
        private int find(int row, int column) {
            others.moveTo(column);
            int[] columns = others.columns();
            int at = likely[column];
            if (at < others.start() || at >= others.end() || columns[at] != row) {
                at = Arrays.binarySearch(columns, others.start(), others.end(), row);
            }
            // The diagonal is not looked for.
            int next = at + 1;
            likely[column] = next >= 0 && next < others.end() && columns[next] == column ? next + 1 : next;
            return at;
        }
    }

    /**
     * Colours the rows such that no two neighbours have one colour, first fit in the order of the rows: each takes the
     * lowest colour that none of its neighbours before it has. At most one colour more than the most neighbours of a
     * row; two on a grid with a stencil of 5 or 7 points. Costs a pass over the matrix on one thread, and what
     * {@link #symmetric} costs.
     *
     * @param matrix a square matrix, whose pattern need not be symmetric
     * @return a colour for each row, the same each time
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static Colouring firstFit(CsrMatrix matrix) {
        CsrMatrix graph = symmetric(matrix);
        int[] colours = new int[graph.rows()];
        FreeColours free = new FreeColours();
        int count = 0;
        for (int row = 0; row < colours.length; row++) {
            CsrSegment segment = graph.segmentOf(row);
            int[] columns = segment.columnIndices();
            int end = segment.rowEnd(row);
            for (int k = segment.rowStart(row); k < end && columns[k] < row; k++) {
                free.take(colours[columns[k]]);
            }
            colours[row] = free.least();
            count = Math.max(count, colours[row] + 1);
        }
        return new Colouring(colours, count);
    }

    /**
     * Sorts the rows into levels: each is one level above the highest of its neighbours before it. Rows of one level
     * are no neighbours, so all of a level can be done at once where neighbours must follow the order of the rows
     * (Saad, Iterative Methods for Sparse Linear Systems, section 12.4.3), or, level by level downwards, in the
     * opposite order. Costs as {@link #firstFit}.
     *
     * @param matrix a square matrix, whose pattern need not be symmetric
     * @return the level of each row as its colour, from 0 on
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static Colouring levels(CsrMatrix matrix) {
        CsrMatrix graph = symmetric(matrix);
        int[] levels = new int[graph.rows()];
        int count = 0;
        for (int row = 0; row < levels.length; row++) {
            CsrSegment segment = graph.segmentOf(row);
            int[] columns = segment.columnIndices();
            int end = segment.rowEnd(row);
            int level = 0;
            for (int k = segment.rowStart(row); k < end && columns[k] < row; k++) {
                level = Math.max(level, levels[columns[k]] + 1);
            }
            levels[row] = level;
            count = Math.max(count, level + 1);
        }
        return new Colouring(levels, count);
    }

    /**
     * Keeps the entries of blocks on the diagonal.
     *
     * @param matrix  a square matrix
     * @param offsets where each block starts, and the number of rows; not decreasing, the first 0
     * @return a new matrix of the same size, of the entries whose row and column are in one block
     * @throws IllegalArgumentException if the matrix is not square or the offsets are not those of its rows
     */
    public static CsrMatrix diagonalBlocks(CsrMatrix matrix, int... offsets) {
        int[] blocks = blockOfRows(matrix, offsets);
        return matrix.filter((row, column, value) -> blocks[row] == blocks[column]);
    }

    /**
     * Keeps the entries outside of blocks on the diagonal.
     *
     * @param matrix  a square matrix
     * @param offsets where each block starts, and the number of rows; not decreasing, the first 0
     * @return a new matrix of the same size, of the entries whose row and column are in two blocks
     * @throws IllegalArgumentException if the matrix is not square or the offsets are not those of its rows
     */
    public static CsrMatrix betweenBlocks(CsrMatrix matrix, int... offsets) {
        int[] blocks = blockOfRows(matrix, offsets);
        return matrix.filter((row, column, value) -> blocks[row] != blocks[column]);
    }

    private static int[] blockOfRows(CsrMatrix matrix, int[] offsets) {
        requireSquare(matrix);
        int last = offsets.length - 1;
        if (last < 0 || offsets[0] != 0 || offsets[last] != matrix.rows()) {
            throw new IllegalArgumentException(
                    "offsets of blocks " + Arrays.toString(offsets) + ", expected 0 first and "
                            + matrix.rows() + ", the number of rows, last");
        }
        int[] blocks = new int[matrix.rows()];
        for (int block = 0; block < last; block++) {
            if (offsets[block] > offsets[block + 1]) {
                throw new IllegalArgumentException("block " + block + " starts at row " + offsets[block]
                        + " and ends at row " + offsets[block + 1] + ", expected offsets that do not decrease");
            }
            Arrays.fill(blocks, offsets[block], offsets[block + 1], block);
        }
        return blocks;
    }

    static void requireSquare(CsrMatrix matrix) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("graph of " + matrix + ", expected a square matrix");
        }
    }
}
