package org.trellis.processor.model;

import java.util.Locale;

/** Access descriptors, named as their annotations. */
public enum Access {
    /** Components of a dat, read. */
    READ("Read"),
    /** Components of a dat, written. */
    WRITE("Write"),
    /** Components of a dat, read and written. */
    READ_WRITE("ReadWrite"),
    /** Components of a dat, added to. */
    INCREMENT("Increment"),
    /** A global, read. */
    GLOBAL_READ("GlobalRead"),
    /** A global, added to. */
    SUM("Sum"),
    /** A global minimum. */
    MIN("Min"),
    /** A global maximum. */
    MAX("Max"),
    /** A constant of the mesh. */
    CONSTANT("Constant"),
    /** An array that a helper function takes: what its caller may do with it. */
    HELPER("");

    private final String annotation;

    Access(String annotation) {
        this.annotation = annotation;
    }

    /**
     * Returns the simple name of the annotation.
     *
     * @return for example {@code ReadWrite}
     */
    public String annotation() {
        return annotation;
    }

    /**
     * Says whether the argument is a dat.
     *
     * @return true for the four accesses of dats
     */
    public boolean dat() {
        return this == READ || this == WRITE || this == READ_WRITE || this == INCREMENT;
    }

    /**
     * Says whether the argument is a global that the loop reduces into.
     *
     * @return true for sum, minimum and maximum
     */
    public boolean reduces() {
        return this == SUM || this == MIN || this == MAX;
    }

    /**
     * Says whether the kernel may only read the argument.
     *
     * @return true for read dats and globals, and for constants
     */
    public boolean readOnly() {
        return this == READ || this == GLOBAL_READ || this == CONSTANT;
    }

    /**
     * Returns the name that the access has in the kernel's signature.
     *
     * @return a constant of {@code org.trellis.kernel.Access}
     */
    public String signatureName() {
        return this == GLOBAL_READ || this == CONSTANT ? READ.name() : name().toUpperCase(Locale.ROOT);
    }
}
