package org.trellis.distributed.powers;

import java.util.Arrays;
import org.trellis.common.Checks;

/**
 * Polynomials by a recurrence of three terms: p₀ = 1 and
 * {@code pⱼ₊₁(A) x = aⱼ A pⱼ(A) x + bⱼ pⱼ(A) x + cⱼ pⱼ₋₁(A) x}.
 *
 * <p>Vectors of the monomial basis soon point all in one direction, so that a basis of more than about six is of little
 * use; Newton's with well-ordered shifts and Chebyshev's stay independent for longer (M. Hoemmen,
 * Communication-avoiding Krylov subspace methods, PhD thesis, UCB/EECS-2010-37).
 *
 * @param a the factors of the product, one a step. Not to be changed
 * @param b the factors of the vector that is multiplied, as many. Not to be changed
 * @param c the factors of the vector before it, as many; the first is 0. Not to be changed
 */
public record KrylovBasis(double[] a, double[] b, double[] c) {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if the arrays have different lengths, or the first c is not 0
     */
    public KrylovBasis {
        Checks.length("factors of the multiplied vector", b.length, a.length);
        Checks.length("factors of the vector before", c.length, a.length);
        if (c.length > 0 && c[0] != 0) {
            throw new IllegalArgumentException("the first step takes " + c[0]
                    + " of the vector before the first, expected 0: there is none");
        }
    }

    /**
     * Returns the powers of a matrix.
     *
     * @param steps the highest power
     * @return {@code pⱼ = Aʲ}
     * @throws IllegalArgumentException if the number is negative
     */
    public static KrylovBasis monomial(int steps) {
        double[] ones = new double[Checks.notNegative("number of steps", steps)];
        Arrays.fill(ones, 1);
        return new KrylovBasis(ones, new double[steps], new double[steps]);
    }

    /**
     * Returns Newton's polynomials {@code pⱼ₊₁ = (A − θⱼ) pⱼ / σ}.
     *
     * @param scale  σ, not 0: about the radius of the spectrum, so that vectors keep their size
     * @param shifts θ, one a step, best approximate eigenvalues in Leja's order
     * @return a basis of as many steps as there are shifts
     * @throws IllegalArgumentException if the scale is 0 or not finite
     */
    public static KrylovBasis newton(double scale, double... shifts) {
        if (scale == 0 || !Double.isFinite(scale)) {
            throw new IllegalArgumentException("scale is " + scale + ", expected a finite number but 0");
        }
        double[] a = new double[shifts.length];
        Arrays.fill(a, 1 / scale);
        double[] b = new double[shifts.length];
        Arrays.setAll(b, j -> (0 - shifts[j]) / scale);
        return new KrylovBasis(a, b, new double[shifts.length]);
    }

    /**
     * Returns Newton's polynomials with complex shifts in real arithmetic: a pair takes two steps,
     * {@code pⱼ₊₁ = (A − Re θ) pⱼ / σ} and {@code pⱼ₊₂ = ((A − Re θ) pⱼ₊₁ + (Im θ)² pⱼ / σ) / σ} (Z. Bai, D. Hu, L.
     * Reichel, IMA J. Numer. Anal. 14, 1994).
     *
     * @param scale     σ, not 0
     * @param real      the real parts of the shifts, one a step
     * @param imaginary their imaginary parts, as many: 0, or of a pair the positive one and then its negative
     * @return a basis of as many steps as there are shifts
     * @throws IllegalArgumentException if the scale is 0 or not finite, or an imaginary part is not 0 and no pair
     *                                  follows; names the shift
     */
    public static KrylovBasis newton(double scale, double[] real, double[] imaginary) {
        Checks.length("imaginary parts of shifts", imaginary.length, real.length);
        KrylovBasis basis = newton(scale, real);
        for (int j = 0; j < real.length; j += imaginary[j] == 0 ? 1 : 2) {
            if (imaginary[j] == 0) {
                continue;
            }
            if (imaginary[j] < 0 || j + 1 == real.length || imaginary[j + 1] != -imaginary[j]
                    || real[j + 1] != real[j]) {
                throw new IllegalArgumentException("shift " + j + " is " + real[j] + " + " + imaginary[j]
                        + " i, expected a positive imaginary part and its conjugate next");
            }
            basis.c[j + 1] = imaginary[j] * imaginary[j] / (scale * scale);
        }
        return basis;
    }

    /**
     * Returns Chebyshev's polynomials, moved to an interval.
     *
     * @param steps the highest degree
     * @param low   the lower end of the spectrum
     * @param high  its upper end, greater
     * @return {@code pⱼ = Tⱼ((2 A − (high + low)) / (high − low))}
     * @throws IllegalArgumentException if the number of steps is negative or the interval empty
     */
    public static KrylovBasis chebyshev(int steps, double low, double high) {
        requireInterval(low, high);
        double[] a = new double[Checks.notNegative("number of steps", steps)];
        double[] b = new double[steps];
        double[] c = new double[steps];
        for (int j = 0; j < steps; j++) {
            int twice = j == 0 ? 1 : 2;
            a[j] = twice * 2 / (high - low);
            b[j] = -twice * (high + low) / (high - low);
            c[j] = j == 0 ? 0 : -1;
        }
        return new KrylovBasis(a, b, c);
    }

    static void requireInterval(double low, double high) {
        if (!(low < high) || !Double.isFinite(high - low)) {
            throw new IllegalArgumentException("the spectrum is said to be in [" + low + ", " + high
                    + "], expected the lower end first and both finite");
        }
    }

    /**
     * Returns the number of steps.
     *
     * @return the degree of the last polynomial
     */
    public int steps() {
        return a.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof KrylovBasis that && Arrays.equals(a, that.a) && Arrays.equals(b, that.b)
                && Arrays.equals(c, that.c);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(a) + 31 * (Arrays.hashCode(b) + 31 * Arrays.hashCode(c));
    }

    @Override
    public String toString() {
        return "basis of " + steps() + " steps: a " + Arrays.toString(a) + ", b " + Arrays.toString(b) + ", c "
                + Arrays.toString(c);
    }
}
