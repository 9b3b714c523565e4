package org.trellis.matrices.mesh;

import java.util.Arrays;
import java.util.Objects;
import org.trellis.common.Checks;

/**
 * Named numbers on the points or cells of a mesh.
 *
 * @param name       the name
 * @param components numbers of a point or cell, at least 1
 * @param type       their type in a file
 * @param values     the numbers, those of a point or cell together. Not copied, and not to be changed
 */
public record DataArray(String name, int components, NumberType type, double[] values) {

    /**
     * Checks the components.
     *
     * @throws IllegalArgumentException if the values do not fit
     */
    public DataArray {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Checks.positive("components of " + name, components);
        Checks.length("remainder of the number of values of " + name + " by its components",
                values.length % components, 0);
    }

    /**
     * Makes an array in double precision.
     *
     * @param name       the name
     * @param components numbers of a point or cell
     * @param values     the numbers; kept
     * @return the array
     */
    public static DataArray of(String name, int components, double... values) {
        return new DataArray(name, components, NumberType.FLOAT64, values);
    }

    /**
     * Returns how many points or cells have values.
     *
     * @return at least 0
     */
    public int size() {
        return values.length / components;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DataArray that && name.equals(that.name) && components == that.components
                && type == that.type && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return 31 * name.hashCode() + Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return name + " (" + components + (components == 1 ? " component, " : " components, ") + type + ")";
    }
}
