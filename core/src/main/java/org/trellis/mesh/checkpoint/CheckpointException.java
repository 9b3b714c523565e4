package org.trellis.mesh.checkpoint;

import org.trellis.common.TrellisException;

/** A checkpoint cannot be read, does not belong to the program, or is damaged; the message says which and what. */
public final class CheckpointException extends TrellisException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message the file, what was found and what was expected
     */
    public CheckpointException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message the file, what was found and what was expected
     * @param cause   what led to it
     */
    public CheckpointException(String message, Throwable cause) {
        super(message, cause);
    }
}
