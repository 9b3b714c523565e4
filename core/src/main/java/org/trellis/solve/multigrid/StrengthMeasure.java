package org.trellis.solve.multigrid;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What couplings of nodes are compared with, where nodes are aggregated. */
public enum StrengthMeasure {
    /**
     * {@link #SIGNED} where couplings of the finest matrix differ in strength, so that errors are smooth in some
     * directions only; else all couplings count. Matrices with several unknowns a node count all couplings.
     */
    AUTOMATIC,
    /** {@code |aᵢⱼ| ≥ θ √|aᵢᵢ aⱼⱼ|} (P. Vaněk, J. Mandel, M. Brezina, Computing 56, 1996, section 4). */
    SYMMETRIC,
    /**
     * {@code −aᵢⱼ ≥ θ √(mᵢ mⱼ)} where {@code mᵢ} is the greatest {@code −aᵢₖ}: positive couplings are none, as in
     * classical coarsening, and the comparison with the greatest of a row makes a θ mean the same for any stencil. Weak
     * couplings are added to the diagonal of the matrix that smooths prolongators, which keeps coarse rows short.
     */
    SIGNED;

    /**
     * Returns the name in options.
     *
     * @return a lower-case word
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds a measure by name.
     *
     * @param label a name
     * @return the measure
     * @throws IllegalArgumentException if there is none of that name; lists those that there are
     */
    public static StrengthMeasure of(String label) {
        return Arrays.stream(values()).filter(m -> m.label().equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("strength '" + label + "', expected one of "
                        + Arrays.stream(values()).map(StrengthMeasure::label).collect(Collectors.joining(", "))));
    }
}
