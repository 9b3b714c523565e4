package org.trellis.solve.multigrid;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Smooths a tentative prolongator of one vector, {@code P = T − ω D⁻¹ A T}, row by row: T has one entry a row at most,
 * so a row of the product is the row of A with columns that are aggregates, and the product is not stored on the way.
 * Costs one pass over A on several threads, and 12 bytes an aggregate for each; the same bits on any number of them.
 */
final class SmoothedProlongator {
    private static final int ROWS_PER_TASK = 1024;
    private static final int ROWS_PER_PIECE = 512;
    private static final int NONE = -1;
    /** Columns that insertion sorts faster than the library does; rows of prolongators are short. */
    private static final int SORTED_BY_INSERTION = 40;
    /** What a sum begins with: the zero that leaves every number, and the sign of a zero, as it is. */
    private static final double NEUTRAL = -0.0;

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
        Piece[] pieces = new Piece[Math.ceilDiv(rows, ROWS_PER_PIECE)];
        ParallelRanges.run(pieces.length, 1, () -> maker.new Gatherer(tentative.columns()), (from, to, gatherer) -> {
            for (int piece = from; piece < to; piece++) {
                int first = piece * ROWS_PER_PIECE;
                pieces[piece] = gatherer.gather(first, Math.min(rows, first + ROWS_PER_PIECE), lengths);
            }
        });
        return CsrFill.fill(tentative.columns(), a.precision(), lengths, ROWS_PER_PIECE,
                (piece, start, count, columns, values, at) -> {
                    System.arraycopy(pieces[piece].columns, start, columns, at, count);
                    values.setRange(at, pieces[piece].sums, start, count);
                });
    }

    /** The entries of some rows, one row after the other. */
    private record Piece(int[] columns, double[] sums) {}

    /** Computes rows for one thread: notes their columns, and adds up their terms by column. */
    private final class Gatherer {
        /** The row that last had each column. */
        private final int[] noted;
        private final double[] sums;
        /** The rows of a piece so far. */
        private int[] list = new int[1 << 12];
        private double[] elements = new double[1 << 12];
        private int size;

        Gatherer(int columnCount) {
            noted = new int[columnCount];
            sums = new double[columnCount];
            Arrays.fill(noted, NONE);
            Arrays.fill(sums, NEUTRAL);
        }

        Piece gather(int from, int to, int[] lengths) {
            size = 0;
            int row = from;
            while (row < to) {
                CsrSegment segment = a.segmentOf(row);
                int end = Math.min(to, segment.firstRow() + segment.rows());
                for (; row < end; row++) {
                    reserve(1 + segment.rowEnd(row) - segment.rowStart(row));
                    int start = size;
                    add(segment, row);
                    sort(list, start, size);
                    collect(start);
                    lengths[row] = size - start;
                }
            }
            return new Piece(Arrays.copyOf(list, size), Arrays.copyOf(elements, size));
        }

        private void reserve(int entries) {
            if (list.length - size < entries) {
                list = Arrays.copyOf(list, 2 * (size + entries));
                elements = Arrays.copyOf(elements, list.length);
            }
        }

        /** Notes the columns of a row, and adds up its terms. */
        private void add(CsrSegment segment, int row) {
            boolean isDouble = segment.values().precision() == Precision.F64;
            double[] doubles = isDouble ? segment.values().doubleStorage() : null;
            float[] floats = isDouble ? null : segment.values().floatStorage();
            int shift = segment.values().offset();
            int[] inner = segment.columnIndices();
            int[] to = list;
            int at = size;
            if (columns[row] != NONE) {
                noted[columns[row]] = row;
                sums[columns[row]] = values[row];
                to[at++] = columns[row];
            }
            double factor = -factors[row];
            int end = segment.rowEnd(row);
            for (int k = segment.rowStart(row); k < end; k++) {
                int column = columns[inner[k]];
                if (column != NONE) {
                    double value = doubles != null ? doubles[shift + k] : floats[shift + k];
                    if (noted[column] != row) {
                        noted[column] = row;
                        to[at++] = column;
                    }
                    sums[column] += factor * value * values[inner[k]];
                }
            }
            size = at;
        }

        private void collect(int start) {
            for (int k = start; k < size; k++) {
                elements[k] = sums[list[k]];
                sums[list[k]] = NEUTRAL;
            }
        }

        private static void sort(int[] columns, int from, int to) {
            if (to - from > SORTED_BY_INSERTION) {
                Arrays.sort(columns, from, to);
                return;
            }
            for (int i = from + 1; i < to; i++) {
                int column = columns[i];
                int j = i - 1;
                while (j >= from && columns[j] > column) {
                    columns[j + 1] = columns[j];
                    j--;
                }
                columns[j + 1] = column;
            }
        }
    }
}
