package org.trellis.solve;

import org.trellis.backend.Backend;

/**
 * Which of several ranks this is, offered by their backends: so that vectors that are drawn at random differ between
 * ranks.
 */
@FunctionalInterface
public interface RankNumber {
    /**
     * Returns the number of the rank.
     *
     * @return from 0
     */
    int rank();

    /**
     * Returns the number of a backend's rank.
     *
     * @param backend a backend
     * @return what it offers, else 0
     */
    static int of(Backend backend) {
        return backend.optionalKernels(RankNumber.class).map(RankNumber::rank).orElse(0);
    }
}
