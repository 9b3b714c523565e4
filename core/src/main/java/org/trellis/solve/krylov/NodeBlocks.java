package org.trellis.solve.krylov;

import java.util.List;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/**
 * Recognises unknowns that belong together, as the displacements of a node in elasticity do, by the pattern and the
 * numbering: entries come in blocks of the same size, from rows and columns that are multiples of it on, and the
 * couplings of like unknowns look like those of diffusion, since translations are nearly free of energy. An object
 * holds what the rows of one rank say for one size; sums of several can be added.
 */
public final class NodeBlocks {
    /** Tried in this order: blocks of shells are blocks of solids, too, but not the other way round. */
    private static final List<Integer> SIZES = List.of(6, 3, 2);
    /** The least share of the entries of blocks that are there; zeros may be left out. */
    private static final double LEAST_FILLED = 0.6;
    /** The same for the first nodes, so many, below which the others do not count. */
    private static final double LEAST_OF_SAMPLE = 0.4;
    private static final int SAMPLE = 500;

    private final int size;
    /** Entries, blocks with an entry, and rows whose node is not all on its rank. */
    private final double[] counts = new double[3];
    private final MatrixProperties.Couplings couplings = new MatrixProperties.Couplings();

    /**
     * Begins with nothing.
     *
     * @param size unknowns of a node
     */
    public NodeBlocks(int size) {
        this.size = size;
    }

    /**
     * Returns the sizes that are looked for.
     *
     * @return in the order in which the first that fits is taken
     */
    public static List<Integer> sizes() {
        return SIZES;
    }

    /**
     * Adds an entry.
     *
     * @param row     its row
     * @param column  its column
     * @param value   its value
     * @param opening whether it is the first entry of its block of those that are added
     */
    public void add(long row, long column, double value, boolean opening) {
        add(row == column, row % size == column % size, value, opening);
    }

    private void add(boolean diagonal, boolean alike, double value, boolean opening) {
        counts[0]++;
        counts[1] += opening ? 1 : 0;
        if (alike) {
            couplings.add(diagonal, value);
        }
    }

    /**
     * Adds rows of nodes of which other ranks have rows, too; with one of these there are no blocks.
     *
     * @param rows how many
     */
    public void addDivided(int rows) {
        counts[2] += rows;
    }

    /**
     * Returns the sums themselves, to be added up over ranks.
     *
     * @return two arrays
     */
    public double[][] sums() {
        return new double[][]{counts, couplings.sums()};
    }

    /**
     * Judges the sums.
     *
     * @return true if there are such blocks
     */
    public boolean found() {
        return counts[1] > 0 && counts[2] == 0 && isFilled(LEAST_FILLED)
                && couplings.elliptic();
    }

    /**
     * Finds the number of unknowns of a node. Costs up to three passes over the matrix.
     *
     * @param matrix a symmetric matrix with a positive diagonal
     * @return 2, 3 or 6, or 1 if no numbering by nodes is seen
     */
    public static int sizeOf(CsrMatrix matrix) {
        for (int size : SIZES) {
            if (matrix.rows() % size == 0 && of(matrix, size).found()) {
                return size;
            }
        }
        return 1;
    }

    /** Ends early where the first rows have far too few entries in blocks, or couplings far from those of diffusion. */
    private static NodeBlocks of(CsrMatrix matrix, int size) {
        NodeBlocks blocks = new NodeBlocks(size);
        int[] seenBy = new int[(matrix.columns() + size - 1) / size];
        CsrRowCursor rows = new CsrRowCursor(matrix);
        int sample = SAMPLE * size;
        for (int row = 0; row < matrix.rows() && (row != sample || blocks.mayBeFound()); row++) {
            int node = row / size;
            int place = row - size * node;
            rows.moveTo(row);
            for (int k = rows.start(); k < rows.end(); k++) {
                int column = rows.columns()[k];
                int other = column / size;
                blocks.add(row == column, column - size * other == place, rows.value(k), seenBy[other] != node + 1);
                seenBy[other] = node + 1;
            }
        }
        return blocks;
    }

    private boolean mayBeFound() {
        return isFilled(LEAST_OF_SAMPLE) && couplings.mayBeElliptic();
    }

    private boolean isFilled(double least) {
        return counts[0] >= least * size * size * counts[1];
    }

    @Override
    public String toString() {
        return "blocks of " + size + ": " + couplings;
    }
}
