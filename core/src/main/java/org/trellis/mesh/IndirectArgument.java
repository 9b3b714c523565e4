package org.trellis.mesh;

import java.util.Objects;

/**
 * A dat reached through a map.
 *
 * @param dat   the dat
 * @param map   a map to its set
 * @param entry the entry of the map, or {@link #ALL}
 */
public record IndirectArgument(Dat dat, MeshMap map, int entry) implements LoopArgument {
    /** Stands for all entries of an element at once. */
    public static final int ALL = -1;

    /**
     * Checks that map and dat belong together.
     *
     * @throws IllegalArgumentException if the map leads to another set or has no such entry
     */
    public IndirectArgument {
        Objects.requireNonNull(dat);
        Objects.requireNonNull(map);
        if (map.to() != dat.set()) {
            throw new IllegalArgumentException(dat + " reached through " + map + ", expected a map to set '"
                    + dat.set().name() + "'");
        }
        if (entry != ALL && (map.arity() == MeshMap.VARIABLE || entry < 0 || entry >= map.arity())) {
            throw new IllegalArgumentException(dat + " reached through entry " + entry + " of " + map + ", expected "
                    + (map.arity() == MeshMap.VARIABLE ? "all entries" : "0 to " + (map.arity() - 1)));
        }
    }

    @Override
    public String name() {
        return dat.name();
    }
}
