package org.trellis.bench.source;

import java.io.IOException;
import java.nio.file.Path;
import org.trellis.common.Precision;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.matrices.market.MarketField;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ComplexCsr;

/**
 * Right-hand sides and solutions in Matrix Market files. Those of a complex matrix are complex in files and interleaved
 * in memory, as its equivalent real form wants them.
 *
 * @param complex whether the matrix is the real form of a complex one
 */
public record VectorFiles(boolean complex) {
    /**
     * Returns the files of vectors that belong to a matrix.
     *
     * @param source the matrix
     * @return how its vectors are read and written
     * @throws IOException if its file cannot be read
     */
    public static VectorFiles of(MatrixSource source) throws IOException {
        return new VectorFiles(source.isRealForm());
    }

    /**
     * Reads a right-hand side. For a complex matrix it may be real.
     *
     * @param file      a Matrix Market file of one column
     * @param precision of the vector
     * @return the vector
     * @throws IOException                              if it cannot be read
     * @throws org.trellis.common.MatrixFormatException if it does not follow its format, or is complex and the matrix
     *                                                  is not
     */
    public HostVector read(Path file, Precision precision) throws IOException {
        ReadOptions options = ReadOptions.DEFAULT.withPrecision(precision)
                .withComplexPolicy(complex ? ComplexPolicy.REAL_FORM : ComplexPolicy.REFUSE);
        HostVector read = MatrixMarket.readVector(file, options);
        if (!complex || MatrixMarket.readHeader(file).field() == MarketField.COMPLEX) {
            return read;
        }
        double[] real = read.toDoubleArray();
        return HostVector.of(ComplexCsr.interleave(real, new double[real.length])).convert(precision);
    }

    /**
     * Writes a solution.
     *
     * @param file    the file, replaced if it exists
     * @param x       the solution
     * @param options how to write it
     * @throws IOException if it cannot be written
     */
    public void write(Path file, HostVector x, WriteOptions options) throws IOException {
        if (complex) {
            MatrixMarket.writeComplexVector(file, x, options);
        } else {
            MatrixMarket.writeVector(file, x, options);
        }
    }
}
