package org.trellis.solve.multigrid;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;
import org.trellis.sparse.CsrSegment;

/**
 * Smooths a tentative prolongator of one vector, {@code P = T − ω D⁻¹ A T}, row by row: T has one entry a row at most,
 * so a row of the product is the row of A with columns that are aggregates, and neither the product nor anything else
 * is stored on the way. Costs two passes over A on several threads; the same bits on any number of them.
 */
final class SmoothedProlongator {
    private static final int ROWS_PER_TASK = 1024;
    private static final int ROWS_PER_PIECE = 512;
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
        int rows = a.rows();
        int[] lengths = new int[rows];
        int[] starts = new int[rows];
        Piece[] pieces = new Piece[Math.ceilDiv(rows, ROWS_PER_PIECE)];
        ParallelRanges.run(pieces.length, 1, () -> new Gatherer(maker), (from, to, gatherer) -> {
            for (int piece = from; piece < to; piece++) {
                int first = piece * ROWS_PER_PIECE;
                pieces[piece] = gatherer.gather(first, Math.min(rows, first + ROWS_PER_PIECE), starts, lengths);
            }
        });
        return CsrFill.fill(tentative.columns(), a.precision(), lengths, () -> (row, columns, values, at) -> {
            Piece piece = pieces[row / ROWS_PER_PIECE];
            System.arraycopy(piece.columns, starts[row], columns, at, lengths[row]);
            values.setRange(at, piece.sums, starts[row], lengths[row]);
        });
    }

    /** The entries of some rows, one row after the other. */
    private record Piece(int[] columns, double[] sums) {}

    /** Computes rows for one thread. */
    private static final class Gatherer {
        private final SmoothedProlongator of;
        private final CsrRowCursor rows;
        private final Row work = new Row();
        private int[] columns = new int[1 << 12];
        private double[] sums = new double[1 << 12];

        Gatherer(SmoothedProlongator of) {
            this.of = of;
            this.rows = new CsrRowCursor(of.a);
        }

        Piece gather(int from, int to, int[] starts, int[] lengths) {
            int size = 0;
            for (int row = from; row < to; row++) {
                gather(row);
                if (size + work.size > columns.length) {
                    columns = Arrays.copyOf(columns, 2 * (size + work.size));
                    sums = Arrays.copyOf(sums, columns.length);
                }
                System.arraycopy(work.columns, 0, columns, size, work.size);
                System.arraycopy(work.sums, 0, sums, size, work.size);
                starts[row] = size;
                lengths[row] = work.size;
                size += work.size;
            }
            return new Piece(Arrays.copyOf(columns, size), Arrays.copyOf(sums, size));
        }

        private void gather(int row) {
            work.size = 0;
            if (of.columns[row] != NONE) {
                work.add(of.columns[row], of.values[row]);
            }
            rows.moveTo(row);
            int[] inner = rows.columns();
            int end = rows.end();
            double factor = -of.factors[row];
            for (int k = rows.start(); k < end; k++) {
                int column = of.columns[inner[k]];
                if (column != NONE) {
                    work.add(column, factor * rows.value(k) * of.values[inner[k]]);
                }
            }
        }
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
    }
}
