package org.trellis.mesh.loop;

import java.util.List;

/**
 * What a model says about tiles of a chain of loops.
 *
 * @param sizes  sizes worth trying, the most promising first; empty if tiles do not pay
 * @param reason why, with the figures it follows from
 */
public record TileProposal(List<Integer> sizes, String reason) {
    /** Copies the list. */
    public TileProposal {
        sizes = List.copyOf(sizes);
    }
}
