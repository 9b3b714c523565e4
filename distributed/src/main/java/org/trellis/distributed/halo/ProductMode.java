package org.trellis.distributed.halo;

import java.util.Locale;

/** How a rank on the host multiplies the rows that it owns. */
public enum ProductMode {
    /**
     * Each row is summed in the order of its global columns, on one thread a rank: results have the same bits for any
     * number of ranks.
     */
    REPRODUCIBLE,
    /**
     * Interior and boundary rows are products of the rank's backend, as its rule chooses them: results have the same
     * bits for the same division of the matrix, and differ by rounding for another. Rows are stored a second time.
     */
    TUNED;

    /**
     * Returns the mode of a setting.
     *
     * @param name {@code reproducible} or {@code tuned}
     * @return the mode
     * @throws IllegalArgumentException if there is none of that name
     */
    public static ProductMode of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }
}
