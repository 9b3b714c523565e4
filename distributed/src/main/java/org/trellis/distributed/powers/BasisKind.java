package org.trellis.distributed.powers;

/** Polynomials whose values span a Krylov space. */
public enum BasisKind {
    /** Powers of the matrix. Of use up to about six, then the vectors point all in one direction. */
    MONOMIAL,
    /** Newton's polynomials at Chebyshev's points of the spectrum, in Leja's order. */
    NEWTON,
    /** Chebyshev's polynomials on the interval of the spectrum. */
    CHEBYSHEV;

    /**
     * Makes a basis for a spectrum.
     *
     * @param steps the highest degree
     * @param low   the lower end of the spectrum
     * @param high  its upper end, greater
     * @return the basis; powers are divided by {@code high}, so that vectors keep their size
     * @throws IllegalArgumentException if the number of steps is negative or the interval empty
     */
    public KrylovBasis of(int steps, double low, double high) {
        KrylovBasis.requireInterval(low, high);
        return switch (this) {
            case MONOMIAL -> KrylovBasis.newton(high, new double[steps]);
            case NEWTON -> KrylovBasis.newton((high - low) / 4, lejaPoints(steps, low, high));
            case CHEBYSHEV -> KrylovBasis.chebyshev(steps, low, high);
        };
    }

    /**
     * Chebyshev's points, each time the one that is farthest from those before it, by the product of the distances (L.
     * Reichel, Newton interpolation at Leja points, BIT 30, 1990).
     */
    private static double[] lejaPoints(int count, double low, double high) {
        double[] points = new double[count];
        for (int i = 0; i < count; i++) {
            points[i] = (high + low) / 2 + (high - low) / 2 * Math.cos(Math.PI * (2 * i + 1) / (2.0 * count));
        }
        for (int chosen = 1; chosen < count; chosen++) {
            int best = chosen;
            double greatest = -1;
            for (int i = chosen; i < count; i++) {
                double distance = distance(points, chosen, points[i], (high - low) / 4);
                if (distance > greatest) {
                    greatest = distance;
                    best = i;
                }
            }
            double point = points[best];
            points[best] = points[chosen];
            points[chosen] = point;
        }
        return points;
    }

    /** The product of the distances from the first points, in units in which it neither overflows nor vanishes. */
    private static double distance(double[] points, int count, double from, double unit) {
        double product = 1;
        for (int i = 0; i < count; i++) {
            product *= Math.abs(from - points[i]) / unit;
        }
        return product;
    }
}
