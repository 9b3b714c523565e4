package org.trellis.adapt;

import org.trellis.adapt.geometry.BoundaryShape;
import org.trellis.adapt.geometry.CircleShape;
import org.trellis.adapt.geometry.CylinderShape;
import org.trellis.adapt.geometry.PlaneShape;
import org.trellis.adapt.geometry.RidgeShape;
import org.trellis.adapt.geometry.SphereShape;

/** What vertices slide along, as numbers for kernels: those of {@link SweepKernels} and {@link SpaceSweepKernels}. */
final class SweepShapes {
    private static final int SPHERE = 1;
    private static final int CYLINDER = 2;
    private static final int PLANE = 3;

    private SweepShapes() {}

    /** Returns how many numbers a shape has. */
    static int size(int dimension) {
        return dimension == 2 ? SweepKernels.CIRCLE : SpaceSweepKernels.SHAPE;
    }

    /** Returns whether kernels know a shape; others are for the host. */
    static boolean isKnown(BoundaryShape shape) {
        return shape instanceof CircleShape || shape instanceof SphereShape || shape instanceof CylinderShape
                || shape instanceof PlaneShape
                || (shape instanceof RidgeShape ridge && isKnown(ridge.first()) && isKnown(ridge.second()));
    }

    /** Writes a shape that kernels know. */
    static void write(BoundaryShape shape, double[] to, int at) {
        switch (shape) {
            case CircleShape c -> put(to, at, c.centreX(), c.centreY(), c.radius());
            case SphereShape s -> put(to, at, SPHERE, s.centreX(), s.centreY(), s.centreZ(), 0, 0, 0, s.radius());
            case CylinderShape c -> put(to, at, CYLINDER, c.pointX(), c.pointY(), c.pointZ(), c.axisX(), c.axisY(),
                    c.axisZ(), c.radius());
            case PlaneShape p -> put(to, at, PLANE, p.pointX(), p.pointY(), p.pointZ(), p.normalX(), p.normalY(),
                    p.normalZ(), 0);
            case RidgeShape r -> {
                write(r.first(), to, at);
                write(r.second(), to, at + SpaceSweepKernels.SURFACE);
            }
            default -> throw new IllegalArgumentException("shape is " + shape + ", expected one that kernels know");
        }
    }

    private static void put(double[] to, int at, double... numbers) {
        System.arraycopy(numbers, 0, to, at, numbers.length);
    }
}
