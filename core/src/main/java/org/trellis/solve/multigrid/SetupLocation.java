package org.trellis.solve.multigrid;

import java.util.Arrays;
import java.util.Locale;

/** Where a hierarchy is set up. */
public enum SetupLocation {
    /** With the backend if it can and the matrix is not small, else on the host. */
    AUTOMATIC,
    /** On the threads of the host. */
    HOST,
    /** In the memory of the backend, with nodes aggregated around an independent set. */
    BACKEND;

    /**
     * Returns the name in options.
     *
     * @return a lower-case word
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds a place by its name.
     *
     * @param label a name
     * @return the place
     * @throws IllegalArgumentException if there is none of that name; says which there are
     */
    static SetupLocation of(String label) {
        return Arrays.stream(values()).filter(place -> place.label().equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("multigrid: setup is '" + label + "', expected one of "
                        + Arrays.stream(values()).map(SetupLocation::label).toList()));
    }
}
