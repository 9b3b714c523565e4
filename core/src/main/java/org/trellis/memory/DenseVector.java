package org.trellis.memory;

import org.trellis.common.Precision;

/**
 * A vector of real numbers in one memory space. Implementations are {@link HostVector} and the vectors of device
 * backends; a backend accepts those of its own space only.
 */
public interface DenseVector extends AutoCloseable {
    /**
     * Returns the number of elements.
     *
     * @return the length, at least 0
     */
    int length();

    /**
     * Returns the type of the elements.
     *
     * @return the precision
     */
    Precision precision();

    /**
     * Returns where the elements live.
     *
     * @return the memory space
     */
    MemorySpace space();

    /**
     * Overwrites all elements with those of a host vector. Costs one transfer of {@code length × bytes}; no conversion.
     *
     * @param source the source, of the same length and precision; not kept
     * @throws IllegalArgumentException if length or precision differ
     */
    void copyFrom(HostVector source);

    /**
     * Copies all elements into a host vector. Costs one transfer of {@code length × bytes}; no conversion.
     *
     * @param target the target, of the same length and precision; not kept
     * @throws IllegalArgumentException if length or precision differ
     */
    void copyTo(HostVector target);

    /** Releases the memory. Idempotent; use afterwards is an {@link IllegalStateException} on device memory. */
    @Override
    void close();
}
