package org.trellis.sparse.algebra;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Products over a {@link Semiring}, row by row (Gustavson, ACM Transactions on Mathematical Software 4(3), 1978): rows
 * are passed twice, once to count and once to compute. Each thread holds a row of the result in full.
 */
final class SemiringProduct {
    private static final int ROWS_PER_TASK = 64;

    private final CsrMatrix a;
    private final CsrMatrix b;
    private final Semiring semiring;
    /** The row that wrote a column last. */
    private final int[] lastRow;
    private final int[] found;
    private final double[] sums;
    private int count;

    private SemiringProduct(CsrMatrix a, CsrMatrix b, Semiring semiring) {
        this.a = a;
        this.b = b;
        this.semiring = semiring;
        this.lastRow = new int[b.columns()];
        this.found = new int[b.columns()];
        this.sums = new double[b.columns()];
        Arrays.fill(lastRow, -1);
    }

    static CsrMatrix of(CsrMatrix a, CsrMatrix b, Semiring semiring) {
        int[] lengths = new int[a.rows()];
        ParallelRanges.run(a.rows(), ROWS_PER_TASK, () -> new SemiringProduct(a, b, semiring), (from, to, product) -> {
            for (int row = from; row < to; row++) {
                product.compute(row);
                lengths[row] = product.count;
            }
        });
        return CsrFill.fill(b.columns(), a.precision(), lengths, () -> new SemiringProduct(a, b, semiring)::store);
    }

    private void store(int row, int[] columns, HostVector values, int at) {
        compute(row);
        Arrays.sort(found, 0, count);
        for (int k = 0; k < count; k++) {
            columns[at + k] = found[k];
            values.set(at + k, sums[found[k]]);
        }
    }

    private void compute(int row) {
        count = 0;
        CsrSegment left = a.segmentOf(row);
        for (int k = left.rowStart(row); k < left.rowEnd(row); k++) {
            int middle = left.columnIndices()[k];
            double factor = left.values().get(k);
            CsrSegment right = b.segmentOf(middle);
            for (int l = right.rowStart(middle); l < right.rowEnd(middle); l++) {
                add(row, right.columnIndices()[l], semiring.product().applyAsDouble(factor, right.values().get(l)));
            }
        }
    }

    private void add(int row, int column, double term) {
        if (lastRow[column] == row) {
            sums[column] = semiring.sum().applyAsDouble(sums[column], term);
        } else {
            lastRow[column] = row;
            sums[column] = term;
            found[count++] = column;
        }
    }
}
