package org.trellis.examples.poisson;

import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.matrix.LoopOperator;

/**
 * The transfer between two levels, by loops over the nodes of the finer one: linear interpolation from the ends of the
 * edge that a node is the middle of, and its transposed.
 *
 * @param prolongation from the coarse level to the fine one
 * @param restriction  its transposed
 * @param shares       computes the weights, once before the others
 */
public record Transfer(LoopOperator prolongation, LoopOperator restriction, ParallelLoop shares) {
    /**
     * Declares the loops.
     *
     * @param coarse  the coarser level
     * @param fine    the finer level, of the same mesh
     * @param parents two nodes of the coarse level for each of the fine one
     * @return the operators
     */
    static Transfer of(PoissonLevel coarse, PoissonLevel fine, int[] parents) {
        Mesh mesh = fine.mesh();
        String name = " from level " + coarse.index() + " to " + fine.index();
        MeshMap map = mesh.map("parents" + name, fine.nodes(), coarse.nodes(), 2, parents);
        Dat share = mesh.dat("share" + name, fine.nodes(), 2, fine.precision());
        ParallelLoop shares = mesh.loop(PoissonLoops.SHARES, fine.nodes(), coarse.free().at(map, 0),
                coarse.free().at(map, 1), share);
        Dat up = coarse.onNodes("interpolated");
        Dat upResult = fine.onNodes("interpolation");
        Dat down = fine.onNodes("restricted");
        Dat downResult = coarse.onNodes("restriction");
        LoopOperator prolongation = LoopOperator.of(up, upResult, mesh.sequence("prolongation" + name)
                .run(mesh.loop(PoissonLoops.PROLONG, fine.nodes(), share, up.at(map, 0), up.at(map, 1), upResult))
                .build());
        LoopOperator restriction = LoopOperator.of(down, downResult, mesh.sequence("restriction" + name)
                .run(mesh.loop(PoissonLoops.CLEAR, coarse.nodes(), downResult))
                .run(mesh.loop(PoissonLoops.RESTRICT, fine.nodes(), share, down, downResult.at(map, 0),
                        downResult.at(map, 1)))
                .build());
        return new Transfer(prolongation, restriction, shares);
    }
}
