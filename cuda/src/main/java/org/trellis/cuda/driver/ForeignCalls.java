package org.trellis.cuda.driver;

/** Method handles declare {@link Throwable}; calls of native functions throw nothing that is checked. */
@SuppressWarnings("checkstyle:IllegalCatch") // a method handle declares Throwable
final class ForeignCalls {
    private ForeignCalls() {}

    /** A call through a method handle. */
    @FunctionalInterface
    interface Call {
        /**
         * Makes the call.
         *
         * @return what it returns
         * @throws Throwable whatever the handle declares
         */
        Object run() throws Throwable;
    }

    static Object rethrow(Call call) {
        try {
            return call.run();
        } catch (Throwable e) {
            throw unchecked(e);
        }
    }

    /**
     * Throws what a call through a method handle threw.
     *
     * @param thrown what was caught
     * @return never
     */
    static AssertionError unchecked(Throwable thrown) {
        if (thrown instanceof RuntimeException e) {
            throw e;
        }
        if (thrown instanceof Error e) {
            throw e;
        }
        return new AssertionError("a native function threw a checked exception", thrown);
    }
}
