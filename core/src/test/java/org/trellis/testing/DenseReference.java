package org.trellis.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.trellis.sparse.CsrMatrix;

/** Plain computations on dense arrays, which sparse ones are compared with. */
public final class DenseReference {
    private DenseReference() {}

    /**
     * Returns all elements.
     *
     * @param matrix a matrix
     * @return rows of elements
     */
    public static double[][] of(CsrMatrix matrix) {
        double[][] dense = new double[matrix.rows()][matrix.columns()];
        matrix.forEachEntry((i, j, value) -> dense[i][j] = value);
        return dense;
    }

    /**
     * Checks a matrix element by element, and its invariants.
     *
     * @param expected   all elements
     * @param columns    number of columns
     * @param actual     the matrix
     * @param tolerance  relative to the greater of 1 and the expected element
     * @param context    for messages
     */
    public static void assertElements(double[][] expected, int columns, CsrMatrix actual, double tolerance,
            String context) {
        assertEquals(Optional.empty(), actual.firstViolation(), context);
        assertEquals(expected.length, actual.rows(), context + ": rows");
        assertEquals(columns, actual.columns(), context + ": columns");
        double[][] found = of(actual);
        for (int i = 0; i < expected.length; i++) {
            for (int j = 0; j < columns; j++) {
                double allowed = tolerance * Math.max(1, Math.abs(expected[i][j]));
                if (!(Math.abs(found[i][j] - expected[i][j]) <= allowed)) {
                    assertEquals(expected[i][j], found[i][j], allowed, context + ": element (" + i + ", " + j + ")");
                }
            }
        }
    }

    /**
     * Multiplies.
     *
     * @param a       left factor
     * @param b       right factor, as many rows as {@code a} has columns
     * @param columns columns of {@code b}
     * @return the product
     */
    public static double[][] product(double[][] a, double[][] b, int columns) {
        double[][] c = new double[a.length][columns];
        for (int i = 0; i < a.length; i++) {
            for (int k = 0; k < b.length; k++) {
                for (int j = 0; a[i][k] != 0 && j < columns; j++) {
                    c[i][j] += a[i][k] * b[k][j];
                }
            }
        }
        return c;
    }
}
