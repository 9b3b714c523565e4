package org.trellis.adapt.geometry;

/**
 * A circle, or an arc of one.
 *
 * @param centreX x of the centre
 * @param centreY y of the centre
 * @param radius  the radius
 */
public record CircleShape(double centreX, double centreY, double radius) implements BoundaryShape {
    /**
     * Checks the circle.
     *
     * @throws IllegalArgumentException if the radius is not above 0, or a number not finite
     */
    public CircleShape {
        if (!(radius > 0) || !Double.isFinite(centreX + centreY + radius)) {
            throw new IllegalArgumentException("circle around (" + centreX + ", " + centreY + ") has the radius "
                    + radius + ", expected finite numbers and a radius above 0");
        }
    }

    @Override
    public void nearest(double[] x, int o, double[] point) {
        double dx = x[o] - centreX;
        double dy = x[o + 1] - centreY;
        double length = Math.sqrt(dx * dx + dy * dy);
        point[0] = centreX + (length > 0 ? radius * dx / length : radius);
        point[1] = centreY + (length > 0 ? radius * dy / length : 0);
    }

    @Override
    public void tangent(double[] x, int o, double[] direction) {
        double dx = x[o] - centreX;
        double dy = x[o + 1] - centreY;
        double length = Math.sqrt(dx * dx + dy * dy);
        direction[0] = length > 0 ? -dy / length : 0;
        direction[1] = length > 0 ? dx / length : 1;
    }
}
