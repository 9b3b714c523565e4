package org.trellis.distributed.multigrid;

import java.util.Arrays;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowDirectory;
import org.trellis.memory.HostVector;

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
record LocalMatrix(RowBlock rows, int[] columns, double[] values, ScatterPlan halo, long[] globals) {
    private static final int LONG_ROW = 16;

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
        ScatterPlan halo = new ScatterPlan(communicator, tag, directory, wanted, rows.rows());
        long[] globals = Arrays.copyOf(rows.indices(), places.size());
        System.arraycopy(wanted, 0, globals, rows.rows(), wanted.length);
        int[] columns = new int[rows.nonZeros()];
        long[] global = rows.columns();
        for (int k = 0; k < columns.length; k++) {
            columns[k] = places.get(global[k]);
        }
        return new LocalMatrix(rows, columns, doubles(rows), halo, globals);
    }

    /** Takes other values in the same structure. */
    LocalMatrix with(RowBlock others) {
        return new LocalMatrix(others, columns, doubles(others), halo, globals);
    }

    /** Returns the values of rows as doubles; not to be changed, since they may be those of the rows. */
    static double[] doubles(RowBlock rows) {
        HostVector values = rows.values();
        if (rows.precision() == Precision.F64 && values.offset() == 0) {
            return values.doubleStorage();
        }
        double[] copy = new double[rows.nonZeros()];
        for (int k = 0; k < copy.length; k++) {
            copy[k] = values.get(k);
        }
        return copy;
    }

    /** Returns a vector of values that are not changed afterwards; they are rounded to a precision. */
    static HostVector vector(double[] values, Precision precision) {
        HostVector vector = HostVector.of(values);
        return precision == Precision.F64 ? vector : vector.convert(precision);
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
        halo.bring(elements);
        return elements;
    }

    /** Brings the elements of others. */
    long[] bring(long[] elements) {
        halo.bring(elements);
        return elements;
    }

    /** Says which entries stay. */
    interface Choice {
        /** Says whether an entry stays; row and column are local. */
        boolean keeps(int row, int column, double value);
    }

    /** Keeps some entries, and who brings the elements of others. */
    LocalMatrix filter(Choice choice) {
        int[] offsets = new int[owned() + 1];
        int[] kept = new int[rows.nonZeros()];
        long[] keptGlobals = new long[kept.length];
        double[] keptValues = new double[kept.length];
        int count = 0;
        for (int row = 0; row < owned(); row++) {
            for (int k = start(row); k < end(row); k++) {
                if (choice.keeps(row, columns[k], values[k])) {
                    kept[count] = columns[k];
                    keptGlobals[count] = rows.columns()[k];
                    keptValues[count++] = values[k];
                }
            }
            offsets[row + 1] = count;
        }
        double[] left = Arrays.copyOf(keptValues, count);
        RowBlock block = new RowBlock(rows.indices(), offsets, Arrays.copyOf(keptGlobals, count),
                vector(left, rows.precision()));
        return new LocalMatrix(block, Arrays.copyOf(kept, count), left, halo, globals);
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
     * How a matrix compares with its transpose.
     *
     * @param values  whether values agree, where what has no entry is 0
     * @param pattern whether each entry has one at its mirror image
     */
    record Mirror(boolean values, boolean pattern) {}

    /**
     * Compares the matrix with its transpose. Collective; one exchange.
     *
     * @param communicator the ranks
     * @param tolerance    how far two values may be apart, as a share of the greatest of both and the smaller diagonal
     *                     element of their rows; a value without a mirror image differs from it
     */
    Mirror mirror(Communicator communicator, double tolerance) {
        Packet[] packets = new Packet[communicator.size()];
        long[] unlike = new long[2];
        for (int row = 0; row < owned(); row++) {
            for (int k = start(row); k < end(row); k++) {
                int column = columns[k];
                if (column >= owned()) {
                    RowDirectory.packetFor(packets, halo.owner(column - owned())).put(halo.place(column - owned()))
                            .put(globals[row]).put(Double.doubleToRawLongBits(values[k]));
                } else if (column != row) {
                    compare(column, globals[row], values[k], tolerance, unlike);
                }
            }
        }
        for (byte[] message : communicator.exchange(RowDirectory.bytes(packets))) {
            Packet packet = Packet.of(message);
            while (packet.hasMore()) {
                compare(packet.getInt(), packet.getLong(), Double.longBitsToDouble(packet.getLong()), tolerance,
                        unlike);
            }
        }
        communicator.allReduce(Reduction.SUM, unlike);
        return new Mirror(unlike[0] == 0, unlike[1] == 0);
    }

    /** Counts if an owned row has another value in a column than its mirror image, or none. */
    private void compare(int row, long column, double value, double tolerance, long[] unlike) {
        int at = find(row, column);
        if (at < 0) {
            unlike[0] += value == 0 ? 0 : 1;
            unlike[1]++;
            return;
        }
        int own = find(row, globals[row]);
        double diagonal = own < 0 ? 0 : Math.abs(values[own]);
        // The mirror image is compared too, with the diagonal of its row: the smaller one of the two decides.
        double scale = Math.max(diagonal, Math.max(Math.abs(value), Math.abs(values[at])));
        if (!(Math.abs(value - values[at]) <= tolerance * scale)) {
            unlike[0]++;
        }
    }

    /** Returns where an owned row has a column, or less than 0. */
    private int find(int row, long column) {
        long[] global = rows.columns();
        int from = start(row);
        int to = end(row);
        if (to - from > LONG_ROW) {
            return Arrays.binarySearch(global, from, to, column);
        }
        while (from < to && global[from] < column) {
            from++;
        }
        return from < to && global[from] == column ? from : -1;
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
        if (mirror(communicator, 0).pattern()) {
            return this;
        }
        RowBlock transposed = Rows.transpose(communicator, rows, directory, rows.indices());
        return of(Rows.combine(rows, transposed, Double::sum), directory, communicator, tag);
    }
}
