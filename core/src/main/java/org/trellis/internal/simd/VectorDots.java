package org.trellis.internal.simd;

import jdk.incubator.vector.DoubleVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;
import org.trellis.solve.dense.DotLoops;

/**
 * Loops in vectors of four, which are the partial sums of dot products: two vectors of a dot product of its own, one of
 * each where several are computed at once. Products and sums are rounded one after the other, as scalar code does.
 */
final class VectorDots implements DotLoops {
    private static final VectorSpecies<Double> S = DoubleVector.SPECIES_256;
    private static final VectorSpecies<Float> F = FloatVector.SPECIES_128;
    private static final int L = 4;

    private static DoubleVector of(double[] x, int at) {
        return DoubleVector.fromArray(S, x, at);
    }

    private static DoubleVector of(float[] x, int at) {
        return (DoubleVector) FloatVector.fromArray(F, x, at).convertShape(VectorOperators.F2D, S, 0);
    }

    @Override
    public double dot(double[] x, int xAt, double[] y, int yAt, int count) {
        DoubleVector low = DoubleVector.zero(S);
        DoubleVector high = low;
        int end = count & -(2 * L);
        for (int i = 0; i < end; i += 2 * L) {
            low = low.add(of(x, xAt + i).mul(of(y, yAt + i)));
            high = high.add(of(x, xAt + i + L).mul(of(y, yAt + i + L)));
        }
        double rest = low.lane(0);
        for (int i = end; i < count; i++) {
            rest += x[xAt + i] * y[yAt + i];
        }
        return sum(rest, low, high);
    }

    @Override
    public double dot(float[] x, int xAt, float[] y, int yAt, int count) {
        DoubleVector low = DoubleVector.zero(S);
        DoubleVector high = low;
        int end = count & -(2 * L);
        for (int i = 0; i < end; i += 2 * L) {
            low = low.add(of(x, xAt + i).mul(of(y, yAt + i)));
            high = high.add(of(x, xAt + i + L).mul(of(y, yAt + i + L)));
        }
        double rest = low.lane(0);
        for (int i = end; i < count; i++) {
            rest += (double) x[xAt + i] * y[yAt + i];
        }
        return sum(rest, low, high);
    }

    private static double sum(double first, DoubleVector low, DoubleVector high) {
        double[] a = low.toArray();
        double[] b = high.toArray();
        return first + b[0] + (a[2] + b[2]) + (a[1] + b[1] + (a[3] + b[3]));
    }

    @Override
    public void fourByOne(double[][] v, int k, double[] w, int from, int to, double[] sums, int at) {
        double[] a = v[k];
        double[] b = v[k + 1];
        double[] c = v[k + 2];
        double[] d = v[k + 3];
        DoubleVector sa = DoubleVector.zero(S);
        DoubleVector sb = sa;
        DoubleVector sc = sa;
        DoubleVector sd = sa;
        int end = from + (to - from & -L);
        for (int i = from; i < end; i += L) {
            DoubleVector x = of(w, i);
            sa = sa.add(of(a, i).mul(x));
            sb = sb.add(of(b, i).mul(x));
            sc = sc.add(of(c, i).mul(x));
            sd = sd.add(of(d, i).mul(x));
        }
        finish(sa, a, w, end, to, sums, at);
        finish(sb, b, w, end, to, sums, at + 1);
        finish(sc, c, w, end, to, sums, at + 2);
        finish(sd, d, w, end, to, sums, at + 3);
    }

    @Override
    @SuppressWarnings("checkstyle:ParameterNumber") // as the interface
    public void fourByTwo(double[][] v, int k, double[][] w, int j, int from, int to, double[] sums, int at) {
        double[] a = v[k];
        double[] b = v[k + 1];
        double[] c = v[k + 2];
        double[] d = v[k + 3];
        double[] first = w[j];
        double[] second = w[j + 1];
        DoubleVector ax = DoubleVector.zero(S);
        DoubleVector ay = ax;
        DoubleVector bx = ax;
        DoubleVector by = ax;
        DoubleVector cx = ax;
        DoubleVector cy = ax;
        DoubleVector dx = ax;
        DoubleVector dy = ax;
        int end = from + (to - from & -L);
        for (int i = from; i < end; i += L) {
            DoubleVector x = of(first, i);
            DoubleVector y = of(second, i);
            DoubleVector one = of(a, i);
            ax = ax.add(one.mul(x));
            ay = ay.add(one.mul(y));
            one = of(b, i);
            bx = bx.add(one.mul(x));
            by = by.add(one.mul(y));
            one = of(c, i);
            cx = cx.add(one.mul(x));
            cy = cy.add(one.mul(y));
            one = of(d, i);
            dx = dx.add(one.mul(x));
            dy = dy.add(one.mul(y));
        }
        finish(ax, a, first, end, to, sums, at);
        finish(ay, a, second, end, to, sums, at + 1);
        finish(bx, b, first, end, to, sums, at + FOUR);
        finish(by, b, second, end, to, sums, at + FOUR + 1);
        finish(cx, c, first, end, to, sums, at + 2 * FOUR);
        finish(cy, c, second, end, to, sums, at + 2 * FOUR + 1);
        finish(dx, d, first, end, to, sums, at + 3 * FOUR);
        finish(dy, d, second, end, to, sums, at + 3 * FOUR + 1);
    }

    @Override
    @SuppressWarnings("checkstyle:ParameterNumber") // as the interface
    public void addFour(double[][] v, int k, double[] factors, int at, int stride, double[][] w, int j, int from,
            int to) {
        double[] a = v[k];
        double[] b = v[k + 1];
        double[] c = v[k + 2];
        double[] d = v[k + 3];
        double[] first = w[j];
        double[] second = w[j + 1];
        double fa = factors[at];
        double ga = factors[at + 1];
        double fb = factors[at + stride];
        double gb = factors[at + stride + 1];
        double fc = factors[at + 2 * stride];
        double gc = factors[at + 2 * stride + 1];
        double fd = factors[at + 3 * stride];
        double gd = factors[at + 3 * stride + 1];
        int end = from + (to - from & -L);
        for (int i = from; i < end; i += L) {
            DoubleVector va = of(a, i);
            DoubleVector vb = of(b, i);
            DoubleVector vc = of(c, i);
            DoubleVector vd = of(d, i);
            of(first, i).add(va.mul(fa).add(vb.mul(fb)).add(vc.mul(fc).add(vd.mul(fd)))).intoArray(first, i);
            of(second, i).add(va.mul(ga).add(vb.mul(gb)).add(vc.mul(gc).add(vd.mul(gd)))).intoArray(second, i);
        }
        for (int i = end; i < to; i++) {
            first[i] += fa * a[i] + fb * b[i] + (fc * c[i] + fd * d[i]);
            second[i] += ga * a[i] + gb * b[i] + (gc * c[i] + gd * d[i]);
        }
    }

    /** Adds up the lanes, the first of which gets what is left after the last vector. */
    private static void finish(DoubleVector lanes, double[] x, double[] y, int from, int to, double[] sums, int at) {
        double[] parts = lanes.toArray();
        for (int i = from; i < to; i++) {
            parts[0] += x[i] * y[i];
        }
        sums[at] = sums[at] + parts[0] + parts[1] + parts[2] + parts[3];
    }
}
