package org.trellis.solve.direct;

import java.io.Serial;
import org.trellis.common.TrellisException;

/**
 * A matrix could not be factorised: it is singular, or not positive definite, or its factors take more than there may
 * be. Names the row and the pivot.
 */
public final class FactorisationException extends TrellisException {
    @Serial
    private static final long serialVersionUID = 1;

    private final Reason reason;
    private final int row;
    private final double pivot;

    /** Why a factorisation ends. */
    public enum Reason {
        /** A number could not be a pivot. */
        PIVOT,
        /** The factors need more memory than there may be. */
        MEMORY,
        /** The time is over. */
        TIME
    }

    /**
     * Creates one for a number that could not be a pivot.
     *
     * @param message says what failed and where
     * @param row     where
     * @param pivot   the number that could not be a pivot
     */
    public FactorisationException(String message, int row, double pivot) {
        this(message, Reason.PIVOT, row, pivot);
    }

    /**
     * Creates one.
     *
     * @param message says what failed and where
     * @param reason  why
     * @param row     where, or how many columns were eliminated before a limit
     * @param pivot   the number that could not be a pivot, or NaN
     */
    public FactorisationException(String message, Reason reason, int row, double pivot) {
        super(message);
        this.reason = reason;
        this.row = row;
        this.pivot = pivot;
    }

    /**
     * Returns why it failed.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }

    /**
     * Returns where it failed.
     *
     * @return a row of the matrix, or, of an LU factorisation, a column; how many columns were eliminated before a
     *         limit
     */
    public int row() {
        return row;
    }

    /**
     * Returns the number that could not be a pivot.
     *
     * @return the pivot; NaN if a limit ended the factorisation
     */
    public double pivot() {
        return pivot;
    }
}
