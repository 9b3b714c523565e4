package org.trellis.distributed.solve;

import java.util.ArrayList;
import java.util.List;

/**
 * Eigenvalues of a small Hessenberg matrix, which approximate those of the operator that a Krylov method has made it
 * of, and their order as shifts of Newton's basis (Z. Bai, D. Hu, L. Reichel, A Newton basis GMRES implementation, IMA
 * J. Numer. Anal. 14, 1994): each time the one that is farthest from those before it by the product of the distances,
 * conjugate pairs together.
 */
final class RitzValues {
    private static final int SWEEPS = 60;
    private static final double REAL = 1e-10;

    private final double[] real;
    private final double[] imaginary;

    /** A complex number. */
    private record Complex(double re, double im) {
        static final Complex ZERO = new Complex(0, 0);

        Complex plus(Complex other) {
            return new Complex(re + other.re, im + other.im);
        }

        Complex minus(Complex other) {
            return new Complex(re - other.re, im - other.im);
        }

        Complex times(Complex other) {
            return new Complex(re * other.re - im * other.im, re * other.im + im * other.re);
        }

        Complex times(double factor) {
            return new Complex(factor * re, factor * im);
        }

        Complex conjugate() {
            return new Complex(re, -im);
        }

        double abs() {
            return Math.hypot(re, im);
        }

        Complex root() {
            double length = Math.sqrt(abs());
            double angle = Math.atan2(im, re) / 2;
            return new Complex(length * Math.cos(angle), length * Math.sin(angle));
        }
    }

    private RitzValues(double[] real, double[] imaginary) {
        this.real = real;
        this.imaginary = imaginary;
    }

    /**
     * Finds eigenvalues by shifted QR steps in complex numbers.
     *
     * @param hessenberg a square matrix, row by row; what is below the first subdiagonal is not read
     * @return them in the order of shifts; of a pair the one with the positive imaginary part first
     */
    static RitzValues of(double[][] hessenberg) {
        Complex[][] h = new Complex[hessenberg.length][hessenberg.length];
        for (int i = 0; i < h.length; i++) {
            for (int j = 0; j < h.length; j++) {
                h[i][j] = i > j + 1 ? Complex.ZERO : new Complex(hessenberg[i][j], 0);
            }
        }
        List<Complex> found = new ArrayList<>();
        int sweeps = 0;
        for (int last = h.length - 1; last >= 0;) {
            int first = last;
            while (first > 0 && !isSmall(h, first)) {
                first--;
            }
            if (first == last || sweeps == SWEEPS) {
                found.add(h[last][last]);
                last--;
                sweeps = 0;
            } else {
                step(h, first, last);
                sweeps++;
            }
        }
        return ordered(found);
    }

    private static boolean isSmall(Complex[][] h, int row) {
        double size = h[row][row].abs() + h[row - 1][row - 1].abs();
        return h[row][row - 1].abs() <= Math.ulp(size == 0 ? 1 : size);
    }

    /** Does a step with the eigenvalue of the last two rows that is nearer to the last element. */
    private static void step(Complex[][] h, int first, int last) {
        Complex shift = shift(h[last - 1][last - 1], h[last - 1][last], h[last][last - 1], h[last][last]);
        Complex[] cosines = new Complex[last];
        Complex[] sines = new Complex[last];
        for (int i = first; i <= last; i++) {
            h[i][i] = h[i][i].minus(shift);
        }
        for (int k = first; k < last; k++) {
            double length = Math.hypot(h[k][k].abs(), h[k + 1][k].abs());
            cosines[k] = length == 0 ? new Complex(1, 0) : h[k][k].conjugate().times(1 / length);
            sines[k] = length == 0 ? Complex.ZERO : h[k + 1][k].conjugate().times(1 / length);
            for (int j = k; j <= last; j++) {
                Complex upper = cosines[k].times(h[k][j]).plus(sines[k].times(h[k + 1][j]));
                h[k + 1][j] = cosines[k].conjugate().times(h[k + 1][j])
                        .minus(sines[k].conjugate().times(h[k][j]));
                h[k][j] = upper;
            }
        }
        for (int k = first; k < last; k++) {
            for (int i = first; i <= Math.min(k + 1, last); i++) {
                Complex left = h[i][k].times(cosines[k].conjugate()).plus(h[i][k + 1].times(sines[k].conjugate()));
                h[i][k + 1] = h[i][k + 1].times(cosines[k]).minus(h[i][k].times(sines[k]));
                h[i][k] = left;
            }
        }
        for (int i = first; i <= last; i++) {
            h[i][i] = h[i][i].plus(shift);
        }
    }

    private static Complex shift(Complex a, Complex b, Complex c, Complex d) {
        Complex half = a.minus(d).times(0.5);
        Complex root = half.times(half).plus(b.times(c)).root();
        Complex one = d.plus(half).plus(root);
        Complex other = d.plus(half).minus(root);
        return one.minus(d).abs() < other.minus(d).abs() ? one : other;
    }

    /** Orders them; each pair is known by the one with the positive imaginary part. */
    private static RitzValues ordered(List<Complex> found) {
        double size = found.stream().mapToDouble(Complex::abs).max().orElse(0);
        List<Complex> left = new ArrayList<>();
        for (Complex value : found) {
            if (Math.abs(value.im()) <= REAL * size) {
                left.add(new Complex(value.re(), 0));
            } else if (value.im() > 0) {
                left.add(value);
            }
        }
        List<Complex> chosen = new ArrayList<>();
        while (!left.isEmpty()) {
            Complex best = left.getFirst();
            double greatest = Double.NEGATIVE_INFINITY;
            for (Complex candidate : left) {
                double distance = chosen.isEmpty() ? candidate.abs() : distance(candidate, chosen);
                if (distance > greatest) {
                    greatest = distance;
                    best = candidate;
                }
            }
            left.remove(best);
            chosen.add(best);
            if (best.im() > 0) {
                chosen.add(best.conjugate());
            }
        }
        return new RitzValues(chosen.stream().mapToDouble(Complex::re).toArray(),
                chosen.stream().mapToDouble(Complex::im).toArray());
    }

    /** The logarithm of the product of the distances. */
    private static double distance(Complex from, List<Complex> others) {
        double sum = 0;
        for (Complex other : others) {
            sum += Math.log(from.minus(other).abs());
        }
        return sum;
    }

    /** Returns the real parts. */
    double[] real() {
        return real;
    }

    /** Returns the imaginary parts, those of a pair one after the other. */
    double[] imaginary() {
        return imaginary;
    }

    /** Returns the first of them, begun again where there are too few; of a pair that is cut, the real part. */
    RitzValues shifts(int count) {
        double[] re = new double[count];
        double[] im = new double[count];
        for (int j = 0; j < count; j++) {
            re[j] = real[j % real.length];
            im[j] = imaginary[j % real.length];
        }
        if (count > 0 && im[count - 1] > 0) {
            im[count - 1] = 0;
        }
        return new RitzValues(re, im);
    }

    /** Returns about how much a step with such shifts lengthens a vector: the mean of their distances. */
    double scale() {
        double sum = 0;
        int count = 0;
        for (int i = 0; i < real.length; i++) {
            for (int j = 0; j < i; j++) {
                double distance = Math.hypot(real[i] - real[j], imaginary[i] - imaginary[j]);
                if (distance > 0) {
                    sum += Math.log(distance);
                    count++;
                }
            }
        }
        if (count > 0) {
            return Math.exp(sum / count);
        }
        double size = real.length == 0 ? 0 : Math.hypot(real[0], imaginary[0]);
        return size > 0 ? size : 1;
    }
}
