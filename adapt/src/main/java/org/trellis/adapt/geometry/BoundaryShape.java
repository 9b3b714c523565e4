package org.trellis.adapt.geometry;

/**
 * A curve in the plane, or a {@linkplain SurfaceShape surface} or curve in space, that a patch of a mesh or a ridge
 * between patches stands for: vertices on it slide along it, and new ones are put on it. Methods may be called from
 * several threads at once.
 */
public interface BoundaryShape {
    /**
     * Finds the nearest point of the shape.
     *
     * @param x     coordinates
     * @param o     where those of a point start
     * @param point gets the coordinates of the nearest point; may be {@code x} itself only with {@code o} 0
     */
    void nearest(double[] x, int o, double[] point);

    /**
     * Finds the directions of the shape at the nearest point.
     *
     * @param x         coordinates
     * @param o         where those of a point start
     * @param direction gets the tangent of a curve; of a surface two orthogonal ones, one after the other; of unit
     *                  length
     */
    void tangent(double[] x, int o, double[] direction);

    /**
     * Returns whether the shape is a line or plane, so that vertices need no help to stay on it.
     *
     * @return false unless it is
     */
    default boolean isFlat() {
        return false;
    }
}
