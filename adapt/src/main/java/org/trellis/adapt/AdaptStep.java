package org.trellis.adapt;

import java.util.Arrays;
import java.util.Locale;

/** The kinds of operations of an adaptation. */
public enum AdaptStep {
    /** Long edges are split. */
    REFINE,
    /** Short edges are collapsed. */
    COARSEN,
    /** Edges and faces are exchanged where that makes the worst element better. */
    SWAP,
    /** Vertices are moved. */
    SMOOTH;

    /**
     * Returns the name used on the command line.
     *
     * @return a lower-case word
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds a step by its name.
     *
     * @param label for example {@code refine}
     * @return the step
     * @throws IllegalArgumentException if there is none
     */
    public static AdaptStep of(String label) {
        for (AdaptStep step : values()) {
            if (step.label().equals(label)) {
                return step;
            }
        }
        throw new IllegalArgumentException("step is '" + label + "', expected one of "
                + Arrays.stream(values()).map(AdaptStep::label).toList());
    }
}
