package org.trellis.distributed.halo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.partitioned.IndexMap;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.partitioned.RowBlockBuilder;
import org.trellis.distributed.partitioned.RowDirectory;
import org.trellis.memory.HostVector;

/**
 * Finds the rings by following dependencies, ring by ring: the columns of the rows so far that are not there yet are
 * the next ring; the directory says whose they are; their owners are asked to send them from then on and, unless the
 * ring is the last, for their rows once. Takes four exchanges a ring between the ranks concerned. No rank sees more of
 * the graph than the rows that it will multiply.
 */
final class HaloPlanBuilder {
    private final PartitionedMatrix matrix;
    private final Communicator communicator;
    private final int rings;
    /** Global indices of local elements: owned first, then ring by ring. */
    private final IndexMap local;
    /** The number of local elements up to each ring; those owned at 0. */
    private final int[] ends;
    private final List<RowBlock> blocks = new ArrayList<>();
    private final TreeMap<Integer, ReceiveList> receives = new TreeMap<>();
    private final TreeMap<Integer, List<int[]>> sends = new TreeMap<>();

    HaloPlanBuilder(PartitionedMatrix matrix, int rings) {
        this.matrix = matrix;
        this.communicator = matrix.communicator();
        this.rings = rings;
        this.local = new IndexMap(2 * matrix.ownedRows());
        for (long index : matrix.rows().indices()) {
            local.add(index);
        }
        this.ends = new int[rings + 1];
        ends[0] = local.size();
        blocks.add(matrix.rows());
    }

    void run() {
        for (int ring = 1; ring <= rings; ring++) {
            long[] found = missingColumns(blocks.getLast(), ring == 1 ? matrix.interiorRows() : 0);
            RowDirectory.Locations where = matrix.directory().find(found);
            Packet[] wishes = new Packet[communicator.size()];
            for (int i : byOwnerAndPlace(where)) {
                local.add(found[i]);
                int owner = where.owners()[i];
                if (wishes[owner] == null) {
                    wishes[owner] = new Packet();
                }
                wishes[owner].put(where.places()[i]);
                countReceive(owner, ring);
            }
            ends[ring] = local.size();
            byte[][] asked = communicator.exchange(bytes(wishes));
            byte[][] answers = new byte[asked.length][];
            for (int from = 0; from < asked.length; from++) {
                answers[from] = promise(from, ring, asked[from]);
            }
            if (ring < rings) {
                RowBlockBuilder builder = new RowBlockBuilder(matrix.precision(), found.length);
                for (byte[] message : communicator.exchange(answers)) {
                    builder.addAll(Packet.of(message));
                }
                blocks.add(builder.build());
            }
        }
    }

    private static byte[][] bytes(Packet[] packets) {
        byte[][] messages = new byte[packets.length][];
        for (int rank = 0; rank < packets.length; rank++) {
            messages[rank] = packets[rank] == null ? null : packets[rank].toBytes();
        }
        return messages;
    }

    private long[] missingColumns(RowBlock rows, int firstRow) {
        IndexMap missing = new IndexMap(rows.rows() - firstRow);
        for (int k = rows.offsets()[firstRow]; k < rows.nonZeros(); k++) {
            if (local.get(rows.columns()[k]) == IndexMap.ABSENT) {
                missing.add(rows.columns()[k]);
            }
        }
        long[] found = new long[missing.size()];
        Arrays.setAll(found, missing::index);
        return found;
    }

    /** Returns the order in which the neighbours have their elements, one neighbour after another. */
    private static int[] byOwnerAndPlace(RowDirectory.Locations where) {
        Integer[] order = new Integer[where.owners().length];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, (a, b) -> where.owners()[a] == where.owners()[b]
                ? Integer.compare(where.places()[a], where.places()[b])
                : Integer.compare(where.owners()[a], where.owners()[b]));
        return Arrays.stream(order).mapToInt(Integer::intValue).toArray();
    }

    private void countReceive(int owner, int ring) {
        ReceiveList list = receives.computeIfAbsent(owner, o -> new ReceiveList(o, new int[rings], new int[rings]));
        if (list.counts()[ring - 1]++ == 0) {
            list.starts()[ring - 1] = local.size() - 1;
        }
    }

    /** Notes what a neighbour wants from now on, and returns the rows that it needs once. */
    private byte[] promise(int from, int ring, byte[] wish) {
        Packet wishes = Packet.of(wish);
        int[] places = new int[wish.length / Integer.BYTES];
        Arrays.setAll(places, i -> wishes.getInt());
        if (places.length == 0) {
            return null;
        }
        List<int[]> list = sends.computeIfAbsent(from, f -> new ArrayList<>());
        while (list.size() < ring - 1) {
            list.add(new int[0]);
        }
        list.add(places);
        if (ring == rings) {
            return null;
        }
        Packet rows = new Packet();
        for (int place : places) {
            matrix.rows().write(place, rows);
        }
        return rows.toBytes();
    }

    int[] ends() {
        return ends;
    }

    long[] globalIndices() {
        long[] indices = new long[local.size()];
        Arrays.setAll(indices, local::index);
        return indices;
    }

    List<ReceiveList> receives() {
        return List.copyOf(receives.values());
    }

    List<SendList> sends() {
        List<SendList> lists = new ArrayList<>();
        sends.forEach((rank, parts) -> {
            int[] offsets = new int[rings + 1];
            for (int ring = 0; ring < rings; ring++) {
                offsets[ring + 1] = offsets[ring] + (ring < parts.size() ? parts.get(ring).length : 0);
            }
            int[] places = parts.stream().flatMapToInt(Arrays::stream).toArray();
            lists.add(new SendList(rank, places, offsets));
        });
        return lists;
    }

    /** Returns the entries of each ring but the last; owned rows at 0. */
    long[] nonZeros() {
        return blocks.stream().mapToLong(RowBlock::nonZeros).toArray();
    }

    LocalRows localRows() {
        long entries = blocks.stream().mapToLong(RowBlock::nonZeros).sum();
        int count = Checks.arrayLength("rows of one rank and its rings", entries);
        int[] offsets = new int[ends[rings - 1] + 1];
        int[] columns = new int[count];
        HostVector values = HostVector.zeros(matrix.precision(), count);
        int row = 0;
        int at = 0;
        for (RowBlock block : blocks) {
            for (int k = 0; k < block.nonZeros(); k++) {
                columns[at + k] = local.get(block.columns()[k]);
            }
            block.values().copyRange(0, values, at, block.nonZeros());
            for (int i = 0; i < block.rows(); i++) {
                offsets[++row] = at + block.offsets()[i + 1];
            }
            at += block.nonZeros();
        }
        return new LocalRows(offsets, columns, values);
    }
}
