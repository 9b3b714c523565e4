package org.trellis.distributed.mesh;

import java.util.ArrayList;
import java.util.List;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/**
 * What a rank has declared, in words: ranks that read different files declare different meshes, whose parts do not fit.
 * Values of dats do not count, which ranks may fill in for their own elements alone.
 */
final class DeclaredFacts {
    private DeclaredFacts() {}

    /** Returns a line for each set, map and dat; passes over the maps that are declared whole. */
    static List<String> of(Mesh mesh) {
        List<String> facts = new ArrayList<>();
        for (MeshSet set : mesh.sets()) {
            facts.add("set '" + set.name() + "' of " + set.size() + " elements");
        }
        for (MeshMap map : mesh.maps()) {
            facts.add("map '" + map.name() + "' from set '" + map.from().name() + "' to set '" + map.to().name()
                    + "', " + (map.arity() == MeshMap.VARIABLE ? "a variable number of" : map.arity()) + " entries, "
                    + (map.brought().isPresent()
                            ? "by rows of each rank"
                            : "targets with hash " + Long.toHexString(hash(map))));
        }
        for (Dat dat : mesh.dats()) {
            facts.add("dat '" + dat.name() + "' on set '" + dat.set().name() + "', " + dat.components()
                    + " components of " + dat.type() + (dat.brought().isPresent() ? ", by rows of each rank" : ""));
        }
        return facts;
    }

    private static long hash(MeshMap map) {
        long hash = 1;
        if (map.arity() == MeshMap.VARIABLE) {
            return hash(hash(hash, map.offsets()), map.entries());
        }
        for (int entry = 0; entry < map.arity(); entry++) {
            hash = hash(hash, map.column(entry));
        }
        return hash;
    }

    private static long hash(long before, int... numbers) {
        long hash = before;
        for (int number : numbers) {
            hash = 31 * hash + number;
        }
        return hash;
    }
}
