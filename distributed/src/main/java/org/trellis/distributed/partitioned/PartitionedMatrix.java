package org.trellis.distributed.partitioned;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.communicate.ParallelPartitioner;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.memory.HostVector;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.partition.Partition;
import org.trellis.mesh.partition.Partitioner;
import org.trellis.mesh.partition.Partitioners;
import org.trellis.solve.krylov.NodeBlocks;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;
import org.trellis.systems.SystemMatrix;
import org.trellis.systems.SystemSettings;

/**
 * A square matrix whose rows are spread over ranks. Row {@code i} and element {@code i} of vectors belong to the same
 * rank. A rank numbers its rows locally: first the interior, whose columns are all its own, then the boundary; within
 * both in the order in which they were brought. Immutable.
 *
 * <p>All methods that make or move something are collective: all ranks call them, in the same order.
 */
public final class PartitionedMatrix implements SystemMatrix {
    private static final double TOLERANCE = 1.03;

    private final Communicator communicator;
    private final long globalRows;
    private final RowBlock rows;
    private final int interior;
    private final IndexMap ownPlaces;
    private final RowDirectory directory;

    private PartitionedMatrix(Communicator communicator, long globalRows, RowBlock brought, boolean inOrder) {
        this.communicator = communicator;
        this.globalRows = globalRows;
        IndexMap own = new IndexMap(brought.rows());
        for (long index : brought.indices()) {
            if (!own.add(index)) {
                throw new IllegalArgumentException("rank " + communicator.rank() + " brings row " + index
                        + " twice, expected once");
            }
        }
        if (inOrder) {
            this.interior = interiorPrefix(brought, own);
            this.rows = brought;
        } else {
            int[] order = new int[brought.rows()];
            this.interior = interiorFirst(brought, own, order);
            this.rows = brought.select(order);
        }
        this.ownPlaces = new IndexMap(rows.rows());
        for (long index : rows.indices()) {
            ownPlaces.add(index);
        }
        this.directory = RowDirectory.of(communicator, globalRows, rows.indices());
    }

    /** Takes other values in the same structure. */
    private PartitionedMatrix(PartitionedMatrix other, HostVector values) {
        this.communicator = other.communicator;
        this.globalRows = other.globalRows;
        this.interior = other.interior;
        this.rows = new RowBlock(other.rows.indices(), other.rows.offsets(), other.rows.columns(), values);
        this.ownPlaces = other.ownPlaces;
        this.directory = other.directory;
    }

    /** Fills in the local order, and returns how many rows are interior. */
    private int interiorFirst(RowBlock brought, IndexMap own, int[] order) {
        boolean[] inside = new boolean[order.length];
        int interiorCount = 0;
        for (int row = 0; row < order.length; row++) {
            inside[row] = isInterior(brought, row, own);
            interiorCount += inside[row] ? 1 : 0;
        }
        int nextInside = 0;
        int nextOutside = interiorCount;
        for (int row = 0; row < order.length; row++) {
            order[inside[row] ? nextInside++ : nextOutside++] = row;
        }
        return interiorCount;
    }

    /** Returns how many rows there are before the first that is not interior. */
    private int interiorPrefix(RowBlock brought, IndexMap own) {
        int prefix = brought.rows();
        for (int row = 0; row < brought.rows(); row++) {
            if (!isInterior(brought, row, own)) {
                prefix = Math.min(prefix, row);
            }
        }
        return prefix;
    }

    private boolean isInterior(RowBlock block, int row, IndexMap own) {
        boolean inside = true;
        for (int k = block.offsets()[row]; k < block.offsets()[row + 1]; k++) {
            long column = block.columns()[k];
            if (column < 0 || column >= globalRows) {
                throw new IllegalArgumentException("row " + block.indices()[row] + " has an entry in column " + column
                        + ", expected 0 to " + (globalRows - 1));
            }
            inside &= own.get(column) != IndexMap.ABSENT;
        }
        return inside;
    }

    /**
     * Makes a matrix of rows that each rank brings, and owns from then on. Collective.
     *
     * @param communicator the ranks; kept, and closed by the caller after all that is made of it
     * @param globalRows   the number of rows and columns, the same on all ranks
     * @param rows         this rank's rows, perhaps none
     * @return the matrix
     * @throws IllegalArgumentException if ranks have another number of rows or precision, a row or column does not
     *                                  exist, or a row is brought twice or by no rank; names it. On the rank where it
     *                                  shows: the job then fails on all
     */
    public static PartitionedMatrix ofRows(Communicator communicator, long globalRows, RowBlock rows) {
        requireSame(communicator, globalRows, rows.precision());
        return new PartitionedMatrix(communicator, globalRows, rows, false);
    }

    /**
     * Makes a matrix of rows whose columns each rank numbers by itself, as the sets of a divided mesh are numbered: its
     * own rows first, then those of other ranks that its rows lead to. Rows stay in this order, so that element i of
     * vectors is that of row i, whatever comes before an interior row; {@link #interiorRows} counts the interior rows
     * before the first other one. Collective: messages for the directory only, and no rank sees more of the graph than
     * its own rows.
     *
     * @param communicator  the ranks; kept, and closed by the caller after all that is made of it
     * @param globalRows    the number of rows and columns, the same on all ranks
     * @param local         this rank's own rows, perhaps none; values are copied
     * @param globalIndices the global index of each local row and column: at least as many as there are columns,
     *                      no two alike among those that entries have
     * @return the matrix
     * @throws IllegalArgumentException if there are more rows than columns or too few indices, a row or column does not
     *                                  exist, or a row is brought twice or by no rank; names it. On the rank where it
     *                                  shows: the job then fails on all
     */
    public static PartitionedMatrix ofLocal(Communicator communicator, long globalRows, CsrMatrix local,
            long[] globalIndices) {
        if (local.rows() > local.columns() || globalIndices.length < local.columns()) {
            throw new IllegalArgumentException("rank " + communicator.rank() + " brings " + local.rows() + " rows of "
                    + local.columns() + " columns and " + globalIndices.length
                    + " global indices, expected at least as many columns as rows, and an index for each column");
        }
        requireSame(communicator, globalRows, local.precision());
        return new PartitionedMatrix(communicator, globalRows, globalRows(local, globalIndices), true);
    }

    private static void requireSame(Communicator communicator, long globalRows, Precision precision) {
        communicator.requireSame(List.of("a matrix of " + globalRows + " rows", "values in " + precision.label()));
    }

    /** Numbers columns globally, and sorts each row by them. */
    private static RowBlock globalRows(CsrMatrix local, long[] globalIndices) {
        long[] rising = globalIndices.clone();
        Arrays.sort(rising);
        RowBlockBuilder builder = new RowBlockBuilder(local.precision(), local.rows(),
                Checks.arrayLength("rows of one rank", local.nonZeros()));
        CsrRowCursor cursor = new CsrRowCursor(local);
        for (int row = 0; row < local.rows(); row++) {
            cursor.moveTo(row);
            int start = cursor.start();
            int[] columns = cursor.columns();
            long[] sorted = new long[cursor.end() - start];
            for (int k = 0; k < sorted.length; k++) {
                int place = Arrays.binarySearch(rising, globalIndices[columns[start + k]]);
                sorted[k] = (long) place << Integer.SIZE | k;
            }
            Arrays.sort(sorted);
            for (long one : sorted) {
                builder.add(rising[(int) (one >> Integer.SIZE)], cursor.value(start + (int) one));
            }
            builder.endRow(globalIndices[row]);
        }
        return builder.build();
    }

    /**
     * Makes a matrix of rows that each rank generates, blocks of consecutive rows. Collective.
     *
     * @param communicator the ranks
     * @param globalRows   the number of rows and columns
     * @param precision    the type of the values
     * @param generator    makes a row
     * @return the matrix
     * @throws IllegalArgumentException if the generator makes a column that does not exist or is out of order
     */
    public static PartitionedMatrix generate(Communicator communicator, long globalRows, Precision precision,
            RowGenerator generator) {
        long[] own = new RowRanges(globalRows, communicator.size()).rows(communicator.rank());
        return generate(communicator, globalRows, precision, generator, own);
    }

    /**
     * Makes a matrix of rows that each rank generates. Collective.
     *
     * @param communicator the ranks
     * @param globalRows   the number of rows and columns
     * @param precision    the type of the values
     * @param generator    makes a row
     * @param own          the rows of this rank
     * @return the matrix
     * @throws IllegalArgumentException if the generator makes a column that does not exist or is out of order, or a row
     *                                  belongs to two ranks or none
     */
    public static PartitionedMatrix generate(Communicator communicator, long globalRows, Precision precision,
            RowGenerator generator, long[] own) {
        RowBlockBuilder builder = new RowBlockBuilder(precision, own.length);
        for (long row : own) {
            generator.fill(row, builder);
            builder.endRow(row);
        }
        return ofRows(communicator, globalRows, builder.build());
    }

    /**
     * Makes a matrix of entries that ranks bring in any order, as shares of one file: blocks of consecutive rows.
     * Collective.
     *
     * @param communicator the ranks
     * @param globalRows   the number of rows and columns
     * @param precision    the type of the values
     * @param entries      this rank's entries; those at the same place are added up
     * @return the matrix
     * @throws IllegalArgumentException if a row or column does not exist
     */
    public static PartitionedMatrix ofEntries(Communicator communicator, long globalRows, Precision precision,
            EntryBatch entries) {
        RowRanges ranges = new RowRanges(globalRows, communicator.size());
        long first = ranges.start(communicator.rank());
        int count = Checks.arrayLength("rows of one rank", ranges.start(communicator.rank() + 1) - first);
        return ofRows(communicator, globalRows,
                entries.sendTo(communicator, ranges).toRows(first, count, precision));
    }

    /**
     * Spreads a matrix that one rank has. Collective.
     *
     * @param communicator the ranks
     * @param root         the rank that has it
     * @param matrix       the matrix on that rank, square; ignored on others
     * @param partition    the rank of each row, on that rank; ignored on others
     * @return the matrix
     * @throws IllegalArgumentException if the matrix is not square, or the partition has another number of rows or of
     *                                  parts than there are ranks
     */
    public static PartitionedMatrix scatter(Communicator communicator, int root, CsrMatrix matrix,
            Partition partition) {
        if (communicator.rank() == root) {
            Checks.length("columns of a matrix to partition", matrix.columns(), matrix.rows());
            Checks.length("rows of the partition", partition.vertices(), matrix.rows());
            Checks.length("number of parts", partition.parts(), communicator.size());
        }
        return RowScatter.run(communicator, root, matrix, partition, RowScatter.MESSAGE_BYTES);
    }

    /**
     * Spreads a matrix that the first rank has by the multilevel partitioner, with parts at most {@value #TOLERANCE}
     * times as large as their mean. Where unknowns come in nodes, as those of elasticity do ({@link NodeBlocks}), no
     * node is divided. Collective.
     *
     * @param communicator the ranks
     * @param matrix       the matrix on rank 0, square; ignored on others, may be null there
     * @return the matrix
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static PartitionedMatrix scatter(Communicator communicator, CsrMatrix matrix) {
        Partition partition = null;
        if (communicator.rank() == 0) {
            Checks.length("columns of a matrix to partition", matrix.columns(), matrix.rows());
            Graph graph = MatrixGraph.of(matrix.rows(), end -> matrix.forEachEntry((row, column, value) -> {
                if (row != column) {
                    end.accept(row, column);
                }
            }));
            partition = Partitioners.named("multilevel").partition(graph, communicator.size(), TOLERANCE);
            int unknowns = NodeBlocks.sizeOf(matrix);
            if (unknowns > 1) {
                int[] rankOf = partition.partOf();
                partition = new Partition(IntStream.range(0, rankOf.length).map(row -> rankOf[row - row % unknowns])
                        .toArray(), partition.parts());
            }
        }
        return scatter(communicator, 0, matrix, partition);
    }

    /**
     * Gives rows to other ranks. Collective.
     *
     * @param newOwners the new rank of each row that this rank owns, in local order
     * @return a new matrix
     * @throws IllegalArgumentException if there is not one owner a row, or an owner is no rank
     */
    public PartitionedMatrix redistribute(int[] newOwners) {
        Checks.length("number of new owners", newOwners.length, rows.rows());
        Packet[] packets = new Packet[communicator.size()];
        for (int row = 0; row < newOwners.length; row++) {
            if (newOwners[row] < 0 || newOwners[row] >= packets.length) {
                throw new IllegalArgumentException("row " + rows.indices()[row] + " is to go to rank " + newOwners[row]
                        + ", expected 0 to " + (packets.length - 1));
            }
            rows.write(row, RowDirectory.packetFor(packets, newOwners[row]));
        }
        RowBlockBuilder builder = new RowBlockBuilder(precision(), rows.rows());
        for (byte[] message : communicator.exchange(RowDirectory.bytes(packets))) {
            builder.addAll(Packet.of(message));
        }
        return ofRows(communicator, globalRows, builder.build());
    }

    /**
     * Gives rows to other ranks so that few neighbours are on different ranks. Collective. The graph of the whole
     * matrix comes together on rank 0, which runs the partitioner: that rank needs about 24 bytes a non-zero of the
     * whole.
     *
     * @param partitioner the method, see {@link org.trellis.mesh.partition.Partitioners}
     * @param tolerance   how much larger than the mean the largest part may be, 1 or more
     * @return a new matrix
     * @throws IllegalArgumentException if the graph does not fit arrays, or the tolerance is less than 1
     * @throws org.trellis.common.BackendUnavailableException if the partitioner cannot be used on rank 0
     */
    public PartitionedMatrix repartition(Partitioner partitioner, double tolerance) {
        return redistribute(GraphPartitioning.newOwners(this, partitioner, tolerance));
    }

    /**
     * Gives rows to other ranks so that few neighbours are on different ranks, by a parallel partitioner. Collective:
     * all ranks divide together, and none has the graph of the whole matrix. Parts may differ from run to run.
     *
     * @param partitioner one that is installed
     * @param tolerance how much larger than the mean the largest part may be, 1 or more
     * @return a new matrix
     * @throws IllegalArgumentException if the tolerance is less than 1, or the matrix has more rows than an array
     * @throws org.trellis.common.BackendUnavailableException if ranks are no processes of MPI, or it is not installed
     *                                                        or was built for another MPI library
     */
    public PartitionedMatrix repartition(ParallelPartitioner partitioner, double tolerance) {
        LocalGraph graph = LocalGraph.of(this);
        return redistribute(partitioner.partition(communicator, graph.offsets(), graph.neighbours(),
                communicator.size(), tolerance));
    }

    /**
     * Returns the ranks.
     *
     * @return the communicator
     */
    public Communicator communicator() {
        return communicator;
    }

    /**
     * Returns the size of the whole matrix.
     *
     * @return the number of rows, which is that of columns
     */
    public long globalRows() {
        return globalRows;
    }

    /**
     * Returns the type of the values.
     *
     * @return the precision
     */
    @Override
    public Precision precision() {
        return rows.precision();
    }

    /**
     * Returns the matrix with values of another type, divided alike. No messages.
     *
     * @param precision the type
     * @return this matrix if it has it, else another one, which shares structure and communicator
     */
    public PartitionedMatrix toPrecision(Precision precision) {
        return precision == precision() ? this : new PartitionedMatrix(this, rows.values().convert(precision));
    }

    /**
     * Returns a multiple of the matrix.
     *
     * @param factor what each entry is multiplied by
     * @return another matrix, which shares structure and communicator
     */
    public PartitionedMatrix scaled(double factor) {
        HostVector values = rows.values();
        return new PartitionedMatrix(this,
                HostVector.of(values.precision(), values.length(), k -> factor * values.get(k)));
    }

    /**
     * Returns the largest magnitude of a finite entry. Collective.
     *
     * @return 0 without entries; the same on all ranks
     */
    public double largestEntry() {
        double[] largest = {0};
        for (int k = 0; k < rows.nonZeros(); k++) {
            double magnitude = Math.abs(rows.values().get(k));
            largest[0] = magnitude < Double.POSITIVE_INFINITY ? Math.max(largest[0], magnitude) : largest[0];
        }
        communicator.allReduce(Reduction.MAX, largest);
        return largest[0];
    }

    /**
     * Returns the rows of this rank.
     *
     * @return all of them in local order, with global columns
     */
    public RowBlock rows() {
        return rows;
    }

    /**
     * Returns how many rows this rank owns.
     *
     * @return at least 0
     */
    @Override
    public int ownedRows() {
        return rows.rows();
    }

    /**
     * Returns how many rows of this rank need its own elements only.
     *
     * @return the number of the first boundary row
     */
    public int interiorRows() {
        return interior;
    }

    /**
     * Returns the local index of a row.
     *
     * @param globalRow its global index
     * @return its local index, or {@link IndexMap#ABSENT} if another rank owns it
     */
    public int localIndex(long globalRow) {
        return ownPlaces.get(globalRow);
    }

    /**
     * Returns who owns what.
     *
     * @return the directory
     */
    public RowDirectory directory() {
        return directory;
    }

    /**
     * Makes a vector of this rank's elements, by their global indices.
     *
     * @param function gives an element
     * @return the owned elements in local order
     */
    public HostVector vector(ElementFunction function) {
        return HostVector.of(precision(), ownedRows(), i -> function.apply(rows.indices()[i]));
    }

    /** Gives an element of a vector. */
    @FunctionalInterface
    public interface ElementFunction {
        /**
         * Gives an element.
         *
         * @param globalIndex its global index
         * @return its value
         */
        double apply(long globalIndex);
    }

    /**
     * Brings a vector together. Collective.
     *
     * @param root  the rank that gets it
     * @param owned the owned elements of each rank, in local order; further elements are ignored
     * @return all elements by their global indices on that rank, a vector of length 0 on others
     * @throws IllegalArgumentException if the whole does not fit an array
     */
    public HostVector gather(int root, HostVector owned) {
        Packet packet = new Packet().put(rows.indices(), 0, ownedRows()).put(owned, 0, ownedRows());
        byte[][] received = communicator.gather(root, packet.toBytes());
        HostVector whole = HostVector.zeros(owned.precision(), communicator.rank() == root
                ? Checks.arrayLength("gathered vector", globalRows)
                : 0);
        for (byte[] message : received) {
            int count = message.length / (Long.BYTES + owned.precision().bytes());
            Packet part = Packet.of(message);
            long[] indices = new long[count];
            HostVector values = HostVector.zeros(owned.precision(), count);
            part.get(indices, 0, count);
            part.get(values, 0, count);
            for (int i = 0; i < count; i++) {
                whole.set((int) indices[i], values.get(i));
            }
        }
        return whole;
    }

    /**
     * Divides a vector that one rank has. Collective; the inverse of {@link #gather}.
     *
     * @param root  the rank that has it
     * @param whole all elements by their global indices on that rank; ignored on others
     * @return the owned elements here, in local order
     * @throws IllegalArgumentException if the vector has another length or precision than the matrix
     */
    public HostVector spread(int root, HostVector whole) {
        byte[][] wanted = communicator.gather(root, new Packet().put(rows.indices(), 0, ownedRows()).toBytes());
        byte[][] answers = new byte[communicator.size()][];
        if (communicator.rank() == root) {
            Checks.length("length of a vector to divide", whole.length(), globalRows);
            if (whole.precision() != precision()) {
                throw new IllegalArgumentException("a vector to divide has precision " + whole.precision().label()
                        + ", expected that of the matrix, " + precision().label());
            }
            for (int rank = 0; rank < answers.length; rank++) {
                Packet indices = Packet.of(wanted[rank]);
                Packet answer = new Packet();
                while (indices.hasMore()) {
                    answer.put(whole, (int) indices.getLong(), 1);
                }
                answers[rank] = answer.toBytes();
            }
        }
        HostVector owned = HostVector.zeros(precision(), ownedRows());
        Packet.of(communicator.exchange(answers)[root]).get(owned, 0, ownedRows());
        return owned;
    }

    /**
     * Moves a vector from another distribution of the same rows to this one. Collective; three exchanges.
     *
     * @param from  the matrix whose rows its elements belong to
     * @param owned the owned elements there, in local order
     * @return the owned elements here, in local order
     * @throws IllegalArgumentException if the matrices have different sizes
     */
    public HostVector bring(PartitionedMatrix from, HostVector owned) {
        if (from.globalRows != globalRows) {
            throw new IllegalArgumentException("a vector of a matrix of " + from.globalRows
                    + " rows is to be moved to one of " + globalRows + ", expected as many");
        }
        RowDirectory.Locations goal = directory.find(from.rows.indices());
        Packet[] packets = new Packet[communicator.size()];
        for (int i = 0; i < goal.owners().length; i++) {
            RowDirectory.packetFor(packets, goal.owners()[i]).put(goal.places()[i]).put(owned, i, 1);
        }
        HostVector moved = HostVector.zeros(owned.precision(), ownedRows());
        for (byte[] message : communicator.exchange(RowDirectory.bytes(packets))) {
            Packet packet = Packet.of(message);
            while (packet.hasMore()) {
                packet.get(moved, packet.getInt(), 1);
            }
        }
        return moved;
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public Prepared prepare(SystemSettings settings) {
        return ServiceLoader.load(SolverProvider.class, SolverProvider.class.getClassLoader()).findFirst()
                .orElseThrow(
                        () -> new IllegalStateException("no " + SolverProvider.class.getName() + " among the services"))
                .prepare(this, settings);
    }

    @Override
    public String toString() {
        return "rank " + communicator.rank() + "'s " + rows + " of a matrix of " + globalRows + " x " + globalRows
                + ", " + interior + " of them interior";
    }
}
