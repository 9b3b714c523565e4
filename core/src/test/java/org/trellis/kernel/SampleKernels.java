package org.trellis.kernel;

/** Kernels that use every part of the language, for comparing what is generated with the methods themselves. */
final class SampleKernels {
    static final double GAMMA = 1.4f;
    static final double GAMMA_LESS_ONE = GAMMA - 1.0f;
    private static final double EPSILON = (double) 0.05f;
    private static final int COMPONENTS = 4;
    private static final boolean LIMITED = true;

    private SampleKernels() {}

    @MeshKernel
    static void copy(@Read(COMPONENTS) double[] from, @Write(COMPONENTS) double[] to) {
        for (int n = 0; n < COMPONENTS; n++) {
            to[n] = from[n];
        }
    }

    @MeshKernel
    static void timeStep(@Read(2) double[] x1, @Read(2) double[] x2, @Read(2) double[] x3, @Read(2) double[] x4,
            @Read(4) double[] q, @Write(1) double[] adt) {
        double ri = 1.0 / q[0];
        double u = ri * q[1];
        double v = ri * q[2];
        double c = Math.sqrt(GAMMA * GAMMA_LESS_ONE * Math.abs(ri * q[3] - 0.5 * (u * u + v * v)));
        adt[0] = side(x1, x2, u, v, c) + side(x2, x3, u, v, c);
        adt[0] += side(x3, x4, u, v, c) + side(x4, x1, u, v, c);
        adt[0] /= 0.9f;
    }

    @KernelFunction
    private static double side(double[] from, double[] to, double u, double v, double c) {
        double dx = to[0] - from[0];
        double dy = to[1] - from[1];
        return Math.abs(u * dy - v * dx) + c * length(dx, dy);
    }

    @KernelFunction
    private static double length(double dx, double dy) {
        return Math.sqrt(dx * dx + dy * dy);
    }

    @MeshKernel
    static void flux(@Read(2) double[] x1, @Read(2) double[] x2, @Read(4) double[] q1, @Read(4) double[] q2,
            @Read double[] adt1, @Read double[] adt2, @Increment(4) double[] res1,
            @Increment(value = 4, repeats = "res1", sign = -1) double[] res2) {
        double dx = x1[0] - x2[0];
        double dy = x1[1] - x2[1];
        double vol1 = (q1[1] * dy - q1[2] * dx) / q1[0];
        double vol2 = (q2[1] * dy - q2[2] * dx) / q2[0];
        double mu = 0.5 * (adt1[0] + adt2[0]) * EPSILON;
        double[] pressure = {0.0, dy, -dx, vol1 + vol2};
        for (int n = 0; n < 4; n++) {
            double f = 0.5 * (vol1 * q1[n] + vol2 * q2[n] + pressure[n]) + mu * (q1[n] - q2[n]);
            res1[n] += f;
            res2[n] -= f;
        }
    }

    @MeshKernel
    static void boundary(@Read(2) double[] x1, @Read(2) double[] x2, @Read(4) double[] q1, @Increment(4) double[] res1,
            @Read int[] bound, @Constant(4) double[] far, @GlobalRead(2) double[] scale, @Constant double factor,
            @Constant int shift) {
        double dx = (x1[0] - x2[0]) * scale[0];
        double dy = (x1[1] - x2[1]) * scale[1];
        if (bound[0] == 1) {
            res1[1] += q1[3] * dy;
            res1[2] -= q1[3] * dx;
        } else {
            double vol = q1[1] * dy - q1[2] * dx;
            if (vol > 0 && LIMITED) {
                vol = Math.min(vol, factor);
                res1[0] += vol * q1[0];
            } else if (bound[0] + shift > 3) {
                res1[0] -= vol * far[0];
            }
            res1[3] += vol * far[3];
        }
        res1[3] += bound[0] > 1 ? dx : -dy;
    }

    @MeshKernel
    static void update(@Read(4) double[] old, @Write(4) double[] q, @ReadWrite(4) double[] res, @Read double[] adt,
            @Sum double[] change, @Min double[] least, @Max(2) double[] most, @Sum int[] count) {
        double adti = 1.0 / adt[0];
        for (int n = 0; n < 4; n++) {
            double del = adti * res[n];
            q[n] = old[n] - del;
            res[n] = 0.0;
            change[0] += del * del;
            least[0] = Math.min(least[0], del);
            if (old[n] > 1.0) {
                most[1] = Math.max(del, most[1]);
                count[0] += n + 1;
            }
        }
        most[0] = Math.max(most[0], q[3]);
    }

    @MeshKernel
    static void gradient(@Read(value = 2, entries = 3) double[][] x, @Read(value = 1, entries = 3) double[][] u,
            @Write(2) double[] g, @Increment(value = 2, entries = 3) double[][] load, @Read(3) int[] flags) {
        double a = x[1][0] - x[0][0];
        double b = x[2][1] - x[0][1];
        int mask = 0;
        for (int k = 0; k < flags.length; k++) {
            mask |= flags[k] << k;
            mask ^= ~(k + 1) & 3;
        }
        g[0] = a * (u[1][0] - u[0][0]);
        g[1] = b * (u[2][0] - u[0][0]);
        if (mask % 2 == 0) {
            g[1] = g[0];
        }
        double[][] m = new double[3][2];
        for (int k = 2; k >= 0; k--) {
            add(m[k], a, b, k + 1);
            for (int c = 0; c < 2; c++) {
                load[k][c] += m[k][c] * (mask + 0.5);
            }
        }
    }

    @KernelFunction
    static void add(double[] row, double a, double b, int weight) {
        row[0] += weight * a;
        row[1] -= b / weight;
    }

    @MeshKernel
    static void neighbours(@Read(value = 2, entries = ArgumentSignature.VARIABLE) double[][] x,
            @Read(value = 1, entries = ArgumentSignature.VARIABLE) double[][] w, @Read(2) double[] own,
            @Write(2) double[] mean, @Increment(value = 2, entries = ArgumentSignature.VARIABLE) double[][] out) {
        double sum = 0.0;
        double first = 0.0;
        for (int k = 0; k < x.length; k++) {
            sum += w[k][0] * x[k][1];
            first += x[k][0];
            for (int c = 0; c < 2; c++) {
                out[k][c] += w[k][0] * own[c];
            }
            out[k][1] -= 0.25;
        }
        mean[0] = x.length > 0 ? sum / x.length : own[0];
        mean[1] = first;
    }

    @MeshKernel
    static void functions(@Read(3) double[] a, @Write(8) double[] b, @Read(2) int[] i, @Write(3) int[] j) {
        double x = Math.abs(a[0]) + 0.1;
        b[0] = Math.sin(x) + Math.cos(a[1]) * Math.tan(a[2] * 0.1);
        b[1] = Math.exp(-x) + Math.log(x) + Math.log1p(x) + Math.expm1(x * 0.5) + Math.log10(x);
        b[2] = Math.pow(x, 1.5) + Math.cbrt(a[1]) + Math.hypot(a[1], a[2]);
        b[3] = Math.fma(a[0], a[1], a[2]) + Math.max(a[0], a[1]) - Math.min(a[1], a[2]);
        b[4] = Math.atan2(a[0], x) + Math.asin(a[1] * 0.2) + Math.acos(a[2] * 0.2) + Math.atan(a[0]);
        b[5] = Math.sinh(a[0] * 0.5) + Math.cosh(a[1] * 0.5) + Math.tanh(a[2]);
        b[6] = (double) i[0] / 4 + i[1];
        b[7] = (int) (a[0] * 8.0) + (a[1] < a[2] ? 1 : 0.5);
        j[0] = Math.max(i[0], i[1]) * 3 - Math.abs(i[0] - i[1]);
        j[1] = (i[0] << 2 | i[1]) >> 1 & 7;
        boolean odd = i[0] % 2 == 1 ^ i[1] / 2 == 0;
        j[2] = odd || a[0] > a[1] ? -i[0] : i[1] >>> 1;
    }

    @MeshKernel
    static void iterate(@Read(2) double[] a, @Increment(1) double[] b, @Increment(1) double[] c) {
        double x = a[0];
        for (int k = 0; k < 10; k++) {
            double f = x * x - 2.0;
            // Continuous where the branch changes, so that single precision stays near double.
            if (f > 1e-3) {
                x -= (f - 1e-3) / (2.0 * x);
            }
            x += 1e-6 * k;
        }
        double swap = a[1];
        b[0] += swap;
        if (x > swap) {
            swap = x;
        }
        c[0] -= swap * x;
    }

    @MeshKernel(contract = true)
    static void contracted(@Read(3) double[] a, @Write(4) double[] b, @Increment double[] sum) {
        b[0] = a[0] * a[0] - a[1] * a[1];
        b[1] = a[0] * a[1] + a[2];
        b[2] = a[0] * a[1] - a[2];
        b[3] = a[2] > 0 ? a[0] - 0.5 * a[1] : a[0] * a[1] + a[1] * a[2];
        for (int k = 0; k < 3; k++) {
            sum[0] += a[k] * 0.1;
        }
    }
}
