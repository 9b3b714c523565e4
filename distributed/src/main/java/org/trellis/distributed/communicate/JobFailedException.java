package org.trellis.distributed.communicate;

import org.trellis.common.TrellisException;

/**
 * A job of several ranks that has ended because something went wrong on one of them: it threw, it ended while others
 * waited for it, ranks called different collective operations, or a message did not come in time. Every rank that still
 * runs gets one with the same message, from the operation in which it is or the next that it calls.
 */
public class JobFailedException extends TrellisException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message which rank failed and why
     */
    public JobFailedException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message which rank failed and why
     * @param cause   what that rank threw
     */
    public JobFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
