package org.trellis.sparse;

import java.util.Optional;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * A sparse matrix, on the host but for {@link BackendMatrix}. Its structure is immutable; its values are too, as far as
 * this library is concerned.
 */
public sealed interface SparseMatrix permits CsrMatrix, CooMatrix, EllMatrix, SellMatrix, SymmetricMatrix,
        BackendMatrix {
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
     * Returns a matrix of the same structure, format and parameters with other values. Costs a pass over the matrix.
     *
     * @param values the value of each entry in the order of compressed rows, {@link #nonZeros()} of them; copied
     * @return a new matrix
     * @throws IllegalArgumentException if there are more or fewer, their precision is another, or a symmetric matrix
     *                                  would not be symmetric any more
     */
    default SparseMatrix withValues(HostVector values) {
        CsrMatrix csr = CsrTransformations.withValues(toCsr(), values);
        return switch (this) {
            case CsrMatrix _ -> csr;
            case CooMatrix _ -> CooMatrix.from(csr);
            case EllMatrix _ -> EllMatrix.from(csr);
            case SellMatrix sell -> SellMatrix.from(csr, sell.chunkRows(), sell.sortingWindow());
            case SymmetricMatrix _ -> SymmetricMatrix.from(csr);
            case BackendMatrix _ -> csr;
        };
    }

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
