package org.trellis.solve.direct;

/** Computes the factors of supernodes in one precision. */
interface LuTreeKernel {
    /**
     * Factorises.
     *
     * @param values   at {@link ColumnStructure#place}
     * @param rowScale of each row of the matrix
     * @param most     entries of both factors after which this ends
     * @return false if there are more
     * @throws FactorisationException if the matrix is singular, which names row and column, or a limit is reached
     */
    boolean run(double[] values, double[] rowScale, long most, FactorMeter meter);

    /**
     * Factorises other values with the same pivots, in place.
     *
     * @return the growth
     * @throws FactorisationException if a pivot is 0 or not finite; names row and column
     */
    double runAgain(double[] values, double[] rowScale, FactorMeter meter);

    /** Returns the factors. */
    LuNumbers numbers();

    /** Returns the row of each step. */
    int[] rowAt();

    /** Returns the column of each step. */
    int[] columnAt();

    /** Copies the pivots. */
    void pivots(double[] pivots);

    /** Returns the greatest element of a column of U over that of the column in the matrix. */
    double growth();

    /** Returns the least share of a column that was left for its pivot. */
    double weakestShare();

    /** Returns the step of that pivot; -1 without rows. */
    int weakestStep();
}
