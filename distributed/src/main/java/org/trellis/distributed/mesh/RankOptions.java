package org.trellis.distributed.mesh;

import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.mesh.MeshOptions;

/**
 * How a mesh lies on ranks.
 *
 * @param mesh     what holds on every rank
 * @param division how the mesh is divided
 * @param rings    the least number of rings of other ranks' elements; sequences that are declared before the mesh is
 *                 divided get theirs anyway
 */
public record RankOptions(MeshOptions mesh, Division division, int rings) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if there is no ring or are more than 60
     */
    public RankOptions {
        Objects.requireNonNull(mesh);
        Objects.requireNonNull(division);
        if (Checks.positive("number of rings", rings) > LocalSets.MOST_RINGS) {
            throw new IllegalArgumentException("number of rings is " + rings + ", expected at most "
                    + LocalSets.MOST_RINGS);
        }
    }

    /**
     * Returns the options of {@link Configuration#load()}, the usual division and one ring.
     *
     * @return the usual options
     */
    public static RankOptions usual() {
        return new RankOptions(MeshOptions.of(Configuration.load()), Division.usual(), 1);
    }

    /**
     * Returns these options with other ones of the mesh.
     *
     * @param value the new value
     * @return new options
     */
    public RankOptions withMesh(MeshOptions value) {
        return new RankOptions(value, division, rings);
    }

    /**
     * Returns these options with another division.
     *
     * @param value the new value
     * @return new options
     */
    public RankOptions withDivision(Division value) {
        return new RankOptions(mesh, value, rings);
    }

    /**
     * Returns these options with another number of rings.
     *
     * @param value the new value
     * @return new options
     * @throws IllegalArgumentException if it is out of range
     */
    public RankOptions withRings(int value) {
        return new RankOptions(mesh, division, value);
    }
}
