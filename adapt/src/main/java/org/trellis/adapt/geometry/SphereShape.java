package org.trellis.adapt.geometry;

/**
 * A sphere, or a part of one.
 *
 * @param centreX x of the centre
 * @param centreY y of the centre
 * @param centreZ z of the centre
 * @param radius  the radius
 */
public record SphereShape(double centreX, double centreY, double centreZ, double radius) implements SurfaceShape {
    /**
     * Checks the sphere.
     *
     * @throws IllegalArgumentException if the radius is not above 0, or a number not finite
     */
    public SphereShape {
        if (!(radius > 0) || !Double.isFinite(centreX + centreY + centreZ + radius)) {
            throw new IllegalArgumentException("sphere around (" + centreX + ", " + centreY + ", " + centreZ
                    + ") has the radius " + radius + ", expected finite numbers and a radius above 0");
        }
    }

    @Override
    public void nearest(double[] x, int o, double[] point) {
        double[] normal = new double[3];
        normal(x, o, normal);
        point[0] = centreX + radius * normal[0];
        point[1] = centreY + radius * normal[1];
        point[2] = centreZ + radius * normal[2];
    }

    @Override
    public void normal(double[] x, int o, double[] normal) {
        double dx = x[o] - centreX;
        double dy = x[o + 1] - centreY;
        double dz = x[o + 2] - centreZ;
        double length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        normal[0] = length > 0 ? dx / length : 1;
        normal[1] = length > 0 ? dy / length : 0;
        normal[2] = length > 0 ? dz / length : 0;
    }
}
