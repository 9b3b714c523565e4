package org.trellis.mesh.device;

import java.util.Optional;
import org.trellis.common.Checks;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;

/** The memory of a dat as one array on the Java heap. Programs cannot extend it. */
public class HostStorage implements DatStorage {
    private final ScalarType type;
    private final HostVector reals;
    private final Optional<DenseVector> vector;
    private final int[] ints;

    /** Not private: tests count the storage that is open. */
    HostStorage(ScalarType type, HostVector reals, int[] ints) {
        this.type = type;
        this.reals = reals;
        this.vector = Optional.ofNullable(reals);
        this.ints = ints;
    }

    /**
     * Creates storage full of zeros.
     *
     * @param type   the type of the values
     * @param length how many
     * @return the storage
     * @throws IllegalArgumentException if the length is negative
     */
    public static HostStorage zeros(ScalarType type, int length) {
        return type.real()
                ? new HostStorage(type, HostVector.zeros(type.precision(), length), null)
                : new HostStorage(type, null, new int[Checks.notNegative("storage length", length)]);
    }

    /**
     * Makes storage of a vector's memory.
     *
     * @param vector the vector; not copied
     * @return storage of its elements
     */
    public static HostStorage on(HostVector vector) {
        return new HostStorage(ScalarType.of(vector.precision()), vector, null);
    }

    /**
     * Returns the array that holds the values.
     *
     * @return the {@code double[]}, {@code float[]} or {@code int[]} itself
     */
    public Object array() {
        return switch (type) {
            case F64 -> reals.doubles();
            case F32 -> reals.floats();
            case INT -> ints;
        };
    }

    @Override
    public ScalarType type() {
        return type;
    }

    @Override
    public int length() {
        return ints == null ? reals.length() : ints.length;
    }

    @Override
    public MemorySpace space() {
        return MemorySpace.HOST;
    }

    @Override
    public double get(int index) {
        return ints == null ? reals.get(index) : ints[index];
    }

    @Override
    public void set(int index, double value) {
        if (ints == null) {
            reals.set(index, value);
        } else {
            ints[index] = (int) value;
        }
    }

    @Override
    public HostStorage toHost() {
        return this;
    }

    @Override
    @SuppressWarnings("SuspiciousSystemArraycopy") // both are arrays of one primitive type
    public void copyFrom(HostStorage source) {
        if (source.type != type || source.length() != length()) {
            throw new IllegalArgumentException("source is " + source + ", expected " + this);
        }
        System.arraycopy(source.array(), 0, array(), 0, length());
    }

    @Override
    public Optional<DenseVector> vector() {
        return vector;
    }

    /** Does nothing: the garbage collector frees the array. */
    @Override
    public void close() {}

    @Override
    public String toString() {
        return "host storage of " + length() + " " + type.label();
    }
}
