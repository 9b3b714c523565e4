package org.trellis.convert.hipparchus;

import org.hipparchus.linear.OpenMapRealMatrix;
import org.hipparchus.linear.RealMatrix;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;

/**
 * Between {@link CsrMatrix} and the matrices of Hipparchus, whose sparse one is a hash table. Everything is copied.
 */
public final class HipparchusConverter {
    private HipparchusConverter() {}

    /**
     * Copies a matrix to Hipparchus.
     *
     * @param matrix a matrix of at least one row and column and fewer than 2³¹ - 1 elements, zeros included
     * @return a new matrix
     * @throws IllegalArgumentException if it has no rows or no columns, or 2³¹ - 1 elements or more, zeros included
     */
    public static OpenMapRealMatrix toHipparchus(CsrMatrix matrix) {
        if (matrix.rows() == 0 || matrix.columns() == 0
                || (long) matrix.rows() * matrix.columns() >= Integer.MAX_VALUE) {
            throw new IllegalArgumentException("matrix of " + matrix.rows() + " x " + matrix.columns()
                    + ", expected at least one row and one column and fewer than " + Integer.MAX_VALUE
                    + " elements, as Hipparchus has them");
        }
        OpenMapRealMatrix result = new OpenMapRealMatrix(matrix.rows(), matrix.columns());
        matrix.forEachEntry(result::setEntry);
        return result;
    }

    /**
     * Copies a matrix from Hipparchus. Looks at all elements, zeros included: its sparse matrix has no other way.
     *
     * @param matrix any matrix
     * @return a new matrix of doubles, of the elements that are not 0
     */
    public static CsrMatrix fromHipparchus(RealMatrix matrix) {
        int columns = matrix.getColumnDimension();
        CsrBuilder builder = new CsrBuilder(columns, Precision.F64, 0);
        for (int i = 0; i < matrix.getRowDimension(); i++) {
            for (int j = 0; j < columns; j++) {
                double element = matrix.getEntry(i, j);
                if (element != 0) {
                    builder.add(j, element);
                }
            }
            builder.endRow();
        }
        return builder.build();
    }
}
