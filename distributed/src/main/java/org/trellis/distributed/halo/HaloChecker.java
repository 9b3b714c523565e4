package org.trellis.distributed.halo;

import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;

/**
 * Proves a plan by brute force: every rank gets the whole matrix and computes the rings from their definition. For
 * small matrices only: takes memory for all of it on every rank.
 */
public final class HaloChecker {
    private final HaloPlan plan;
    private final PartitionedMatrix matrix;
    private final Communicator communicator;
    /** The whole matrix: place in the block of each row. */
    private final Map<Long, Integer> placeOf = new HashMap<>();
    /** The rank that owns each row, and its local index there. */
    private final Map<Long, int[]> ownerOf = new HashMap<>();
    private RowBlock whole;

    private HaloChecker(HaloPlan plan) {
        this.plan = plan;
        this.matrix = plan.matrix();
        this.communicator = matrix.communicator();
    }

    /**
     * Checks a plan. Collective.
     *
     * @param plan the plan
     * @return the first thing that is wrong on this rank, or empty
     */
    public static Optional<String> firstViolation(HaloPlan plan) {
        HaloChecker checker = new HaloChecker(plan);
        checker.collect();
        Optional<String> found = checker.checkRings().or(checker::checkNumbering).or(checker::checkRows);
        // Collective, so that it runs whatever was found before.
        Optional<String> messages = checker.checkMessages();
        return found.or(() -> messages);
    }

    private void collect() {
        Packet own = new Packet();
        for (int row = 0; row < matrix.ownedRows(); row++) {
            matrix.rows().write(row, own);
        }
        byte[][] messages = new byte[communicator.size()][];
        Arrays.fill(messages, own.toBytes());
        RowBlockBuilder builder = new RowBlockBuilder(matrix.precision(), 0);
        byte[][] received = communicator.exchange(messages);
        for (int rank = 0; rank < received.length; rank++) {
            RowBlockBuilder part = new RowBlockBuilder(matrix.precision(), 0).addAll(Packet.of(received[rank]));
            RowBlock rows = part.build();
            for (int i = 0; i < rows.rows(); i++) {
                ownerOf.put(rows.indices()[i], new int[]{rank, i});
                placeOf.put(rows.indices()[i], placeOf.size());
                builder.addRow(rows, i);
            }
        }
        whole = builder.build();
    }

    /** S₍ᵣ₎ is S₍ᵣ₋₁₎ and all columns of its rows. */
    private Optional<String> checkRings() {
        Set<Long> expected = new HashSet<>();
        for (long index : matrix.rows().indices()) {
            expected.add(index);
        }
        for (int ring = 0; ring <= plan.rings(); ring++) {
            Set<Long> planned = new HashSet<>();
            for (int i = 0; i < plan.rowsWithin(ring); i++) {
                planned.add(plan.globalIndex(i));
            }
            if (planned.size() != plan.rowsWithin(ring) || !planned.equals(expected)) {
                return Optional.of("rank " + communicator.rank() + " has " + plan.rowsWithin(ring)
                        + " elements within ring " + ring + ", expected " + expected.size() + ": " + expected);
            }
            Set<Long> next = new HashSet<>(expected);
            for (long row : expected) {
                int place = placeOf.get(row);
                for (int k = whole.offsets()[place]; k < whole.offsets()[place + 1]; k++) {
                    next.add(whole.columns()[k]);
                }
            }
            expected = next;
        }
        return Optional.empty();
    }

    /** Within a ring: by owner, then by the owner's numbers. Interior rows have own columns only, boundary rows not. */
    private Optional<String> checkNumbering() {
        for (int ring = 1; ring <= plan.rings(); ring++) {
            for (int i = plan.rowsWithin(ring - 1) + 1; i < plan.rowsWithin(ring); i++) {
                int[] before = ownerOf.get(plan.globalIndex(i - 1));
                int[] here = ownerOf.get(plan.globalIndex(i));
                if (Arrays.compare(before, here) >= 0) {
                    return Optional.of("rank " + communicator.rank() + ": element " + i + " of ring " + ring
                            + " is number " + here[1] + " of rank " + here[0] + ", expected more than number "
                            + before[1] + " of rank " + before[0]);
                }
            }
        }
        for (int row = 0; row < matrix.ownedRows(); row++) {
            boolean inside = true;
            for (int k = matrix.rows().offsets()[row]; k < matrix.rows().offsets()[row + 1]; k++) {
                inside &= ownerOf.get(matrix.rows().columns()[k])[0] == communicator.rank();
            }
            if (inside != row < matrix.interiorRows()) {
                return Optional.of("rank " + communicator.rank() + ": row " + row + " is "
                        + (inside ? "interior" : "boundary") + ", and the first " + matrix.interiorRows()
                        + " are to be interior");
            }
        }
        return Optional.empty();
    }

    private Optional<String> checkRows() {
        LocalRows rows = plan.localRows();
        if (rows.rows() != plan.rowsWithin(plan.rings() - 1)) {
            return Optional.of("rank " + communicator.rank() + " multiplies " + rows.rows() + " rows, expected "
                    + plan.rowsWithin(plan.rings() - 1));
        }
        for (int row = 0; row < rows.rows(); row++) {
            int place = placeOf.get(plan.globalIndex(row));
            int from = whole.offsets()[place];
            int count = whole.offsets()[place + 1] - from;
            boolean same = rows.offsets()[row + 1] - rows.offsets()[row] == count;
            for (int k = 0; same && k < count; k++) {
                int at = rows.offsets()[row] + k;
                same = plan.globalIndex(rows.columns()[at]) == whole.columns()[from + k]
                        && rows.values().get(at) == whole.values().get(from + k);
            }
            if (!same) {
                return Optional.of("rank " + communicator.rank() + ": local row " + row + " differs from row "
                        + plan.globalIndex(row) + " of the matrix");
            }
        }
        return Optional.empty();
    }

    /** What is sent is, element by element, what the receiver expects. */
    private Optional<String> checkMessages() {
        byte[][] announced = new byte[communicator.size()][];
        for (SendList list : plan.sends()) {
            Packet packet = new Packet();
            for (int ring = 1; ring <= plan.rings(); ring++) {
                for (int i = list.offsets()[ring - 1]; i < list.offsets()[ring]; i++) {
                    packet.put(ring).put(matrix.rows().indices()[list.places()[i]]);
                }
            }
            announced[list.rank()] = packet.toBytes();
        }
        byte[][] received = communicator.exchange(announced);
        for (ReceiveList list : plan.receives()) {
            Packet packet = Packet.of(received[list.rank()]);
            received[list.rank()] = new byte[0];
            for (int ring = 1; ring <= plan.rings(); ring++) {
                for (int i = 0; i < list.counts()[ring - 1]; i++) {
                    long expected = plan.globalIndex(list.starts()[ring - 1] + i);
                    if (!packet.hasMore() || packet.getInt() != ring || packet.getLong() != expected) {
                        return Optional.of("rank " + communicator.rank() + " expects row " + expected + " of ring "
                                + ring + " from rank " + list.rank() + ", which sends something else");
                    }
                }
            }
            if (packet.hasMore()) {
                return Optional.of("rank " + list.rank() + " sends rank " + communicator.rank()
                        + " more than it expects");
            }
        }
        for (int from = 0; from < received.length; from++) {
            if (received[from].length > 0) {
                return Optional.of("rank " + from + " sends to rank " + communicator.rank()
                        + ", which expects nothing");
            }
        }
        return Optional.empty();
    }
}
