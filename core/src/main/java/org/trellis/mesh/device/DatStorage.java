package org.trellis.mesh.device;

import java.util.Optional;
import org.trellis.memory.DenseVector;
import org.trellis.memory.MemorySpace;

/**
 * The memory of one dat, made by a backend where its loops want it. Knows nothing of elements, layout or numbering:
 * {@code Dat} translates. A backend's loops accept the storage that it made and no other.
 */
public interface DatStorage extends AutoCloseable {
    /**
     * Returns the type of the values.
     *
     * @return the type
     */
    ScalarType type();

    /**
     * Returns the number of values.
     *
     * @return at least 0
     */
    int length();

    /**
     * Returns where the values are.
     *
     * @return the memory space
     */
    MemorySpace space();

    /**
     * Returns one value. On a device this costs a transfer.
     *
     * @param index where
     * @return the value; exact for every type
     */
    double get(int index);

    /**
     * Sets one value. On a device this costs a transfer.
     *
     * @param index where
     * @param value the value; rounded to nearest for {@link ScalarType#F32}
     */
    void set(int index, double value);

    /**
     * Returns all values on the host.
     *
     * @return this storage if it is on the host, otherwise a copy
     */
    HostStorage toHost();

    /**
     * Copies all values to the host, into memory that is there already: nothing has to be allocated.
     *
     * @param target where to, of the same type and number; overwritten
     * @throws IllegalArgumentException if it is not
     */
    default void copyTo(HostStorage target) {
        target.copyFrom(toHost());
    }

    /**
     * Overwrites all values.
     *
     * @param source values of the same type and number
     */
    void copyFrom(HostStorage source);

    /**
     * Returns the values as a vector for products and solvers.
     *
     * @return a view; empty for {@link ScalarType#INT}
     */
    Optional<DenseVector> vector();

    /** Releases the memory. Idempotent. */
    @Override
    void close();
}
