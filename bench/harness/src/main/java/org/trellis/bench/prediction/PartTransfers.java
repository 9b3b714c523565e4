package org.trellis.bench.prediction;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * A product with a prolongation or a restriction as ranks have it, found on one machine: the entries of each rank's
 * rows and the elements that come from each other rank, number for number what ranks send.
 */
public final class PartTransfers implements RankMessages {
    private final long[] nonZeros;
    private final int[][] sources;
    private final int[][] counts;

    private PartTransfers(int ranks) {
        this.nonZeros = new long[ranks];
        this.sources = new int[ranks][];
        this.counts = new int[ranks][];
    }

    /**
     * Analyses a matrix.
     *
     * @param matrix      the transfer
     * @param rowOwner    the rank of each row
     * @param columnOwner the rank of each column
     * @param ranks       how many ranks there are
     * @return what each has
     * @throws IllegalArgumentException if there is not one owner a row and a column
     */
    public static PartTransfers of(CsrMatrix matrix, int[] rowOwner, int[] columnOwner, int ranks) {
        Checks.length("owners of rows", rowOwner.length, matrix.rows());
        Checks.length("owners of columns", columnOwner.length, matrix.columns());
        int[] starts = new int[ranks + 1];
        for (int owner : rowOwner) {
            starts[owner + 1]++;
        }
        for (int rank = 0; rank < ranks; rank++) {
            starts[rank + 1] += starts[rank];
        }
        int[] at = starts.clone();
        int[] rows = new int[rowOwner.length];
        for (int row = 0; row < rows.length; row++) {
            rows[at[rowOwner[row]]++] = row;
        }
        PartTransfers made = new PartTransfers(ranks);
        int[] seen = new int[columnOwner.length];
        int[] count = new int[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            for (int i = starts[rank]; i < starts[rank + 1]; i++) {
                made.take(matrix, rows[i], rank, columnOwner, seen, count);
            }
            made.finish(rank, count);
        }
        return made;
    }

    /** Counts the columns of a row that its rank has not met yet. */
    private void take(CsrMatrix matrix, int row, int rank, int[] columnOwner, int[] seen, int[] count) {
        CsrSegment segment = matrix.segmentOf(row);
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            int column = segment.columnIndices()[k];
            nonZeros[rank]++;
            if (columnOwner[column] != rank && seen[column] != rank + 1) {
                seen[column] = rank + 1;
                count[columnOwner[column]]++;
            }
        }
    }

    private void finish(int rank, int[] count) {
        int found = (int) Arrays.stream(count).filter(c -> c > 0).count();
        sources[rank] = new int[found];
        counts[rank] = new int[found];
        int next = 0;
        for (int from = 0; next < found; from++) {
            if (count[from] > 0) {
                sources[rank][next] = from;
                counts[rank][next++] = count[from];
                count[from] = 0;
            }
        }
    }

    /**
     * Returns the entries of a rank's rows.
     *
     * @param rank the rank
     * @return at least 0
     */
    public long nonZeros(int rank) {
        return nonZeros[rank];
    }

    /**
     * Returns the ranks that own columns of a rank's rows, but for that rank itself.
     *
     * @param rank the rank
     * @return increasing; not copied, and not to be changed
     */
    @Override
    public int[] sources(int rank) {
        return sources[rank];
    }

    /**
     * Returns how many elements one of them sends.
     *
     * @param rank   the rank that receives them
     * @param source the place of the sender among its {@link #sources}
     * @return at least 1
     */
    @Override
    public long elements(int rank, int source) {
        return counts[rank][source];
    }
}
