package org.trellis.adapt;

import java.util.Arrays;
import java.util.Locale;

/** How vertices are moved. */
public enum SmoothingMethod {
    /** To the mean of the neighbours. */
    LAPLACIAN,
    /**
     * To the mean of the neighbours, each weighted by the mean metric of both; by that at the middle between them where
     * {@link SmoothingSweep} makes every move.
     */
    METRIC_LAPLACIAN,
    /** By the relaxed minimisation of edge lengths of C. C. Pain et al., 2001 (Rokos 2010, section 2.1.8). */
    PAIN,
    /**
     * Uphill on the quality of the worst element around, which is not smooth (L. Freitag, M. Jones, P. Plassmann, "A
     * parallel
     * algorithm for mesh smoothing", SIAM J. Sci. Comput. 20, 1999; Rokos 2010, section 2.1.7).
     */
    OPTIMISATION;

    /**
     * Returns the name used on the command line.
     *
     * @return a lower-case word
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Finds a method by its name.
     *
     * @param label for example {@code metric-laplacian}
     * @return the method
     * @throws IllegalArgumentException if there is none
     */
    public static SmoothingMethod of(String label) {
        for (SmoothingMethod method : values()) {
            if (method.label().equals(label)) {
                return method;
            }
        }
        throw new IllegalArgumentException("smoothing is '" + label + "', expected one of "
                + Arrays.stream(values()).map(SmoothingMethod::label).toList());
    }
}
