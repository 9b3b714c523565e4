package org.trellis.distributed.mesh;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.mesh.MeshMap;

/**
 * The rows of a map that a rank has, for the first elements of {@link LocalElements}. Targets come with the user's
 * numbers, and become places among the elements of their set.
 */
final class LocalMapRows {
    private final MeshMap map;
    /** Where rows start; null if all have as many targets. */
    private int[] offsets;
    private int[] targets = new int[64];
    private int count;
    private int end;
    private int numbered;
    private int asked;

    LocalMapRows(MeshMap map) {
        this.map = map;
        this.offsets = map.arity() == MeshMap.VARIABLE ? new int[64] : null;
    }

    MeshMap map() {
        return map;
    }

    int count() {
        return count;
    }

    int start(int row) {
        return offsets == null ? row * map.arity() : offsets[row];
    }

    /** A target's place among the elements of its set. */
    int target(int place) {
        return targets[place];
    }

    /** Returns up to where elements have been asked for who leads to them; from now on up to another place. */
    int asked(int until) {
        int before = asked;
        asked = until;
        return before;
    }

    /** Expects so many more rows of a map whose rows have as many targets, so that memory is taken once. */
    void expect(int rows) {
        if (offsets == null) {
            reserve((long) rows * map.arity());
        }
    }

    private void reserve(long more) {
        if (end + more > targets.length) {
            targets = Arrays.copyOf(targets, Checks.arrayLength("targets of " + map, end + more));
        }
    }

    /** Reads rows from a place of a message; returns the place behind them. */
    int read(int[] message, int from, int rows) {
        if (offsets == null) {
            return from + take(message, from, rows * map.arity(), rows);
        }
        int at = from;
        for (int row = 0; row < rows; row++) {
            if (count + 1 == offsets.length) {
                offsets = Arrays.copyOf(offsets, 2 * offsets.length);
            }
            int length = message[at];
            at += 1 + take(message, at + 1, length, 1);
            offsets[count] = end;
        }
        return at;
    }

    private int take(int[] message, int from, int length, int rows) {
        if (end + length > targets.length) {
            reserve(Math.max(length, targets.length / 2));
        }
        System.arraycopy(message, from, targets, end, length);
        count += rows;
        end += length;
        return length;
    }

    /** Adds the targets of the rows that were read last to the elements of their set, of which they become places. */
    void number(LocalElements to, int level) {
        for (; numbered < end; numbered++) {
            targets[numbered] = to.add(targets[numbered], level);
        }
    }
}
