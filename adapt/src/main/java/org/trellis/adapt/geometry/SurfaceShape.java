package org.trellis.adapt.geometry;

/**
 * A surface in space that patches of a mesh of tetrahedra stand for. A program that knows how to project onto its own
 * surface implements this; see {@link CurvedSurface}.
 */
public interface SurfaceShape extends BoundaryShape {
    /**
     * Finds the normal of the surface at the nearest point.
     *
     * @param x      coordinates
     * @param o      where those of a point start
     * @param normal gets a normal, of unit length and to either side
     */
    void normal(double[] x, int o, double[] normal);

    /**
     * Says whether the surface ends somewhere, so that no curve in which it meets another can be followed: vertices on
     * such ridges stay, unless these are straight.
     *
     * @return false for a surface that goes on beyond the patches that stand for it
     */
    default boolean hasEdge() {
        return false;
    }

    @Override
    default void tangent(double[] x, int o, double[] direction) {
        double[] normal = new double[3];
        normal(x, o, normal);
        int least = 0;
        for (int k = 1; k < 3; k++) {
            least = Math.abs(normal[k]) < Math.abs(normal[least]) ? k : least;
        }
        double length = Math.sqrt(1 - normal[least] * normal[least]);
        for (int k = 0; k < 3; k++) {
            direction[k] = ((k == least ? 1 : 0) - normal[least] * normal[k]) / length;
        }
        for (int k = 0; k < 3; k++) {
            int next = (k + 1) % 3;
            int last = (k + 2) % 3;
            direction[3 + k] = normal[next] * direction[last] - normal[last] * direction[next];
        }
    }
}
