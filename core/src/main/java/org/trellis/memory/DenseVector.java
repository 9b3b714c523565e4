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

    /**
     * Returns what the elements stand for and in which order they are.
     *
     * @return {@link Numbering#NONE} for a plain vector
     */
    Numbering numbering();

    /**
     * Says what the elements stand for from now on. Moves nothing: the caller knows that the elements are in
     * that order, or that they are about to be overwritten. Parts of the vector follow.
     *
     * @param numbering the numbering
     * @throws IllegalStateException if this is a part or a view
     */
    void bind(Numbering numbering);

    /**
     * Returns some consecutive elements as a vector. It shares the memory of this vector and does not own it: closing
     * it does nothing, and once this vector is closed it cannot be used. Costs nothing.
     *
     * @param from   the first element
     * @param count  how many
     * @return a part: writing one writes the other
     * @throws IndexOutOfBoundsException if there are fewer elements
     */
    DenseVector part(int from, int count);

    /**
     * Returns this vector with a numbering that does not change any more. It shares the memory and does not own it.
     *
     * @param bound the numbering in which the elements are now
     * @return a view: writing one writes the other; of no use once the numbering is replaced
     */
    DenseVector view(Numbering bound);

    /**
     * Says whether two vectors have elements in common.
     *
     * @param other another vector
     * @return true if writing one may write the other
     */
    boolean overlaps(DenseVector other);

    /**
     * Returns what has the elements, for those who read all of them now. Who owns them may want to know.
     *
     * @return this vector, unless it stands for another one
     */
    default DenseVector toRead() {
        return this;
    }

    /**
     * Releases the memory, of a vector that owns it; does nothing for parts and views. Idempotent; use afterwards is an
     * {@link IllegalStateException} on device memory.
     */
    @Override
    void close();
}
