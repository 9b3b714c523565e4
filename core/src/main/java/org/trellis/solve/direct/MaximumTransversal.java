package org.trellis.solve.direct;

import java.util.Arrays;

/**
 * The greatest number of entries of which no two share a row or a column (I. Duff, "On algorithms for obtaining a
 * maximum transversal", ACM Trans. Math. Softw. 7, 1981): depth-first searches for augmenting paths, which look for a
 * free row among all entries of a column before they go deeper. How many there are is the structural rank.
 */
final class MaximumTransversal {
    private static final int NONE = -1;

    private final ColumnStructure matrix;
    /** The row of each column, -1 where there is none. */
    private final int[] rowOf;
    private final int[] columnOf;
    private final int[] visited;
    /** Where the search for a free row goes on: never back, since rows do not become free again. */
    private final int[] free;
    private final int[] next;
    private final int[] path;
    private final int[] through;

    private MaximumTransversal(ColumnStructure matrix) {
        this.matrix = matrix;
        int n = matrix.columns();
        rowOf = new int[n];
        columnOf = new int[matrix.rows()];
        visited = new int[n];
        free = Arrays.copyOf(matrix.start(), n);
        next = new int[n];
        path = new int[n];
        through = new int[n];
        Arrays.fill(rowOf, NONE);
        Arrays.fill(columnOf, NONE);
        Arrays.fill(visited, NONE);
    }

    /**
     * Matches columns with rows.
     *
     * @return the row of each column, -1 for a column without one
     */
    static int[] rowOfColumn(ColumnStructure matrix) {
        MaximumTransversal state = new MaximumTransversal(matrix);
        for (int j = 0; j < matrix.columns(); j++) {
            // An element of the diagonal first: what is in place stays there.
            for (int e = matrix.start()[j]; e < matrix.start()[j + 1]; e++) {
                if (matrix.row()[e] == j && state.columnOf[j] == NONE) {
                    state.rowOf[j] = j;
                    state.columnOf[j] = j;
                }
            }
        }
        for (int j = 0; j < matrix.columns(); j++) {
            if (state.rowOf[j] == NONE) {
                state.augment(j);
            }
        }
        return state.rowOf;
    }

    private void augment(int start) {
        int depth = 0;
        path[0] = start;
        visited[start] = start;
        next[start] = matrix.start()[start];
        while (depth >= 0) {
            int column = path[depth];
            int row = freeRow(column);
            if (row != NONE) {
                through[depth] = row;
                for (int d = depth; d >= 0; d--) {
                    rowOf[path[d]] = through[d];
                    columnOf[through[d]] = path[d];
                }
                return;
            }
            int deeper = NONE;
            int end = matrix.start()[column + 1];
            while (next[column] < end && deeper == NONE) {
                int candidate = matrix.row()[next[column]++];
                if (visited[columnOf[candidate]] != start) {
                    deeper = columnOf[candidate];
                    through[depth] = candidate;
                }
            }
            if (deeper == NONE) {
                depth--;
            } else {
                visited[deeper] = start;
                next[deeper] = matrix.start()[deeper];
                path[++depth] = deeper;
            }
        }
    }

    private int freeRow(int column) {
        int end = matrix.start()[column + 1];
        int e = free[column];
        while (e < end && columnOf[matrix.row()[e]] != NONE) {
            e++;
        }
        free[column] = e;
        return e < end ? matrix.row()[e] : NONE;
    }
}
