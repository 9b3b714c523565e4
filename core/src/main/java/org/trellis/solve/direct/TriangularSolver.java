package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * Solves systems with a sparse triangular matrix, by substitution on the calling thread, in double precision.
 * Immutable; may be used from several threads.
 */
public final class TriangularSolver {
    private final CsrMatrix matrix;
    private final Triangle triangle;
    private final boolean unitDiagonal;
    private final double[] diagonal;

    private TriangularSolver(CsrMatrix matrix, Triangle triangle, boolean unitDiagonal) {
        this.matrix = matrix;
        this.triangle = triangle;
        this.unitDiagonal = unitDiagonal;
        this.diagonal = matrix.diagonal().toDoubleArray();
    }

    /** Which half of a matrix has entries. */
    public enum Triangle {
        /** On the diagonal and below. */
        LOWER,
        /** On the diagonal and above. */
        UPPER
    }

    /**
     * Prepares solutions. Costs a pass over the matrix.
     *
     * @param matrix       a square matrix without entries on the other side of the diagonal; not copied
     * @param triangle     which side has entries
     * @param unitDiagonal whether the diagonal is taken to be ones; its entries are then not read
     * @return the solver
     * @throws IllegalArgumentException if the matrix is not square or has an entry on the other side; names the first
     * @throws FactorisationException   if an element of the diagonal is 0 or not a finite number; names the row
     */
    public static TriangularSolver of(CsrMatrix matrix, Triangle triangle, boolean unitDiagonal) {
        if (matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException("triangular system with " + matrix + ", expected a square matrix");
        }
        TriangularSolver solver = new TriangularSolver(matrix, triangle, unitDiagonal);
        solver.check();
        return solver;
    }

    private void check() {
        for (int row = 0; row < matrix.rows(); row++) {
            CsrSegment segment = matrix.segmentOf(row);
            int from = segment.rowStart(row);
            int to = segment.rowEnd(row);
            int outermost = from == to ? row : segment.columnIndices()[triangle == Triangle.LOWER ? to - 1 : from];
            if (triangle == Triangle.LOWER ? outermost > row : outermost < row) {
                throw new IllegalArgumentException(triangle + " triangular system: there is an entry (" + row + ", "
                        + outermost + "), expected none on that side of the diagonal");
            }
            if (!unitDiagonal && (diagonal[row] == 0 || !Double.isFinite(diagonal[row]))) {
                throw new FactorisationException("triangular system: the diagonal element of row " + row + " is "
                        + diagonal[row] + ", expected a finite number other than 0", row, diagonal[row]);
            }
        }
    }

    /**
     * Solves {@code T x = b}. Costs a pass over the matrix.
     *
     * @param b the right-hand side
     * @return the solution, a new vector of the precision of {@code b}
     * @throws IllegalArgumentException if {@code b} has another length than the matrix has rows
     */
    public HostVector solve(HostVector b) {
        Checks.length("length of b", b.length(), matrix.rows());
        double[] x = b.toDoubleArray();
        int n = x.length;
        for (int i = 0; i < n; i++) {
            int row = triangle == Triangle.LOWER ? i : n - 1 - i;
            CsrSegment segment = matrix.segmentOf(row);
            double sum = x[row];
            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                int column = segment.columnIndices()[k];
                sum -= column == row ? 0 : segment.values().get(k) * x[column];
            }
            x[row] = unitDiagonal ? sum : sum / diagonal[row];
        }
        return HostVector.of(x).convert(b.precision());
    }

    /**
     * Solves {@code Tᵀ x = b}. Costs a pass over the matrix.
     *
     * @param b the right-hand side
     * @return the solution, a new vector of the precision of {@code b}
     * @throws IllegalArgumentException if {@code b} has another length than the matrix has rows
     */
    public HostVector solveTransposed(HostVector b) {
        Checks.length("length of b", b.length(), matrix.rows());
        double[] x = b.toDoubleArray();
        int n = x.length;
        for (int i = 0; i < n; i++) {
            int row = triangle == Triangle.LOWER ? n - 1 - i : i;
            CsrSegment segment = matrix.segmentOf(row);
            double solved = unitDiagonal ? x[row] : x[row] / diagonal[row];
            x[row] = solved;
            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                int column = segment.columnIndices()[k];
                if (column != row) {
                    x[column] -= segment.values().get(k) * solved;
                }
            }
        }
        return HostVector.of(x).convert(b.precision());
    }

    /**
     * Divides the rows into levels: a row depends on rows of lower levels only, so the rows of a level can be solved at
     * the same time. For {@link #solve}; that of the transpose is the same levels backwards. Costs a pass over the
     * matrix.
     *
     * @return the levels
     */
    public Levels levels() {
        int n = matrix.rows();
        int[] level = new int[n];
        int count = 0;
        for (int i = 0; i < n; i++) {
            int row = triangle == Triangle.LOWER ? i : n - 1 - i;
            CsrSegment segment = matrix.segmentOf(row);
            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                int column = segment.columnIndices()[k];
                level[row] = column == row ? level[row] : Math.max(level[row], level[column] + 1);
            }
            count = Math.max(count, level[row] + 1);
        }
        int[] offsets = new int[count + 1];
        for (int own : level) {
            offsets[own + 1]++;
        }
        for (int l = 0; l < count; l++) {
            offsets[l + 1] += offsets[l];
        }
        int[] at = Arrays.copyOf(offsets, count);
        int[] rows = new int[n];
        for (int row = 0; row < n; row++) {
            rows[at[level[row]]++] = row;
        }
        return new Levels(offsets, rows);
    }

    /**
     * Rows by level.
     *
     * @param offsets where the rows of each level start, and the end of the last; not to be written
     * @param rows    the rows of all levels, increasing within a level; not to be written
     */
    public record Levels(int[] offsets, int[] rows) {
        /**
         * Returns the number of levels.
         *
         * @return at least 0; the length of the longest chain of rows that depend on each other
         */
        public int count() {
            return offsets.length - 1;
        }
    }
}
