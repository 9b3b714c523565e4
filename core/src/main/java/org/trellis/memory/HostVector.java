package org.trellis.memory;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;
import org.trellis.common.Checks;
import org.trellis.common.Precision;

/**
 * A vector on the Java heap: a {@code double[]} or a {@code float[]} with its precision. Kernels take the array out
 * once ({@link #doubles()}, {@link #floats()}); {@link #get} and {@link #set} serve everything that is not hot.
 */
public final class HostVector implements DenseVector {
    private final double[] doubles;
    private final float[] floats;

    private HostVector(double[] doubles, float[] floats) {
        this.doubles = doubles;
        this.floats = floats;
    }

    /**
     * Creates a vector of zeros.
     *
     * @param precision the type of its elements
     * @param length    the number of elements
     * @return the vector
     * @throws IllegalArgumentException if the length is negative
     */
    public static HostVector zeros(Precision precision, int length) {
        Checks.notNegative("vector length", length);
        return precision == Precision.F64 ? of(new double[length]) : of(new float[length]);
    }

    /**
     * Creates a vector from a function of the index.
     *
     * @param precision the type of its elements
     * @param length    the number of elements
     * @param function  gives element {@code i}; rounded to nearest for {@link Precision#F32}
     * @return the vector
     */
    public static HostVector of(Precision precision, int length, IntToDoubleFunction function) {
        HostVector vector = zeros(precision, length);
        for (int i = 0; i < length; i++) {
            vector.set(i, function.applyAsDouble(i));
        }
        return vector;
    }

    /**
     * Wraps an array.
     *
     * @param values the elements; not copied, later changes show on both sides
     * @return the vector
     */
    public static HostVector of(double... values) {
        return new HostVector(Objects.requireNonNull(values), null);
    }

    /**
     * Wraps an array.
     *
     * @param values the elements; not copied, later changes show on both sides
     * @return the vector
     */
    public static HostVector of(float... values) {
        return new HostVector(null, Objects.requireNonNull(values));
    }

    @Override
    public int length() {
        return doubles != null ? doubles.length : floats.length;
    }

    @Override
    public Precision precision() {
        return doubles != null ? Precision.F64 : Precision.F32;
    }

    @Override
    public MemorySpace space() {
        return MemorySpace.HOST;
    }

    /**
     * Returns the array that holds the elements.
     *
     * @return the array itself, not a copy
     * @throws IllegalStateException if the precision is not {@link Precision#F64}
     */
    public double[] doubles() {
        if (doubles == null) {
            throw new IllegalStateException("vector of precision f32 asked for its double[]");
        }
        return doubles;
    }

    /**
     * Returns the array that holds the elements.
     *
     * @return the array itself, not a copy
     * @throws IllegalStateException if the precision is not {@link Precision#F32}
     */
    public float[] floats() {
        if (floats == null) {
            throw new IllegalStateException("vector of precision f64 asked for its float[]");
        }
        return floats;
    }

    /**
     * Returns an element.
     *
     * @param index its index
     * @return its value, exact in either precision
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public double get(int index) {
        return doubles != null ? doubles[index] : floats[index];
    }

    /**
     * Sets an element.
     *
     * @param index its index
     * @param value the value; rounded to nearest for {@link Precision#F32}
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public void set(int index, double value) {
        if (doubles != null) {
            doubles[index] = value;
        } else {
            floats[index] = (float) value;
        }
    }

    /**
     * Sets all elements to one value.
     *
     * @param value the value; rounded to nearest for {@link Precision#F32}
     * @return this vector
     */
    public HostVector fill(double value) {
        if (doubles != null) {
            Arrays.fill(doubles, value);
        } else {
            Arrays.fill(floats, (float) value);
        }
        return this;
    }

    /**
     * Copies a part of this vector into a part of another one of the same precision.
     *
     * @param from   first element to copy
     * @param target where to; may be this vector, overlaps are handled as by {@link System#arraycopy}
     * @param to     first element to overwrite
     * @param count  number of elements
     * @throws IllegalArgumentException  if the precisions differ
     * @throws IndexOutOfBoundsException if a range does not fit
     */
    public void copyRange(int from, HostVector target, int to, int count) {
        checkPrecision(target);
        Object source = doubles != null ? doubles : floats;
        System.arraycopy(source, from, doubles != null ? target.doubles : target.floats, to, count);
    }

    /**
     * Returns a copy.
     *
     * @return a vector of the same elements with an array of its own
     */
    public HostVector copy() {
        return doubles != null ? of(doubles.clone()) : of(floats.clone());
    }

    /**
     * Returns a copy in a given precision.
     *
     * @param precision the precision wanted; values are rounded to nearest
     * @return a vector with an array of its own
     */
    public HostVector convert(Precision precision) {
        return precision == precision() ? copy() : of(precision, length(), this::get);
    }

    /**
     * Returns the elements as doubles.
     *
     * @return a new array
     */
    public double[] toDoubleArray() {
        return doubles != null ? doubles.clone() : convert(Precision.F64).doubles;
    }

    @Override
    public void copyFrom(HostVector source) {
        Checks.length("source length", source.length(), length());
        source.copyRange(0, this, 0, length());
    }

    @Override
    public void copyTo(HostVector target) {
        target.copyFrom(this);
    }

    /**
     * Tells whether two vectors share an array.
     *
     * @param other another vector
     * @return true if writing one writes the other
     */
    @SuppressWarnings("ReferenceEquality") // identity is what is asked for
    public boolean sharesArrayWith(HostVector other) {
        return doubles != null ? doubles == other.doubles : floats == other.floats;
    }

    private void checkPrecision(HostVector other) {
        if (other.precision() != precision()) {
            throw new IllegalArgumentException("vector precision is " + other.precision().label() + ", expected "
                    + precision().label());
        }
    }

    /** Does nothing: the garbage collector frees the array. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return "host vector of " + length() + " " + precision().label();
    }
}
