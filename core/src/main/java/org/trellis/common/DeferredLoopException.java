package org.trellis.common;

/**
 * A loop that had been noted failed when it was run: some statement that needed a value ran it, not the one that asked
 * for it. The message names the loop and where it was noted; the cause is what a loop that runs at once would throw.
 */
public final class DeferredLoopException extends TrellisException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the loop, where it was noted, what was dropped after it, and the words of the cause
     * @param cause   the failure
     */
    public DeferredLoopException(String message, Throwable cause) {
        super(message, cause);
    }
}
