package org.trellis.processor.emit;

/** The real types that loops are generated for. */
public enum RealType {
    /** Double precision. */
    DOUBLE("double", "Double", 8),
    /** Single precision. */
    FLOAT("float", "Float", 4);

    private final String keyword;
    private final String label;
    private final int bytes;

    RealType(String keyword, String label, int bytes) {
        this.keyword = keyword;
        this.label = label;
        this.bytes = bytes;
    }

    /**
     * Returns the type in Java.
     *
     * @return {@code double} or {@code float}
     */
    public String keyword() {
        return keyword;
    }

    /**
     * Returns the part of class names.
     *
     * @return {@code Double} or {@code Float}
     */
    public String label() {
        return label;
    }

    /**
     * Returns the size of one value.
     *
     * @return bytes
     */
    public int bytes() {
        return bytes;
    }

    /** Returns a literal. */
    String literal(double value) {
        double rounded = this == FLOAT ? (float) value : value;
        if (Double.isNaN(rounded)) {
            return label + ".NaN";
        }
        if (Double.isInfinite(rounded)) {
            return label + (rounded > 0 ? ".POSITIVE_INFINITY" : ".NEGATIVE_INFINITY");
        }
        String digits = this == FLOAT ? (float) value + "f" : Double.toString(value);
        return digits.startsWith("-") ? "(" + digits + ")" : digits;
    }
}
