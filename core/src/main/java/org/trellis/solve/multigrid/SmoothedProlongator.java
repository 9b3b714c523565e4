package org.trellis.solve.multigrid;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Smooths a tentative prolongator of one vector, {@code P = T − ω D⁻¹ A T}, row by row: T has one entry a row at most,
 * so a row of the product is the row of A with columns that are aggregates, and neither the product nor anything else
 * is stored on the way. Costs two passes over A on several threads; the same bits on any number of them.
 */
final class SmoothedProlongator {
    private static final int ROWS_PER_TASK = 1024;
    private static final int NONE = -1;

    private final CsrMatrix a;
    private final double[] factors;
    /** The column of T's entry in each row, and its value. */
    private final int[] columns;
    private final double[] values;

    private SmoothedProlongator(CsrMatrix a, double[] factors, CsrMatrix tentative) {
        this.a = a;
        this.factors = factors;
        this.columns = new int[tentative.rows()];
        this.values = new double[tentative.rows()];
        ParallelRanges.run(columns.length, ROWS_PER_TASK, (from, to) -> {
            for (int row = from; row < to; row++) {
                CsrSegment segment = tentative.segmentOf(row);
                int at = segment.rowStart(row);
                boolean some = at < segment.rowEnd(row);
                columns[row] = some ? segment.columnIndices()[at] : NONE;
                values[row] = some ? segment.values().get(at) : 0;
            }
        });
    }

    /** Says whether a tentative prolongator is one of at most one entry a row. */
    static boolean applies(CsrMatrix tentative) {
        return tentative.nonZeros() <= tentative.rows()
                && Arrays.stream(tentative.rowLengths()).allMatch(length -> length <= 1);
    }

    /**
     * Smooths.
     *
     * @param a         the matrix that smooths
     * @param factors   ω D⁻¹
     * @param tentative T, of at most one entry a row
     * @return P, with an entry wherever T or A T has one
     */
    static CsrMatrix of(CsrMatrix a, double[] factors, CsrMatrix tentative) {
        SmoothedProlongator maker = new SmoothedProlongator(a, factors, tentative);
        int[] lengths = new int[a.rows()];
        ParallelRanges.run(a.rows(), ROWS_PER_TASK, Row::new, (from, to, work) -> {
            for (int row = from; row < to; row++) {
                lengths[row] = maker.gather(row, work);
            }
        });
        return CsrFill.fill(tentative.columns(), a.precision(), lengths, () -> {
            Row work = new Row();
            return (row, to, into, at) -> {
                maker.gather(row, work);
                work.store(to, into, at);
            };
        });
    }

    private int gather(int row, Row work) {
        work.size = 0;
        if (columns[row] != NONE) {
            work.add(columns[row], values[row]);
        }
        CsrSegment segment = a.segmentOf(row);
        HostVector entries = segment.values();
        int[] inner = segment.columnIndices();
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            int column = columns[inner[k]];
            if (column != NONE) {
                work.add(column, -factors[row] * entries.get(k) * values[inner[k]]);
            }
        }
        return work.size;
    }

    /** The entries of a row, in order; rows of prolongators are short. */
    private static final class Row {
        private int[] columns = new int[32];
        private double[] sums = new double[32];
        private int size;

        void add(int column, double term) {
            int place = size - 1;
            while (place >= 0 && columns[place] > column) {
                place--;
            }
            if (place >= 0 && columns[place] == column) {
                sums[place] += term;
                return;
            }
            if (size == columns.length) {
                columns = Arrays.copyOf(columns, 2 * size);
                sums = Arrays.copyOf(sums, 2 * size);
            }
            int moved = size - place - 1;
            System.arraycopy(columns, place + 1, columns, place + 2, moved);
            System.arraycopy(sums, place + 1, sums, place + 2, moved);
            columns[place + 1] = column;
            sums[place + 1] = term;
            size++;
        }

        void store(int[] to, HostVector into, int at) {
            for (int i = 0; i < size; i++) {
                to[at + i] = columns[i];
                into.set(at + i, sums[i]);
            }
        }
    }
}
