package org.trellis.solve;

import org.trellis.common.Precision;

/**
 * Powers of two by which conjugate gradients multiply the matrix and the residual, so that no dot product and no vector
 * element overflows or loses digits to underflow. With the power σ for the matrix and τ for the residual, the
 * recurrence runs on {@code σ A d = τ r}; a step {@code α p} of it is one of {@code α σ / τ p} for the solution, which
 * itself is never scaled. Powers of two round nothing.
 *
 * <p>Systems of ordinary size, which is nearly all, are not scaled, and the others cost nothing more than one product
 * at the beginning. Without a preconditioner, matrix and residual are brought near 1. A preconditioner answers in the
 * scale of the inverse matrix; with it, the matrix is left alone and the residual is brought near {@code √‖A‖}, so that
 * the preconditioned residual is near {@code 1 / √‖A‖}.
 *
 * @param matrixExponent   the binary logarithm of σ
 * @param residualExponent the binary logarithm of τ
 */
record SystemScale(int matrixExponent, int residualExponent) {
    /** Leaves all as it is. */
    static final SystemScale NONE = new SystemScale(0, 0);

    /** Squares of residual norms within these exponents may fall by 16 decimal digits and stay far from the ends. */
    private static final int RESIDUAL_LIMIT = 332;
    private static final int RESIDUAL_LIMIT_SINGLE = 40;
    private static final int MATRIX_LIMIT = 166;
    private static final int MATRIX_LIMIT_SINGLE = 20;
    /** The largest power that is a normal number, and so is its inverse. */
    private static final int MOST = 1000;
    private static final int MOST_SINGLE = 120;

    /**
     * Chooses the powers.
     *
     * @param precision      of the vectors
     * @param preconditioned whether there is a preconditioner
     * @param largestEntry   the largest magnitude of an entry of the matrix
     * @param residual       the norm of the residual that is to be reduced
     */
    static SystemScale of(Precision precision, boolean preconditioned, double largestEntry, double residual) {
        boolean single = precision == Precision.F32;
        int most = single ? MOST_SINGLE : MOST;
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

    /** Says whether the residual is as near to where it should be as a choice anew would bring it. */
    boolean fits(SystemScale other) {
        return matrixExponent == other.matrixExponent
                && Math.abs(residualExponent - other.residualExponent) <= RESIDUAL_LIMIT_SINGLE;
    }

    /** σ. */
    double matrix() {
        return Math.scalb(1.0, matrixExponent);
    }

    /** τ. */
    double residual() {
        return Math.scalb(1.0, residualExponent);
    }

    /** What a norm of the scaled residual is for the residual itself. */
    double residualNorm(double scaled) {
        return Math.scalb(scaled, -residualExponent);
    }

    /** What a step of the scaled recurrence is for the solution: {@code α σ / τ}. */
    double step(double alpha) {
        return Math.scalb(alpha, matrixExponent - residualExponent);
    }
}
