package org.trellis.processor.diagnostic;

/** Stops the translation of a statement or a method whose source lies outside the kernel language. */
public final class KernelError extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Code code;
    private final transient Position at;

    /**
     * Creates an error.
     *
     * @param code    what kind
     * @param at      where
     * @param message what is wrong and what was expected, without the code
     */
    public KernelError(Code code, Position at, String message) {
        super(message, null, false, false);
        this.code = code;
        this.at = at;
    }

    /**
     * Hands the error on.
     *
     * @param diagnostics where errors go
     */
    public void report(Diagnostics diagnostics) {
        diagnostics.error(code, at, getMessage());
    }
}
