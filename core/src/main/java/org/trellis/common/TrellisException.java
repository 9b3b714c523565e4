package org.trellis.common;

/**
 * The root of the exceptions that Trellis defines; all are unchecked.
 *
 * <p>Mistakes of a caller are reported by the JDK's own types ({@link IllegalArgumentException},
 * {@link IndexOutOfBoundsException}, {@link IllegalStateException}).
 */
public class TrellisException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an exception.
     *
     * @param message what happened, with the values concerned
     */
    public TrellisException(String message) {
        super(message);
    }

    /**
     * Creates an exception with a cause.
     *
     * @param message what happened, with the values concerned
     * @param cause   what led to it
     */
    public TrellisException(String message, Throwable cause) {
        super(message, cause);
    }
}
