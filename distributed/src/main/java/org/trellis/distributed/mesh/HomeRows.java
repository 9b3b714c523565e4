package org.trellis.distributed.mesh;

import java.util.Arrays;
import java.util.Optional;
import org.trellis.distributed.communicate.Packet;
import org.trellis.mesh.BroughtRows;
import org.trellis.mesh.MeshMap;

/** The rows of a map whose elements are at home here, in the user's numbering. */
final class HomeRows {
    private final MeshMap map;
    private final int first;
    private final int[] offsets;
    private final int[] targets;

    private HomeRows(MeshMap map, int first, int[] offsets, int[] targets) {
        this.map = map;
        this.first = first;
        this.offsets = offsets;
        this.targets = targets;
    }

    /** Brings rows home. Called by all ranks. */
    static HomeRows of(MeshMap map, Homes homes) {
        Optional<BroughtRows> brought = map.brought();
        return brought.isPresent() ? gathered(map, brought.get(), homes) : cut(map, homes);
    }

    /** Every rank has the whole map, of which it keeps what is at home. */
    private static HomeRows cut(MeshMap map, Homes homes) {
        int first = homes.first(map.from());
        int rows = homes.end(map.from()) - first;
        int[] all = map.toArray();
        int[] starts = map.rowOffsets();
        int[] offsets = new int[rows + 1];
        int begin = starts == null ? first * map.arity() : starts[first];
        for (int row = 0; row <= rows; row++) {
            offsets[row] = (starts == null ? (first + row) * map.arity() : starts[first + row]) - begin;
        }
        return new HomeRows(map, first, offsets, Arrays.copyOfRange(all, begin, begin + offsets[rows]));
    }

    private static HomeRows gathered(MeshMap map, BroughtRows brought, Homes homes) {
        HomeMail mail = new HomeMail(homes.communicator());
        for (int row = 0; row < brought.elements().length; row++) {
            int start = brought.start(row, map.arity());
            int count = brought.start(row + 1, map.arity()) - start;
            Packet packet = mail.to(homes.of(map.from(), brought.elements()[row]));
            packet.put(brought.elements()[row]).put(count);
            for (int p = start; p < start + count; p++) {
                packet.put(brought.targets()[p]);
            }
        }
        byte[][] received = mail.sendBytes();
        int first = homes.first(map.from());
        HomeCheck check = new HomeCheck(map.toString(), map.from(), homes);
        int[] offsets = new int[homes.end(map.from()) - first + 1];
        for (int rank = 0; rank < received.length; rank++) {
            for (Packet packet = Packet.of(received[rank]); packet.hasMore();) {
                int element = packet.getInt();
                check.brought(element, rank);
                offsets[element - first + 1] = packet.getInt();
                skip(packet, offsets[element - first + 1]);
            }
        }
        check.run();
        Arrays.parallelPrefix(offsets, Math::addExact);
        int[] targets = new int[offsets[offsets.length - 1]];
        for (byte[] bytes : received) {
            for (Packet packet = Packet.of(bytes); packet.hasMore();) {
                int at = offsets[packet.getInt() - first];
                for (int count = packet.getInt(); count > 0; count--) {
                    targets[at++] = packet.getInt();
                }
            }
        }
        return new HomeRows(map, first, offsets, targets);
    }

    private static void skip(Packet packet, int numbers) {
        for (int i = 0; i < numbers; i++) {
            packet.getInt();
        }
    }

    MeshMap map() {
        return map;
    }

    /** The number of rows. */
    int rows() {
        return offsets.length - 1;
    }

    /** The element of a row. */
    int element(int row) {
        return first + row;
    }

    /** Where the targets of a row start. */
    int start(int row) {
        return offsets[row];
    }

    /** The targets of all rows; the array itself. */
    int[] targets() {
        return targets;
    }

    /** Takes each element that is at home here with each of its targets. */
    void each(MapRows.Pair pair) {
        for (int row = 0; row < rows(); row++) {
            for (int p = offsets[row]; p < offsets[row + 1]; p++) {
                pair.take(first + row, targets[p]);
            }
        }
    }

    /** Writes the row of an element: its length and its targets. */
    void write(int element, Packet packet) {
        int row = element - first;
        packet.put(offsets[row + 1] - offsets[row]);
        for (int p = offsets[row]; p < offsets[row + 1]; p++) {
            packet.put(targets[p]);
        }
    }
}
