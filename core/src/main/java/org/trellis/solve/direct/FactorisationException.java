package org.trellis.solve.direct;

import java.io.Serial;
import org.trellis.common.TrellisException;

/** A matrix could not be factorised: it is singular, or not positive definite. Names the row and the pivot. */
public final class FactorisationException extends TrellisException {
    @Serial
    private static final long serialVersionUID = 1;

    private final int row;
    private final double pivot;

    /**
     * Creates one.
     *
     * @param message says what failed and where
     * @param row     where
     * @param pivot   the number that could not be a pivot
     */
    public FactorisationException(String message, int row, double pivot) {
        super(message);
        this.row = row;
        this.pivot = pivot;
    }

    /**
     * Returns where it failed.
     *
     * @return a row of the matrix, or, of an LU factorisation, a column
     */
    public int row() {
        return row;
    }

    /**
     * Returns the number that could not be a pivot.
     *
     * @return the pivot
     */
    public double pivot() {
        return pivot;
    }
}
