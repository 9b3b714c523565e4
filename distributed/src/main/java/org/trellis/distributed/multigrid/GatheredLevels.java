package org.trellis.distributed.multigrid;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;
import org.trellis.memory.HostVector;
import org.trellis.solve.multigrid.CoarseningOptions;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.solve.multigrid.SetupPhase;
import org.trellis.solve.multigrid.StrengthMeasure;
import org.trellis.solve.multigrid.StrengthOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseMatrix;

/**
 * Levels that the device of the first rank sets up for all ranks: the matrix is gathered there, and rows of divided
 * levels and transfers are dealt out. Levels that the first rank has alone may stay on its device. A row of a coarse
 * level belongs to the rank of the first row that it is restricted from.
 */
final class GatheredLevels implements AutoCloseable {
    private final Communicator communicator;
    private final CoarseningOptions options;
    private final int rowsPerRank;
    private final boolean staying;
    private final RankDevices place;
    private final RowGathering rows;
    private final int size;
    /** Rows of a node of coarse levels. */
    private int unknowns = 1;
    private PhaseTimes times = new PhaseTimes();
    /** On the first rank, else null. */
    private Hierarchy hierarchy;
    /** One that a refresh has replaced and whose levels may still be in use, or null. */
    private Hierarchy replaced;
    private Outline outline;

    /**
     * Prepares a set-up.
     *
     * @param communicator the ranks
     * @param options      how levels are made; by independent sets where there are aggregates
     * @param rowsPerRank  a level has no more ranks than it has so many rows
     * @param staying      whether levels that the first rank has alone stay on its device
     * @param place        where this rank is
     */
    GatheredLevels(Communicator communicator, CoarseningOptions options, int rowsPerRank, boolean staying,
            RankDevices place) {
        this.communicator = communicator;
        this.options = options.parallel(true);
        this.rowsPerRank = rowsPerRank;
        this.staying = staying;
        this.place = place;
        this.rows = new RowGathering(communicator);
        this.size = communicator.size();
    }

    /**
     * What all ranks know of the levels.
     *
     * @param rows      of each level
     * @param nonZeros  of each level
     * @param ranks     how many have rows of each level
     * @param radii     ρ(D⁻¹A), or not a number
     * @param strength  which couplings counted
     * @param symmetric whether all are symmetric
     * @param remarks   what was noticed
     */
    record Outline(long[] rows, long[] nonZeros, long[] ranks, double[] radii, StrengthOptions strength,
            boolean symmetric, List<String> remarks) {
        int levels() {
            return rows.length;
        }

        private byte[] toBytes() {
            List<String> lines = new ArrayList<>(remarks);
            lines.addFirst(strength.measure().label());
            byte[] words = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
            Packet packet = new Packet().put(rows.length).put(rows, 0, rows.length).put(nonZeros, 0, rows.length)
                    .put(ranks, 0, rows.length).put(HostVector.of(radii), 0, rows.length)
                    .put(Double.doubleToRawLongBits(strength.theta())).put(symmetric ? 1 : 0).put(words.length);
            for (byte word : words) {
                packet.put((int) word);
            }
            return packet.toBytes();
        }

        private static Outline of(byte[] bytes) {
            Packet packet = Packet.of(bytes);
            int levels = packet.getInt();
            long[][] numbers = new long[3][levels];
            for (long[] one : numbers) {
                packet.get(one, 0, levels);
            }
            HostVector radii = HostVector.zeros(Precision.F64, levels);
            packet.get(radii, 0, levels);
            double theta = Double.longBitsToDouble(packet.getLong());
            boolean symmetric = packet.getInt() == 1;
            byte[] words = new byte[packet.getInt()];
            for (int i = 0; i < words.length; i++) {
                words[i] = (byte) packet.getInt();
            }
            List<String> lines = List.of(new String(words, StandardCharsets.UTF_8).split("\n"));
            return new Outline(numbers[0], numbers[1], numbers[2], radii.toDoubleArray(),
                    new StrengthOptions(StrengthMeasure.of(lines.getFirst()), theta), symmetric,
                    lines.subList(1, lines.size()));
        }
    }

    private boolean isFirst() {
        return communicator.rank() == 0;
    }

    /**
     * Sets the levels up. Collective.
     *
     * @param matrix the finest matrix
     * @param space  its near null space, or null for constants
     * @return the levels, finest first
     */
    List<RankHierarchy.Level> run(PartitionedMatrix matrix, RankSpace space) {
        long began = System.nanoTime();
        NearNullSpace whole = space == null ? null : gather(matrix, space);
        unknowns = space == null ? 1 : space.count();
        CsrMatrix gathered = rows.gather(matrix.rows(), Math.toIntExact(matrix.globalRows()));
        times.add(SetupPhase.TRANSFER, began);
        if (isFirst()) {
            hierarchy = Hierarchy.onBackend(gathered, whole, options, place.backend());
        }
        return divide(matrix);
    }

    private NearNullSpace gather(PartitionedMatrix matrix, RankSpace space) {
        double[][] vectors = new double[space.count()][];
        for (int v = 0; v < vectors.length; v++) {
            vectors[v] = matrix.gather(0, HostVector.of(space.vector(v))).toDoubleArray();
        }
        return isFirst() ? NearNullSpace.given(space.blockSize(), vectors) : null;
    }

    /**
     * Sets the same levels up for other values. Collective. Those of before stay until {@link #forget}.
     *
     * @param matrix the finest matrix, of the same structure and distribution
     * @return the levels, finest first
     */
    List<RankHierarchy.Level> refresh(PartitionedMatrix matrix) {
        times = new PhaseTimes();
        long began = System.nanoTime();
        CsrMatrix gathered = rows.gather(matrix.rows(), Math.toIntExact(matrix.globalRows()));
        times.add(SetupPhase.TRANSFER, began);
        forget();
        if (isFirst()) {
            Hierarchy next = hierarchy.refreshed(gathered);
            replaced = hierarchy;
            hierarchy = next;
        }
        return divide(matrix);
    }

    /** Gives back the levels that a refresh has replaced. */
    void forget() {
        if (replaced != null) {
            replaced.closeLevels();
            replaced = null;
        }
    }

    private Outline look() {
        int levels = hierarchy.size();
        long[] count = new long[levels];
        long[] entries = new long[levels];
        long[] ranks = new long[levels];
        double[] radii = new double[levels];
        for (int l = 0; l < levels; l++) {
            SparseMatrix matrix = hierarchy.level(l).stored();
            count[l] = matrix.rows();
            entries[l] = matrix.nonZeros();
            radii[l] = hierarchy.radius(l);
            long enough = count[l] <= options.coarseRows() ? 1 : Math.ceilDiv(count[l], (long) rowsPerRank);
            ranks[l] = l == 0 ? size : Math.min(ranks[l - 1], enough);
        }
        return new Outline(count, entries, ranks, radii, hierarchy.strength().orElseThrow(),
                hierarchy.knownSymmetric(), hierarchy.remarks());
    }

    /** Returns the first of the levels that stay on the device of the first rank; that behind the last if none do. */
    private int firstStaying() {
        int first = outline.levels();
        while (staying && first > 0 && outline.ranks()[first - 1] == 1) {
            first--;
        }
        return first;
    }

    /** Deals out what the ranks have of the levels. */
    private List<RankHierarchy.Level> divide(PartitionedMatrix matrix) {
        outline = Outline.of(communicator.broadcast(0, isFirst() ? look().toBytes() : new byte[0]));
        long began = System.nanoTime();
        List<RankHierarchy.Level> levels = new ArrayList<>();
        int first = firstStaying();
        PartitionedMatrix a = matrix;
        int[][] owned = owned(matrix);
        for (int l = 0; l < outline.levels(); l++) {
            if (l >= first || l == outline.levels() - 1) {
                levels.add(new RankHierarchy.Level(a, null, null, null, outline.radii()[l]));
                a = l + 1 < outline.levels() ? empty(l + 1, a.precision()) : a;
                continue;
            }
            Optional<CsrMatrix> restriction =
                    isFirst() ? hierarchy.level(l).restriction() : Optional.empty();
            int[][] coarse = isFirst() ? coarse(restriction.orElseThrow(), owned, outline.ranks()[l + 1]) : null;
            long[] own = mine(coarse);
            RowBlock p = rows.scatter(isFirst() ? hierarchy.level(l).prolongation().orElseThrow() : null, owned,
                    a.rows().indices(), a.precision());
            PartitionedMatrix next = l + 1 >= first
                    ? empty(l + 1, a.precision())
                    : PartitionedMatrix.ofRows(communicator, outline.rows()[l + 1], rows.scatter(
                            isFirst() ? hierarchy.level(l + 1).matrix() : null, coarse, own, a.precision()));
            owned = owned(next);
            RowBlock r = rows.scatter(restriction.orElse(null), owned, next.rows().indices(), a.precision());
            levels.add(new RankHierarchy.Level(a, null, p, r, outline.radii()[l]));
            a = next;
        }
        times.add(SetupPhase.TRANSFER, began);
        return levels;
    }

    /** Returns the rows of each rank in their local order on the first rank, null on others. */
    static int[][] owned(PartitionedMatrix matrix) {
        long[] indices = matrix.rows().indices();
        byte[][] all = matrix.communicator().gather(0, new Packet().put(indices, 0, indices.length).toBytes());
        if (matrix.communicator().rank() > 0) {
            return null;
        }
        int[][] owned = new int[all.length][];
        for (int rank = 0; rank < owned.length; rank++) {
            Packet packet = Packet.of(all[rank]);
            owned[rank] = new int[all[rank].length / Long.BYTES];
            for (int row = 0; row < owned[rank].length; row++) {
                owned[rank][row] = (int) packet.getLong();
            }
        }
        return owned;
    }

    /** Gives rows of a next level to some of the ranks, those of a node to one. */
    private int[][] coarse(CsrMatrix restriction, int[][] owned, long ranks) {
        int[] ownerOf = new int[restriction.columns()];
        for (int rank = 0; rank < size; rank++) {
            for (int row : owned[rank]) {
                ownerOf[row] = rank;
            }
        }
        int[] offsets = restriction.onlySegment().rowOffsets();
        int[] columns = restriction.onlySegment().columnIndices();
        int[] owner = new int[restriction.rows()];
        int from = 0;
        for (int row = 0; row < owner.length; row++) {
            if (row % unknowns == 0 && offsets[row] < offsets[row + 1]) {
                from = ownerOf[columns[offsets[row]]];
            }
            owner[row] = Math.ceilDiv((int) ((long) from * ranks / size) * size, (int) ranks);
        }
        int[][] rowsOf = new int[size][];
        Arrays.setAll(rowsOf, rank -> IntStream.range(0, owner.length).filter(row -> owner[row] == rank).toArray());
        return rowsOf;
    }

    /** Sends each rank its rows. */
    private long[] mine(int[][] rowsOf) {
        byte[][] messages = new byte[size][];
        if (rowsOf != null) {
            Arrays.setAll(messages,
                    rank -> new Packet().put(rowsOf[rank], 0, rowsOf[rank].length).toBytes());
        }
        byte[] message = communicator.exchange(messages)[0];
        int[] own = new int[message.length / Integer.BYTES];
        Packet.of(message).get(own, 0, own.length);
        return Arrays.stream(own).asLongStream().toArray();
    }

    /** Makes a matrix without entries, whose rows the first rank has: the place of a level that stays on its device. */
    private PartitionedMatrix empty(int level, Precision precision) {
        int count = isFirst() ? Math.toIntExact(outline.rows()[level]) : 0;
        RowBlockBuilder builder = new RowBlockBuilder(precision, count, 0);
        for (int row = 0; row < count; row++) {
            builder.endRow(row);
        }
        return PartitionedMatrix.ofRows(communicator, outline.rows()[level], builder.build());
    }

    /**
     * Brings a level that stays on the device of the first rank to its host. Collective.
     *
     * @param level its number
     * @param place the matrix without entries that stands for it, or that of a finest level
     * @return the level with matrix and transfers
     */
    RankHierarchy.Level bring(int level, PartitionedMatrix place) {
        int[][] owned = owned(place);
        long[] indices = place.rows().indices();
        PartitionedMatrix matrix = level == 0
                ? place
                : PartitionedMatrix.ofRows(communicator, outline.rows()[level], rows.scatter(
                        isFirst() ? hierarchy.level(level).matrix() : null, owned, indices, place.precision()));
        if (level == outline.levels() - 1) {
            return new RankHierarchy.Level(matrix, null, null, null, outline.radii()[level]);
        }
        CsrMatrix p = isFirst() ? hierarchy.level(level).prolongation().orElseThrow() : null;
        CsrMatrix r = isFirst() ? hierarchy.level(level).restriction().orElseThrow() : null;
        PartitionedMatrix next = empty(level + 1, place.precision());
        return new RankHierarchy.Level(matrix, null, rows.scatter(p, owned, indices, place.precision()),
                rows.scatter(r, owned(next), next.rows().indices(), place.precision()), outline.radii()[level]);
    }

    /** Returns what all ranks know. */
    Outline outline() {
        return outline;
    }

    /** Says whether a level stays on the device of the first rank. */
    boolean stays(int level) {
        return level >= firstStaying();
    }

    /** Returns the last levels where the device of the first rank has them; empty on other ranks. */
    Optional<Hierarchy> from(int level) {
        return Optional.ofNullable(hierarchy).map(all -> all.from(level));
    }

    /** Returns the seconds of each phase on this rank. */
    Map<SetupPhase, Double> seconds() {
        Map<SetupPhase, Double> seconds = new EnumMap<>(times.seconds());
        if (hierarchy != null) {
            hierarchy.setupSeconds().forEach((phase, time) -> seconds.merge(phase, time, Double::sum));
        }
        return seconds;
    }

    @Override
    public void close() {
        forget();
        if (hierarchy != null) {
            hierarchy.close();
            hierarchy = null;
        }
    }
}
