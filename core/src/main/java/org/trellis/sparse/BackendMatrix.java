package org.trellis.sparse;

import java.util.Optional;
import org.trellis.memory.MemorySpace;

/**
 * A matrix in compressed sparse rows in the memory of a backend, made by its {@code MatrixAlgebra}: for what is
 * computed there and used there. Structure and values do not change. What needs the entries on the host ({@link
 * #toCsr()}) brings them there once and keeps them; sizes are known without.
 */
public non-sealed interface BackendMatrix extends SparseMatrix, AutoCloseable {
    /**
     * Returns where the matrix is.
     *
     * @return the memory space of its backend
     */
    MemorySpace space();

    /**
     * Returns the matrix on the host. The first call copies it there and waits for that.
     *
     * @throws IllegalStateException if this was closed before the first call
     */
    @Override
    CsrMatrix toCsr();

    @Override
    default SparseFormat format() {
        return SparseFormat.CSR;
    }

    @Override
    default long storedBytes() {
        return (rows() + 1L) * Integer.BYTES + nonZeros() * (Integer.BYTES + precision().bytes());
    }

    @Override
    default Optional<String> firstViolation() {
        return toCsr().firstViolation();
    }

    @Override
    default void forEachEntry(EntryConsumer consumer) {
        toCsr().forEachEntry(consumer);
    }

    /** Gives the memory back. Idempotent. */
    @Override
    void close();
}
