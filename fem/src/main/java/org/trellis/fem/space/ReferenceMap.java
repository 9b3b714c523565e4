package org.trellis.fem.space;

import org.trellis.fem.element.LagrangeElement;

/** The map from the reference cell to a cell, at one point of a table. For set-up and errors, not for inner loops. */
public final class ReferenceMap {
    private ReferenceMap() {}

    /**
     * Computes the Jacobian matrix of a map.
     *
     * @param table  the basis of the map at points
     * @param q      which point
     * @param points the points of the map of a cell, as many coordinates each as there are directions
     * @param into   gets the derivative of coordinate a in direction d at {@code a * dimension + d}
     * @return the determinant
     */
    public static double jacobian(LagrangeElement.Tabulation table, int q, double[] points, double[] into) {
        int dimension = table.dimension();
        int n = table.functions();
        for (int a = 0; a < dimension; a++) {
            for (int d = 0; d < dimension; d++) {
                double sum = 0;
                for (int i = 0; i < n; i++) {
                    sum += table.gradients()[(q * dimension + d) * n + i] * points[i * dimension + a];
                }
                into[a * dimension + d] = sum;
            }
        }
        return determinant(into, dimension);
    }

    private static double determinant(double[] j, int dimension) {
        if (dimension == 2) {
            return j[0] * j[3] - j[1] * j[2];
        }
        return j[0] * (j[4] * j[8] - j[5] * j[7]) - j[1] * (j[3] * j[8] - j[5] * j[6])
                + j[2] * (j[3] * j[7] - j[4] * j[6]);
    }

    /**
     * Inverts a Jacobian matrix.
     *
     * @param j    the matrix, row by row
     * @param into gets the inverse, row by row: the derivative of reference coordinate d by coordinate a at
     *             {@code d * dimension + a}; another array
     * @return the determinant of {@code j}
     */
    public static double invert(double[] j, double[] into) {
        int dimension = j.length == 4 ? 2 : 3;
        double determinant = determinant(j, dimension);
        double inverse = 1 / determinant;
        if (dimension == 2) {
            into[0] = j[3] * inverse;
            into[1] = -j[1] * inverse;
            into[2] = -j[2] * inverse;
            into[3] = j[0] * inverse;
            return determinant;
        }
        into[0] = (j[4] * j[8] - j[5] * j[7]) * inverse;
        into[1] = (j[2] * j[7] - j[1] * j[8]) * inverse;
        into[2] = (j[1] * j[5] - j[2] * j[4]) * inverse;
        into[3] = (j[5] * j[6] - j[3] * j[8]) * inverse;
        into[4] = (j[0] * j[8] - j[2] * j[6]) * inverse;
        into[5] = (j[2] * j[3] - j[0] * j[5]) * inverse;
        into[6] = (j[3] * j[7] - j[4] * j[6]) * inverse;
        into[7] = (j[1] * j[6] - j[0] * j[7]) * inverse;
        into[8] = (j[0] * j[4] - j[1] * j[3]) * inverse;
        return determinant;
    }

    /**
     * Maps a point.
     *
     * @param table  the basis of the map at points
     * @param q      which point
     * @param points the points of the map of a cell
     * @param into   gets the coordinates
     */
    public static void point(LagrangeElement.Tabulation table, int q, double[] points, double[] into) {
        int dimension = into.length;
        int n = table.functions();
        for (int a = 0; a < dimension; a++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += table.values()[q * n + i] * points[i * dimension + a];
            }
            into[a] = sum;
        }
    }
}
