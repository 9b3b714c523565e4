package org.trellis.common;

/**
 * A backend was asked for an operation that it does not have. There is no silent fallback to another backend.
 */
public final class UnsupportedKernelException extends TrellisException {
    private static final long serialVersionUID = 1L;

    private final String operation;
    private final String backend;

    /**
     * Creates an exception.
     *
     * @param operation the operation that is missing
     * @param backend   the name of the backend
     * @param detail    format, precision or parameters concerned, and what would work
     */
    public UnsupportedKernelException(String operation, String backend, String detail) {
        super("backend '" + backend + "' cannot run " + operation + ": " + detail);
        this.operation = operation;
        this.backend = backend;
    }

    /**
     * Returns the operation that is missing.
     *
     * @return its name
     */
    public String operation() {
        return operation;
    }

    /**
     * Returns the backend that lacks it.
     *
     * @return its name
     */
    public String backend() {
        return backend;
    }
}
