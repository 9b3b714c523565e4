package org.trellis.solve.direct;

import java.util.Arrays;

/**
 * The block upper triangular form of a square matrix whose diagonal is full once its rows are matched (I. Duff, J.
 * Reid, "An implementation of Tarjan's algorithm for the block triangularization of a matrix", ACM Trans. Math. Softw.
 * 4, 1978): the strongly connected components of its graph, in the order in which the search ends them.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record BlockTriangularForm(int[] columns, int[] blockStart) {
    /**
     * Finds the form.
     *
     * @param matrix      a square matrix
     * @param rowOfColumn a complete matching
     * @return the columns block by block, and where each block starts and the last ends
     */
    static BlockTriangularForm of(ColumnStructure matrix, int[] rowOfColumn) {
        return new Search(matrix, rowOfColumn).run();
    }

    /** One block of everything, in the given order of columns. */
    static BlockTriangularForm whole(int n) {
        int[] columns = new int[n];
        Arrays.setAll(columns, j -> j);
        return new BlockTriangularForm(columns, n == 0 ? new int[]{0} : new int[]{0, n});
    }

    int blocks() {
        return blockStart.length - 1;
    }

    int largest() {
        int largest = 0;
        for (int b = 0; b < blocks(); b++) {
            largest = Math.max(largest, blockStart[b + 1] - blockStart[b]);
        }
        return largest;
    }

    /** Tarjan's search, without recursion. */
    private static final class Search {
        private static final int UNSEEN = 0;

        private final ColumnStructure matrix;
        private final int[] columnOfRow;
        private final int n;
        /** When a column was met, from 1 on; n + 1 once its component is known. */
        private final int[] met;
        private final int[] low;
        private final int[] next;
        private final int[] path;
        private final int[] open;
        private final int[] columns;
        private final int[] starts;
        private int openCount;
        private int clock;
        private int placed;
        private int components;

        Search(ColumnStructure matrix, int[] rowOfColumn) {
            this.matrix = matrix;
            this.n = matrix.columns();
            columnOfRow = new int[n];
            for (int j = 0; j < n; j++) {
                columnOfRow[rowOfColumn[j]] = j;
            }
            met = new int[n];
            low = new int[n];
            next = Arrays.copyOf(matrix.start(), n);
            path = new int[n];
            open = new int[n];
            columns = new int[n];
            starts = new int[n + 1];
        }

        BlockTriangularForm run() {
            for (int j = 0; j < n; j++) {
                if (met[j] == UNSEEN) {
                    search(j);
                }
            }
            return new BlockTriangularForm(columns, Arrays.copyOf(starts, components + 1));
        }

        private void search(int start) {
            int depth = 0;
            path[0] = start;
            meet(start);
            while (depth >= 0) {
                int column = path[depth];
                int child = UNSEEN - 1;
                while (next[column] < matrix.start()[column + 1] && child < 0) {
                    int other = columnOfRow[matrix.row()[next[column]++]];
                    if (met[other] == UNSEEN) {
                        child = other;
                    } else if (met[other] <= n) {
                        low[column] = Math.min(low[column], met[other]);
                    }
                }
                if (child >= 0) {
                    meet(child);
                    path[++depth] = child;
                    continue;
                }
                if (low[column] == met[column]) {
                    endComponent(column);
                }
                depth--;
                if (depth >= 0) {
                    low[path[depth]] = Math.min(low[path[depth]], low[column]);
                }
            }
        }

        private void meet(int column) {
            met[column] = ++clock;
            low[column] = clock;
            open[openCount++] = column;
        }

        private void endComponent(int root) {
            int column;
            do {
                column = open[--openCount];
                met[column] = n + 1;
                columns[placed++] = column;
            } while (column != root);
            starts[++components] = placed;
        }
    }
}
