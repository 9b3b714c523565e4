package org.trellis.adapt;

import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.Constant;
import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Raster;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;

/**
 * The plain steps of {@link SweepKernels} and {@link PainKernels} for colours that free and bound vertices share. In
 * {@code t} is the direction of a bound vertex, {@link #FREE} twice that of a free one, zero that of a corner.
 */
final class MixedVertexKernels {
    /** What stands for a direction where all are allowed; others have the length 1. */
    static final double FREE = 2;

    private static final double OFFSET = 1.01;
    private static final double HALF = 0.5;
    private static final double LONG_EDGE = 1.5;

    private MixedVertexKernels() {}

    /** What makes a row dominant. */
    @KernelFunction
    static double dominance(double diagonal, double other, double dominant) {
        return dominant > HALF ? Math.max(diagonal, OFFSET * Math.abs(other)) : 0;
    }

    /** Moves a vertex anywhere or along its line, whatever becomes of its triangles. */
    @MeshKernel
    static void drift(@ReadWrite(2) double[] p,
            @Read(value = 2, entries = ArgumentSignature.VARIABLE) double[][] y, @Read(2) double[] t,
            @Constant(3) Raster metric, @Constant(SweepKernels.RULES) double[] rule) {
        double px = p[0];
        double py = p[1];
        double axx = 0;
        double axy = 0;
        double ayy = 0;
        double gx = 0;
        double gy = 0;
        for (int k = 0; k < y.length; k++) {
            double dx = y[k][0] - px;
            double dy = y[k][1] - py;
            double x = px + HALF * dx;
            double z = py + HALF * dy;
            double xx = 1;
            double xy = 0;
            double yy = 1;
            if (rule[SweepKernels.PLAIN] < HALF) {
                xx = metric.linear(0, x, z);
                xy = metric.linear(1, x, z);
                yy = metric.linear(2, x, z);
            }
            axx += xx;
            axy += xy;
            ayy += yy;
            gx += xx * dx + xy * dy;
            gy += xy * dx + yy * dy;
        }
        double dominant = rule[SweepKernels.DOMINANT];
        double along = t[0] * (axx * t[0] + axy * t[1]) + t[1] * (axy * t[0] + ayy * t[1]);
        along += dominant > HALF ? along : 0;
        double slide = along > 0 ? rule[SweepKernels.SHARE] * (t[0] * gx + t[1] * gy) / along : 0;
        double bxx = axx + dominance(axx, axy, dominant);
        double byy = ayy + dominance(ayy, axy, dominant);
        double scale = rule[SweepKernels.SHARE] / (bxx * byy - axy * axy);
        boolean free = t[0] > LONG_EDGE;
        p[0] = px + (free ? scale * (byy * gx - axy * gy) : slide * t[0]);
        p[1] = py + (free ? scale * (bxx * gy - axy * gx) : slide * t[1]);
    }

    /** The length of edges along the first axis, as in {@link PainKernels}. */
    @KernelFunction
    static double first(double x, double least, double greatest, double wave) {
        double length = greatest - (greatest - least) * x;
        if (wave > HALF) {
            length = least + (greatest - least) * (HALF + HALF * Math.sin(2 * Math.PI * x));
        }
        return length;
    }

    /** The length of edges along the second axis. */
    @KernelFunction
    static double second(double y, double least, double greatest, double wave) {
        double linear = greatest - (greatest - least) * y;
        return wave > HALF ? HALF * (least + greatest) : linear;
    }

    /** Moves a vertex by Pain's step in a metric given by formulas, anywhere or along its line. */
    @MeshKernel
    static void relax(@ReadWrite(2) double[] p,
            @Read(value = 2, entries = ArgumentSignature.VARIABLE) double[][] y, @Read(4) double[] t,
            @Constant double least, @Constant double greatest, @Constant double wave) {
        double a = 0;
        double b = 0;
        double f = 0;
        double g = 0;
        for (int k = 0; k < y.length; k++) {
            double h = first(HALF * (p[0] + y[k][0]), least, greatest, wave);
            double v = second(HALF * (p[1] + y[k][1]), least, greatest, wave);
            double xx = 1 / (h * h);
            double yy = 1 / (v * v);
            a += xx;
            b += yy;
            f += xx * (y[k][0] - p[0]);
            g += yy * (y[k][1] - p[1]);
        }
        double along = t[0] * a * t[0] + t[1] * b * t[1];
        double slide = along > 0 ? HALF * (t[0] * f + t[1] * g) / (2 * along) : 0;
        boolean free = t[2] > HALF;
        p[0] += free ? HALF * f / (2 * a) : slide * t[0];
        p[1] += free ? HALF * g / (2 * b) : slide * t[1];
    }
}
