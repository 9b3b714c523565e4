package org.trellis.convert.ejml;

import java.util.function.Function;
import org.ejml.MatrixDimensionException;
import org.ejml.data.DMatrixRMaj;
import org.ejml.data.DMatrixSparseCSC;
import org.ejml.interfaces.decomposition.DecompositionInterface;
import org.ejml.interfaces.linsol.LinearSolverSparse;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.sparse.CscView;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.SystemSolver;

/**
 * A solver of Trellis where EJML takes one of its own: {@code new EjmlSolver(Solvers::direct)} in place of
 * {@code LinearSolverFactory_DSCC.lu(...)}. As there, {@link #setA} reports a singular matrix by false, and a locked
 * structure means that only values change: factorisations keep their analysis.
 */
public final class EjmlSolver implements LinearSolverSparse<DMatrixSparseCSC, DMatrixRMaj>, AutoCloseable {
    private final Function<CsrMatrix, SystemSolver> method;
    private SystemSolver solver;
    private boolean locked;

    /**
     * Makes a solver without a matrix.
     *
     * @param method makes a solver for a matrix, such as {@code Solvers::direct} or
     *               {@code a -> Solvers.cg(a).multigrid()}
     */
    public EjmlSolver(Function<CsrMatrix, SystemSolver> method) {
        this.method = method;
    }

    /**
     * Takes a matrix. Costs a copy and what the method costs.
     *
     * @param matrix a matrix, not changed and not kept
     * @return false if it is singular, or its preconditioner cannot be made
     * @throws IllegalArgumentException if the matrix does not suit the method, as one that is not square, or the
     *                                  structure is locked and it has another; says what was expected
     * @throws FactorisationException   if the factors need more memory than there is
     */
    @Override
    public boolean setA(DMatrixSparseCSC matrix) {
        CsrMatrix taken = EjmlConverter.fromEjml(matrix);
        try {
            if (locked && solver != null) {
                solver.update(taken).prepare();
            } else {
                close();
                solver = method.apply(taken).prepare();
            }
            return true;
        } catch (FactorisationException e) {
            close();
            if (e.reason() == FactorisationException.Reason.PIVOT) {
                return false;
            }
            throw e;
        }
    }

    /**
     * Returns how well the system can be solved.
     *
     * @return the estimate of the reciprocal condition number in the 1-norm; NaN for an iterative method
     * @throws IllegalStateException if there is no matrix
     */
    @Override
    public double quality() {
        return 1 / prepared().conditionEstimate();
    }

    /**
     * Solves {@code A X = B}.
     *
     * @param b right-hand sides in columns
     * @param x the solutions in columns, given the size it needs; may be {@code b}
     * @throws MatrixDimensionException if B has another number of rows than A
     * @throws IllegalStateException    if there is no matrix
     * @throws ArithmeticException      if a solution does not meet the tolerance of the solver; says what it reached
     */
    @Override
    public void solve(DMatrixRMaj b, DMatrixRMaj x) {
        SystemSolver a = prepared();
        requireRows(b.numRows, a);
        double[][] solutions = new double[b.numCols][];
        for (int j = 0; j < solutions.length; j++) {
            double[] column = new double[b.numRows];
            for (int i = 0; i < column.length; i++) {
                column[i] = b.unsafe_get(i, j);
            }
            solutions[j] = a.solve(column).orThrow().x();
        }
        x.reshape(a.rows(), solutions.length);
        for (int j = 0; j < solutions.length; j++) {
            for (int i = 0; i < a.rows(); i++) {
                x.unsafe_set(i, j, solutions[j][i]);
            }
        }
    }

    /**
     * Solves {@code A X = B} for sparse right-hand sides. A solution is stored without its zeros.
     *
     * @param b right-hand sides in columns
     * @param x the solutions in columns, given the size it needs
     * @throws MatrixDimensionException if B has another number of rows than A
     * @throws IllegalStateException    if there is no matrix
     * @throws ArithmeticException      if a solution does not meet the tolerance of the solver; says what it reached
     */
    @Override
    public void solveSparse(DMatrixSparseCSC b, DMatrixSparseCSC x) {
        SystemSolver a = prepared();
        requireRows(b.numRows, a);
        CscView right = EjmlConverter.view(b);
        DMatrixSparseCSC result = new DMatrixSparseCSC(a.rows(), b.numCols, b.nz_length);
        for (int j = 0; j < b.numCols; j++) {
            double[] solution = right.columnLength(j) == 0
                    ? new double[0]
                    : a.solve(right.column(j).toDoubleArray()).orThrow().x();
            append(result, j, solution);
        }
        result.indicesSorted = true;
        x.setTo(result);
    }

    private static void append(DMatrixSparseCSC matrix, int column, double[] elements) {
        int at = matrix.nz_length;
        matrix.growMaxLength(Math.addExact(at, elements.length), true);
        for (int i = 0; i < elements.length; i++) {
            if (elements[i] != 0) {
                matrix.nz_rows[at] = i;
                matrix.nz_values[at++] = elements[i];
            }
        }
        matrix.nz_length = at;
        matrix.col_idx[column + 1] = at;
    }

    private static void requireRows(int rows, SystemSolver a) {
        if (rows != a.rows()) {
            throw new MatrixDimensionException("B has " + rows + " rows, expected " + a.rows() + " as A");
        }
    }

    private SystemSolver prepared() {
        if (solver == null) {
            throw new IllegalStateException("there is no matrix, expected setA() before, and that it returned true");
        }
        return solver;
    }

    @Override
    public boolean modifiesA() {
        return false;
    }

    @Override
    public boolean modifiesB() {
        return false;
    }

    /**
     * Refuses: the factors are not in EJML's form.
     *
     * @return never
     * @throws UnsupportedOperationException always
     */
    @Override
    @SuppressWarnings({"rawtypes", "TypeParameterUnusedInFormals"}) // as EJML declares it
    public <D extends DecompositionInterface> D getDecomposition() {
        throw new UnsupportedOperationException("factors of Trellis are not a decomposition of EJML, expected use of "
                + "org.trellis.solve.direct, which gives them");
    }

    @Override
    public void setStructureLocked(boolean locked) {
        this.locked = locked;
    }

    @Override
    public boolean isStructureLocked() {
        return locked;
    }

    /** Releases the matrix and the backend of an iterative method. The solver takes another matrix then. Idempotent. */
    @Override
    public void close() {
        if (solver != null) {
            solver.close();
            solver = null;
        }
    }
}
