package org.trellis.kernel;

import java.util.Objects;

/**
 * One parameter of a kernel.
 *
 * @param name       its name in the source
 * @param kind       what may be bound to it
 * @param access     what the kernel does with it
 * @param type       the type of its components
 * @param components the number of components of one element, at least 1
 * @param entries    1 for one element, the arity of a map for all entries at once, {@link #VARIABLE}, or for a raster
 *                   {@link #RASTER}
 * @param repeats    the index of the increment that this one repeats, or −1
 * @param sign       the factor between the two, 1 or −1
 */
public record ArgumentSignature(String name, Kind kind, Access access, Type type, int components, int entries,
        int repeats, int sign) {
    /** As many entries as the element's row of a map with variable arity has. */
    public static final int VARIABLE = -1;
    /** In place of a number of entries: a constant that is a {@link Raster}. */
    public static final int RASTER = -2;

    /** What may be bound to a parameter. */
    public enum Kind {
        /** Data on a set. */
        DAT,
        /** One value for all elements. */
        GLOBAL,
        /** A value that never changes. */
        CONSTANT
    }

    /** The type of components. */
    public enum Type {
        /** {@code double} in the source; {@code float} or {@code double} when it runs. */
        REAL,
        /** {@code int}. */
        INT
    }

    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if components, entries or sign are out of range; names the parameter
     */
    public ArgumentSignature {
        Objects.requireNonNull(name);
        Objects.requireNonNull(kind);
        Objects.requireNonNull(access);
        Objects.requireNonNull(type);
        if (components < 1 || (entries < 1 && entries != VARIABLE && entries != RASTER) || (sign != 1 && sign != -1)) {
            throw new IllegalArgumentException("parameter '" + name + "' has " + components + " components, " + entries
                    + " entries and sign " + sign + "; expected at least 1, at least 1 or VARIABLE (" + VARIABLE
                    + "), and 1 or -1");
        }
    }

    /**
     * Creates the signature of a parameter that holds one element and repeats no other.
     *
     * @param name       its name
     * @param kind       what may be bound to it
     * @param access     what the kernel does with it
     * @param type       the type of its components
     * @param components the number of components
     * @return the signature
     */
    public static ArgumentSignature of(String name, Kind kind, Access access, Type type, int components) {
        return new ArgumentSignature(name, kind, access, type, components, 1, -1, 1);
    }
}
