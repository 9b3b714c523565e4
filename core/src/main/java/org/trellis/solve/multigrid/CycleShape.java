package org.trellis.solve.multigrid;

import java.util.Arrays;
import java.util.Locale;

/** In which order levels are visited. */
public enum CycleShape {
    /** Down and up once. */
    V,
    /** Each level visits the next one twice. */
    W,
    /** Each level visits the next one twice, the second time by a V-cycle. */
    F,
    /** Each level solves the next one by two steps of flexible conjugate gradients, preconditioned by what is below. */
    K;

    /**
     * Returns the name in options and reports.
     *
     * @return a lower-case letter
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Finds one by its name.
     *
     * @param label {@code v}, {@code w}, {@code f} or {@code k}
     * @return the shape
     * @throws IllegalArgumentException if there is none of that name
     */
    public static CycleShape of(String label) {
        return Arrays.stream(values()).filter(c -> c.label().equals(label)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("cycle '" + label + "', expected v, w, f or k"));
    }
}
