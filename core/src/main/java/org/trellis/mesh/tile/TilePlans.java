package org.trellis.mesh.tile;

import java.util.List;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.loop.TileProposal;
import org.trellis.mesh.loop.Tiling;

/**
 * The tiles of a mesh's chains, kept by the mesh: chains whose loops run over the same sets and touch the same dats in
 * the same ways share a plan, whatever they compute.
 */
public final class TilePlans {
    private TilePlans() {}

    /** What a plan depends on. */
    private record PlanKey(ChainAccess chain, Tiling tiling, int tileSize, int strands) {}

    /**
     * Returns the tiles of a chain, makes them if need be, and checks new ones if the mesh's options ask for it.
     *
     * @param loops    the loops in the order in which they run, over sets without parts
     * @param tiling   the kind of tiles, not {@link Tiling#NONE}
     * @param tileSize elements of the set with most data that a tile is to have, at least 1
     * @param strands  rows of tiles that are to run at once, at least 1; of no meaning with redundancy
     * @return the plan
     * @throws IllegalArgumentException if there are to be no tiles
     */
    public static TilePlan of(List<LoopDeclaration> loops, Tiling tiling, int tileSize, int strands) {
        if (tiling == Tiling.NONE) {
            throw new IllegalArgumentException("tiling is none for tiles of " + loops.size()
                    + " loops, expected redundant or sparse");
        }
        ChainAccess chain = ChainAccess.of(loops);
        Mesh mesh = loops.getFirst().set().mesh();
        int rows = tiling == Tiling.REDUNDANT ? 1 : strands;
        return mesh.derived(new PlanKey(chain, tiling, tileSize, rows), TilePlan.class, () -> {
            TilePlan plan = tiling == Tiling.SPARSE
                    ? SparseTiles.of(chain, tileSize, rows)
                    : RedundantTiles.of(chain, tileSize);
            if (mesh.options().checkPlans()) {
                TileChecker.check(chain, plan);
            }
            return plan;
        });
    }

    /**
     * Proposes sizes of tiles.
     *
     * @param loops   the loops in the order in which they run
     * @param tiling  the kind of tiles
     * @param threads the threads that run them
     * @return sizes worth trying, or why tiles do not pay
     */
    public static TileProposal propose(List<LoopDeclaration> loops, Tiling tiling, int threads) {
        return TileModel.propose(ChainAccess.of(loops), tiling, threads);
    }
}
