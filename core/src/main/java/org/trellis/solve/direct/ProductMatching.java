package org.trellis.solve.direct;

import java.util.Arrays;

/**
 * Entries that share no row or column and whose product is the greatest (I. Duff, J. Koster, "On algorithms for
 * permuting large entries to the diagonal of a sparse matrix", SIAM J. Matrix Anal. Appl. 22, 2001): an assignment of
 * least cost {@code log₂ max |a(:,j)| - log₂ |a(i,j)|}, found by shortest augmenting paths. The dual variables scale
 * rows and columns so that matched entries become 1 and no other is greater.
 */
final class ProductMatching {
    private static final int NONE = -1;

    private final ColumnStructure matrix;
    private final double[] cost;
    private final double[] logOfGreatest;
    private final int[] rowOf;
    private final int[] columnOf;
    private final double[] rowDual;
    private final double[] columnDual;
    private final double[] distance;
    private final int[] parent;
    /** 0 for rows that the search has not met, 1 for those in the heap, 2 for those whose distance is known. */
    private final byte[] state;
    private final RowHeap heap;
    private final int[] met;
    private int metCount;

    private ProductMatching(ColumnStructure matrix, double[] values) {
        this.matrix = matrix;
        int n = matrix.columns();
        cost = new double[matrix.start()[n]];
        logOfGreatest = new double[n];
        rowOf = new int[n];
        columnOf = new int[matrix.rows()];
        rowDual = new double[matrix.rows()];
        columnDual = new double[n];
        distance = new double[matrix.rows()];
        parent = new int[matrix.rows()];
        state = new byte[matrix.rows()];
        heap = new RowHeap(distance);
        met = new int[matrix.rows()];
        Arrays.fill(rowOf, NONE);
        Arrays.fill(columnOf, NONE);
        computeCosts(values);
    }

    /**
     * Matches the columns of a square matrix.
     *
     * @param matrix its structure
     * @param values its values, at {@link ColumnStructure#place}; zeros are as if they were not there
     * @return the matching; or null if there is no complete one
     */
    static ProductMatching of(ColumnStructure matrix, double[] values) {
        ProductMatching state = new ProductMatching(matrix, values);
        state.start();
        for (int j = 0; j < matrix.columns(); j++) {
            if (state.rowOf[j] == NONE && !state.augment(j)) {
                return null;
            }
        }
        return state;
    }

    /**
     * Says whether each entry of the diagonal is the greatest of its row: then it is matched, and nothing scaled.
     *
     * @param matrix a square structure
     * @param values its values, at {@link ColumnStructure#place}
     * @return true if {@link #of} need not be asked
     */
    static boolean isDiagonal(ColumnStructure matrix, double[] values) {
        double[] greatest = new double[matrix.rows()];
        double[] diagonal = new double[matrix.rows()];
        for (int j = 0; j < matrix.columns(); j++) {
            for (int e = matrix.start()[j]; e < matrix.start()[j + 1]; e++) {
                int row = matrix.row()[e];
                double size = Math.abs(values[matrix.place()[e]]);
                greatest[row] = Math.max(greatest[row], size);
                if (row == j) {
                    diagonal[j] = size;
                }
            }
        }
        for (int i = 0; i < greatest.length; i++) {
            if (!(diagonal[i] == greatest[i] && diagonal[i] > 0)) {
                return false;
            }
        }
        return true;
    }

    /** Returns the row of each column. */
    int[] rowOfColumn() {
        return rowOf;
    }

    /** Returns the power of two by which a column is multiplied, which brings its matched entry near to 1. */
    double columnScale(int column) {
        double exponent = columnDual[column] - logOfGreatest[column];
        return Math.scalb(1.0, (int) Math.clamp(Math.rint(exponent), -1022, 1022));
    }

    /** Costs of the matrix whose rows are divided by their greatest elements, so that units of rows do not matter. */
    private void computeCosts(double[] values) {
        double[] logOfRow = new double[matrix.rows()];
        for (int e = 0; e < cost.length; e++) {
            int row = matrix.row()[e];
            logOfRow[row] = Math.max(logOfRow[row], Math.abs(values[matrix.place()[e]]));
        }
        for (int i = 0; i < logOfRow.length; i++) {
            logOfRow[i] = BinaryLogarithm.of(logOfRow[i]);
        }
        for (int j = 0; j < matrix.columns(); j++) {
            double greatest = Double.NEGATIVE_INFINITY;
            for (int e = matrix.start()[j]; e < matrix.start()[j + 1]; e++) {
                double size = Math.abs(values[matrix.place()[e]]);
                cost[e] = size == 0 ? Double.NEGATIVE_INFINITY : BinaryLogarithm.of(size) - logOfRow[matrix.row()[e]];
                greatest = Math.max(greatest, cost[e]);
            }
            logOfGreatest[j] = greatest == Double.NEGATIVE_INFINITY ? 0 : greatest;
            for (int e = matrix.start()[j]; e < matrix.start()[j + 1]; e++) {
                cost[e] = logOfGreatest[j] - cost[e];
            }
        }
    }

    /** Chooses duals so that no reduced cost is negative, and matches along entries where it is 0. */
    private void start() {
        Arrays.fill(rowDual, Double.POSITIVE_INFINITY);
        for (int e = 0; e < cost.length; e++) {
            rowDual[matrix.row()[e]] = Math.min(rowDual[matrix.row()[e]], cost[e]);
        }
        for (int i = 0; i < rowDual.length; i++) {
            rowDual[i] = rowDual[i] == Double.POSITIVE_INFINITY ? 0 : rowDual[i];
        }
        for (int j = 0; j < matrix.columns(); j++) {
            double least = Double.POSITIVE_INFINITY;
            int best = NONE;
            for (int e = matrix.start()[j]; e < matrix.start()[j + 1]; e++) {
                int row = matrix.row()[e];
                double reduced = cost[e] - rowDual[row];
                boolean preferred = reduced == least && columnOf[row] == NONE
                        && (row == j || (best != NONE && columnOf[best] != NONE));
                if (reduced < least || preferred) {
                    least = reduced;
                    best = row;
                }
            }
            columnDual[j] = least == Double.POSITIVE_INFINITY ? 0 : least;
            if (best != NONE && columnOf[best] == NONE) {
                rowOf[j] = best;
                columnOf[best] = j;
            }
        }
    }

    /** Finds the shortest alternating path from a column to a free row and turns it; says whether there is one. */
    private boolean augment(int start) {
        metCount = 0;
        heap.clear();
        double shortest = Double.POSITIVE_INFINITY;
        int freeRow = NONE;
        int column = start;
        double reached = 0;
        while (column != NONE) {
            for (int e = matrix.start()[column]; e < matrix.start()[column + 1]; e++) {
                int row = matrix.row()[e];
                double length = reached + Math.max(0, cost[e] - rowDual[row] - columnDual[column]);
                if (state[row] == 2 || !(length < shortest)) {
                    continue;
                }
                if (columnOf[row] == NONE) {
                    shortest = length;
                    freeRow = row;
                    parent[row] = column;
                } else if (state[row] == 0 || length < distance[row]) {
                    meet(row, length, column);
                }
            }
            column = NONE;
            if (!heap.isEmpty() && distance[heap.least()] < shortest) {
                int row = heap.remove();
                state[row] = 2;
                reached = distance[row];
                column = columnOf[row];
            }
        }
        if (freeRow == NONE) {
            forget();
            return false;
        }
        turn(start, freeRow);
        updateDuals(freeRow, shortest);
        forget();
        return true;
    }

    private void meet(int row, double length, int column) {
        distance[row] = length;
        parent[row] = column;
        if (state[row] == 0) {
            state[row] = 1;
            met[metCount++] = row;
            heap.add(row);
        } else {
            heap.moveUp(row);
        }
    }

    private void turn(int start, int freeRow) {
        int row = freeRow;
        int column = parent[row];
        while (true) {
            int before = rowOf[column];
            rowOf[column] = row;
            columnOf[row] = column;
            if (column == start) {
                return;
            }
            row = before;
            column = parent[row];
        }
    }

    private void updateDuals(int freeRow, double shortest) {
        for (int k = 0; k < metCount; k++) {
            int row = met[k];
            if (state[row] == 2) {
                rowDual[row] += distance[row] - shortest;
            }
        }
        for (int k = 0; k < metCount; k++) {
            if (state[met[k]] == 2) {
                setColumnDual(columnOf[met[k]]);
            }
        }
        setColumnDual(columnOf[freeRow]);
    }

    /** The reduced cost of a matched entry is 0. */
    private void setColumnDual(int column) {
        for (int e = matrix.start()[column]; e < matrix.start()[column + 1]; e++) {
            if (matrix.row()[e] == rowOf[column]) {
                columnDual[column] = cost[e] - rowDual[rowOf[column]];
            }
        }
    }

    private void forget() {
        for (int k = 0; k < metCount; k++) {
            state[met[k]] = 0;
        }
    }

    /** A binary heap of rows by distance. */
    private static final class RowHeap {
        private final double[] distance;
        private final int[] rows;
        private final int[] at;
        private int size;

        RowHeap(double[] distance) {
            this.distance = distance;
            rows = new int[distance.length];
            at = new int[distance.length];
        }

        void clear() {
            size = 0;
        }

        boolean isEmpty() {
            return size == 0;
        }

        int least() {
            return rows[0];
        }

        void add(int row) {
            at[row] = size;
            rows[size++] = row;
            moveUp(row);
        }

        void moveUp(int row) {
            int place = at[row];
            while (place > 0 && distance[rows[(place - 1) / 2]] > distance[row]) {
                put(rows[(place - 1) / 2], place);
                place = (place - 1) / 2;
            }
            put(row, place);
        }

        int remove() {
            int first = rows[0];
            int last = rows[--size];
            int place = 0;
            while (2 * place + 1 < size) {
                int child = 2 * place + 1;
                child += child + 1 < size && distance[rows[child + 1]] < distance[rows[child]] ? 1 : 0;
                if (distance[rows[child]] >= distance[last]) {
                    break;
                }
                put(rows[child], place);
                place = child;
            }
            if (size > 0) {
                put(last, place);
            }
            return first;
        }

        private void put(int row, int place) {
            rows[place] = row;
            at[row] = place;
        }
    }
}
