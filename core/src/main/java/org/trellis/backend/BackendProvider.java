package org.trellis.backend;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.common.Configuration;

/**
 * Announces a backend. Registered both in {@code META-INF/services} and in the module descriptor; has a public
 * constructor without parameters that does nothing.
 */
public interface BackendProvider {
    /**
     * Returns the name by which users ask for the backend.
     *
     * @return a short lower-case word
     */
    String name();

    /**
     * Returns how much this backend is preferred when a user names none.
     *
     * @return a number; the highest available one wins. {@code reference} has 0.
     */
    int priority();

    /**
     * Finds out whether the backend can be used here. Must not throw, print or change anything.
     *
     * @return the answer with a reason
     */
    Availability probe();

    /**
     * Counts the devices that the backend could be opened on, one for each.
     *
     * @return at least 1; 1 unless overridden
     */
    default int devices() {
        return 1;
    }

    /**
     * Says whether the backend works in the memory of the host, so that opening it takes next to no time and nothing is
     * lost if it is never closed.
     *
     * @return false unless overridden
     */
    default boolean onHost() {
        return false;
    }

    /**
     * Opens the backend.
     *
     * @param configuration threads, devices and other settings
     * @return a backend that the caller closes
     * @throws org.trellis.common.BackendUnavailableException if it cannot be used here
     */
    @MustBeClosed
    Backend open(Configuration configuration);

    /**
     * Opens a backend for one caller of several in this process, as {@link #open} does, but with what costs time to
     * start and may be shared. Backends of a CPU then have one team of threads: where two callers are in it at once,
     * one has the team and the other its own thread.
     *
     * @param configuration threads, devices and other settings
     * @return a backend that the caller closes; what is shared stays
     * @throws org.trellis.common.BackendUnavailableException if it cannot be used here
     */
    @MustBeClosed
    default Backend openSharing(Configuration configuration) {
        return open(configuration);
    }
}
