package org.trellis.mesh;

import java.util.List;
import org.trellis.mesh.loop.ChainReport;

/** What a mesh does with loops that follow each other: see {@link org.trellis.mesh.loop.ChainOptions}. */
public final class MeshChains {
    private MeshChains() {}

    /**
     * Runs all loops that have been noted. Without it they run when somebody needs a value. All ranks call this, if
     * there are several.
     *
     * @param mesh a mesh
     * @throws org.trellis.common.DeferredLoopException if one fails; names it and the statement that asked for it
     */
    public static void settle(Mesh mesh) {
        mesh.running().settle();
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
