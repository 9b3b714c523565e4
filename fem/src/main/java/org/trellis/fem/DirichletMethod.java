package org.trellis.fem;

import java.util.Arrays;
import java.util.Locale;

/** What becomes of unknowns with given values. */
public enum DirichletMethod {
    /** They are no unknowns of the system: what couples to them goes to the right-hand side (thesis, section 3.1). */
    ELIMINATE,
    /** Everything is assembled; then their rows and columns become those of the unit matrix. Compressed rows only. */
    ROWS;

    /**
     * Returns the name in options and reports.
     *
     * @return lower case
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds a method by its name.
     *
     * @param label the name
     * @return the method
     * @throws IllegalArgumentException if there is none of this name
     */
    public static DirichletMethod of(String label) {
        return Arrays.stream(values()).filter(value -> value.label().equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "Dirichlet conditions by '" + label + "', expected eliminate or rows"));
    }
}
