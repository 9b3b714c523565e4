package org.trellis.solve.multigrid;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** How the next level is made. */
public enum Coarsening {
    /** Aggregates of nodes, and a prolongator smoothed by a step of Jacobi's method. */
    SMOOTHED_AGGREGATION,
    /** Aggregates of nodes alone; goes with K-cycles. */
    AGGREGATION,
    /** A part of the unknowns (PMIS), and extended+i interpolation. */
    CLASSICAL,
    /**
     * A part of the unknowns, and a restriction that is nearly ideal: reduction by local approximate ideal restriction
     * (lAIR), for convection and other matrices that are far from symmetric. On the host.
     */
    AIR;

    /**
     * Says whether coarse unknowns are some of the fine ones, rather than aggregates of them.
     *
     * @return true for {@link #CLASSICAL} and {@link #AIR}
     */
    public boolean splits() {
        return this == CLASSICAL || this == AIR;
    }

    /**
     * Returns the name in options and reports.
     *
     * @return for instance {@code smoothed-aggregation}
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Finds one by its name.
     *
     * @param label for instance {@code smoothed-aggregation}
     * @return the coarsening
     * @throws IllegalArgumentException if there is none of that name; says which there are
     */
    public static Coarsening of(String label) {
        return Arrays.stream(values()).filter(c -> c.label().equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("coarsening '" + label + "', expected one of "
                        + Arrays.stream(values()).map(Coarsening::label).collect(Collectors.joining(", "))));
    }
}
