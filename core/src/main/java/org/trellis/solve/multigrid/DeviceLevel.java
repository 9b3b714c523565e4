package org.trellis.solve.multigrid;

import java.util.Optional;
import org.trellis.sparse.BackendMatrix;

/**
 * How a level was made in the memory of a backend, so that it can be made again for other values: what
 * {@link LevelSetup} is on the host.
 */
interface DeviceLevel extends AutoCloseable {
    /**
     * What a level hands to the next one; matrices are the hierarchy's to close.
     *
     * @param prolongation P
     * @param restriction  R
     * @param coarse       the next matrix
     * @param radius       ρ(D⁻¹A) of the level if it was needed, else not a number
     */
    record Made(BackendMatrix prolongation, BackendMatrix restriction, BackendMatrix coarse, double radius) {}

    /**
     * Groups what the next level is made of.
     *
     * @param a     the level's matrix
     * @param times where the time goes
     * @return the groups
     */
    HierarchyBuilder.Groups group(BackendMatrix a, SetupTimes times);

    /**
     * Makes transfers and the next matrix for the first time, of the groups.
     *
     * @param a         the level's matrix
     * @param symmetric whether it is symmetric
     * @param times     where the time goes
     * @return new matrices
     */
    Made make(BackendMatrix a, boolean symmetric, SetupTimes times);

    /**
     * Makes transfers and the next matrix again.
     *
     * @param a         the level's matrix with other values
     * @param before    the level as it was
     * @param coarse    the next matrix as it was
     * @param symmetric whether the matrix is symmetric
     * @param times     where the time goes
     * @return new matrices
     */
    Made again(BackendMatrix a, HierarchyLevel before, BackendMatrix coarse, boolean symmetric, SetupTimes times);

    /** Returns the aggregate of each node, if there are aggregates. */
    Optional<int[]> aggregates();

    /** Gives back what was kept. */
    @Override
    void close();

    /** Closes what there is of some matrices. */
    static void closeAll(BackendMatrix... matrices) {
        for (BackendMatrix matrix : matrices) {
            if (matrix != null) {
                matrix.close();
            }
        }
    }
}
