package org.trellis.tuner.features;

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

    /** A level around a row in the middle may have so many times the rows of one that began far out. */
    private static final double AROUND = 3;

    private int widest = 1;
    private int last;

    /**
     * Says whether factors may stay sparse, so that an analysis is worth its time.
     *
     * @param matrix a square matrix
     * @return false for graphs whose neighbourhoods grow too fast; true for an empty matrix
     */
    static boolean isNarrow(CsrMatrix matrix) {
        if (matrix.rows() == 0) {
            return true;
        }
        double most = NARROW * matrix.nonZeros() / matrix.rows();
        LevelWidth first = new LevelWidth(matrix, 0, AROUND * most);
        return first.widest <= AROUND * most && new LevelWidth(matrix, first.last, most).widest <= most;
    }

    /** Goes through the levels from a row on, until all that it reaches are visited or one is wider than that. */
    private LevelWidth(CsrMatrix matrix, int source, double most) {
        boolean[] reached = new boolean[matrix.rows()];
        int[] queue = new int[matrix.rows()];
        queue[0] = source;
        reached[source] = true;
        int begin = 0;
        int end = 1;
        while (begin < end && widest <= most) {
            int next = end;
            for (int at = begin; at < end; at++) {
                next = visit(matrix, queue[at], reached, queue, next);
            }
            last = queue[end - 1];
            begin = end;
            end = next;
            widest = Math.max(widest, end - begin);
        }
    }

    private static int visit(CsrMatrix matrix, int row, boolean[] reached, int[] queue, int end) {
        CsrSegment segment = matrix.segmentOf(row);
        int[] columns = segment.columnIndices();
        int next = end;
        for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
            int to = columns[k];
            if (!reached[to]) {
                reached[to] = true;
                queue[next++] = to;
            }
        }
        return next;
    }
}
