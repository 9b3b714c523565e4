package org.trellis.bench.peer.solver;

import org.trellis.common.TrellisException;

/** A peer did not do what was expected of it; the others are not concerned. */
public class PeerFailedException extends TrellisException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what the peer did, and what was expected
     */
    public PeerFailedException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what the peer did, and what was expected
     * @param cause   what led to it
     */
    public PeerFailedException(String message, Throwable cause) {
        super(message, cause);
    }
}
