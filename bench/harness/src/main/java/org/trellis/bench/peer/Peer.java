package org.trellis.bench.peer;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Availability;
import org.trellis.bench.measure.Reading;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.bench.measure.TimedProduct;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/**
 * Another library. Registered in {@code META-INF/services}; has a public constructor without parameters that does
 * nothing, and loads the library only when it is asked to do something.
 */
public interface Peer {
    /**
     * Returns the name by which users ask for the peer.
     *
     * @return a short lower-case word
     */
    String name();

    /**
     * Returns the version of the library, for reports.
     *
     * @return the version, or {@code "unknown"}
     */
    String version();

    /**
     * Finds out whether the library can be used here. Must not throw or print.
     *
     * @return the answer with a reason, and how to get the library if it is not there
     */
    Availability probe();

    /**
     * Says whether products run in Java. Such a peer shares the JIT compiler and the collector with the code that runs
     * in the same process, so it is measured in a process of its own.
     *
     * @return false unless overridden
     */
    default boolean runsInJava() {
        return false;
    }

    /**
     * Lists the variants in which the library can compute a product that deserve to be measured, the best of which
     * counts.
     *
     * @param precision the type of the values
     * @param threads   threads that it may use
     * @return names of the variants, none if it has no product in that precision
     */
    List<PeerVariant> variants(Precision precision, int threads);

    /**
     * Says why a matrix is not for one of the variants. Such a variant is left out, and is no failure.
     *
     * @param variant one of {@link #variants}
     * @param matrix  the matrix
     * @return the reason, or empty if it can be tried
     */
    default Optional<String> constraint(PeerVariant variant, CsrMatrix matrix) {
        return Optional.empty();
    }

    /**
     * Prepares a product.
     *
     * @param variant one of {@link #variants}
     * @param matrix  the matrix, in the precision requested
     * @param x       the vector to multiply; to be copied
     * @return a product that the caller closes
     * @throws IllegalArgumentException if the matrix is too large for the library
     */
    @MustBeClosed
    TimedProduct prepare(PeerVariant variant, CsrMatrix matrix, HostVector x);

    /**
     * Returns whether the library multiplies sparse matrices.
     *
     * @param precision the type of the values
     * @return true if {@link #prepareMatrixProduct} works
     */
    default boolean multipliesMatrices(Precision precision) {
        return false;
    }

    /**
     * Prepares a product of sparse matrices.
     *
     * @param factors at least two, all of one precision; multiplied from the right: {@code F1 (F2 F3)}
     * @param threads threads that it may use
     * @return a product that the caller closes
     * @throws UnsupportedOperationException if the library multiplies no matrices
     * @throws IllegalArgumentException      if a matrix is too large for the library
     */
    default TimedMatrixProduct prepareMatrixProduct(List<CsrMatrix> factors, int threads) {
        throw new UnsupportedOperationException("peer '" + name() + "' does not multiply sparse matrices");
    }

    /**
     * Returns whether the library reads Matrix Market files.
     *
     * @return true if {@link #read} works
     */
    default boolean reads() {
        return false;
    }

    /**
     * Reads a Matrix Market file into the library's own sparse matrix.
     *
     * @param file the file
     * @return the number of entries that the library stores
     * @throws java.io.IOException           if the file cannot be read
     * @throws UnsupportedOperationException if the library has no reader
     */
    default long read(Path file) throws java.io.IOException {
        throw new UnsupportedOperationException("peer '" + name() + "' does not read " + file);
    }

    /**
     * Reads a file as {@link #read} does and takes the time, in the process that reads.
     *
     * @param file the file
     * @return entries and seconds
     * @throws java.io.IOException           if the file cannot be read
     * @throws UnsupportedOperationException if the library has no reader
     */
    default Reading timeReading(Path file) throws java.io.IOException {
        return Reading.of(this::read, file);
    }
}
