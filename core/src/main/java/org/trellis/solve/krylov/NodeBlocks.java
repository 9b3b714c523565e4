package org.trellis.solve.krylov;

import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Recognises unknowns that belong together, as the displacements of a node in elasticity do, by the pattern and the
 * numbering: entries come in blocks of the same size, from rows and columns that are multiples of it on, and the
 * couplings of like unknowns look like those of diffusion, since translations are nearly free of energy.
 */
final class NodeBlocks {
    /** Tried in this order: blocks of shells are blocks of solids, too, but not the other way round. */
    private static final int[] SIZES = {6, 3, 2};
    /** The least share of the entries of blocks that are there; zeros may be left out. */
    private static final double LEAST_FILLED = 0.6;

    private NodeBlocks() {}

    /**
     * Finds the number of unknowns of a node. Costs up to six passes over the matrix.
     *
     * @param matrix a symmetric matrix with a positive diagonal
     * @return 2, 3 or 6, or 1 if no numbering by nodes is seen
     */
    static int sizeOf(CsrMatrix matrix) {
        for (int size : SIZES) {
            if (matrix.rows() % size == 0 && filled(matrix, size) >= LEAST_FILLED && isElliptic(matrix, size)) {
                return size;
            }
        }
        return 1;
    }

    /** Returns the share of the entries of all blocks with an entry that are there. */
    private static double filled(CsrMatrix matrix, int size) {
        int[] seenBy = new int[matrix.columns() / size];
        long blocks = 0;
        for (CsrSegment segment : matrix.segments()) {
            for (int row = segment.firstRow(); row < segment.firstRow() + segment.rows(); row++) {
                int node = row / size + 1;
                for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                    int other = segment.columnIndices()[k] / size;
                    blocks += seenBy[other] == node ? 0 : 1;
                    seenBy[other] = node;
                }
            }
        }
        return blocks == 0 ? 0 : (double) matrix.nonZeros() / ((double) size * size * blocks);
    }

    private static boolean isElliptic(CsrMatrix matrix, int size) {
        MatrixProperties.Couplings couplings = new MatrixProperties.Couplings();
        matrix.forEachEntry((row, column, value) -> {
            if (row % size == column % size) {
                couplings.add(row == column, value);
            }
        });
        return couplings.elliptic();
    }
}
