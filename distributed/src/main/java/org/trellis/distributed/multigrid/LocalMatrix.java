package org.trellis.distributed.multigrid;

import java.util.Arrays;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;
import org.trellis.distributed.partitioned.RowDirectory;

/**
 * A rank's rows with local columns, for the set-up: owned elements first, then what its rows need of others. Entries of
 * a row are in the order of their global columns. Values are doubles, which hold those of both precisions.
 *
 * @param rows    the rows with global columns
 * @param columns the local column of each entry
 * @param values  the value of each entry
 * @param halo    brings the elements behind the owned ones
 * @param globals the global index of each local element
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LocalMatrix(RowBlock rows, int[] columns, double[] values, Imports halo, long[] globals) {
    /**
     * Gives the rows of a matrix local columns. Collective.
     *
     * @param matrix       the matrix
     * @param communicator the ranks
     * @param tag          for its messages
     */
    static LocalMatrix of(PartitionedMatrix matrix, Communicator communicator, int tag) {
        return of(matrix.rows(), matrix.directory(), communicator, tag);
    }

    private static LocalMatrix of(RowBlock rows, RowDirectory directory, Communicator communicator, int tag) {
        IndexMap places = Rows.places(rows.indices());
        long[] wanted = Rows.columns(rows, places);
        for (long column : wanted) {
            places.add(column);
        }
        Imports halo = new Imports(communicator, tag, directory, wanted);
        long[] globals = new long[places.size()];
        Arrays.setAll(globals, places::index);
        int[] columns = new int[rows.nonZeros()];
        Arrays.setAll(columns, k -> places.get(rows.columns()[k]));
        return new LocalMatrix(rows, columns, doubles(rows), halo, globals);
    }

    /** Takes other values in the same structure. */
    LocalMatrix with(RowBlock others) {
        return new LocalMatrix(others, columns, doubles(others), halo, globals);
    }

    private static double[] doubles(RowBlock rows) {
        double[] values = new double[rows.nonZeros()];
        Arrays.setAll(values, k -> rows.values().get(k));
        return values;
    }

    /** Returns the number of owned rows. */
    int owned() {
        return rows.rows();
    }

    /** Returns the number of owned elements and of those that come from others. */
    int elements() {
        return globals.length;
    }

    int start(int row) {
        return rows.offsets()[row];
    }

    int end(int row) {
        return rows.offsets()[row + 1];
    }

    /** Brings the elements of others. */
    double[] bring(double[] elements) {
        halo.exchange(elements, owned());
        return elements;
    }

    /** Brings the elements of others. */
    long[] bring(long[] elements) {
        halo.exchange(elements, owned());
        return elements;
    }

    /** Says which entries stay. */
    interface Choice {
        /** Says whether an entry stays; row and column are local. */
        boolean keeps(int row, int column, double value);
    }

    /** Keeps some entries, and who brings the elements of others. */
    LocalMatrix filter(Choice choice) {
        RowBlockBuilder builder = new RowBlockBuilder(rows.precision(), owned());
        int[] kept = new int[columns.length];
        int count = 0;
        for (int row = 0; row < owned(); row++) {
            for (int k = start(row); k < end(row); k++) {
                if (choice.keeps(row, columns[k], values[k])) {
                    kept[count++] = columns[k];
                    builder.add(rows.columns()[k], values[k]);
                }
            }
            builder.endRow(rows.indices()[row]);
        }
        RowBlock left = builder.build();
        return new LocalMatrix(left, Arrays.copyOf(kept, count), doubles(left), halo, globals);
    }

    /** Returns the diagonal of owned rows, 0 where there is none, with room for the elements of others. */
    double[] diagonal() {
        double[] diagonal = new double[elements()];
        for (int row = 0; row < owned(); row++) {
            for (int k = start(row); k < end(row); k++) {
                if (columns[k] == row) {
                    diagonal[row] = values[k];
                }
            }
        }
        return diagonal;
    }

    /**
     * Returns a graph whose pattern is symmetric, as {@link org.trellis.sparse.algebra.MatrixGraphs#symmetric} does:
     * this one if it is, else the sum with the transpose. Collective.
     *
     * @param communicator the ranks
     * @param directory    who owns the rows
     * @param tag          for the messages of a new matrix
     */
    LocalMatrix symmetric(Communicator communicator, RowDirectory directory, int tag) {
        RowBlock transposed = Rows.transpose(communicator, rows, directory, rows.indices());
        boolean same = communicator.sum(Rows.equal(rows, transposed, -1) ? 0 : 1) == 0;
        return same ? this : of(Rows.combine(rows, transposed, Double::sum), directory, communicator, tag);
    }
}
