package org.trellis.solve.krylov;

import java.util.Locale;
import org.trellis.solve.direct.FactorisationException;

/** The inverse of the diagonal, or nothing, as what preconditions conjugate gradients on one thread. */
final class DiagonalFactors implements TrialPreconditioner {
    private static final DiagonalFactors NONE = new DiagonalFactors(null);

    /** Null for nothing. */
    private final double[] inverse;

    private DiagonalFactors(double[] inverse) {
        this.inverse = inverse;
    }

    /** Leaves residuals as they are. */
    static DiagonalFactors none() {
        return NONE;
    }

    /**
     * Inverts the diagonal. Costs a pass over the entries.
     *
     * @throws FactorisationException if an element is missing or has no finite inverse
     */
    static DiagonalFactors of(WholeMatrix matrix) {
        double[] inverse = new double[matrix.rows()];
        for (int row = 0; row < inverse.length; row++) {
            double element = 0;
            for (int k = matrix.offsets()[row]; k < matrix.offsets()[row + 1]; k++) {
                element += matrix.columns()[k] == row ? matrix.values()[matrix.first() + k] : 0;
            }
            inverse[row] = 1 / element;
            if (!Double.isFinite(inverse[row]) || inverse[row] == 0) {
                throw new FactorisationException(String.format(Locale.ROOT,
                        "jacobi: diagonal element of row %d is %s, expected a finite number with a finite inverse",
                        row, element), row, element);
            }
        }
        return new DiagonalFactors(inverse);
    }

    @Override
    public void solve(double[] r, double[] z) {
        if (inverse == null) {
            System.arraycopy(r, 0, z, 0, r.length);
            return;
        }
        for (int i = 0; i < r.length; i++) {
            z[i] = inverse[i] * r[i];
        }
    }

    @Override
    public boolean isDefinite() {
        return true;
    }

    @Override
    public String label(boolean conjugate) {
        return inverse == null ? "none" : "jacobi";
    }

    @Override
    public String toString() {
        return inverse == null ? "no preconditioner" : "diagonal of " + inverse.length + " rows";
    }
}
