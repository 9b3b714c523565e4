package org.trellis.convert.ojalgo;

import java.util.Arrays;
import org.ojalgo.matrix.store.R064CSC;
import org.ojalgo.matrix.store.R064CSR;
import org.trellis.common.Precision;
import org.trellis.sparse.CscView;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Between {@link CsrMatrix} and ojAlgo's compressed rows and columns, which have the same arrays. The methods that view
 * share them: code that writes through a view changes the other side, which Trellis takes to be immutable.
 */
public final class OjAlgoConverter {
    private OjAlgoConverter() {}

    /**
     * Views a matrix as an ojAlgo matrix. Costs nothing.
     *
     * @param matrix a matrix of doubles, of fewer than 2³¹ non-zeros, whose arrays are no longer than needed
     * @return a matrix that shares its arrays
     * @throws IllegalStateException if it has more or holds floats
     */
    public static R064CSR view(CsrMatrix matrix) {
        CsrSegment segment = matrix.onlySegment();
        return new R064CSR(matrix.rows(), matrix.columns(), segment.values().doubles(), segment.columnIndices(),
                segment.rowOffsets());
    }

    /**
     * Copies a matrix to ojAlgo.
     *
     * @param matrix a matrix of fewer than 2³¹ non-zeros, in either precision
     * @return a new matrix with arrays of its own
     * @throws IllegalStateException if it has more
     */
    public static R064CSR toOjAlgo(CsrMatrix matrix) {
        CsrSegment segment = matrix.onlySegment();
        int length = segment.nonZeros();
        return new R064CSR(matrix.rows(), matrix.columns(),
                Arrays.copyOf(segment.values().convert(Precision.F64).doubles(), length),
                Arrays.copyOf(segment.columnIndices(), length), segment.rowOffsets().clone());
    }

    /**
     * Views an ojAlgo matrix. Costs a check of its arrays.
     *
     * @param matrix a matrix
     * @return a matrix that shares its arrays
     * @throws IllegalArgumentException if the columns of a row do not increase; names the first place
     */
    public static CsrMatrix view(R064CSR matrix) {
        return CsrMatrix.of(matrix.getRowDim(), matrix.getColDim(), matrix.pointers, matrix.indices, matrix.values);
    }

    /**
     * Views an ojAlgo matrix. Costs a check of its arrays.
     *
     * @param matrix a matrix
     * @return a view that shares its arrays
     * @throws IllegalArgumentException if the rows of a column do not increase; names the first place
     */
    public static CscView view(R064CSC matrix) {
        return CscView.ofTranspose(CsrMatrix.of(matrix.getColDim(), matrix.getRowDim(), matrix.pointers, matrix.indices,
                matrix.values));
    }
}
