package org.trellis.examples.rotor.kernels;

import org.trellis.kernel.Constant;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.ReadWrite;

/**
 * Nodes that are one place of a periodic flow: what the volumes' parts have gathered is added up, and both get the sum, in
 * their own directions. The second is the first turned about the x axis by an angle whose cosine and sine are given.
 */
public final class Periodic {
    private Periodic() {}

    /** Adds up one number. */
    @MeshKernel
    static void join1(@ReadWrite double[] a, @ReadWrite double[] b) {
        double sum = a[0] + b[0];
        a[0] = sum;
        b[0] = sum;
    }

    /** Adds up two numbers. */
    @MeshKernel
    static void join2(@ReadWrite(2) double[] a, @ReadWrite(2) double[] b) {
        for (int k = 0; k < 2; k++) {
            double sum = a[k] + b[k];
            a[k] = sum;
            b[k] = sum;
        }
    }

    /** Adds up residuals: scalars, and the vector of momentum. */
    @MeshKernel
    static void join6(@Constant(2) double[] turn, @ReadWrite(6) double[] a, @ReadWrite(6) double[] b) {
        double y = a[2] + turn[0] * b[2] - turn[1] * b[3];
        double z = a[3] + turn[1] * b[2] + turn[0] * b[3];
        for (int k = 0; k < 6; k++) {
            double sum = a[k] + b[k];
            a[k] = sum;
            b[k] = sum;
        }
        a[2] = y;
        a[3] = z;
        b[2] = turn[0] * y + turn[1] * z;
        b[3] = turn[0] * z - turn[1] * y;
    }

    /** Adds up the moments of least squares, a symmetric tensor. */
    @MeshKernel
    static void joinMoments(@Constant(2) double[] turn, @ReadWrite(6) double[] a, @ReadWrite(6) double[] b) {
        double c = turn[0];
        double s = turn[1];
        double xx = a[0] + b[0];
        double xy = a[1] + c * b[1] - s * b[2];
        double xz = a[2] + s * b[1] + c * b[2];
        double yy = a[3] + c * c * b[3] - 2 * c * s * b[4] + s * s * b[5];
        double yz = a[4] + c * s * (b[3] - b[5]) + (c * c - s * s) * b[4];
        double zz = a[5] + s * s * b[3] + 2 * c * s * b[4] + c * c * b[5];
        a[0] = xx;
        a[1] = xy;
        a[2] = xz;
        a[3] = yy;
        a[4] = yz;
        a[5] = zz;
        b[0] = xx;
        b[1] = c * xy + s * xz;
        b[2] = c * xz - s * xy;
        b[3] = c * c * yy + 2 * c * s * yz + s * s * zz;
        b[4] = c * s * (zz - yy) + (c * c - s * s) * yz;
        b[5] = s * s * yy - 2 * c * s * yz + c * c * zz;
    }

    /** Adds up gradients: first their directions are turned, then the components of velocity. */
    @MeshKernel
    static void joinGradients(@Constant(2) double[] turn, @ReadWrite(18) double[] a, @ReadWrite(18) double[] b) {
        double c = turn[0];
        double s = turn[1];
        double[] t = new double[18];
        for (int k = 0; k < 6; k++) {
            t[3 * k] = b[3 * k];
            t[3 * k + 1] = c * b[3 * k + 1] - s * b[3 * k + 2];
            t[3 * k + 2] = s * b[3 * k + 1] + c * b[3 * k + 2];
        }
        for (int i = 0; i < 3; i++) {
            double v = t[6 + i];
            double w = t[9 + i];
            t[6 + i] = c * v - s * w;
            t[9 + i] = s * v + c * w;
        }
        for (int k = 0; k < 18; k++) {
            double sum = a[k] + t[k];
            a[k] = sum;
            t[k] = sum;
        }
        for (int i = 0; i < 3; i++) {
            double v = t[6 + i];
            double w = t[9 + i];
            t[6 + i] = c * v + s * w;
            t[9 + i] = c * w - s * v;
        }
        for (int k = 0; k < 6; k++) {
            b[3 * k] = t[3 * k];
            b[3 * k + 1] = c * t[3 * k + 1] + s * t[3 * k + 2];
            b[3 * k + 2] = c * t[3 * k + 2] - s * t[3 * k + 1];
        }
    }

    /** The lesser of two limits, which is what holds where neighbours are on both sides. */
    @MeshKernel
    static void lesser6(@ReadWrite(6) double[] a, @ReadWrite(6) double[] b) {
        for (int k = 0; k < 6; k++) {
            double least = Math.min(a[k], b[k]);
            a[k] = least;
            b[k] = least;
        }
    }
}
