package org.trellis.memory;

import org.trellis.common.Checks;
import org.trellis.common.Precision;

/**
 * Several vectors of one length, stored interleaved: element {@code i} of all of them, then element {@code i + 1}. A
 * row of the matrix product with several vectors then reads and writes contiguous memory.
 */
public final class MultiVector implements AutoCloseable {
    private final DenseVector storage;
    private final int length;
    private final int count;

    /**
     * Wraps interleaved storage.
     *
     * @param storage {@code length × count} elements, element {@code i} of vector {@code v} at {@code i × count + v};
     *                not copied, closed with this object
     * @param length  elements of one vector
     * @param count   number of vectors, at least 1
     * @throws IllegalArgumentException if the storage has another length
     */
    public MultiVector(DenseVector storage, int length, int count) {
        Checks.notNegative("vector length", length);
        Checks.positive("number of vectors", count);
        Checks.length("storage length of " + count + " vectors", storage.length(), (long) length * count);
        this.storage = storage;
        this.length = length;
        this.count = count;
    }

    /**
     * Creates vectors of zeros on the host.
     *
     * @param precision the type of the elements
     * @param length    elements of one vector
     * @param count     number of vectors, at least 1
     * @return the vectors
     * @throws IllegalArgumentException if {@code length × count} is 2³¹ or more
     */
    public static MultiVector zeros(Precision precision, int length, int count) {
        long elements = (long) length * Checks.positive("number of vectors", count);
        if (elements > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(count + " vectors of " + length + " elements are " + elements
                    + " elements, expected fewer than 2^31");
        }
        return new MultiVector(HostVector.zeros(precision, (int) elements), length, count);
    }

    /**
     * Returns the elements of one vector.
     *
     * @return the length
     */
    public int length() {
        return length;
    }

    /**
     * Returns the number of vectors.
     *
     * @return at least 1
     */
    public int count() {
        return count;
    }

    /**
     * Returns the type of the elements.
     *
     * @return the precision
     */
    public Precision precision() {
        return storage.precision();
    }

    /**
     * Returns the interleaved elements.
     *
     * @return the storage itself, not a copy
     */
    public DenseVector storage() {
        return storage;
    }

    @Override
    public void close() {
        storage.close();
    }

    @Override
    public String toString() {
        return count + " vectors of " + length + " " + precision().label() + " on " + storage.space();
    }
}
