package org.trellis.matrices.mesh;

/** The type that numbers have in a file. In memory they are doubles, which hold integers up to 2^53 exactly. */
public enum NumberType {
    /** Signed, one byte. */
    INT8(1, false),
    /** Unsigned, one byte. */
    UINT8(1, false),
    /** Signed, two bytes. */
    INT16(2, false),
    /** Unsigned, two bytes. */
    UINT16(2, false),
    /** Signed, four bytes. */
    INT32(4, false),
    /** Unsigned, four bytes. */
    UINT32(4, false),
    /** Signed, eight bytes. */
    INT64(8, false),
    /** Unsigned, eight bytes. */
    UINT64(8, false),
    /** Single precision. */
    FLOAT32(4, true),
    /** Double precision. */
    FLOAT64(8, true);

    private final int bytes;
    private final boolean real;

    NumberType(int bytes, boolean real) {
        this.bytes = bytes;
        this.real = real;
    }

    /**
     * Returns the size.
     *
     * @return bytes of a number
     */
    public int bytes() {
        return bytes;
    }

    /**
     * Distinguishes reals from integers.
     *
     * @return whether it is a floating-point type
     */
    public boolean isReal() {
        return real;
    }
}
