package org.trellis.common;

/**
 * A backend was asked for by name and cannot be used here; the message says why, for every backend that was found.
 */
public final class BackendUnavailableException extends TrellisException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the backend that was asked for and the reasons
     */
    public BackendUnavailableException(String message) {
        super(message);
    }
}
