package org.trellis.processor.model;

import org.trellis.processor.diagnostic.Position;

/**
 * A parameter of a kernel or of a kernel function.
 *
 * @param name       its name
 * @param access     its descriptor; {@link Access#HELPER} for parameters of kernel functions
 * @param type       the type of its components
 * @param rank       0 for a scalar, 1 for components, 2 for entries of components
 * @param components the number of components of an entry, 0 if unknown
 * @param entries    1, the arity of the map, or {@link #VARIABLE}
 * @param repeats    the parameter that this increment repeats, or an empty string
 * @param sign       the factor between the two
 * @param at         where it is declared
 */
public record Parameter(String name, Access access, ValueType type, int rank, int components, int entries,
        String repeats, int sign, Position at) {
    /** The number of entries of a map of variable arity. */
    public static final int VARIABLE = -1;
    /** Stands for entries where the parameter is a raster. */
    public static final int RASTER = -2;
    /** The name of the type of rasters. */
    public static final String RASTER_TYPE = "org.trellis.kernel.Raster";

    /**
     * Says whether the parameter holds a row of a map of variable arity.
     *
     * @return true if so
     */
    public boolean variable() {
        return entries == VARIABLE;
    }

    /**
     * Says whether the parameter is a raster, which is sampled and has no elements.
     *
     * @return true if so
     */
    public boolean raster() {
        return entries == RASTER;
    }
}
