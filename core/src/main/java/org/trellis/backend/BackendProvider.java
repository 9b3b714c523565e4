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
     * Opens the backend.
     *
     * @param configuration threads, devices and other settings
     * @return a backend that the caller closes
     * @throws org.trellis.common.BackendUnavailableException if it cannot be used here
     */
    @MustBeClosed
    Backend open(Configuration configuration);
}
