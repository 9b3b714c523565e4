package org.trellis.solve;

import org.trellis.common.Precision;

/**
 * Powers of two by which methods multiply the matrix and the residual, so that no dot product and no vector element
 * overflows or loses digits to underflow, for those who write methods. With the power σ for the matrix and τ for the
 * residual, a recurrence runs on {@code σ A d = τ r}; what it adds to the solution is a step {@code σ / τ d} for that
 * of the system that was given. Powers of two round nothing, so that iterations are the same, bit by bit, as those of a
 * system that is multiplied by a power of two and needs no scaling.
 *
 * <p>Systems of ordinary size, which is nearly all, are not scaled. Without a preconditioner that has to be left as it
 * is, matrix and residual are brought near 1. Such a preconditioner answers in the scale of the inverse matrix; with
 * it, the matrix is left alone and the residual is brought near {@code √‖A‖}, so that the preconditioned residual is
 * near {@code 1 / √‖A‖}.
 *
 * @param matrixExponent   the binary logarithm of σ
 * @param residualExponent the binary logarithm of τ
 */
public record SystemScale(int matrixExponent, int residualExponent) {
    /** Leaves all as it is. */
    public static final SystemScale NONE = new SystemScale(0, 0);

    /** Squares of residual norms within these exponents may fall by 16 decimal digits and stay far from the ends. */
    private static final int RESIDUAL_LIMIT = 332;
    private static final int RESIDUAL_LIMIT_SINGLE = 24;
    private static final int MATRIX_LIMIT = 166;
    private static final int MATRIX_LIMIT_SINGLE = 20;
    /** The largest power that is a normal number, and so is its inverse. */
    private static final int MAX_POWER = 1000;
    private static final int MOST_SINGLE = 120;

    /**
     * Chooses the powers.
     *
     * @param precision      of the vectors
     * @param preconditioned whether there is a preconditioner that is left as it is
     * @param largestEntry   the largest magnitude of an entry of the matrix
     * @param residual       the norm of the residual that is to be reduced
     * @return the powers, both normal numbers, and so are their inverses
     */
    public static SystemScale of(Precision precision, boolean preconditioned, double largestEntry, double residual) {
        boolean single = precision == Precision.F32;
        int most = single ? MOST_SINGLE : MAX_POWER;
        int size = exponent(largestEntry, single ? MATRIX_LIMIT_SINGLE : MATRIX_LIMIT);
        int wanted = preconditioned ? size / 2 : 0;
        int matrix = preconditioned ? 0 : Math.clamp(-size, -most, most);
        int found = exponent(residual, 0);
        boolean ordinary = size == 0 && Math.abs(found) <= (single ? RESIDUAL_LIMIT_SINGLE : RESIDUAL_LIMIT);
        return new SystemScale(matrix, ordinary ? 0 : Math.clamp(wanted - found, -most, most));
    }

    /** The exponent of a positive number, 0 if it is within a limit or the number is 0 or not finite. */
    private static int exponent(double number, int limit) {
        if (number == 0 || !Double.isFinite(number)) {
            return 0;
        }
        int exponent = Math.getExponent(number);
        return Math.abs(exponent) <= limit ? 0 : exponent;
    }

    /**
     * Says whether the residual is about as near to where it should be as another choice would bring it.
     *
     * @param other a choice for the residual as it is now
     * @return false if the other one should be taken
     */
    public boolean fits(SystemScale other) {
        return matrixExponent == other.matrixExponent
                && Math.abs(residualExponent - other.residualExponent) <= RESIDUAL_LIMIT_SINGLE;
    }

    /**
     * Returns σ.
     *
     * @return what the matrix is multiplied by
     */
    public double matrix() {
        return Math.scalb(1.0, matrixExponent);
    }

    /**
     * Returns τ.
     *
     * @return what residuals and the right-hand side are multiplied by
     */
    public double residual() {
        return Math.scalb(1.0, residualExponent);
    }

    /**
     * Returns what a norm of the scaled residual is for the residual itself.
     *
     * @param scaled the norm
     * @return {@code ‖r‖₂}
     */
    public double residualNorm(double scaled) {
        return Math.scalb(scaled, -residualExponent);
    }

    /**
     * Returns what a step of the scaled recurrence is for the solution.
     *
     * @param alpha α
     * @return {@code α σ / τ}
     */
    public double step(double alpha) {
        return Math.scalb(alpha, matrixExponent - residualExponent);
    }
}
