package org.trellis.solve.multigrid;

import java.util.Optional;
import org.trellis.sparse.CsrMatrix;

/** How a level was made, so that it can be made again for other values. */
interface LevelSetup {
    /**
     * What a level hands to the next one.
     *
     * @param prolongation P
     * @param restriction  R
     * @param coarse       R A P
     */
    record Made(CsrMatrix prolongation, CsrMatrix restriction, CsrMatrix coarse) {}

    /**
     * Makes the transfers and the next matrix again.
     *
     * @param matrix    the level's matrix with other values
     * @param structure the next matrix as it was
     * @param times     where the time goes
     * @return the same structures with other values
     */
    Made again(CsrMatrix matrix, CsrMatrix structure, SetupTimes times);

    /** Returns the aggregate of each node, if there are aggregates. */
    Optional<int[]> aggregates();
}
