package org.trellis.distributed.multigrid;

import java.util.Arrays;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;
import org.trellis.distributed.partitioned.RowDirectory;

/** What is done with the rows that ranks have of a matrix as a whole. */
final class Rows {
    private Rows() {}

    /** Returns the columns of some rows, each once, in the order in which they are found, without those of a map. */
    static long[] columns(RowBlock rows, IndexMap without) {
        IndexMap found = new IndexMap(rows.rows());
        for (int k = 0; k < rows.nonZeros(); k++) {
            long column = rows.columns()[k];
            if (without.get(column) == IndexMap.ABSENT) {
                found.add(column);
            }
        }
        long[] columns = new long[found.size()];
        for (int i = 0; i < columns.length; i++) {
            columns[i] = found.index(i);
        }
        return columns;
    }

    /** Returns a map of the indices of rows to their places. */
    static IndexMap places(long[] indices) {
        IndexMap places = new IndexMap(indices.length);
        for (long index : indices) {
            places.add(index);
        }
        return places;
    }

    /**
     * Transposes a matrix. Collective; three exchanges.
     *
     * @param communicator the ranks
     * @param rows         this rank's rows
     * @param columns      who owns the rows of the transpose
     * @param owned        the rows of the transpose that this rank owns, in the order of that directory
     * @return these rows, in that order
     */
    static RowBlock transpose(Communicator communicator, RowBlock rows, RowDirectory columns, long[] owned) {
        ColumnNumbers numbers = ColumnNumbers.of(rows);
        return Transposition.of(communicator, rows, numbers.of(0), columns.find(numbers.globals()), owned);
    }

    /** What two rows with the same index become, entry by entry. */
    interface Combination {
        /** Combines two values, of which one is 0 where only the other row has an entry. */
        double of(double left, double right);
    }

    /**
     * Combines rows with others of the same indices.
     *
     * @param left  some rows
     * @param right as many, in the same order
     * @param how   makes the value of an entry that one of both has
     * @return rows with the entries of both
     */
    static RowBlock combine(RowBlock left, RowBlock right, Combination how) {
        RowBlockBuilder builder = new RowBlockBuilder(left.precision(), left.rows());
        double[] leftValues = LocalMatrix.doubles(left);
        double[] rightValues = LocalMatrix.doubles(right);
        for (int row = 0; row < left.rows(); row++) {
            int l = left.offsets()[row];
            int r = right.offsets()[row];
            int lastLeft = left.offsets()[row + 1];
            int lastRight = right.offsets()[row + 1];
            while (l < lastLeft || r < lastRight) {
                long leftColumn = l < lastLeft ? left.columns()[l] : Long.MAX_VALUE;
                long rightColumn = r < lastRight ? right.columns()[r] : Long.MAX_VALUE;
                double leftValue = leftColumn <= rightColumn ? leftValues[l++] : 0;
                double rightValue = rightColumn <= leftColumn ? rightValues[r++] : 0;
                builder.add(Math.min(leftColumn, rightColumn), how.of(leftValue, rightValue));
            }
            builder.endRow(left.indices()[row]);
        }
        return builder.build();
    }

    /**
     * Says whether rows equal those of the transpose.
     *
     * @param rows       some rows
     * @param transposed those of the transpose, in the same order
     * @param tolerance  how far two values may be apart, as a share of the greatest of both and the diagonal element of
     *                   the row; below 0 patterns count alone
     */
    static boolean equal(RowBlock rows, RowBlock transposed, double tolerance) {
        if (tolerance < 0) {
            return Arrays.equals(rows.offsets(), transposed.offsets())
                    && Arrays.equals(rows.columns(), 0, rows.nonZeros(), transposed.columns(), 0, rows.nonZeros());
        }
        boolean equal = true;
        for (int row = 0; row < rows.rows(); row++) {
            int last = rows.offsets()[row + 1];
            int own = Arrays.binarySearch(rows.columns(), rows.offsets()[row], last, rows.indices()[row]);
            double diagonal = own < 0 ? 0 : Math.abs(rows.values().get(own));
            int l = rows.offsets()[row];
            int r = transposed.offsets()[row];
            while (l < last || r < transposed.offsets()[row + 1]) {
                long leftColumn = l < last ? rows.columns()[l] : Long.MAX_VALUE;
                long rightColumn = r < transposed.offsets()[row + 1] ? transposed.columns()[r] : Long.MAX_VALUE;
                double left = leftColumn <= rightColumn ? rows.values().get(l++) : 0;
                double right = rightColumn <= leftColumn ? transposed.values().get(r++) : 0;
                double scale = Math.max(diagonal, Math.max(Math.abs(left), Math.abs(right)));
                equal &= Math.abs(left - right) <= tolerance * scale;
            }
        }
        return equal;
    }
}
