package org.trellis.sparse.algebra;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Smooths a tentative prolongator of one vector, {@code P = T − ω D⁻¹ A T}, row by row: T has one entry a row at most,
 * so a row of the product is the row of A with columns that are aggregates, and the product is not stored on the way.
 * Costs one pass over A on several threads, and 12 bytes an aggregate for each; the same bits on any number of them.
 * Rows are held in memory that is lent again until all are there, as those of products are.
 */
public final class SmoothedProlongator {
    private static final int ROWS_PER_TASK = 1024;
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
        if (hasWholeRows(tentative)) {
            this.columns = tentative.onlySegment().columnIndices();
            this.values = tentative.onlySegment().values().doubleStorage();
            return;
        }
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

    /** Says whether each row has one entry, so that they lie in arrays in the order of rows. */
    private static boolean hasWholeRows(CsrMatrix tentative) {
        if (tentative.nonZeros() != tentative.rows() || tentative.segments().size() != 1) {
            return false;
        }
        HostVector values = tentative.onlySegment().values();
        return values.precision() == Precision.F64 && values.offset() == 0;
    }

    /**
     * Says whether a tentative prolongator has at most one entry a row.
     *
     * @param tentative T
     * @return whether {@link #of} takes it
     */
    public static boolean applies(CsrMatrix tentative) {
        if (tentative.nonZeros() > tentative.rows()) {
            return false;
        }
        return ParallelRanges.first(tentative.rows(), ROWS_PER_TASK, row -> tentative.rowLength(row) > 1) < 0;
    }

    /**
     * Smooths.
     *
     * @param a         the matrix that smooths
     * @param factors   ω D⁻¹
     * @param tentative T, of at most one entry a row
     * @return P, with an entry wherever T or A T has one
     * @throws IllegalArgumentException if a row of T has several entries, or sizes do not fit
     */
    public static CsrMatrix of(CsrMatrix a, double[] factors, CsrMatrix tentative) {
        if (a.columns() != tentative.rows() || a.rows() != tentative.rows() || factors.length != a.rows()
                || !applies(tentative)) {
            throw new IllegalArgumentException("smoothing of " + tentative + " by " + a + " and " + factors.length
                    + " factors, expected at most one entry a row, and as many rows as a square matrix and factors");
        }
        SmoothedProlongator maker = new SmoothedProlongator(a, factors, tentative);
        RowPieces smoothed = new RowPieces(a.rows(), tentative.columns(), a.precision(), a.nonZeros());
        ParallelRanges.run(smoothed.pieces(), 1, () -> maker.new Gatherer(smoothed), (from, to, gatherer) -> {
            for (int piece = from; piece < to; piece++) {
                gatherer.gather(piece);
            }
        });
        return smoothed.toMatrix();
    }

    /** Computes rows for one thread: notes their columns, and adds up their terms by column. */
    private final class Gatherer {
        /** The row that last had each column. */
        private final int[] noted;
        private final double[] sums;
        private final RowPieces smoothed;
        /** Where rows go, one behind the other; the piece that is being made begins at {@code first}. */
        private EntryBlocks.Block block;
        private int[] list;
        private double[] elements;
        private int first;
        private int size;

        Gatherer(RowPieces smoothed) {
            this.smoothed = smoothed;
            noted = new int[smoothed.columnCount()];
            sums = new double[smoothed.columnCount()];
            Arrays.fill(noted, NONE);
            Arrays.fill(sums, NEUTRAL);
            take(smoothed.block(0));
        }

        private void take(EntryBlocks.Block taken) {
            block = taken;
            list = taken.columns();
            elements = taken.values();
        }

        void gather(int piece) {
            int[] lengths = smoothed.lengths();
            int end = smoothed.endRow(piece);
            first = size;
            int row = smoothed.firstRow(piece);
            while (row < end) {
                CsrSegment segment = a.segmentOf(row);
                int last = Math.min(end, segment.firstRow() + segment.rows());
                for (; row < last; row++) {
                    reserve(1 + segment.rowEnd(row) - segment.rowStart(row));
                    int start = size;
                    add(segment, row);
                    sort(list, start, size);
                    collect(start);
                    lengths[row] = size - start;
                }
            }
            smoothed.set(piece, block, first);
        }

        /** Makes room; a piece that outgrows its block moves to another one. */
        private void reserve(int entries) {
            if (list.length - size < entries) {
                int[] columnsBefore = list;
                double[] valuesBefore = elements;
                int count = size - first;
                take(smoothed.block((long) count + entries));
                System.arraycopy(columnsBefore, first, list, 0, count);
                System.arraycopy(valuesBefore, first, elements, 0, count);
                first = 0;
                size = count;
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
