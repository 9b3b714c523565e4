package org.trellis.distributed.mesh;

import java.util.Arrays;
import org.trellis.distributed.communicate.Packet;
import org.trellis.mesh.MeshMap;

/** The rows of a map that a rank has, for the first elements of {@link ShareElements}, with the user's numbers. */
final class ShareRows {
    private final MeshMap map;
    private int[] offsets = new int[64];
    private int[] targets = new int[64];
    private int count;
    private int asked;
    private int since;

    ShareRows(MeshMap map) {
        this.map = map;
    }

    MeshMap map() {
        return map;
    }

    int count() {
        return count;
    }

    int start(int row) {
        return offsets[row];
    }

    int target(int place) {
        return targets[place];
    }

    /** Returns up to where elements have been asked for who leads to them; from now on up to another place. */
    int asked(int end) {
        int before = asked;
        asked = end;
        return before;
    }

    /** Begins to read more rows. */
    void begin() {
        since = offsets[count];
    }

    /** Reads the next row. */
    void read(Packet packet) {
        int length = packet.getInt();
        int at = offsets[count];
        if (at + length > targets.length) {
            targets = Arrays.copyOf(targets, Math.max(2 * targets.length, at + length));
        }
        for (int i = 0; i < length; i++) {
            targets[at + i] = packet.getInt();
        }
        count++;
        if (count == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * count);
        }
        offsets[count] = at + length;
    }

    /** The targets of the rows that were read last; a new array. */
    int[] targetsSince() {
        return Arrays.copyOfRange(targets, since, offsets[count]);
    }
}
