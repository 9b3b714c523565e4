package org.trellis.mesh;

/**
 * Sums that need not be waited for at once: those of several ranks, which travel while what does not need them is
 * computed. Offered by backends of ranks on the host; elsewhere a reduction is done when its loop is.
 */
public interface DeferredReductions {
    /**
     * Lets the next loop that sums into scalars only begin to combine what ranks have. Its scalars are not to be read,
     * nor anything else reduced, before {@link #settle}.
     *
     * @throws IllegalStateException if sums are under way
     */
    void defer();

    /** Waits for sums that are under way and puts them into their scalars. Does nothing if there are none. */
    void settle();
}
