package org.trellis.distributed.mesh;

import java.util.Map;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/**
 * A set to be divided that no rank has the rows of.
 *
 * @param set   the set
 * @param homes where elements are at home
 * @param rows  the rows that are at home here, of all maps
 */
record DirectorySet(MeshSet set, Directory homes, Map<MeshMap, DirectoryRows> rows) {
    /** The first element that is at home here. */
    int first() {
        return homes.first(set);
    }

    /** How many elements are at home here. */
    int count() {
        return homes.end(set) - first();
    }
}
