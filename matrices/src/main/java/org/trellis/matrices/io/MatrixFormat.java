package org.trellis.matrices.io;

import java.io.IOException;
import java.nio.file.Path;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;

/**
 * A format of matrix files whose reader is an artifact of its own, since it needs another library. {@link
 * org.trellis.matrices.MatrixFiles} finds it as a service.
 */
public interface MatrixFormat {
    /**
     * Returns how names of such files end.
     *
     * @return in lower case, with the dot
     */
    String ending();

    /**
     * Says whether the values of a file are complex.
     *
     * @param file a file
     * @return true if they are
     * @throws org.trellis.common.MatrixFormatException if the contents are wrong or of a kind that is not read
     * @throws IOException                              if the file cannot be read
     */
    boolean isComplex(Path file) throws IOException;

    /**
     * Reads a matrix.
     *
     * @param file    a file
     * @param options how to read it, but for its policy on complex values
     * @return the matrix; of one with real values, imaginary parts are zero
     * @throws org.trellis.common.MatrixFormatException if the contents are wrong or of a kind that is not read
     * @throws IOException                              if the file cannot be read
     */
    ComplexCsr read(Path file, ReadOptions options) throws IOException;

    /**
     * Writes a matrix.
     *
     * @param file    the file, replaced if it exists
     * @param matrix  the matrix
     * @param options how to write it
     * @throws IllegalArgumentException if the format cannot do what the options ask for
     * @throws IOException              if the file cannot be written
     */
    void write(Path file, CsrMatrix matrix, WriteOptions options) throws IOException;

    /**
     * Writes a matrix of complex numbers.
     *
     * @param file    the file, replaced if it exists
     * @param matrix  the matrix
     * @param options how to write it
     * @throws IllegalArgumentException if the format cannot do what the options ask for
     * @throws IOException              if the file cannot be written
     */
    void writeComplex(Path file, ComplexCsr matrix, WriteOptions options) throws IOException;
}
