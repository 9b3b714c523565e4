package org.trellis.mesh;

import java.util.List;
import org.trellis.mesh.loop.RanksReport;
import org.trellis.mesh.loop.TileProposal;
import org.trellis.mesh.loop.Tiling;

/**
 * The share that a rank has of a mesh: made by {@link MeshRanks#divide}, asked by the mesh that the program sees for
 * everything that concerns values and runs. All ranks make the same calls in the same order.
 */
public interface LocalMesh extends AutoCloseable {
    /**
     * Gives a dat its place on this rank.
     *
     * @param dat    a dat of the mesh
     * @param values its values element by element in the user's order, components side by side; null for zeros
     * @return what has its values from now on
     */
    RankedDat dat(Dat dat, double[] values);

    /**
     * Finds the entries of a pattern on this rank. Called by all ranks.
     *
     * @param name      of the pattern
     * @param couplings of the whole mesh
     * @return what this rank has of it
     * @throws IllegalArgumentException if there are too many entries
     */
    RankedPattern pattern(String name, List<AssemblyPattern.Coupling> couplings);

    /**
     * Declares a loop of the mesh on this rank.
     *
     * @param loop the loop; its parameters count if they were set
     * @return what runs from now on
     * @throws IllegalArgumentException                      if it cannot be run on ranks; says why
     * @throws org.trellis.common.UnsupportedKernelException if the backend cannot run it as its parameters say
     */
    RankedLoop loop(ParallelLoop loop);

    /**
     * Says whether sequences without rings are run by {@link #run}, too.
     *
     * @return false if their loops are run one by one
     */
    default boolean runsSequences() {
        return false;
    }

    /**
     * Runs a sequence that has been given rings, or any if {@link #runsSequences} allows it.
     *
     * @param sequence a sequence of the mesh
     * @param listener receives progress of each step before it is run; of loops that are run together, before the first
     *                 of them
     * @throws IllegalArgumentException if it wants more rings than the mesh has been divided with
     */
    void run(LoopSequence sequence, StepListener listener);

    /**
     * Runs the steps of a sequence, and gives a device several of their kernels at once where it can: results are
     * those of the steps. Allocates nothing once the steps have recurred.
     *
     * @param sequence a sequence of the mesh
     * @param steps    runs its steps in order
     * @return whether a device was given several kernels at once
     */
    boolean together(LoopSequence sequence, Runnable steps);

    /**
     * Prepares loops to run one after the other with one exchange before them, each on so many elements of other ranks
     * as those behind it need; with more exchanges if that takes more rings than the mesh has been divided with.
     *
     * @param loops    the loops in the order in which they run; none reads a global or scalars that another one reduces
     *                 into
     * @param tiling   how this rank cuts them into tiles
     * @param tileSize elements of a tile; 0 if each loop is to run over all its elements
     * @return what runs them, closed by the mesh
     */
    RankedChain chain(List<ParallelLoop> loops, Tiling tiling, int tileSize);

    /**
     * Proposes sizes of tiles for this rank.
     *
     * @param loops  the loops in the order in which they run
     * @param tiling the kind of tiles
     * @return sizes worth trying
     */
    TileProposal tiles(List<ParallelLoop> loops, Tiling tiling);

    /**
     * Reports what loops did on all ranks since the last {@link #resetTimes}. Called by all ranks.
     *
     * @return the same on each
     */
    RanksReport report();

    /** Forgets the times of past runs. */
    void resetTimes();

    /** Releases what this rank holds. Idempotent. */
    @Override
    void close();
}
