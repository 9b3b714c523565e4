package org.trellis.matrices.generate;

import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;

/**
 * Makes a matrix by formula. The same generator always makes the same matrix, whatever the number of threads; the
 * values of the single precision matrix are those of the double precision one, rounded to nearest.
 */
public interface MatrixGenerator {
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
     * Makes the matrix. Uses the threads of the common pool.
     *
     * @param precision the type of the values
     * @param progress  hears of the rows done, in the stage {@code "generate"}
     * @return a new matrix
     * @throws IllegalArgumentException if the matrix does not fit the heap of this JVM; names what it needs
     */
    CsrMatrix generate(Precision precision, ProgressListener progress);

    /**
     * Makes the matrix without reporting progress.
     *
     * @param precision the type of the values
     * @return a new matrix
     * @throws IllegalArgumentException if the matrix does not fit the heap of this JVM; names what it needs
     */
    default CsrMatrix generate(Precision precision) {
        return generate(precision, ProgressListener.NONE);
    }
}
