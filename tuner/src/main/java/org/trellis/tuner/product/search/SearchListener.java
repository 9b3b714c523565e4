package org.trellis.tuner.product.search;

import org.trellis.tuner.profile.TuningResult;

/** Receives each set of parameters as soon as it was measured. */
@FunctionalInterface
public interface SearchListener {
    /** Ignores everything. */
    SearchListener NONE = (result, best, done, total) -> {};

    /**
     * A set was measured.
     *
     * @param result what came of it
     * @param best   the best so far, or null if nothing has worked
     * @param done   sets measured, those known before included
     * @param total  sets that there are
     */
    void tried(TuningResult result, TuningResult best, int done, int total);
}
