package org.trellis.processor.diagnostic;

/** Where errors in kernels go. */
@FunctionalInterface
public interface Diagnostics {
    /**
     * Reports an error.
     *
     * @param code    what kind
     * @param at      where
     * @param message what is wrong and what was expected, without the code
     */
    void error(Code code, Position at, String message);
}
