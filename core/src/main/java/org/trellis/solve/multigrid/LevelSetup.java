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
     * @param radius       ρ(D⁻¹A) of the level if it was needed, else not a number
     */
    record Made(CsrMatrix prolongation, CsrMatrix restriction, CsrMatrix coarse, double radius) {}

    /**
     * Makes the transfers and the next matrix again.
     *
     * @param matrix    the level's matrix with other values
     * @param structure the next matrix as it was
     * @param symmetric whether the matrix is symmetric
     * @param times     where the time goes
     * @return the same structures with other values
     */
    Made again(CsrMatrix matrix, CsrMatrix structure, boolean symmetric, SetupTimes times);

    /**
     * Makes a coarse matrix exactly symmetric, since what rounding has left of symmetry is too little where entries
     * nearly cancel: smoothers that need symmetry would refuse it.
     *
     * @param coarse R A P of a symmetric A, with a symmetric pattern
     * @return the mean of it and its transpose
     */
    static CsrMatrix symmetrised(CsrMatrix coarse) {
        return coarse.symmetricPart();
    }

    /** Returns the aggregate of each node, if there are aggregates. */
    Optional<int[]> aggregates();

    /** Returns which unknowns stay, if some do. */
    default Optional<Splitting> splitting() {
        return Optional.empty();
    }

    /** Says whether restrictions are transposed prolongations, so that R A P is symmetric if A is. */
    default boolean transposed() {
        return true;
    }
}
