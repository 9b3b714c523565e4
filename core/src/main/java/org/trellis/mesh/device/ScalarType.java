package org.trellis.mesh.device;

import java.util.Locale;
import org.trellis.common.Precision;

/** The type of a dat's components. */
public enum ScalarType {
    /** {@code double}. */
    F64(Double.BYTES),
    /** {@code float}. */
    F32(Float.BYTES),
    /** {@code int}. */
    INT(Integer.BYTES);

    private final int bytes;

    ScalarType(int bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns the type of real numbers in a precision.
     *
     * @param precision the precision
     * @return {@link #F64} or {@link #F32}
     */
    public static ScalarType of(Precision precision) {
        return precision == Precision.F64 ? F64 : F32;
    }

    /**
     * Returns the size of one value.
     *
     * @return in bytes
     */
    public int bytes() {
        return bytes;
    }

    /**
     * Says whether values are real numbers.
     *
     * @return false for {@link #INT}
     */
    public boolean real() {
        return this != INT;
    }

    /**
     * Returns the precision of real numbers.
     *
     * @return the precision
     * @throws IllegalStateException if the type is {@link #INT}
     */
    public Precision precision() {
        return switch (this) {
            case F64 -> Precision.F64;
            case F32 -> Precision.F32;
            case INT -> throw new IllegalStateException("whole numbers have no precision");
        };
    }

    /**
     * Returns the name used in messages and reports.
     *
     * @return {@code f64}, {@code f32} or {@code int}
     */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
