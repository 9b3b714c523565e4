package org.trellis.fem.integrate;

import java.util.Arrays;
import java.util.Locale;

/** How integrals over elements are summed up: the order of the loops and what is kept between them. */
public enum Formulation {
    /** Points outside: each adds to the whole matrix (thesis, algorithm 2). Without a matrix: point by point. */
    GLOBAL_REUSE,
    /** Entries outside, points from a store (thesis, algorithm 3). */
    LOCAL_STORAGE,
    /** Entries outside, points computed for each (thesis, algorithm 4). */
    REDUNDANT_COMPUTE,
    /** One direction after the other, on squares and cubes. */
    SUM_FACTORISED;

    /**
     * Returns the name in options and reports.
     *
     * @return lower case, with hyphens
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Finds a formulation by its name.
     *
     * @param label the name
     * @return the formulation
     * @throws IllegalArgumentException if there is none of this name; says which there are
     */
    public static Formulation of(String label) {
        return Arrays.stream(values()).filter(value -> value.label().equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("formulation is '" + label + "', expected one of "
                        + Arrays.stream(values()).map(Formulation::label).toList()));
    }
}
