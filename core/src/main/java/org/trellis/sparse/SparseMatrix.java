package org.trellis.sparse;

import java.util.Optional;
import org.trellis.common.Precision;

/**
 * A sparse matrix on the host. Its structure is immutable; its values are too, as far as this library is concerned.
 */
public sealed interface SparseMatrix permits CsrMatrix, CooMatrix, EllMatrix, SellMatrix, SymmetricMatrix {
    /**
     * Returns the number of rows.
     *
     * @return at least 0
     */
    int rows();

    /**
     * Returns the number of columns.
     *
     * @return at least 0
     */
    int columns();

    /**
     * Returns the number of entries of the matrix, both triangles of a symmetric one, explicit zeros included, padding
     * and duplicates left out.
     *
     * @return at least 0; may exceed 2³¹
     */
    long nonZeros();

    /**
     * Returns the type of the values.
     *
     * @return the precision
     */
    Precision precision();

    /**
     * Returns the storage format.
     *
     * @return the format
     */
    SparseFormat format();

    /**
     * Returns the memory that structure and values take.
     *
     * @return bytes
     */
    long storedBytes();

    /**
     * Checks every invariant of the format. Costs one pass over the matrix.
     *
     * @return the first violation (value, place and what was expected), or empty if the matrix is sound
     */
    Optional<String> firstViolation();

    /**
     * Returns the same matrix in compressed sparse rows.
     *
     * @return this object if it is in that format, else a new matrix
     */
    CsrMatrix toCsr();

    /**
     * Visits every entry of the matrix, both triangles of a symmetric one, in the order in which the format stores
     * them. Plain and slow next to a product: a call an entry.
     *
     * @param consumer receives the entries
     */
    void forEachEntry(EntryConsumer consumer);

    /**
     * Checks every invariant of the format.
     *
     * @throws IllegalStateException if one is violated; the message names the first violation
     */
    default void requireValid() {
        firstViolation().ifPresent(violation -> {
            throw new IllegalStateException(this + ": " + violation);
        });
    }
}
