package org.trellis.memory;

import java.util.Arrays;
import java.util.Objects;
import java.util.function.IntToDoubleFunction;
import org.trellis.common.Checks;
import org.trellis.common.Precision;

/**
 * A vector on the Java heap: a {@code double[]} or a {@code float[]} with its precision. Kernels take the array out
 * once ({@link #doubles()}, {@link #floats()}; those that know {@link #offset()} also
 * {@link #doubleStorage()}, {@link #floatStorage()}); {@link #get} and {@link #set} serve everything that is not hot.
 * Programs cannot extend it.
 */
public class HostVector extends BoundVector {
    private final double[] doubles;
    private final float[] floats;

    /** Not private: tests count the vectors that are open. */
    HostVector(double[] doubles, float[] floats) {
        super(doubles != null ? doubles.length : floats.length);
        this.doubles = doubles;
        this.floats = floats;
    }

    private HostVector(HostVector parent, int from, int length, Numbering bound) {
        super(parent, from, length, bound);
        this.doubles = parent.doubles;
        this.floats = parent.floats;
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
    public Precision precision() {
        return doubles != null ? Precision.F64 : Precision.F32;
    }

    @Override
    public MemorySpace space() {
        return MemorySpace.HOST;
    }

    /**
     * Returns the array of a vector that has all of its elements.
     *
     * @return the array itself, not a copy
     * @throws IllegalStateException if the precision is not {@link Precision#F64}, the vector is a part of an array, or
     *         its numbering is not current any more
     */
    public double[] doubles() {
        double[] array = doubleStorage();
        requireAll(array.length);
        return array;
    }

    /**
     * Returns the array of a vector that has all of its elements.
     *
     * @return the array itself, not a copy
     * @throws IllegalStateException if the precision is not {@link Precision#F32}, the vector is a part of an array, or
     *         its numbering is not current any more
     */
    public float[] floats() {
        float[] array = floatStorage();
        requireAll(array.length);
        return array;
    }

    private void requireAll(int elements) {
        if (elements != length()) {
            throw new IllegalStateException(this + " is a part of an array of " + elements
                    + " and was asked for its array, expected a vector that has all of it; doubleStorage() and"
                    + " floatStorage() with offset() serve parts too");
        }
    }

    /**
     * Returns the array in which the elements are, from {@link #offset()} on. Other elements of it may belong to other
     * vectors.
     *
     * @return the array itself, not a copy
     * @throws IllegalStateException if the precision is not {@link Precision#F64}, or the numbering is not current any
     *         more
     */
    public double[] doubleStorage() {
        if (doubles == null) {
            throw new IllegalStateException("vector of precision f32 asked for its double[]");
        }
        requireCurrent();
        return doubles;
    }

    /**
     * Returns the array in which the elements are, from {@link #offset()} on. Other elements of it may belong to other
     * vectors.
     *
     * @return the array itself, not a copy
     * @throws IllegalStateException if the precision is not {@link Precision#F32}, or the numbering is not current any
     *         more
     */
    public float[] floatStorage() {
        if (floats == null) {
            throw new IllegalStateException("vector of precision f64 asked for its float[]");
        }
        requireCurrent();
        return floats;
    }

    private int place(int index) {
        requireCurrent();
        return offset() + Checks.index("element", index, length());
    }

    /**
     * Returns an element.
     *
     * @param index its index
     * @return its value, exact in either precision
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public double get(int index) {
        int at = place(index);
        return doubles != null ? doubles[at] : floats[at];
    }

    /**
     * Sets an element.
     *
     * @param index its index
     * @param value the value; rounded to nearest for {@link Precision#F32}
     * @throws IndexOutOfBoundsException if there is no such element
     */
    public void set(int index, double value) {
        int at = place(index);
        if (doubles != null) {
            doubles[at] = value;
        } else {
            floats[at] = (float) value;
        }
    }

    /**
     * Sets neighbouring elements.
     *
     * @param index  index of the first
     * @param source has the values; rounded to nearest for {@link Precision#F32}
     * @param from   where they start in it
     * @param count  how many
     * @throws IndexOutOfBoundsException if there are fewer elements here or there
     */
    public void setRange(int index, double[] source, int from, int count) {
        if (count == 0) {
            return;
        }
        int at = place(index);
        place(index + count - 1);
        if (doubles != null) {
            System.arraycopy(source, from, doubles, at, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            floats[at + i] = (float) source[from + i];
        }
    }

    /**
     * Sets all elements to one value.
     *
     * @param value the value; rounded to nearest for {@link Precision#F32}
     * @return this vector
     */
    public HostVector fill(double value) {
        requireCurrent();
        if (doubles != null) {
            Arrays.fill(doubles, offset(), offset() + length(), value);
        } else {
            Arrays.fill(floats, offset(), offset() + length(), (float) value);
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
        Checks.range("elements to copy", from, from + count, length());
        Checks.range("elements to overwrite", to, to + count, target.length());
        requireCurrent();
        target.requireCurrent();
        Object source = doubles != null ? doubles : floats;
        System.arraycopy(source, offset() + from, doubles != null ? target.doubles : target.floats,
                target.offset() + to, count);
    }

    /**
     * Returns a copy.
     *
     * @return a vector of the same elements with an array of its own
     */
    public HostVector copy() {
        HostVector copy = zeros(precision(), length());
        copyRange(0, copy, 0, length());
        return copy;
    }

    /**
     * Returns a copy in a given precision.
     *
     * @param precision the requested precision; values are rounded to nearest
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
        return convert(Precision.F64).doubles;
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

    @Override
    public HostVector part(int from, int count) {
        return new HostVector(this, from, count, null);
    }

    @Override
    public HostVector view(Numbering bound) {
        return new HostVector(this, 0, length(), Objects.requireNonNull(bound));
    }

    @Override
    public boolean overlaps(DenseVector other) {
        return other instanceof HostVector host && sharesArrayWith(host) && rangeMeets(host);
    }

    /**
     * Says whether two vectors share an array.
     *
     * @param other another vector
     * @return true if both have elements of one array, perhaps different ones
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
        return (isWhole() ? "" : "view of a ") + "host vector of " + length() + " " + precision().label();
    }
}
