package org.trellis.tuner.profile;

import org.trellis.common.TrellisException;

/** A profile cannot be used. The message names the file, the place in it, what is there and what was expected. */
public final class ProfileException extends TrellisException {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param message the file, the place, what is there and what was expected
     */
    public ProfileException(String message) {
        super(message);
    }

    /**
     * Creates an exception.
     *
     * @param message the file, the place, what is there and what was expected
     * @param cause   what the reader said
     */
    public ProfileException(String message, Throwable cause) {
        super(message, cause);
    }
}
