package org.trellis.solve.direct;

import java.util.Arrays;

/** Powers of two that bring the greatest element of each row to between 1 and 2: products with them are exact. */
final class RowScale {
    private RowScale() {}

    /**
     * Computes the factors of a matrix whose columns are scaled already.
     *
     * @param matrix      its structure
     * @param values      its values, at {@link ColumnStructure#place}
     * @param columnScale the factor of each column
     * @return a factor for each row; 1 where all elements are 0 or one is not finite
     */
    static double[] of(ColumnStructure matrix, double[] values, double[] columnScale) {
        double[] scale = new double[matrix.rows()];
        compute(matrix, values, columnScale, scale);
        return scale;
    }

    /** Computes them into an array. */
    static void compute(ColumnStructure matrix, double[] values, double[] columnScale, double[] scale) {
        Arrays.fill(scale, 0);
        for (int j = 0; j < matrix.columns(); j++) {
            double factor = columnScale[j];
            for (int e = matrix.start()[j]; e < matrix.start()[j + 1]; e++) {
                int row = matrix.row()[e];
                scale[row] = Math.max(scale[row], Math.abs(values[matrix.place()[e]] * factor));
            }
        }
        for (int row = 0; row < scale.length; row++) {
            scale[row] = factor(scale[row]);
        }
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
