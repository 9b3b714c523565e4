package org.trellis.mesh.tile;

import java.util.List;
import org.trellis.mesh.ChainLoop;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.loop.TileProposal;
import org.trellis.mesh.loop.Tiling;

/**
 * The tiles of a mesh's chains, kept by the mesh: chains whose loops run over the same sets and touch the same dats
 * with the same accesses share a plan, whatever they compute.
 */
public final class TilePlans {
    private TilePlans() {}

    /** What a plan depends on; tiles in no strands are chunks. */
    private record PlanKey(ChainAccess chain, Tiling tiling, int tileSize, int strands) {}

    /**
     * Returns the tiles of a chain, makes them if need be, and checks new ones if the mesh's options ask for it.
     *
     * @param loops    the loops in the order in which they run
     * @param tiling   the kind of tiles, not {@link Tiling#NONE}
     * @param tileSize elements of the set with most data that a tile is to have, at least 1
     * @param strands  rows of tiles that are to run at once, at least 1; of no meaning with redundancy
     * @return the plan
     * @throws IllegalArgumentException if there are to be no tiles
     */
    public static TilePlan of(List<ChainLoop> loops, Tiling tiling, int tileSize, int strands) {
        if (tiling == Tiling.NONE) {
            throw new IllegalArgumentException("tiling is none for tiles of " + loops.size()
                    + " loops, expected redundant or sparse");
        }
        ChainAccess chain = ChainAccess.of(loops);
        Mesh mesh = loops.getFirst().loop().set().mesh();
        int rows = tiling == Tiling.REDUNDANT ? 1 : strands;
        return mesh.derived(new PlanKey(chain, tiling, tileSize, rows), TilePlan.class,
                () -> checked(mesh, chain, tiling == Tiling.SPARSE
                        ? SparseTiles.of(chain, tileSize, rows)
                        : RedundantTiles.of(chain, tileSize)));
    }

    /**
     * Returns tiles without redundancy that run one after the other, each by all threads of a device: their elements
     * are few runs of consecutive ones, if the numbering is good.
     *
     * @param loops    the loops in the order in which they run
     * @param tileSize elements of the set with most data that a tile is to have, at least 1
     * @return the plan, of one level with one strand
     */
    public static TilePlan chunks(List<ChainLoop> loops, int tileSize) {
        ChainAccess chain = ChainAccess.of(loops);
        Mesh mesh = loops.getFirst().loop().set().mesh();
        return mesh.derived(new PlanKey(chain, Tiling.SPARSE, tileSize, 0), TilePlan.class,
                () -> checked(mesh, chain, SparseTiles.chunks(chain, tileSize)));
    }

    private static TilePlan checked(Mesh mesh, ChainAccess chain, TilePlan plan) {
        if (mesh.options().checkPlans()) {
            TileChecker.check(chain, plan);
        }
        return plan;
    }

    /**
     * Proposes sizes of {@link #chunks}.
     *
     * @param loops the loops in the order in which they run
     * @param cache bytes of the device's second-level cache
     * @return sizes worth trying, or why chunks do not pay
     */
    public static TileProposal proposeChunks(List<ChainLoop> loops, long cache) {
        return TileModel.proposeChunks(ChainAccess.of(loops), cache);
    }

    /**
     * Proposes sizes of tiles.
     *
     * @param loops   the loops in the order in which they run
     * @param tiling  the kind of tiles
     * @param threads the threads that run them
     * @return sizes worth trying, or why tiles do not pay
     */
    public static TileProposal propose(List<ChainLoop> loops, Tiling tiling, int threads) {
        return TileModel.propose(ChainAccess.of(loops), tiling, threads);
    }
}
