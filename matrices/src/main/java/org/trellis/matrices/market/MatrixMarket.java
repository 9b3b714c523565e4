package org.trellis.matrices.market;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Objects;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseMatrix;

/**
 * Reads and writes Matrix Market files, plain and compressed with gzip; the contents decide which, not the name.
 *
 * <p>A read gives a whole matrix or an exception: {@link org.trellis.common.MatrixFormatException} with file, line and
 * column if the contents are wrong, {@link IOException} if they cannot be read. Memory is bounded by the size of the
 * file: about 28 bytes an entry while reading (40 if triangles are mirrored), and nothing is allocated on the word of
 * a header alone except up to 64 MiB of row offsets. {@code docs/reference/file-formats.md} lists what is accepted.
 */
public final class MatrixMarket {

    private MatrixMarket() {}

    /**
     * Reads a matrix with the default options.
     *
     * @param file a Matrix Market file, coordinate or array
     * @return the matrix in double precision, symmetric parts expanded, duplicates added up
     * @throws org.trellis.common.MatrixFormatException if the contents are wrong
     * @throws IOException if the file cannot be read
     */
    public static CsrMatrix read(Path file) throws IOException {
        return read(file, ReadOptions.DEFAULT);
    }

    /**
     * Reads a matrix.
     *
     * <p>Entries given more than once are added up, in double precision and in the order of the file. Explicit zeros
     * of a coordinate file are kept; zeros of an array file are not stored. The result does not depend on the number
     * of threads.
     *
     * @param file    a Matrix Market file, coordinate or array
     * @param options how to read it
     * @return the matrix, symmetric parts expanded
     * @throws org.trellis.common.MatrixFormatException if the contents are wrong
     * @throws IOException if the file cannot be read
     */
    public static CsrMatrix read(Path file, ReadOptions options) throws IOException {
        return wantsRealForm(file, options)
                ? readComplex(file, options).realForm()
                : reader(file, options).readMatrix();
    }

    /**
     * Reads a matrix of complex numbers. The file is parsed twice, once for each part.
     *
     * @param file    a Matrix Market file, coordinate or array; of a real one, imaginary parts are zero
     * @param options how to read it, but for its policy on complex values
     * @return the matrix, symmetric, skew-symmetric and Hermitian parts expanded
     * @throws org.trellis.common.MatrixFormatException if the contents are wrong
     * @throws IOException if the file cannot be read
     */
    public static ComplexCsr readComplex(Path file, ReadOptions options) throws IOException {
        CsrMatrix real = reader(file, options.withComplexPolicy(ComplexPolicy.REAL_PART)).readMatrix();
        return ComplexCsr.of(real, isComplex(file)
                ? reader(file, options.withComplexPolicy(ComplexPolicy.IMAGINARY_PART)).readMatrix()
                : real.mapValues(value -> 0));
    }

    private static boolean wantsRealForm(Path file, ReadOptions options) throws IOException {
        Objects.requireNonNull(options, "options");
        return options.complexPolicy() == ComplexPolicy.REAL_FORM && isComplex(file);
    }

    private static boolean isComplex(Path file) throws IOException {
        return readHeader(file).field() == MarketField.COMPLEX;
    }

    /**
     * Reads a matrix from a stream, on the caller's thread.
     *
     * @param input   the text, plain or compressed; read to its end, not closed
     * @param name    what messages call it
     * @param options how to read it; a stream is read once, so that complex values are refused or one part kept
     * @return the matrix, symmetric parts expanded, duplicates added up
     * @throws org.trellis.common.MatrixFormatException if the contents are wrong
     * @throws IOException if reading fails
     */
    public static CsrMatrix read(InputStream input, String name, ReadOptions options) throws IOException {
        Objects.requireNonNull(options, "options");
        return new MarketReader(MarketInput.of(input, name, MarketInput.BLOCK_BYTES), options).readMatrix();
    }

    /**
     * Reads what a file says before its first entry. Costs a few kilobytes, whatever the size of the file.
     *
     * @param file a Matrix Market file
     * @return the banner, the sizes and the comments
     * @throws org.trellis.common.MatrixFormatException if there is no valid header
     * @throws IOException if the file cannot be read
     */
    public static MarketHeader readHeader(Path file) throws IOException {
        return reader(file, ReadOptions.DEFAULT).readHeader();
    }

    /**
     * Reads a vector: any file of one column.
     *
     * @param file    a Matrix Market file; of a coordinate file, elements without an entry are zero
     * @param options how to read it; as a real form, a complex column is interleaved, twice as long
     * @return the column, in the precision of the options
     * @throws org.trellis.common.MatrixFormatException if the contents are wrong or there is not exactly one column
     * @throws IOException if the file cannot be read
     */
    public static HostVector readVector(Path file, ReadOptions options) throws IOException {
        if (wantsRealForm(file, options)) {
            HostVector real = reader(file, options.withComplexPolicy(ComplexPolicy.REAL_PART)).readVector();
            HostVector imaginary = reader(file, options.withComplexPolicy(ComplexPolicy.IMAGINARY_PART)).readVector();
            return HostVector.of(ComplexCsr.interleave(real.toDoubleArray(), imaginary.toDoubleArray()))
                    .convert(options.precision());
        }
        return reader(file, options).readVector();
    }

    /**
     * Reads a dense matrix, for example several right-hand sides.
     *
     * @param file    a Matrix Market file; of a coordinate file, elements without an entry are zero
     * @param options how to read it; values stay double, but must be in the range of the precision; complex ones are
     *                refused or one part kept
     * @return all elements, symmetric parts expanded
     * @throws org.trellis.common.MatrixFormatException if the contents are wrong, or there are more elements than 16
     * Mi
     *                                                  and more than bytes of text
     * @throws IOException if the file cannot be read
     */
    public static DenseArray readDense(Path file, ReadOptions options) throws IOException {
        return reader(file, options).readDense();
    }

    /**
     * Writes a matrix as coordinates, row by row. Values get the fewest digits from which a reader of the same
     * precision gets the same bits. The file appears when it is complete; if anything fails, it is as it was before.
     *
     * @param file    the file, replaced if it exists; a name that ends in {@code .gz} makes it a compressed one
     * @param matrix  a matrix in any format; a {@link org.trellis.sparse.SymmetricMatrix} is written as one triangle
     * @param options how to write it
     * @throws IllegalArgumentException if the options say that the matrix is symmetric and it is not
     * @throws IOException if the file cannot be written
     */
    public static void write(Path file, SparseMatrix matrix, WriteOptions options) throws IOException {
        new MarketWriter(file, options).write(matrix);
    }

    /**
     * Writes a matrix of complex numbers as coordinates, row by row, as {@link #write} does.
     *
     * @param file    the file, replaced if it exists; a name that ends in {@code .gz} makes it a compressed one
     * @param matrix  a matrix
     * @param options how to write it; of a symmetric matrix one triangle, also of a Hermitian one
     * @throws IllegalArgumentException if the options say that the matrix is symmetric and it is neither that nor
     *                                  Hermitian, or that values are left out
     * @throws IOException if the file cannot be written
     */
    public static void writeComplex(Path file, ComplexCsr matrix, WriteOptions options) throws IOException {
        new MarketWriter(file, options).write(matrix);
    }

    /**
     * Writes a vector of complex numbers as an array of one column.
     *
     * @param file    the file, replaced if it exists; a name that ends in {@code .gz} makes it a compressed one
     * @param vector  interleaved real and imaginary parts
     * @param options comments, threads and progress; symmetry and pattern are ignored
     * @throws IllegalArgumentException if the number of parts is odd
     * @throws IOException if the file cannot be written
     */
    public static void writeComplexVector(Path file, HostVector vector, WriteOptions options) throws IOException {
        new MarketWriter(file, options).writeComplex(vector);
    }

    /**
     * Writes a vector as an array of one column.
     *
     * @param file    the file, replaced if it exists; a name that ends in {@code .gz} makes it a compressed one
     * @param vector  the elements
     * @param options comments, threads and progress; symmetry and pattern are ignored
     * @throws IOException if the file cannot be written
     */
    public static void writeVector(Path file, HostVector vector, WriteOptions options) throws IOException {
        new MarketWriter(file, options).write(vector, vector.length(), 1);
    }

    /**
     * Writes a dense matrix as an array.
     *
     * @param file    the file, replaced if it exists; a name that ends in {@code .gz} makes it a compressed one
     * @param array   the elements
     * @param options comments, threads and progress; symmetry and pattern are ignored
     * @throws IOException if the file cannot be written
     */
    public static void writeDense(Path file, DenseArray array, WriteOptions options) throws IOException {
        new MarketWriter(file, options).write(HostVector.of(array.values()), array.rows(), array.columns());
    }

    private static MarketReader reader(Path file, ReadOptions options) throws IOException {
        Objects.requireNonNull(options, "options");
        return new MarketReader(MarketInput.of(file, MarketInput.BLOCK_BYTES), options);
    }
}
