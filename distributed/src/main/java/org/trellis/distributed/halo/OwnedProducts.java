package org.trellis.distributed.halo;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * The products of a backend with the rows that a rank owns: with interior rows, which read owned elements only, and
 * with boundary rows, which read the first ring too. Columns are local ones, so a row is summed in an order that
 * depends on the division of the matrix, and as the chosen product sums.
 *
 * @param interior as many rows as are interior and a column for each owned row
 * @param boundary the other owned rows, and a column for each owned row and each element of the first ring
 */
public record OwnedProducts(SpmvOperator interior, SpmvOperator boundary) implements AutoCloseable {
    /** Prepares both products with the parameters that the backend's rule proposes for them. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    static OwnedProducts prepare(HaloPlan plan, SparseKernels kernels) {
        int interior = plan.matrix().interiorRows();
        SpmvOperator first = kernels.prepare(rows(plan, 0, interior, plan.rowsWithin(0)));
        try {
            return new OwnedProducts(first,
                    kernels.prepare(rows(plan, interior, plan.rowsWithin(0), plan.rowsWithin(1))));
        } catch (RuntimeException | Error e) {
            first.close();
            throw e;
        }
    }

    /**
     * Returns some of the rows that a rank owns as a matrix with local columns.
     *
     * @param plan  the halo of the matrix
     * @param from  the first row
     * @param to    behind the last row
     * @param width the number of columns, more than any that these rows have
     * @return a copy, its columns in increasing order
     * @throws IndexOutOfBoundsException if there are no such rows
     */
    public static CsrMatrix rows(HaloPlan plan, int from, int to, int width) {
        Checks.range("rows", from, to, plan.rowsWithin(0));
        LocalRows rows = plan.localRows();
        int begin = rows.offsets()[from];
        int[] offsets = new int[to - from + 1];
        int[] columns = new int[rows.offsets()[to] - begin];
        HostVector values = HostVector.zeros(plan.precision(), columns.length);
        for (int row = from; row < to; row++) {
            int first = rows.offsets()[row];
            // Columns and their places in one number each, so that sorting moves both.
            long[] entries = new long[rows.offsets()[row + 1] - first];
            for (int k = 0; k < entries.length; k++) {
                entries[k] = ((long) rows.columns()[first + k] << Integer.SIZE) | k;
            }
            Arrays.sort(entries);
            for (int k = 0; k < entries.length; k++) {
                columns[first - begin + k] = (int) (entries[k] >> Integer.SIZE);
                values.set(first - begin + k, rows.values().get(first + (int) entries[k]));
            }
            offsets[row - from + 1] = first - begin + entries.length;
        }
        return CsrMatrix.of(to - from, width, offsets, columns, values);
    }

    @Override
    public void close() {
        interior.close();
        boundary.close();
    }
}
