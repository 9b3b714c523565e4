package org.trellis.adapt;

import org.trellis.adapt.geometry.BoundaryShape;
import org.trellis.adapt.geometry.CurvedSurface;
import org.trellis.adapt.geometry.SurfaceShape;

/** How far sides and facets of a mesh may be from the curves and surfaces that they stand for. */
final class ShapeLimits {
    /** How far the middle of a side may be from its shape, as a share of its length: 45 degrees of a circle. */
    private static final double SAGITTA = 0.1;
    /** The least cosine of the angle between a facet and its surface. */
    private static final double PARALLEL = 0.7;

    private final CavityMesh mesh;

    ShapeLimits(CavityMesh mesh) {
        this.mesh = mesh;
    }

    /** Returns whether the middle of a side is near a shape. */
    boolean isNear(BoundaryShape shape, int a, int b) {
        int d = mesh.dimension;
        double[] middle = new double[d];
        double[] point = new double[d];
        double length = 0;
        double distance = 0;
        for (int k = 0; k < d; k++) {
            double side = mesh.coordinates[b * d + k] - mesh.coordinates[a * d + k];
            middle[k] = mesh.coordinates[a * d + k] + 0.5 * side;
            length += side * side;
        }
        shape.nearest(middle, 0, point);
        for (int k = 0; k < d; k++) {
            distance += (point[k] - middle[k]) * (point[k] - middle[k]);
        }
        return distance <= SAGITTA * SAGITTA * length;
    }

    /** Returns whether a facet in space is near the surface of its patch, and nearly parallel to it; flat ones are. */
    boolean isFollowed(int patch, int[] facet) {
        if (!(mesh.shapes[patch] instanceof SurfaceShape surface) || surface.isFlat()) {
            return true;
        }
        return isNear(surface, facet[0], facet[1]) && isNear(surface, facet[1], facet[2])
                && isNear(surface, facet[2], facet[0])
                && Math.abs(CurvedSurface.cosine(surface, mesh.coordinates, facet)) >= PARALLEL;
    }
}
