package org.trellis.backend;

import java.util.Objects;

/**
 * Whether a backend can be used here.
 *
 * @param available true if it can
 * @param reason    what was found, or why it cannot be used and what would help; one sentence
 */
public record Availability(boolean available, String reason) {
    /** Checks that there is a reason. */
    public Availability {
        Objects.requireNonNull(reason);
    }

    /**
     * The backend can be used.
     *
     * @param found what was found
     * @return the answer
     */
    public static Availability yes(String found) {
        return new Availability(true, found);
    }

    /**
     * The backend cannot be used.
     *
     * @param reason why not, and what would help
     * @return the answer
     */
    public static Availability no(String reason) {
        return new Availability(false, reason);
    }
}
