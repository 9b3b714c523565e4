package org.trellis.cuda.mesh;

import java.util.Arrays;
import java.util.List;
import org.trellis.mesh.Mesh;

/**
 * Where the contributions of some elements to each target are stored, as in {@link SignedInverse}, for those targets
 * only that have any.
 *
 * @param targets the targets, increasing
 * @param offsets the target at position i has the places {@code places[offsets[i]]} to
 *                {@code places[offsets[i + 1] - 1]}
 * @param places  indices of stored elements
 */
@SuppressWarnings("ArrayRecordComponent") // nothing compares them
record RangeInverse(int[] targets, int[] offsets, int[] places) {
    /**
     * A column of targets and what part of it counts.
     *
     * @param targets the target at each position
     * @param from    the first position that counts
     * @param to      the position after the last
     * @param first   where the contributions through the column start
     * @param sign    1 or −1
     */
    record Column(int[] targets, int from, int to, int first, int sign) {
        @Override
        @SuppressWarnings("ReferenceEquality") // the array identifies the column
        public boolean equals(Object other) {
            return other instanceof Column that && targets == that.targets && from == that.from && to == that.to
                    && first == that.first && sign == that.sign;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(targets) + 31 * from + to;
        }

        @Override
        public String toString() {
            return "column of positions " + from + " to " + (to - 1);
        }
    }

    private record Key(List<Column> all, List<Column> columns) {}

    /**
     * Makes or finds the inverse of parts of some columns. Costs three passes.
     *
     * @param mesh    keeps it
     * @param targets the number of targets
     * @param all     columns whose targets are listed
     * @param columns those of them that are inverted
     * @return the inverse; columns in their order for each target
     */
    static RangeInverse of(Mesh mesh, int targets, List<Column> all, List<Column> columns) {
        return mesh.derived(new Key(List.copyOf(all), List.copyOf(columns)), RangeInverse.class,
                () -> make(targets, all, columns));
    }

    private static RangeInverse make(int size, List<Column> all, List<Column> columns) {
        boolean[] listed = new boolean[size];
        for (Column column : all) {
            for (int i = column.from(); i < column.to(); i++) {
                listed[column.targets()[i]] = true;
            }
        }
        int[] counts = new int[size + 1];
        for (Column column : columns) {
            for (int i = column.from(); i < column.to(); i++) {
                counts[column.targets()[i]]++;
            }
        }
        int[] targets = new int[size];
        int[] offsets = new int[size + 1];
        int found = 0;
        for (int target = 0; target < size; target++) {
            if (listed[target]) {
                targets[found] = target;
                offsets[found + 1] = offsets[found] + counts[target];
                // From here on the next free place of the target.
                counts[target] = offsets[found];
                found++;
            }
        }
        int[] places = new int[offsets[found]];
        for (Column column : columns) {
            for (int i = column.from(); i < column.to(); i++) {
                int place = column.first() + i;
                places[counts[column.targets()[i]]++] = column.sign() < 0 ? ~place : place;
            }
        }
        return new RangeInverse(Arrays.copyOf(targets, found), Arrays.copyOf(offsets, found + 1), places);
    }

    @Override
    public String toString() {
        return "inverse of " + targets.length + " targets and " + places.length + " places";
    }
}
