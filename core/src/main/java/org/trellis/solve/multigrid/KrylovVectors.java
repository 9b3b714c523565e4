package org.trellis.solve.multigrid;

import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.Scalars;

/**
 * Vectors and sums of a level for {@link KrylovSteps}.
 *
 * @param mesh the mesh of the vectors
 * @param rows the rows of the level
 * @param b    the right-hand side
 * @param x    the iterate
 * @param c    the first correction
 * @param v    its product
 * @param w    the product of the second correction
 * @param sums as {@link KrylovSteps} numbers them
 */
record KrylovVectors(Mesh mesh, MeshSet rows, Dat b, Dat x, Dat c, Dat v, Dat w, Scalars sums) {
    /** Returns what a product multiplies. */
    Dat from(KrylovSteps.Product product) {
        return product == KrylovSteps.Product.FIRST ? c : x;
    }

    /** Returns where the result of a product goes. */
    Dat to(KrylovSteps.Product product) {
        return product == KrylovSteps.Product.FIRST ? v : w;
    }

    /** Declares the loop of an update. */
    ParallelLoop loop(KrylovSteps.Update update) {
        return switch (update) {
            case KEEP -> mesh.loop(CycleUpdatesLoops.FIRST, rows, x, b, c, sums.at(KrylovSteps.ALPHA));
            case TAKE_OFF -> mesh.loop(CycleUpdatesLoops.LEFT, rows, sums.at(KrylovSteps.ALPHA),
                    sums.at(KrylovSteps.RHO), v, b);
            case COMPARE -> mesh.loop(CycleUpdatesLoops.SECOND, rows, x, v, b, sums.at(KrylovSteps.GAMMA),
                    sums.at(KrylovSteps.ALPHA_2));
            case JOIN -> mesh.loop(CycleUpdatesLoops.BOTH, rows, sums.at(KrylovSteps.ALPHA),
                    sums.at(KrylovSteps.RHO), sums.at(KrylovSteps.GAMMA), sums.at(KrylovSteps.BETA),
                    sums.at(KrylovSteps.ALPHA_2), c, x);
        };
    }
}
