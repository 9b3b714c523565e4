package org.trellis.adapt.geometry;

/**
 * A round cylinder without ends, or a part of one.
 *
 * @param pointX x of a point of the axis
 * @param pointY y of the point
 * @param pointZ z of the point
 * @param axisX  x of the direction of the axis, of any length
 * @param axisY  y of the direction
 * @param axisZ  z of the direction
 * @param radius the radius
 */
public record CylinderShape(double pointX, double pointY, double pointZ, double axisX, double axisY, double axisZ,
        double radius) implements SurfaceShape {
    /**
     * Checks the cylinder.
     *
     * @throws IllegalArgumentException if the radius or the length of the direction is not above 0, or a number not
     *                                  finite
     */
    public CylinderShape {
        double square = axisX * axisX + axisY * axisY + axisZ * axisZ;
        if (!(radius > 0) || !(square > 0) || !Double.isFinite(pointX + pointY + pointZ + square + radius)) {
            throw new IllegalArgumentException("cylinder around (" + pointX + ", " + pointY + ", " + pointZ
                    + ") along (" + axisX + ", " + axisY + ", " + axisZ + ") has the radius " + radius
                    + ", expected finite numbers, a direction that is not zero and a radius above 0");
        }
    }

    @Override
    public void nearest(double[] x, int o, double[] point) {
        double[] normal = new double[3];
        double along = across(x, o, normal);
        point[0] = pointX + along * axisX + radius * normal[0];
        point[1] = pointY + along * axisY + radius * normal[1];
        point[2] = pointZ + along * axisZ + radius * normal[2];
    }

    @Override
    public void normal(double[] x, int o, double[] normal) {
        across(x, o, normal);
    }

    /** Writes the unit vector from the axis to a point; returns how far along the axis that is, in its lengths. */
    private double across(double[] x, int o, double[] normal) {
        double dx = x[o] - pointX;
        double dy = x[o + 1] - pointY;
        double dz = x[o + 2] - pointZ;
        double along = (dx * axisX + dy * axisY + dz * axisZ) / (axisX * axisX + axisY * axisY + axisZ * axisZ);
        dx -= along * axisX;
        dy -= along * axisY;
        dz -= along * axisZ;
        double length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        if (!(length > 0)) {
            boolean upright = Math.abs(axisX) >= Math.max(Math.abs(axisY), Math.abs(axisZ));
            dx = upright ? -axisY : 0;
            dy = upright ? axisX : -axisZ;
            dz = upright ? 0 : axisY;
            length = Math.sqrt(dx * dx + dy * dy + dz * dz);
        }
        normal[0] = dx / length;
        normal[1] = dy / length;
        normal[2] = dz / length;
        return along;
    }
}
