package org.trellis.solve.direct;

/** Takes other values into factors whose structure and pivots are known. */
interface LuRenewal {
    /**
     * Computes all numbers.
     *
     * @param values at {@link ColumnStructure#place}
     * @return the growth
     * @throws FactorisationException if a pivot is 0 or not finite; names row and column
     */
    double run(double[] values);

    /** Returns the least share of a column that was left for its pivot. */
    double weakestShare();

    /** Returns the step of that pivot. */
    int weakestStep();
}
