package org.trellis.matrices.harwellboeing;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.nio.file.Path;
import org.trellis.common.PrintableText;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.matrices.support.TextLines;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SymmetricMatrix;

/**
 * Reads and writes Harwell-Boeing and Rutherford-Boeing files, plain and compressed with gzip, on the caller's thread.
 *
 * <p>Assembled matrices of all types are read; right-hand sides behind them are not read. Memory is bounded by
 * the size of the text: nothing is allocated on the word of a header alone except up to 64 MiB of row offsets.
 */
public final class HarwellBoeing {
    private HarwellBoeing() {}

    /**
     * Reads a matrix.
     *
     * @param file    a file in either format
     * @param options precision and what to do with complex values; threads are not used
     * @return the matrix, symmetric parts expanded
     * @throws org.trellis.common.MatrixFormatException if the contents are wrong, or the matrix is complex and the
     * options
     *                                                  refuse that, or it consists of unassembled elements
     * @throws IOException if the file cannot be read
     */
    public static CsrMatrix read(Path file, ReadOptions options) throws IOException {
        return options.complexPolicy() == ComplexPolicy.REAL_FORM && isComplex(file)
                ? readComplex(file, options).realForm()
                : readReal(file, options);
    }

    /**
     * Reads a matrix of complex numbers. The file is parsed twice, once for each part.
     *
     * @param file    a file in either format; of a real one, imaginary parts are zero
     * @param options precision; the policy on complex values is ignored
     * @return the matrix, symmetric, skew-symmetric and Hermitian parts expanded
     * @throws org.trellis.common.MatrixFormatException if the contents are wrong, or the matrix consists of unassembled
     *                                                  elements
     * @throws IOException if the file cannot be read
     */
    public static ComplexCsr readComplex(Path file, ReadOptions options) throws IOException {
        CsrMatrix real = readReal(file, options.withComplexPolicy(ComplexPolicy.REAL_PART));
        return ComplexCsr.of(real, isComplex(file)
                ? readReal(file, options.withComplexPolicy(ComplexPolicy.IMAGINARY_PART))
                : real.mapValues(value -> 0));
    }

    private static boolean isComplex(Path file) throws IOException {
        return readHeader(file).values() == 'C';
    }

    private static CsrMatrix readReal(Path file, ReadOptions options) throws IOException {
        try (TextLines lines = open(file, options)) {
            return new ColumnsReader(lines, options).read();
        }
    }

    /**
     * Reads what a file says before its data.
     *
     * @param file a file in either format
     * @return the title, the type and the sizes
     * @throws org.trellis.common.MatrixFormatException if there is no valid header
     * @throws IOException if the file cannot be read
     */
    public static HarwellBoeingHeader readHeader(Path file) throws IOException {
        try (TextLines lines = open(file, ReadOptions.DEFAULT)) {
            return new HeaderParser(lines).parse().header();
        }
    }

    /**
     * Writes a matrix in double or single precision, so that reading gives the same values. The file has the title of
     * the first comment, up to 72 characters of it.
     *
     * @param file    the file, replaced if it exists; compressed if its name ends in {@code .gz}, with the header of
     *                Rutherford-Boeing if it ends in {@code .rb}; where it ends in a type such as {@code .rua}, that
     *                must be the type of what is written
     * @param matrix  a matrix in any storage format
     * @param options how to write it; threads are not used
     * @throws IllegalArgumentException if the matrix is not symmetric although the options claim it, if a value is not
     *                                  finite, if there are 2³¹ entries or more, or if the name says another type
     * @throws IOException if the file cannot be written
     */
    public static void write(Path file, SparseMatrix matrix, WriteOptions options) throws IOException {
        // The columns of a lower triangle are the rows of the upper one.
        CsrMatrix columns = options.symmetric() ? lowerTriangle(matrix).transpose() : matrix.toCsr().transpose();
        new BoeingWriter(file, columns, null, options).write();
    }

    private static CsrMatrix lowerTriangle(SparseMatrix matrix) {
        return (matrix instanceof SymmetricMatrix already ? already : SymmetricMatrix.from(matrix.toCsr())).lower();
    }

    /**
     * Writes a matrix of complex numbers.
     *
     * @param file    the file, as for {@link #write}
     * @param matrix  a matrix
     * @param options how to write it; the whole matrix is written
     * @throws IllegalArgumentException if the options ask for one triangle, and as for {@link #write}
     * @throws IOException if the file cannot be written
     */
    public static void writeComplex(Path file, ComplexCsr matrix, WriteOptions options) throws IOException {
        if (options.symmetric()) {
            throw new IllegalArgumentException("one triangle of a complex matrix for "
                    + PrintableText.of(file.toString()) + ", expected the whole one in a Harwell-Boeing file");
        }
        new BoeingWriter(file, matrix.realPart().transpose(), matrix.imaginaryPart().transpose(), options).write();
    }

    @MustBeClosed
    private static TextLines open(Path file, ReadOptions options) throws IOException {
        return TextLines.open(file, options::textLimit);
    }
}
