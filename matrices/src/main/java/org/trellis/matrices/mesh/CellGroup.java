package org.trellis.matrices.mesh;

import java.util.Objects;

/**
 * A name for the cells of one dimension that have a tag, as Gmsh's physical groups. Which cells these are says the cell
 * data array {@link MeshData#PHYSICAL}.
 *
 * @param dimension dimension of the cells, 0 to 3
 * @param tag       their tag
 * @param name      the name
 */
public record CellGroup(int dimension, int tag, String name) {

    /** Checks that there is a name. */
    public CellGroup {
        Objects.requireNonNull(name, "name");
    }
}
