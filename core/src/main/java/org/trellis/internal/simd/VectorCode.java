package org.trellis.internal.simd;

/** Says whether the process has begun with vector code, which costs a quarter of a second once. */
public final class VectorCode {
    private static volatile boolean begun;

    private VectorCode() {}

    /** Remembers that vector code runs for the first time. */
    static void begin() {
        begun = true;
    }

    /**
     * Says whether some product has run in vector code.
     *
     * @return whether the Vector API is loaded
     */
    public static boolean hasBegun() {
        return begun;
    }
}
