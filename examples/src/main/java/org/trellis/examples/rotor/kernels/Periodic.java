package org.trellis.examples.rotor.kernels;

import org.trellis.kernel.Constant;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.ReadWrite;

/**
 * Nodes that are one place of a periodic flow: what the volumes' parts have gathered is added up, and both get the
 * sum, in
 * their own directions. The second, {@code p[1]}, is the first turned about the x axis, from z to y, by an angle whose
 * cosine and sine are given.
 */
public final class Periodic {
    private Periodic() {}

    /** Adds up one number. */
    @MeshKernel
    static void join1(@ReadWrite(value = 1, entries = 2) double[][] p) {
        double sum = p[0][0] + p[1][0];
        p[0][0] = sum;
        p[1][0] = sum;
    }

    /** Adds up two numbers. */
    @MeshKernel
    static void join2(@ReadWrite(value = 2, entries = 2) double[][] p) {
        for (int k = 0; k < 2; k++) {
            double sum = p[0][k] + p[1][k];
            p[0][k] = sum;
            p[1][k] = sum;
        }
    }

    /** Adds up residuals: scalars, and the vector of momentum. */
    @MeshKernel
    static void join6(@Constant(2) double[] turn, @ReadWrite(value = 6, entries = 2) double[][] p) {
        double y = p[0][2] + turn[0] * p[1][2] - turn[1] * p[1][3];
        double z = p[0][3] + turn[1] * p[1][2] + turn[0] * p[1][3];
        for (int k = 0; k < 6; k++) {
            double sum = p[0][k] + p[1][k];
            p[0][k] = sum;
            p[1][k] = sum;
        }
        p[0][2] = y;
        p[0][3] = z;
        p[1][2] = turn[0] * y + turn[1] * z;
        p[1][3] = turn[0] * z - turn[1] * y;
    }

    /** Adds up the moments of least squares, a symmetric tensor. */
    @MeshKernel
    static void joinMoments(@Constant(2) double[] turn, @ReadWrite(value = 6, entries = 2) double[][] p) {
        double c = turn[0];
        double s = turn[1];
        double xx = p[0][0] + p[1][0];
        double xy = p[0][1] + c * p[1][1] - s * p[1][2];
        double xz = p[0][2] + s * p[1][1] + c * p[1][2];
        double yy = p[0][3] + c * c * p[1][3] - 2 * c * s * p[1][4] + s * s * p[1][5];
        double yz = p[0][4] + c * s * (p[1][3] - p[1][5]) + (c * c - s * s) * p[1][4];
        double zz = p[0][5] + s * s * p[1][3] + 2 * c * s * p[1][4] + c * c * p[1][5];
        p[0][0] = xx;
        p[0][1] = xy;
        p[0][2] = xz;
        p[0][3] = yy;
        p[0][4] = yz;
        p[0][5] = zz;
        p[1][0] = xx;
        p[1][1] = c * xy + s * xz;
        p[1][2] = c * xz - s * xy;
        p[1][3] = c * c * yy + 2 * c * s * yz + s * s * zz;
        p[1][4] = c * s * (zz - yy) + (c * c - s * s) * yz;
        p[1][5] = s * s * yy - 2 * c * s * yz + c * c * zz;
    }

    /** Adds up gradients: first their directions are turned, then the components of velocity. */
    @MeshKernel
    static void joinGradients(@Constant(2) double[] turn, @ReadWrite(value = 18, entries = 2) double[][] p) {
        double c = turn[0];
        double s = turn[1];
        double[] t = new double[18];
        for (int k = 0; k < 6; k++) {
            t[3 * k] = p[1][3 * k];
            t[3 * k + 1] = c * p[1][3 * k + 1] - s * p[1][3 * k + 2];
            t[3 * k + 2] = s * p[1][3 * k + 1] + c * p[1][3 * k + 2];
        }
        for (int i = 0; i < 3; i++) {
            double v = t[6 + i];
            double w = t[9 + i];
            t[6 + i] = c * v - s * w;
            t[9 + i] = s * v + c * w;
        }
        for (int k = 0; k < 18; k++) {
            double sum = p[0][k] + t[k];
            p[0][k] = sum;
            t[k] = sum;
        }
        for (int i = 0; i < 3; i++) {
            double v = t[6 + i];
            double w = t[9 + i];
            t[6 + i] = c * v + s * w;
            t[9 + i] = c * w - s * v;
        }
        for (int k = 0; k < 6; k++) {
            p[1][3 * k] = t[3 * k];
            p[1][3 * k + 1] = c * t[3 * k + 1] + s * t[3 * k + 2];
            p[1][3 * k + 2] = c * t[3 * k + 2] - s * t[3 * k + 1];
        }
    }

    /** The lesser of two limits, which is what holds where neighbours are on both sides. */
    @MeshKernel
    static void lesser6(@ReadWrite(value = 6, entries = 2) double[][] p) {
        for (int k = 0; k < 6; k++) {
            double least = Math.min(p[0][k], p[1][k]);
            p[0][k] = least;
            p[1][k] = least;
        }
    }
}
