package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.mesh.order.Graph;
import org.trellis.solve.FiniteInput;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * The columns of a matrix: where each starts, the rows of its entries, and where their values are among those of the
 * matrix by rows, so that other values can be taken without another transposition.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ColumnStructure(int rows, int columns, int[] start, int[] row, int[] place) {
    /** Transposes the structure of a matrix; rows increase within each column. */
    static ColumnStructure of(CsrMatrix matrix) {
        CsrSegment segment = matrix.onlySegment();
        int[] start = new int[matrix.columns() + 1];
        int entries = segment.nonZeros();
        int[] columnOf = segment.columnIndices();
        for (int k = segment.rowOffsets()[0], end = k + entries; k < end; k++) {
            start[columnOf[k] + 1]++;
        }
        for (int j = 0; j < matrix.columns(); j++) {
            start[j + 1] += start[j];
        }
        int[] at = Arrays.copyOf(start, matrix.columns());
        int[] row = new int[entries];
        int[] place = new int[entries];
        for (int i = 0; i < matrix.rows(); i++) {
            for (int k = segment.rowStart(i); k < segment.rowEnd(i); k++) {
                int to = at[columnOf[k]]++;
                row[to] = i;
                place[to] = k;
            }
        }
        return new ColumnStructure(matrix.rows(), matrix.columns(), start, row, place);
    }

    /**
     * Returns the values of a matrix in the order that {@link #place} names; its own array where it has doubles.
     * Refuses values that are not finite: pivots would be compared with them, and solutions be made of them, without a
     * word.
     */
    static double[] values(CsrMatrix matrix) {
        CsrSegment segment = matrix.onlySegment();
        HostVector values = segment.values();
        double[] numbers = values.precision() == Precision.F64 && values.offset() == 0
                ? values.doubleStorage()
                : values.toDoubleArray();
        int first = segment.rowOffsets()[0];
        for (int k = first; k < first + segment.nonZeros(); k++) {
            if (!Double.isFinite(numbers[k])) {
                FiniteInput.largestEntry("LU factorisation", matrix); // names the entry
            }
        }
        return numbers;
    }

    /**
     * Takes some rows and columns in another order, as a square block.
     *
     * @param columnAt the order of all columns, of which a part is taken
     * @param from     where the block starts in both
     * @param to       where it ends
     * @param local    as long as there are rows: for each, where it is in the order
     * @return the block, without the entries outside of it
     */
    ColumnStructure block(int[] columnAt, int from, int to, int[] local) {
        int[] starts = new int[to - from + 1];
        int count = 0;
        for (int k = from; k < to; k++) {
            count += start[columnAt[k] + 1] - start[columnAt[k]];
        }
        int[] own = new int[count];
        int[] places = new int[count];
        count = 0;
        for (int k = from; k < to; k++) {
            for (int e = start[columnAt[k]]; e < start[columnAt[k] + 1]; e++) {
                int position = local[row[e]];
                if (position >= from && position < to) {
                    own[count] = position - from;
                    places[count++] = place[e];
                }
            }
            starts[k - from + 1] = count;
        }
        return new ColumnStructure(to - from, to - from, starts, Arrays.copyOf(own, count),
                Arrays.copyOf(places, count));
    }

    /** Returns the rows, as columns of the transpose. */
    ColumnStructure transpose() {
        int[] starts = new int[rows + 1];
        int entries = start[columns];
        for (int k = 0; k < entries; k++) {
            starts[row[k] + 1]++;
        }
        for (int i = 0; i < rows; i++) {
            starts[i + 1] += starts[i];
        }
        int[] at = Arrays.copyOf(starts, rows);
        int[] own = new int[entries];
        int[] places = new int[entries];
        for (int j = 0; j < columns; j++) {
            for (int e = start[j]; e < start[j + 1]; e++) {
                int to = at[row[e]]++;
                own[to] = j;
                places[to] = place[e];
            }
        }
        return new ColumnStructure(columns, rows, starts, own, places);
    }

    /** The graph of the structure of a square matrix and its transpose, without loops; each neighbour once. */
    Graph graph() {
        ColumnStructure across = transpose();
        int n = columns;
        int[] offsets = new int[n + 1];
        int[] neighbours = new int[Math.toIntExact(Math.min(2L * start[n], Integer.MAX_VALUE - 8))];
        int[] mark = new int[n];
        Arrays.fill(mark, -1);
        int count = 0;
        for (int j = 0; j < n; j++) {
            mark[j] = j;
            count = add(j, this, mark, neighbours, count);
            count = add(j, across, mark, neighbours, count);
            offsets[j + 1] = count;
        }
        return new Graph(offsets, Arrays.copyOf(neighbours, count));
    }

    private static int add(int j, ColumnStructure from, int[] mark, int[] neighbours, int at) {
        int count = at;
        for (int e = from.start[j]; e < from.start[j + 1]; e++) {
            int other = from.row[e];
            if (mark[other] != j) {
                mark[other] = j;
                neighbours[count++] = other;
            }
        }
        return count;
    }
}
