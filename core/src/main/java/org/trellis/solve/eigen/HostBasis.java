package org.trellis.solve.eigen;

import java.util.Arrays;
import org.trellis.mesh.Dat;
import org.trellis.mesh.device.HostStorage;

/**
 * Loops over vectors on the heap that are too short to be shared among threads, some hundred elements at a time, which
 * stay in the nearest cache. Sums of products of four vectors with one or two others keep eight numbers in registers;
 * combinations add four vectors to one, which the JIT compiler vectorises, as it does not with more.
 */
final class HostBasis implements BasisArithmetic {
    private static final int ROWS = 512;

    private final int length;
    private final double[][] kept;
    private final double[] sums;
    private final double[] factors;

    /**
     * Makes room for coefficients.
     *
     * @param length of vectors
     * @param most   vectors of a basis
     */
    HostBasis(int length, int most) {
        this.length = length;
        this.kept = new double[2][most];
        this.sums = new double[WIDTH * most];
        this.factors = new double[most];
    }

    private static double[] array(Dat vector) {
        return (double[]) ((HostStorage) vector.storage()).array();
    }

    private static double[][] arrays(Dat[] vectors, int from, int count) {
        double[][] all = new double[count][];
        for (int k = 0; k < count; k++) {
            all[k] = array(vectors[from + k]);
        }
        return all;
    }

    @Override
    public void multiply(double factor, Dat x) {
        double[] all = array(x);
        for (int i = 0; i < length; i++) {
            all[i] *= factor;
        }
    }

    @Override
    public double[] dots(Dat w, Dat[] basis, int count) {
        double[] result = new double[count];
        dots(array(w), arrays(basis, 0, count), result);
        return result;
    }

    @Override
    public void clear(Dat t, Dat w, Dat[] basis, int from, int count, int part) {
        double[][] v = arrays(basis, from, count);
        dots(array(t), v, kept[part]);
        for (int k = 0; k < count; k++) {
            factors[k] = -kept[part][k];
        }
        double[] target = array(w);
        for (int row = 0; row < length; row += ROWS) {
            add(target, v, count, row, Math.min(length, row + ROWS));
        }
    }

    @Override
    public void fetch() {}

    @Override
    public double square(Dat w) {
        double[] x = array(w);
        return dot(x, x, 0, length);
    }

    @Override
    public double kept(int part, int index) {
        return kept[part][index];
    }

    @Override
    public double[] clearFour(Dat[] basis, int count) {
        double[][] v = arrays(basis, 0, count);
        double[][] w = arrays(basis, count, WIDTH);
        Arrays.fill(sums, 0, WIDTH * count, 0);
        for (int row = 0; row < length; row += ROWS) {
            products(v, w, row, Math.min(length, row + ROWS));
        }
        double[] greatest = new double[WIDTH];
        for (int j = 0; j < WIDTH; j++) {
            for (int k = 0; k < count; k++) {
                greatest[j] = Math.max(greatest[j], Math.abs(sums[WIDTH * k + j]));
            }
        }
        for (int row = 0; row < length; row += ROWS) {
            for (int j = 0; j < WIDTH; j++) {
                for (int k = 0; k < count; k++) {
                    factors[k] = -sums[WIDTH * k + j];
                }
                add(w[j], v, count, row, Math.min(length, row + ROWS));
            }
        }
        return greatest;
    }

    @Override
    public void transform(Dat[] from, int count, double[][] q, Dat[] to, int columns) {
        double[][] v = arrays(from, 0, count);
        double[][] w = arrays(to, 0, columns);
        for (int row = 0; row < length; row += ROWS) {
            int end = Math.min(length, row + ROWS);
            for (int j = 0; j < columns; j++) {
                for (int k = 0; k < count; k++) {
                    factors[k] = q[k][j];
                }
                Arrays.fill(w[j], row, end, 0);
                add(w[j], v, count, row, end);
            }
        }
    }

    /** Computes all dot products of a vector with others. */
    private void dots(double[] w, double[][] v, double[] to) {
        Arrays.fill(to, 0, v.length, 0);
        for (int row = 0; row < length; row += ROWS) {
            int end = Math.min(length, row + ROWS);
            int k = 0;
            for (; k + 4 <= v.length; k += 4) {
                fourByOne(v[k], v[k + 1], v[k + 2], v[k + 3], w, row, end, to, k);
            }
            for (; k < v.length; k++) {
                to[k] += dot(v[k], w, row, end);
            }
        }
    }

    /** Adds up the products of some vectors with four others. */
    private void products(double[][] v, double[][] w, int row, int end) {
        int k = 0;
        for (; k + 4 <= v.length; k += 4) {
            for (int j = 0; j < WIDTH; j += 2) {
                fourByTwo(v[k], v[k + 1], v[k + 2], v[k + 3], w[j], w[j + 1], row, end, sums, WIDTH * k + j);
            }
        }
        for (; k < v.length; k++) {
            fourByOne(w[0], w[1], w[2], w[3], v[k], row, end, sums, WIDTH * k);
        }
    }

    /** Computes {@code y += Σ factors[k] v[k]}. */
    private void add(double[] y, double[][] v, int count, int from, int to) {
        int k = 0;
        for (; k + 4 <= count; k += 4) {
            add(y, v[k], v[k + 1], v[k + 2], v[k + 3], factors[k], factors[k + 1], factors[k + 2], factors[k + 3],
                    from, to);
        }
        for (; k < count; k++) {
            add(y, v[k], factors[k], from, to);
        }
    }

    @SuppressWarnings("checkstyle:ParameterNumber") // coefficients in registers
    private static void add(double[] y, double[] a, double[] b, double[] c, double[] d, double fa, double fb, double fc,
            double fd, int from, int to) {
        for (int i = from; i < to; i++) {
            y[i] += fa * a[i] + fb * b[i] + (fc * c[i] + fd * d[i]);
        }
    }

    private static void add(double[] y, double[] x, double factor, int from, int to) {
        for (int i = from; i < to; i++) {
            y[i] += factor * x[i];
        }
    }

    /** Adds the products of four vectors with two others, those of a vector four places behind those of the last. */
    @SuppressWarnings("checkstyle:ParameterNumber") // arrays without an index each
    private static void fourByTwo(double[] a, double[] b, double[] c, double[] d, double[] x, double[] y, int from,
            int to, double[] sums, int at) {
        double ax = 0;
        double ay = 0;
        double bx = 0;
        double by = 0;
        double cx = 0;
        double cy = 0;
        double dx = 0;
        double dy = 0;
        for (int i = from; i < to; i++) {
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
        sums[at + WIDTH] += bx;
        sums[at + WIDTH + 1] += by;
        sums[at + 2 * WIDTH] += cx;
        sums[at + 2 * WIDTH + 1] += cy;
        sums[at + 3 * WIDTH] += dx;
        sums[at + 3 * WIDTH + 1] += dy;
    }

    /** Adds the products of four vectors with another. Two sums each, so that none waits for the one before. */
    @SuppressWarnings("checkstyle:ParameterNumber") // arrays without an index each
    private static void fourByOne(double[] a, double[] b, double[] c, double[] d, double[] x, int from, int to,
            double[] sums, int at) {
        double a0 = 0;
        double a1 = 0;
        double b0 = 0;
        double b1 = 0;
        double c0 = 0;
        double c1 = 0;
        double d0 = 0;
        double d1 = 0;
        int i = from;
        for (; i + 1 < to; i += 2) {
            double even = x[i];
            double odd = x[i + 1];
            a0 += a[i] * even;
            a1 += a[i + 1] * odd;
            b0 += b[i] * even;
            b1 += b[i + 1] * odd;
            c0 += c[i] * even;
            c1 += c[i + 1] * odd;
            d0 += d[i] * even;
            d1 += d[i + 1] * odd;
        }
        double last = i < to ? x[i] : 0;
        sums[at] += a0 + a1 + (i < to ? a[i] * last : 0);
        sums[at + 1] += b0 + b1 + (i < to ? b[i] * last : 0);
        sums[at + 2] += c0 + c1 + (i < to ? c[i] * last : 0);
        sums[at + 3] += d0 + d1 + (i < to ? d[i] * last : 0);
    }

    /** Eight sums, so that none waits for the one before. */
    private static double dot(double[] x, double[] y, int from, int to) {
        double s0 = 0;
        double s1 = 0;
        double s2 = 0;
        double s3 = 0;
        double s4 = 0;
        double s5 = 0;
        double s6 = 0;
        double s7 = 0;
        int i = from;
        for (; i + 7 < to; i += 8) {
            s0 += x[i] * y[i];
            s1 += x[i + 1] * y[i + 1];
            s2 += x[i + 2] * y[i + 2];
            s3 += x[i + 3] * y[i + 3];
            s4 += x[i + 4] * y[i + 4];
            s5 += x[i + 5] * y[i + 5];
            s6 += x[i + 6] * y[i + 6];
            s7 += x[i + 7] * y[i + 7];
        }
        for (; i < to; i++) {
            s0 += x[i] * y[i];
        }
        return s0 + s1 + (s2 + s3) + (s4 + s5 + (s6 + s7));
    }
}
