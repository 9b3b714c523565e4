package org.trellis.adapt.geometry;

/**
 * The curve in which two surfaces meet. The nearest point is sought by steps that are the shortest onto the tangent
 * planes of both, which converge quadratically where the surfaces are not tangent to each other.
 *
 * @param first  a surface
 * @param second another
 */
public record RidgeShape(SurfaceShape first, SurfaceShape second) implements BoundaryShape {
    private static final int MAX_PROJECTIONS = 30;
    private static final double PARALLEL = 1e-12;

    @Override
    public void nearest(double[] x, int o, double[] point) {
        double[] at = {x[o], x[o + 1], x[o + 2]};
        double[] n = new double[3];
        double[] m = new double[3];
        double last = Double.POSITIVE_INFINITY;
        for (int step = 0; step < MAX_PROJECTIONS; step++) {
            double toFirst = distance(first, at, n);
            double toSecond = distance(second, at, m);
            double dot = n[0] * m[0] + n[1] * m[1] + n[2] * m[2];
            double determinant = Math.max(PARALLEL, 1 - dot * dot);
            double alongFirst = (toFirst - dot * toSecond) / determinant;
            double alongSecond = (toSecond - dot * toFirst) / determinant;
            double size = Math.abs(toFirst) + Math.abs(toSecond);
            if (!(size < last)) {
                break;
            }
            last = size;
            for (int k = 0; k < 3; k++) {
                at[k] += alongFirst * n[k] + alongSecond * m[k];
            }
        }
        System.arraycopy(at, 0, point, 0, 3);
    }

    /** Returns how far a surface is from a point along its normal there. */
    private static double distance(SurfaceShape surface, double[] at, double[] normal) {
        double[] foot = new double[3];
        surface.nearest(at, 0, foot);
        surface.normal(at, 0, normal);
        return (foot[0] - at[0]) * normal[0] + (foot[1] - at[1]) * normal[1] + (foot[2] - at[2]) * normal[2];
    }

    @Override
    public void tangent(double[] x, int o, double[] direction) {
        double[] n = new double[3];
        double[] m = new double[3];
        first.normal(x, o, n);
        second.normal(x, o, m);
        double square = 0;
        for (int k = 0; k < 3; k++) {
            int next = (k + 1) % 3;
            int last = (k + 2) % 3;
            direction[k] = n[next] * m[last] - n[last] * m[next];
            square += direction[k] * direction[k];
        }
        double length = Math.sqrt(square);
        for (int k = 0; k < 3; k++) {
            direction[k] = length > 0 ? direction[k] / length : k == 0 ? 1 : 0;
        }
    }
}
