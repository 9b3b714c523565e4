package org.trellis.bench.adapters.hypre;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Distinguishes meshes of two dimensions from those of three by how balls in the graph of a matrix grow: within a
 * distance r of a node there are about r² or r³ nodes.
 */
final class GraphDimension {
    private static final int STARTS = 5;
    /** A ball that is a larger share of the graph has met its boundary. */
    private static final int LEAST_SHARE = 8;
    private static final double BETWEEN = 2.5;
    private static final int LEAST_RADIUS = 2;

    private GraphDimension() {}

    /**
     * Estimates the dimension.
     *
     * @param matrix a square matrix
     * @param block  unknowns of a node
     * @return 2 or 3; 2 where the graph is too small to decide
     */
    static int of(CsrMatrix matrix, int block) {
        double[] slopes = new double[STARTS];
        int found = 0;
        int nodes = matrix.rows() / block;
        for (int s = 0; s < STARTS; s++) {
            double slope = slope(matrix, block, (int) ((2L * s + 1) * nodes / (2 * STARTS)));
            if (Double.isFinite(slope)) {
                slopes[found++] = slope;
            }
        }
        if (found == 0) {
            return 2;
        }
        Arrays.sort(slopes, 0, found);
        return slopes[found / 2] < BETWEEN ? 2 : 3;
    }

    /** The slope of the logarithm of the ball's size over that of its radius, at its largest. */
    private static double slope(CsrMatrix matrix, int block, int start) {
        int nodes = matrix.rows() / block;
        boolean[] seen = new boolean[nodes];
        ArrayDeque<Integer> shell = new ArrayDeque<>();
        shell.add(start);
        seen[start] = true;
        long size = 1;
        int radius = 0;
        double[] sizes = new double[nodes + 1];
        sizes[0] = 1;
        while (!shell.isEmpty() && size * LEAST_SHARE < nodes) {
            for (int left = shell.size(); left > 0; left--) {
                size += visit(matrix, block, shell.remove(), seen, shell);
            }
            sizes[++radius] = size;
        }
        int last = size * LEAST_SHARE < nodes ? radius : radius - 1;
        int half = last / 2;
        // A ball of radius r fills r + 1/2 steps, which matters where radii are small.
        return half < LEAST_RADIUS
                ? Double.NaN
                : Math.log(sizes[last] / sizes[half]) / Math.log((last + 0.5) / (half + 0.5));
    }

    private static int visit(CsrMatrix matrix, int block, int node, boolean[] seen, ArrayDeque<Integer> next) {
        int fresh = 0;
        for (int row = node * block; row < (node + 1) * block; row++) {
            CsrSegment segment = matrix.segmentOf(row);
            for (int e = segment.rowStart(row); e < segment.rowEnd(row); e++) {
                int other = segment.columnIndices()[e] / block;
                if (other < seen.length && !seen[other]) {
                    seen[other] = true;
                    next.add(other);
                    fresh++;
                }
            }
        }
        return fresh;
    }
}
