package org.trellis.solve.eigen;

import java.util.Arrays;
import org.trellis.mesh.Dat;
import org.trellis.mesh.device.HostStorage;
import org.trellis.solve.dense.DotLoops;

/**
 * Loops over vectors on the heap that are too short to be shared among threads, some hundred elements at a time, which
 * stay in the nearest cache. Dot products are those of four vectors with one or two others; combinations add four
 * vectors to two by the same loops, or to one, which the JIT compiler vectorises, as it does not with more.
 */
final class HostBasis implements BasisArithmetic {
    private static final int ROWS = 512;
    private static final DotLoops DOTS = DotLoops.best();

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
        return DOTS.dot(x, 0, x, 0, length);
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
        for (int i = 0; i < WIDTH * count; i++) {
            sums[i] = -sums[i];
        }
        for (int row = 0; row < length; row += ROWS) {
            combine(v, sums, WIDTH, w, row, Math.min(length, row + ROWS));
        }
        return greatest;
    }

    @Override
    public void transform(Dat[] from, int count, double[][] q, Dat[] to, int columns) {
        double[][] v = arrays(from, 0, count);
        double[][] w = arrays(to, 0, columns);
        double[] all = new double[count * columns];
        for (int k = 0; k < count; k++) {
            System.arraycopy(q[k], 0, all, columns * k, columns);
        }
        for (int row = 0; row < length; row += ROWS) {
            int end = Math.min(length, row + ROWS);
            for (double[] target : w) {
                Arrays.fill(target, row, end, 0);
            }
            combine(v, all, columns, w, row, end);
        }
    }

    /** Adds to each of some vectors a combination of others, whose factors are rows, one for each of the others. */
    private void combine(double[][] v, double[] rows, int stride, double[][] w, int from, int to) {
        int j = 0;
        for (; j + 2 <= w.length; j += 2) {
            int k = 0;
            for (; k + 4 <= v.length; k += 4) {
                DOTS.addFour(v, k, rows, stride * k + j, stride, w, j, from, to);
            }
            for (; k < v.length; k++) {
                add(w[j], v[k], rows[stride * k + j], from, to);
                add(w[j + 1], v[k], rows[stride * k + j + 1], from, to);
            }
        }
        if (j < w.length) {
            for (int k = 0; k < v.length; k++) {
                factors[k] = rows[stride * k + j];
            }
            add(w[j], v, v.length, from, to);
        }
    }

    /** Computes all dot products of a vector with others. */
    private void dots(double[] w, double[][] v, double[] to) {
        Arrays.fill(to, 0, v.length, 0);
        for (int row = 0; row < length; row += ROWS) {
            int end = Math.min(length, row + ROWS);
            int k = 0;
            for (; k + 4 <= v.length; k += 4) {
                DOTS.fourByOne(v, k, w, row, end, to, k);
            }
            for (; k < v.length; k++) {
                to[k] += DOTS.dot(v[k], row, w, row, end - row);
            }
        }
    }

    /** Adds up the products of some vectors with four others. */
    private void products(double[][] v, double[][] w, int row, int end) {
        int k = 0;
        for (; k + 4 <= v.length; k += 4) {
            for (int j = 0; j < WIDTH; j += 2) {
                DOTS.fourByTwo(v, k, w, j, row, end, sums, WIDTH * k + j);
            }
        }
        for (; k < v.length; k++) {
            DOTS.fourByOne(w, 0, v[k], row, end, sums, WIDTH * k);
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
}
