package org.trellis.matrices.generate;

import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;

/**
 * A matrix that is known row by row, in any order. Both methods must be pure: they are called from several threads, and
 * the order is not fixed.
 */
public interface RowSource extends MatrixGenerator {
    /**
     * Returns the number of entries of a row.
     *
     * @param row its index, 0 to {@code rows() - 1}
     * @return exactly what {@link #fill} adds
     */
    int length(int row);

    /**
     * Returns a number of non-zeros that the matrix has at least, found without counting its rows: a matrix that does
     * not fit is refused before anything is allocated or counted.
     *
     * @return at least 0; 0 if nothing is known
     */
    default long leastNonZeros() {
        return 0;
    }

    /**
     * Adds the entries of a row, columns in increasing order.
     *
     * @param row    its index, 0 to {@code rows() - 1}
     * @param buffer an empty buffer
     */
    void fill(int row, RowBuffer buffer);

    @Override
    default CsrMatrix generate(Precision precision, ProgressListener progress) {
        return RowAssembler.assemble(this, precision, progress);
    }
}
