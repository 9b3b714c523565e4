package org.trellis.kernel;

/** What a kernel does with an argument. */
public enum Access {
    /** Reads it. */
    READ,
    /** Assigns every component without reading. */
    WRITE,
    /** Reads and assigns. */
    READ_WRITE,
    /** Adds to a dat; the order of additions is open. */
    INCREMENT,
    /** Adds to a global. */
    SUM,
    /** Takes the minimum with a global. */
    MIN,
    /** Takes the maximum with a global. */
    MAX;

    /**
     * Says whether the argument is a global that the loop reduces into.
     *
     * @return true for {@link #SUM}, {@link #MIN} and {@link #MAX}
     */
    public boolean reduces() {
        return this == SUM || this == MIN || this == MAX;
    }

    /**
     * Says whether the loop changes the argument.
     *
     * @return false for {@link #READ} only
     */
    public boolean writes() {
        return this != READ;
    }
}
