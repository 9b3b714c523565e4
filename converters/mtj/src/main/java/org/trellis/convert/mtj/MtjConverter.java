package org.trellis.convert.mtj;

import java.util.Arrays;
import no.uib.cipr.matrix.sparse.CompRowMatrix;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** Between {@link CsrMatrix} and MTJ's compressed rows. */
public final class MtjConverter {
    private MtjConverter() {}

    /**
     * Copies a matrix to MTJ, which makes its arrays itself.
     *
     * @param matrix a matrix of fewer than 2³¹ non-zeros, in either precision
     * @return a new matrix
     * @throws IllegalStateException if it has more
     */
    public static CompRowMatrix toMtj(CsrMatrix matrix) {
        CsrSegment segment = matrix.onlySegment();
        int[][] structure = new int[matrix.rows()][];
        for (int row = 0; row < structure.length; row++) {
            structure[row] = Arrays.copyOfRange(segment.columnIndices(), segment.rowStart(row), segment.rowEnd(row));
        }
        CompRowMatrix result = new CompRowMatrix(matrix.rows(), matrix.columns(), structure);
        double[] values = segment.values().convert(Precision.F64).doubles();
        System.arraycopy(values, 0, result.getData(), 0, segment.nonZeros());
        return result;
    }

    /**
     * Views an MTJ matrix. Costs a check of its arrays. Code that writes to it changes the view, which Trellis takes to
     * be immutable.
     *
     * @param matrix a matrix
     * @return a matrix that shares its arrays
     * @throws IllegalArgumentException if the columns of a row do not increase; names the first place
     */
    public static CsrMatrix view(CompRowMatrix matrix) {
        return CsrMatrix.of(matrix.numRows(), matrix.numColumns(), matrix.getRowPointers(), matrix.getColumnIndices(),
                matrix.getData());
    }
}
