package org.trellis.processor.model;

/** The types of the kernel language. */
public enum ValueType {
    /** {@code double} in the source, the precision of the loop when it runs. */
    REAL("double"),
    /** {@code int}. */
    INT("int"),
    /** {@code boolean}. */
    BOOLEAN("boolean"),
    /** No value. */
    VOID("void");

    private final String source;

    ValueType(String source) {
        this.source = source;
    }

    /**
     * Returns the type's name in the source.
     *
     * @return a keyword of Java
     */
    public String source() {
        return source;
    }
}
