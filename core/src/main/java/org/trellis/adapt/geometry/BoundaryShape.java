package org.trellis.adapt.geometry;

/**
 * A curve in the plane that a patch of a mesh stands for: vertices on the patch slide along it, and new ones are put on
 * it. Methods may be called from several threads at once.
 */
public interface BoundaryShape {
    /**
     * Finds the nearest point of the curve.
     *
     * @param x     coordinates
     * @param o     where those of a point start
     * @param point gets x and y of the nearest point; may be {@code x} itself only with {@code o} 0
     */
    void nearest(double[] x, int o, double[] point);

    /**
     * Finds the direction of the curve at the nearest point.
     *
     * @param x         coordinates
     * @param o         where those of a point start
     * @param direction gets the tangent, of unit length
     */
    void tangent(double[] x, int o, double[] direction);
}
