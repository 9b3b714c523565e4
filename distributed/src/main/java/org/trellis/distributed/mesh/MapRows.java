package org.trellis.distributed.mesh;

import org.trellis.mesh.MeshMap;

/** Goes over the rows of maps, whatever their arity. */
final class MapRows {
    private MapRows() {}

    /** Takes an element and one of its targets, in the current numbering. */
    @FunctionalInterface
    interface Pair {
        void take(int element, int target);
    }

    /** Takes each target of the first elements. */
    static void each(MeshMap map, int elements, Pair pair) {
        if (map.arity() == MeshMap.VARIABLE) {
            int[] offsets = map.offsets();
            int[] entries = map.entries();
            for (int element = 0; element < elements; element++) {
                for (int p = offsets[element]; p < offsets[element + 1]; p++) {
                    pair.take(element, entries[p]);
                }
            }
            return;
        }
        for (int entry = 0; entry < map.arity(); entry++) {
            int[] column = map.column(entry);
            for (int element = 0; element < elements; element++) {
                pair.take(element, column[element]);
            }
        }
    }
}
