package org.trellis.solve.dense;

/** One element after the other; what vectors compute in lanes is kept in as many sums. */
final class ScalarDots implements DotLoops {
    private static final int LANES = 4;

    @Override
    public double dot(double[] x, int xAt, double[] y, int yAt, int count) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        double s4 = 0;
        double s5 = 0;
        double s6 = 0;
        double s7 = 0;
        int end = xAt + (count & -8);
        int shift = yAt - xAt;
        int i = xAt;
        for (; i < end; i += 8) {
            s0 += x[i] * y[i + shift];
            s1 += x[i + 1] * y[i + 1 + shift];
            s2 += x[i + 2] * y[i + 2 + shift];
            s3 += x[i + 3] * y[i + 3 + shift];
            s4 += x[i + 4] * y[i + 4 + shift];
            s5 += x[i + 5] * y[i + 5 + shift];
            s6 += x[i + 6] * y[i + 6 + shift];
            s7 += x[i + 7] * y[i + 7 + shift];
        }
        for (; i < xAt + count; i++) {
            s0 += x[i] * y[i + shift];
        }
        return s0 + s4 + (s2 + s6) + (s1 + s5 + (s3 + s7));
    }

    @Override
    public double dot(float[] x, int xAt, float[] y, int yAt, int count) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        double s4 = 0;
        double s5 = 0;
        double s6 = 0;
        double s7 = 0;
        int end = xAt + (count & -8);
        int shift = yAt - xAt;
        int i = xAt;
        for (; i < end; i += 8) {
            s0 += (double) x[i] * y[i + shift];
            s1 += (double) x[i + 1] * y[i + 1 + shift];
            s2 += (double) x[i + 2] * y[i + 2 + shift];
            s3 += (double) x[i + 3] * y[i + 3 + shift];
            s4 += (double) x[i + 4] * y[i + 4 + shift];
            s5 += (double) x[i + 5] * y[i + 5 + shift];
            s6 += (double) x[i + 6] * y[i + 6 + shift];
            s7 += (double) x[i + 7] * y[i + 7 + shift];
        }
        for (; i < xAt + count; i++) {
            s0 += (double) x[i] * y[i + shift];
        }
        return s0 + s4 + (s2 + s6) + (s1 + s5 + (s3 + s7));
    }

    @Override
    public void fourByOne(double[][] v, int k, double[] w, int from, int to, double[] sums, int at) {
        for (int lane = 0; lane < LANES; lane += 2) {
            fourByOne(v[k], v[k + 1], v[k + 2], v[k + 3], w, from, to, lane, sums, at);
        }
    }

    /** Two lanes at a time, so that none of eight sums waits for the one before. */
    @SuppressWarnings("checkstyle:ParameterNumber") // arrays without an index each
    private static void fourByOne(double[] a, double[] b, double[] c, double[] d, double[] w, int from, int to,
            int lane, double[] sums, int at) {
        double a0 = 0;
        double a1 = 0;
        double b0 = 0;
        double b1 = 0;
        double c0 = 0;
        double c1 = 0;
        double d0 = 0;
        double d1 = 0;
        int end = from + (to - from & -LANES);
        int i = from + lane;
        for (; i < end; i += LANES) {
            double x = w[i];
            double y = w[i + 1];
            a0 += a[i] * x;
            a1 += a[i + 1] * y;
            b0 += b[i] * x;
            b1 += b[i + 1] * y;
            c0 += c[i] * x;
            c1 += c[i + 1] * y;
            d0 += d[i] * x;
            d1 += d[i + 1] * y;
        }
        for (i = end; lane == 0 && i < to; i++) {
            a0 += a[i] * w[i];
            b0 += b[i] * w[i];
            c0 += c[i] * w[i];
            d0 += d[i] * w[i];
        }
        sums[at] = sums[at] + a0 + a1;
        sums[at + 1] = sums[at + 1] + b0 + b1;
        sums[at + 2] = sums[at + 2] + c0 + c1;
        sums[at + 3] = sums[at + 3] + d0 + d1;
    }

    @Override
    @SuppressWarnings("checkstyle:ParameterNumber") // as the interface
    public void fourByTwo(double[][] v, int k, double[][] w, int j, int from, int to, double[] sums, int at) {
        for (int lane = 0; lane < LANES; lane++) {
            fourByTwo(v[k], v[k + 1], v[k + 2], v[k + 3], w[j], w[j + 1], from, to, lane, sums, at);
        }
    }

    @SuppressWarnings("checkstyle:ParameterNumber") // arrays without an index each
    private static void fourByTwo(double[] a, double[] b, double[] c, double[] d, double[] x, double[] y, int from,
            int to, int lane, double[] sums, int at) {
        double ax = 0;
        double ay = 0;
        double bx = 0;
        double by = 0;
        double cx = 0;
        double cy = 0;
        double dx = 0;
        double dy = 0;
        int end = from + (to - from & -LANES);
        int stride = LANES;
        for (int i = from + lane; i < to; i += stride) {
            if (i >= end) {
                // What is left after the last vector of four belongs to the first sum.
                if (lane > 0) {
                    break;
                }
                stride = 1;
            }
            double first = x[i];
            double second = y[i];
            ax += a[i] * first;
            ay += a[i] * second;
            bx += b[i] * first;
            by += b[i] * second;
            cx += c[i] * first;
            cy += c[i] * second;
            dx += d[i] * first;
            dy += d[i] * second;
        }
        sums[at] += ax;
        sums[at + 1] += ay;
        sums[at + FOUR] += bx;
        sums[at + FOUR + 1] += by;
        sums[at + 2 * FOUR] += cx;
        sums[at + 2 * FOUR + 1] += cy;
        sums[at + 3 * FOUR] += dx;
        sums[at + 3 * FOUR + 1] += dy;
    }

    @Override
    @SuppressWarnings("checkstyle:ParameterNumber") // as the interface
    public void addFour(double[][] v, int k, double[] factors, int at, int stride, double[][] w, int j, int from,
            int to) {
        for (int c = 0; c < 2; c++) {
            int place = at + c;
            addFour(v[k], v[k + 1], v[k + 2], v[k + 3], factors[place], factors[place + stride],
                    factors[place + 2 * stride], factors[place + 3 * stride], w[j + c], from, to);
        }
    }

    /** One target at a time, as the JIT compiler makes vectors of no more. */
    @SuppressWarnings("checkstyle:ParameterNumber") // factors in registers
    private static void addFour(double[] a, double[] b, double[] c, double[] d, double fa, double fb, double fc,
            double fd, double[] w, int from, int to) {
        for (int i = from; i < to; i++) {
            w[i] += fa * a[i] + fb * b[i] + (fc * c[i] + fd * d[i]);
        }
    }
}
