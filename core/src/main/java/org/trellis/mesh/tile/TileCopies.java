package org.trellis.mesh.tile;

import java.util.Map;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;

/**
 * What a tile with redundancy has of its own: parts of sets, numbered from 0 with the elements of its part of the
 * partition first, and maps between them.
 *
 * @param elements for each set the elements that the tile has a copy of, in the set's current numbering
 * @param own      for each set how many of them, the first ones, are the tile's own: no other tile writes them back
 * @param maps     for each map the tile's own targets
 */
public record TileCopies(Map<MeshSet, int[]> elements, Map<MeshSet, Integer> own, Map<MeshMap, LocalMap> maps) {
    /** Copies the maps, not the arrays. */
    public TileCopies {
        elements = Map.copyOf(elements);
        own = Map.copyOf(own);
        maps = Map.copyOf(maps);
    }

    /**
     * A map within a tile. Rows of elements that the tile does not run lead to 0.
     *
     * @param columns for a map of fixed arity one column for each entry; none for variable arity
     * @param offsets for a map of variable arity where rows start, else null
     * @param entries for a map of variable arity the targets, else null
     */
    public record LocalMap(int[][] columns, int[] offsets, int[] entries) {}
}
