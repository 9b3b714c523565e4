package org.trellis.adapt.geometry;

/**
 * A plane in space, which curved surfaces meet in ridges.
 *
 * @param pointX  x of a point of it
 * @param pointY  y of the point
 * @param pointZ  z of the point
 * @param normalX x of its normal, of unit length
 * @param normalY y of the normal
 * @param normalZ z of the normal
 */
public record PlaneShape(double pointX, double pointY, double pointZ, double normalX, double normalY, double normalZ)
        implements
            SurfaceShape {
    @Override
    public void nearest(double[] x, int o, double[] point) {
        double above = (x[o] - pointX) * normalX + (x[o + 1] - pointY) * normalY + (x[o + 2] - pointZ) * normalZ;
        double px = x[o] - above * normalX;
        double py = x[o + 1] - above * normalY;
        double pz = x[o + 2] - above * normalZ;
        point[0] = px;
        point[1] = py;
        point[2] = pz;
    }

    @Override
    public void normal(double[] x, int o, double[] normal) {
        normal[0] = normalX;
        normal[1] = normalY;
        normal[2] = normalZ;
    }

    @Override
    public boolean isFlat() {
        return true;
    }
}
