package org.trellis.sparse.algebra;

import java.util.Arrays;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * A matching of rows and columns, each at most once, where the matrix has an entry, whatever its value.
 *
 * @param size        the number of pairs, for a greatest one the structural rank
 * @param columnOfRow the column of each row, -1 for a row without one
 * @param rowOfColumn the row of each column, -1 for a column without one
 */
public record BipartiteMatching(int size, int[] columnOfRow, int[] rowOfColumn) {
    private static final int NONE = -1;

    /**
     * Finds a matching of most pairs. Costs at most the number of entries times the square root of that of rows.
     *
     * @param matrix a matrix of any shape
     * @return the matching
     * @see <a href="https://doi.org/10.1137/0202019">J. Hopcroft, R. Karp, An n^5/2 algorithm for maximum matchings in
     *      bipartite graphs, SIAM Journal on Computing 2(4), 1973</a>
     */
    public static BipartiteMatching maximum(CsrMatrix matrix) {
        Search search = new Search(matrix);
        int size = search.cheap();
        while (search.layers()) {
            for (int row = 0; row < matrix.rows(); row++) {
                if (search.columnOfRow[row] == NONE && search.augment(row)) {
                    size++;
                }
            }
        }
        return new BipartiteMatching(size, search.columnOfRow, search.rowOfColumn);
    }

    /** Shortest augmenting paths, all of one length in a turn, with a stack of its own. */
    private static final class Search {
        final CsrMatrix matrix;
        final int[] columnOfRow;
        final int[] rowOfColumn;
        /** How many rows are before each on a path from a row without a column. */
        private final int[] layer;
        private final int[] next;
        private final int[] rows;

        Search(CsrMatrix matrix) {
            this.matrix = matrix;
            this.columnOfRow = new int[matrix.rows()];
            this.rowOfColumn = new int[matrix.columns()];
            this.layer = new int[matrix.rows()];
            this.next = new int[matrix.rows()];
            this.rows = new int[matrix.rows()];
            Arrays.fill(columnOfRow, NONE);
            Arrays.fill(rowOfColumn, NONE);
        }

        /** Gives each row the first column that is free. */
        int cheap() {
            int size = 0;
            for (int row = 0; row < matrix.rows(); row++) {
                CsrSegment segment = matrix.segmentOf(row);
                for (int k = segment.rowStart(row); k < segment.rowEnd(row) && columnOfRow[row] == NONE; k++) {
                    if (rowOfColumn[segment.columnIndices()[k]] == NONE) {
                        pair(row, segment.columnIndices()[k]);
                        size++;
                    }
                }
            }
            return size;
        }

        private void pair(int row, int column) {
            columnOfRow[row] = column;
            rowOfColumn[column] = row;
        }

        /** Returns whether a path to a free column exists. */
        boolean layers() {
            int end = 0;
            for (int row = 0; row < matrix.rows(); row++) {
                layer[row] = columnOfRow[row] == NONE ? 0 : NONE;
                next[row] = matrix.segmentOf(row).rowStart(row);
                if (layer[row] == 0) {
                    rows[end++] = row;
                }
            }
            boolean free = false;
            for (int at = 0; at < end; at++) {
                int row = rows[at];
                CsrSegment segment = matrix.segmentOf(row);
                for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                    int other = rowOfColumn[segment.columnIndices()[k]];
                    free |= other == NONE;
                    if (other != NONE && layer[other] == NONE) {
                        layer[other] = layer[row] + 1;
                        rows[end++] = other;
                    }
                }
            }
            return free;
        }

        boolean augment(int start) {
            int depth = 0;
            rows[0] = start;
            while (depth >= 0) {
                int row = rows[depth];
                CsrSegment segment = matrix.segmentOf(row);
                if (next[row] == segment.rowEnd(row)) {
                    depth--;
                    continue;
                }
                int column = segment.columnIndices()[next[row]++];
                int other = rowOfColumn[column];
                if (other == NONE) {
                    shift(depth);
                    return true;
                }
                if (layer[other] == layer[row] + 1) {
                    rows[++depth] = other;
                }
            }
            return false;
        }

        /** Each row of the path takes the column at which it was left, the last first. */
        private void shift(int depth) {
            for (int d = depth; d >= 0; d--) {
                int row = rows[d];
                pair(row, matrix.segmentOf(row).columnIndices()[next[row] - 1]);
            }
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof BipartiteMatching matching && Arrays.equals(columnOfRow, matching.columnOfRow)
                && Arrays.equals(rowOfColumn, matching.rowOfColumn);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(columnOfRow);
    }

    @Override
    public String toString() {
        return "matching of " + size + " pairs, " + columnOfRow.length + " rows and " + rowOfColumn.length + " columns";
    }
}
