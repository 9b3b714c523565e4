package org.trellis.tuner.features;

import java.util.Arrays;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.GraphPaths;

/**
 * How wide a graph is: the largest level of a breadth-first search that begins far out. Nodes of a level separate those
 * before it from those behind it, so factors of narrow graphs stay sparse. Costs two passes over the entries, a
 * fraction of an analysis.
 */
final class LevelWidth {
    /** A graph is narrow if its widest level has so many rows for each entry of a row. */
    private static final double NARROW = 40;

    private LevelWidth() {}

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
        double[] first = GraphPaths.breadthFirst(matrix, 0).distances();
        return widest(GraphPaths.breadthFirst(matrix, farthest(first)).distances());
    }

    /** Returns a row of the last level that is reached. */
    private static int farthest(double... distances) {
        int last = 0;
        for (int row = 0; row < distances.length; row++) {
            last = Double.isFinite(distances[row]) && distances[row] >= distances[last] ? row : last;
        }
        return last;
    }

    private static int widest(double... distances) {
        int[] rows = new int[distances.length];
        for (double distance : distances) {
            if (Double.isFinite(distance)) {
                rows[(int) distance]++;
            }
        }
        return Arrays.stream(rows).max().orElse(0);
    }
}
