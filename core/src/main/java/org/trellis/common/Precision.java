package org.trellis.common;

/**
 * The floating-point type of stored values.
 *
 * <p>Matrices, vectors and dats carry their precision as a value, so that the public interface exists once; scalars are
 * always {@code double}.
 */
public enum Precision {
    /** IEEE 754 binary32, {@code float}. */
    F32("f32", Float.BYTES, 0x1p-24),
    /** IEEE 754 binary64, {@code double}. */
    F64("f64", Double.BYTES, 0x1p-53);

    private final String label;
    private final int bytes;
    private final double unitRoundoff;

    Precision(String label, int bytes, double unitRoundoff) {
        this.label = label;
        this.bytes = bytes;
        this.unitRoundoff = unitRoundoff;
    }

    /**
     * Returns the size of one value.
     *
     * @return 4 or 8 bytes
     */
    public int bytes() {
        return bytes;
    }

    /**
     * Returns the name used on the command line and in files.
     *
     * @return {@code "f32"} or {@code "f64"}
     */
    public String label() {
        return label;
    }

    /**
     * Returns the largest relative error of one correctly rounded operation (N. Higham, Accuracy and Stability of
     * Numerical Algorithms, section 2.1).
     *
     * @return 2⁻²⁴ or 2⁻⁵³
     */
    public double unitRoundoff() {
        return unitRoundoff;
    }

    /**
     * Returns the precision with a given label.
     *
     * @param label {@code "f32"} or {@code "f64"}
     * @return the precision
     * @throws IllegalArgumentException if there is none of that name
     */
    public static Precision of(String label) {
        for (Precision precision : values()) {
            if (precision.label.equals(label)) {
                return precision;
            }
        }
        throw new IllegalArgumentException("precision: '" + label + "' is unknown, expected f32 or f64");
    }
}
