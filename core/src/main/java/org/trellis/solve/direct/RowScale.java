package org.trellis.solve.direct;

import org.trellis.sparse.CsrMatrix;

/** Powers of two that bring the greatest element of each row to between 1 and 2: products with them are exact. */
final class RowScale {
    private RowScale() {}

    /**
     * Computes the factors of a matrix.
     *
     * @param matrix any
     * @return a factor for each row; 1 where all elements are 0 or one is not finite
     */
    static double[] of(CsrMatrix matrix) {
        double[] greatest = new double[matrix.rows()];
        matrix.forEachEntry((row, column, value) -> greatest[row] = Math.max(greatest[row], Math.abs(value)));
        for (int row = 0; row < greatest.length; row++) {
            greatest[row] = factor(greatest[row]);
        }
        return greatest;
    }

    /**
     * Computes one factor.
     *
     * @param greatest the greatest absolute value of a row or column
     * @return the power of two that brings it to between 1 and 2; 1 for 0 and for what is not finite
     */
    static double factor(double greatest) {
        return greatest == 0 || !Double.isFinite(greatest) ? 1 : Math.scalb(1.0, -Math.getExponent(greatest));
    }
}
