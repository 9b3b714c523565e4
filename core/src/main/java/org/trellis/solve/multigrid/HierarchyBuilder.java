package org.trellis.solve.multigrid;

/**
 * What {@link HierarchyDriver} asks of the code that holds the matrices of a hierarchy that is set up: on the host, in
 * the memory of a backend, or over ranks. There is a last level at each time, from which the next one may be made.
 */
public interface HierarchyBuilder {
    /**
     * What the next level would be made of.
     *
     * @param kind  what is grouped: nodes in aggregates, or rows
     * @param all   how many of them the last level has
     * @param alone how many have no strong coupling
     * @param rows  rows of the next level
     */
    record Groups(Kind kind, long all, long alone, long rows) {
        /** What is grouped. */
        public enum Kind {
            /** Nodes, in aggregates. */
            NODE,
            /** Rows, of which some stay. */
            ROW
        }
    }

    /**
     * Refuses a finest matrix with an element that is not finite.
     *
     * @throws IllegalArgumentException if there is one; names row and column
     */
    void requireFinite();

    /**
     * Says whether the finest matrix equals its transpose but for rounding, and coarse matrices are to do so.
     *
     * @return whether mirror images agree; false where restrictions are not transposed prolongations
     */
    boolean isSymmetric();

    /**
     * Returns how many unknowns a node of the finest level has.
     *
     * @return at least 1
     */
    int blockSize();

    /**
     * Returns the share of the finest matrix's couplings that are not strong for both rows.
     *
     * @param theta the threshold of signed strength
     * @return 0 to 1
     */
    double weakShare(double theta);

    /**
     * Returns the number of the last level.
     *
     * @return 0 for the finest
     */
    int level();

    /**
     * Returns the rows of the last level.
     *
     * @return at least 0
     */
    long rows();

    /**
     * Says whether the last level couples nothing: its matrix has no more entries than rows.
     *
     * @return true for a diagonal matrix
     */
    boolean isDiagonal();

    /**
     * Groups nodes or rows of the last level.
     *
     * @param strength which couplings count
     * @return what came of it
     */
    Groups group(StrengthOptions strength);

    /** Forgets the groups, from which nothing is gained. */
    void ungroup();

    /**
     * Makes the next level of the groups; it is the last one then.
     *
     * @param symmetric whether the matrices are symmetric
     */
    void coarsen(boolean symmetric);

    /**
     * Makes the next level again for other values, with the groups of before; it is the last one then.
     *
     * @param symmetric whether the matrices are symmetric
     * @return false if there was no next level, and nothing was done
     */
    boolean coarsenAgain(boolean symmetric);
}
