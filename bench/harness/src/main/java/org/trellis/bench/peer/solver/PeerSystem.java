package org.trellis.bench.peer.solver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;

/** A system in double precision that peers are to solve, for their processes in a file that is written once. */
public final class PeerSystem implements AutoCloseable {
    private final CsrMatrix matrix;
    private final HostVector b;
    private final boolean symmetric;
    private Path file;

    /**
     * Creates a system.
     *
     * @param matrix    a square matrix in double precision
     * @param b         the right-hand side; kept, not copied
     * @param symmetric whether the matrix is symmetric
     * @throws IllegalArgumentException if sizes or precisions do not fit
     */
    public PeerSystem(CsrMatrix matrix, HostVector b, boolean symmetric) {
        Checks.length("number of columns of the matrix of a peer's system", matrix.columns(), matrix.rows());
        Checks.length("length of the right-hand side of a peer's system", b.length(), matrix.rows());
        if (matrix.precision() != Precision.F64 || b.precision() != Precision.F64) {
            throw new IllegalArgumentException("a peer's system has a matrix of " + matrix.precision().label()
                    + " and a right-hand side of " + b.precision().label() + ", expected f64: peers know no other");
        }
        this.matrix = matrix;
        this.b = b;
        this.symmetric = symmetric;
    }

    /**
     * Returns the matrix.
     *
     * @return a square matrix in double precision
     */
    public CsrMatrix matrix() {
        return matrix;
    }

    /**
     * Returns the right-hand side.
     *
     * @return as many doubles as the matrix has rows
     */
    public HostVector rightHandSide() {
        return b;
    }

    /**
     * Returns whether the matrix is symmetric.
     *
     * @return true if it is, up to rounding
     */
    public boolean isSymmetric() {
        return symmetric;
    }

    /**
     * Returns the file with the system, in a folder that only this user can read; {@link SystemFile} says its format.
     *
     * @return the file; it goes when the system is closed
     * @throws UncheckedIOException if it cannot be written
     */
    public synchronized Path file() {
        if (file == null) {
            try {
                Path folder = Files.createTempDirectory("trellis-system");
                file = folder.resolve("system.bin");
                // Also if the user ends the run; what is registered last goes first.
                folder.toFile().deleteOnExit();
                file.toFile().deleteOnExit();
                SystemFile.write(file, matrix, b);
            } catch (IOException e) {
                close();
                throw new UncheckedIOException(e);
            }
        }
        return file;
    }

    /**
     * Deletes the file.
     *
     * @throws UncheckedIOException if that is not possible
     */
    @Override
    public synchronized void close() {
        if (file != null) {
            try {
                Files.deleteIfExists(file);
                Files.deleteIfExists(file.getParent());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                file = null;
            }
        }
    }
}
