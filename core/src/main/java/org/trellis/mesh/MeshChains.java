package org.trellis.mesh;

import java.util.List;
import java.util.Map;
import org.trellis.mesh.loop.ChainReport;

/** What a mesh does with loops that follow each other: see {@link org.trellis.mesh.loop.ChainOptions}. */
public final class MeshChains {
    private MeshChains() {}

    /**
     * Runs all loops that have been noted. Without it they run when the program needs a value. All ranks call this, if
     * there are several.
     *
     * @param mesh a mesh
     * @throws org.trellis.common.DeferredLoopException if one fails; names it and the statement that asked for it
     */
    public static void settle(Mesh mesh) {
        mesh.running().settle();
    }

    /**
     * Returns chains that are going to run in tiles, as far as they are known: those of declared sequences, and what is
     * being run. For code that divides a mesh over ranks.
     *
     * @param mesh a mesh
     * @return the loops of each chain in the order in which they run; none if the mesh has no tiles
     */
    public static List<List<LoopDeclaration>> tiled(Mesh mesh) {
        return mesh.running().tiledChains();
    }

    /**
     * Gives the spare memory of a copy to its dat, and has the loops of the mesh follow.
     *
     * @param copy a copy that tiles have written
     */
    public static void exchange(DatCopy copy) {
        copy.exchange();
        copy.dat().set().mesh().running().follow(copy.dat());
    }

    /**
     * Ends the trials of all chains that may run in tiles: how they run from now on does not change. Chains that are
     * new after this are not tried. All ranks call this, if there are several.
     *
     * @param mesh a mesh
     * @return for each part of a chain, how it runs, for {@link #repeat}; each rank has its own
     */
    public static Map<String, double[]> settleTrials(Mesh mesh) {
        return mesh.running().settleTrials();
    }

    /**
     * Lets chains run as they did in another run of the same program on as many ranks.
     *
     * @param mesh    a mesh whose program is where the other one was when it called {@link #settleTrials}
     * @param settled what that returned
     * @throws IllegalArgumentException if a chain is missing
     */
    public static void repeat(Mesh mesh, Map<String, double[]> settled) {
        mesh.running().repeatTrials(settled);
    }

    /**
     * Reports on the chains of loops that have been run lately, after running what has been noted.
     *
     * @param mesh a mesh
     * @return one entry for each chain or, where a loop needs a value that another has reduced, for each part of it
     */
    public static List<ChainReport> reports(Mesh mesh) {
        mesh.running().settle();
        return mesh.running().chainReports();
    }
}
