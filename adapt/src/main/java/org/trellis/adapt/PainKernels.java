package org.trellis.adapt;

import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.Constant;
import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;

/**
 * The step of Pain's smoother as kernels of the mesh runtime, for metrics that are diagonal and given by formulas
 * (Rokos
 * 2010, sections 2.1.8 and 5.1). With a diagonal metric the system's own diagonal dominates, so D is the diagonal of A.
 * The number {@code wave} chooses the metric: 0 for lengths that fall linearly along both axes, 1 for the sine along
 * the
 * first.
 */
final class PainKernels {
    private static final double RELAXATION = 0.5;

    private PainKernels() {}

    /** The length of edges along the first axis. */
    @KernelFunction
    static double first(double x, double least, double greatest, double wave) {
        double length = greatest - (greatest - least) * x;
        if (wave > 0.5) {
            length = least + (greatest - least) * (0.5 + 0.5 * Math.sin(2 * Math.PI * x));
        }
        return length;
    }

    /** The length of edges along the second axis. */
    @KernelFunction
    static double second(double y, double least, double greatest, double wave) {
        double linear = greatest - (greatest - least) * y;
        return wave > 0.5 ? 0.5 * (least + greatest) : linear;
    }

    /** Moves a vertex inside. */
    @MeshKernel
    static void free(@ReadWrite(2) double[] p,
            @Read(value = 2, entries = ArgumentSignature.VARIABLE) double[][] y, @Constant double least,
            @Constant double greatest, @Constant double wave) {
        double a = 0;
        double b = 0;
        double f = 0;
        double g = 0;
        for (int k = 0; k < y.length; k++) {
            double h = first(0.5 * (p[0] + y[k][0]), least, greatest, wave);
            double v = second(0.5 * (p[1] + y[k][1]), least, greatest, wave);
            double xx = 1 / (h * h);
            double yy = 1 / (v * v);
            a += xx;
            b += yy;
            f += xx * (y[k][0] - p[0]);
            g += yy * (y[k][1] - p[1]);
        }
        p[0] += RELAXATION * f / (2 * a);
        p[1] += RELAXATION * g / (2 * b);
    }

    /** Moves a vertex along its line; corners have no direction, and stay. */
    @MeshKernel
    static void bound(@ReadWrite(2) double[] p,
            @Read(value = 2, entries = ArgumentSignature.VARIABLE) double[][] y, @Read(4) double[] t,
            @Constant double least, @Constant double greatest, @Constant double wave) {
        double a = 0;
        double g = 0;
        for (int k = 0; k < y.length; k++) {
            double h = first(0.5 * (p[0] + y[k][0]), least, greatest, wave);
            double v = second(0.5 * (p[1] + y[k][1]), least, greatest, wave);
            double xx = 1 / (h * h);
            double yy = 1 / (v * v);
            a += t[0] * xx * t[0] + t[1] * yy * t[1];
            g += t[0] * xx * (y[k][0] - p[0]) + t[1] * yy * (y[k][1] - p[1]);
        }
        double step = a > 0 ? RELAXATION * g / (2 * a) : 0;
        p[0] += step * t[0];
        p[1] += step * t[1];
    }
}
