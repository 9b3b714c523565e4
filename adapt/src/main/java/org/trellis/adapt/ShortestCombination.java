package org.trellis.adapt;

/**
 * The shortest convex combination of a few vectors, by trying all sets of one, two and (in space) three of them: the
 * shortest
 * point of a polytope lies in the hull of no more, unless it is the origin.
 */
final class ShortestCombination {
    private static final double TOLERANCE = 1e-9;

    private ShortestCombination() {}

    /**
     * Finds it.
     *
     * @param d       dimension
     * @param vectors vectors, one after another
     * @param chosen  which of them count
     * @param count   how many
     * @param result  gets the combination
     * @return false if it is the origin, or nearly
     */
    static boolean of(int d, double[] vectors, int[] chosen, int count, double[] result) {
        double greatest = 0;
        for (int i = 0; i < count; i++) {
            greatest = Math.max(greatest, dot(d, vectors, chosen[i] * d, vectors, chosen[i] * d));
        }
        double[] trial = new double[d];
        for (int i = 0; i < count; i++) {
            System.arraycopy(vectors, chosen[i] * d, trial, 0, d);
            if (isShortest(d, vectors, chosen, count, trial, greatest)) {
                return keep(d, trial, result, greatest);
            }
        }
        for (int i = 0; i < count; i++) {
            for (int j = i + 1; j < count; j++) {
                if (pair(d, vectors, chosen[i] * d, chosen[j] * d, trial)
                        && isShortest(d, vectors, chosen, count, trial, greatest)) {
                    return keep(d, trial, result, greatest);
                }
            }
        }
        for (int i = 0; i < count && d == 3; i++) {
            for (int j = i + 1; j < count; j++) {
                for (int k = j + 1; k < count; k++) {
                    if (triple(vectors, chosen[i] * d, chosen[j] * d, chosen[k] * d, trial)
                            && isShortest(d, vectors, chosen, count, trial, greatest)) {
                        return keep(d, trial, result, greatest);
                    }
                }
            }
        }
        return false;
    }

    private static boolean keep(int d, double[] trial, double[] result, double greatest) {
        System.arraycopy(trial, 0, result, 0, d);
        return dot(d, trial, 0, trial, 0) > TOLERANCE * greatest;
    }

    private static double dot(int d, double[] u, int o, double[] v, int p) {
        double sum = 0;
        for (int k = 0; k < d; k++) {
            sum += u[o + k] * v[p + k];
        }
        return sum;
    }

    /** All vectors have at least as much in the direction of the shortest point as itself. */
    private static boolean isShortest(int d, double[] vectors, int[] chosen, int count, double[] trial,
            double greatest) {
        double square = dot(d, trial, 0, trial, 0);
        for (int i = 0; i < count; i++) {
            if (dot(d, vectors, chosen[i] * d, trial, 0) < square - TOLERANCE * greatest) {
                return false;
            }
        }
        return true;
    }

    private static boolean pair(int d, double[] v, int a, int b, double[] trial) {
        double aa = dot(d, v, a, v, a);
        double ab = dot(d, v, a, v, b);
        double bb = dot(d, v, b, v, b);
        double t = (aa - ab) / (aa - 2 * ab + bb);
        for (int k = 0; k < d; k++) {
            trial[k] = v[a + k] + t * (v[b + k] - v[a + k]);
        }
        return t > 0 && t < 1;
    }

    private static boolean triple(double[] v, int a, int b, int c, double[] trial) {
        double[] p = new double[3];
        double[] q = new double[3];
        for (int k = 0; k < 3; k++) {
            p[k] = v[b + k] - v[a + k];
            q[k] = v[c + k] - v[a + k];
        }
        double pp = dot(3, p, 0, p, 0);
        double pq = dot(3, p, 0, q, 0);
        double qq = dot(3, q, 0, q, 0);
        double pa = -dot(3, p, 0, v, a);
        double qa = -dot(3, q, 0, v, a);
        double determinant = pp * qq - pq * pq;
        double s = (pa * qq - qa * pq) / determinant;
        double t = (qa * pp - pa * pq) / determinant;
        for (int k = 0; k < 3; k++) {
            trial[k] = v[a + k] + s * p[k] + t * q[k];
        }
        return s > 0 && t > 0 && s + t < 1;
    }
}
