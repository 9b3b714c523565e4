package org.trellis.solve.multigrid;

import java.util.Locale;

/** The phases of a set-up. */
public enum SetupPhase {
    /** Which couplings count. */
    STRENGTH,
    /** Aggregates of nodes, or which unknowns stay. */
    AGGREGATION,
    /** The prolongation and its transpose. */
    PROLONGATOR,
    /** The matrices R A P. */
    GALERKIN,
    /** The coarsest matrix and its inverse. */
    COARSE,
    /** Smoothers, which may look at spectra and colour. */
    SMOOTHERS,
    /** Preparing products on the backend, and bringing matrices there. */
    TRANSFER;

    /**
     * Returns the name in reports.
     *
     * @return a lower-case word
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
