package org.trellis.tuner.features;

import java.util.Arrays;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * How wide a graph is: the largest level of a breadth-first search that begins far out. Nodes of a level separate those
 * before it from those behind it, so factors of narrow graphs stay sparse. Costs two passes over the entries, a
 * fraction of an analysis.
 */
final class LevelWidth {
    /** A graph is narrow if its widest level has so many rows for each entry of a row. */
    private static final double NARROW = 40;

    private final CsrMatrix matrix;
    private final int[] queue;
    private final boolean[] seen;
    private int last;

    private LevelWidth(CsrMatrix matrix) {
        this.matrix = matrix;
        this.queue = new int[matrix.rows()];
        this.seen = new boolean[matrix.rows()];
    }

    /**
     * Says whether factors may stay sparse, so that an analysis is worth its time.
     *
     * @param matrix a square matrix
     * @return false for graphs whose neighbourhoods grow too fast; true for an empty matrix
     */
    static boolean isNarrow(CsrMatrix matrix) {
        return (double) of(matrix) * matrix.rows() <= NARROW * matrix.nonZeros();
    }

    /**
     * Finds the width of the part of a square matrix's graph that its first row reaches.
     *
     * @return rows of the largest level; 0 for an empty matrix
     */
    static int of(CsrMatrix matrix) {
        if (matrix.rows() == 0) {
            return 0;
        }
        LevelWidth search = new LevelWidth(matrix);
        search.from(0);
        Arrays.fill(search.seen, false);
        return search.from(search.last);
    }

    /** Returns the largest level, and leaves a row of the last one. */
    private int from(int row) {
        queue[0] = row;
        seen[row] = true;
        int begin = 0;
        int end = 1;
        int widest = 1;
        while (begin < end) {
            int level = end;
            for (int i = begin; i < level; i++) {
                last = queue[i];
                CsrSegment segment = matrix.segmentOf(last);
                int to = segment.rowEnd(last);
                for (int k = segment.rowStart(last); k < to; k++) {
                    int column = segment.columnIndices()[k];
                    if (!seen[column]) {
                        seen[column] = true;
                        queue[end++] = column;
                    }
                }
            }
            widest = Math.max(widest, end - level);
            begin = level;
        }
        return widest;
    }

    @Override
    public String toString() {
        return "widths of the levels of " + matrix;
    }
}
