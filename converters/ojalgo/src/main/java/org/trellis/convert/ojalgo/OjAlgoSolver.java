package org.trellis.convert.ojalgo;

import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.ojalgo.RecoverableCondition;
import org.ojalgo.matrix.decomposition.MatrixDecomposition;
import org.ojalgo.matrix.store.MatrixStore;
import org.ojalgo.matrix.store.PhysicalStore;
import org.ojalgo.matrix.store.R064Store;
import org.ojalgo.matrix.store.SparseStore;
import org.ojalgo.matrix.store.TransformableRegion;
import org.ojalgo.structure.Access2D;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.SystemSolver;

/**
 * A solver of Trellis where ojAlgo takes one of its decompositions: {@code new OjAlgoSolver(Solvers::direct)} in place
 * of {@code LU.R064.make(matrix)}, also inside its optimisation, as a function that {@code options.convex().solverSPD}
 * takes. A singular matrix is one that is not {@linkplain #isSolvable solvable}.
 */
public final class OjAlgoSolver implements MatrixDecomposition.Solver<Double>, AutoCloseable {
    private final Function<CsrMatrix, SystemSolver> method;
    private CsrMatrix matrix;
    private SystemSolver solver;

    /**
     * Makes a solver without a matrix.
     *
     * @param method makes a solver for a matrix, such as {@code Solvers::direct}
     */
    public OjAlgoSolver(Function<CsrMatrix, SystemSolver> method) {
        this.method = method;
    }

    /**
     * Takes a matrix. Costs a copy and what the method costs.
     *
     * @param collectable a square matrix, not kept; its elements of 0 are left out
     * @return true unless it is singular
     * @throws IllegalArgumentException if the matrix does not suit the method; says why
     * @throws FactorisationException   if the factors need more memory than there is
     */
    @Override
    public boolean decompose(Access2D.Collectable<Double, ? super TransformableRegion<Double>> collectable) {
        reset();
        SparseStore<Double> store = SparseStore.R064.make(collectable.getRowDim(), collectable.getColDim());
        collectable.supplyTo(store);
        matrix = OjAlgoConverter.view(store.toCSR()).dropSmall(0);
        try {
            solver = method.apply(matrix).prepare();
        } catch (FactorisationException e) {
            if (e.reason() != FactorisationException.Reason.PIVOT) {
                throw e;
            }
        }
        return solver != null;
    }

    @Override
    public boolean isComputed() {
        return matrix != null;
    }

    @Override
    public boolean isSolvable() {
        return solver != null;
    }

    /**
     * Solves {@code A X = B}.
     *
     * @param rhs          right-hand sides in columns
     * @param preallocated overwritten by the solutions, of the same size
     * @return {@code preallocated}
     * @throws IllegalStateException    if there is no matrix, or it is singular
     * @throws IllegalArgumentException if B has another number of rows than A
     * @throws ArithmeticException      if a solution does not meet the tolerance of the solver; says what it reached
     */
    @Override
    public MatrixStore<Double> getSolution(Access2D.Collectable<Double, ? super PhysicalStore<Double>> rhs,
            PhysicalStore<Double> preallocated) {
        rhs.supplyTo(preallocated);
        ftran(preallocated);
        return preallocated;
    }

    @Override
    public MatrixStore<Double> getInverse(PhysicalStore<Double> preallocated) {
        for (int i = 0; i < preallocated.getRowDim(); i++) {
            for (int j = 0; j < preallocated.getColDim(); j++) {
                preallocated.set(i, j, i == j ? 1.0 : 0.0);
            }
        }
        ftran(preallocated);
        return preallocated;
    }

    @Override
    public MatrixStore<Double> solve(Access2D<?> body, Access2D<?> rhs, PhysicalStore<Double> preallocated)
            throws RecoverableCondition {
        if (!decompose(supplied(body))) {
            throw RecoverableCondition.newEquationSystemNotSolvable();
        }
        return getSolution(supplied(rhs), preallocated);
    }

    @Override
    public MatrixStore<Double> invert(Access2D<?> original, PhysicalStore<Double> preallocated)
            throws RecoverableCondition {
        if (!decompose(supplied(original))) {
            throw RecoverableCondition.newMatrixNotInvertible();
        }
        return getInverse(preallocated);
    }

    /** Any elements as something that can be collected. */
    private static MatrixStore<Double> supplied(Access2D<?> elements) {
        return R064Store.FACTORY.makeWrapper(elements);
    }

    @Override
    public PhysicalStore<Double> preallocate(int equations, int variables, int solutions) {
        return R064Store.FACTORY.make(variables, solutions);
    }

    @Override
    public PhysicalStore<Double> preallocate(int rows, int columns) {
        return R064Store.FACTORY.make(rows, columns);
    }

    @Override
    public void ftran(double[] arg) {
        System.arraycopy(prepared(arg.length).solve(arg).orThrow().x(), 0, arg, 0, arg.length);
    }

    @Override
    public void ftran(PhysicalStore<Double> arg) {
        SystemSolver prepared = prepared(arg.getRowDim());
        eachColumn(arg, column -> prepared.solve(column).orThrow().x());
    }

    @Override
    public void btran(double[] arg) {
        System.arraycopy(prepared(arg.length).solveTransposed(arg), 0, arg, 0, arg.length);
    }

    @Override
    public void btran(PhysicalStore<Double> arg) {
        eachColumn(arg, prepared(arg.getRowDim())::solveTransposed);
    }

    private static void eachColumn(PhysicalStore<Double> store, UnaryOperator<double[]> function) {
        for (int j = 0; j < store.getColDim(); j++) {
            double[] column = new double[store.getRowDim()];
            for (int i = 0; i < column.length; i++) {
                column[i] = store.doubleValue(i, j);
            }
            double[] result = function.apply(column);
            for (int i = 0; i < result.length; i++) {
                store.set(i, j, result[i]);
            }
        }
    }

    private SystemSolver prepared(int rows) {
        if (solver == null) {
            throw new IllegalStateException(matrix == null
                    ? "there is no matrix, expected decompose() before"
                    : matrix + " is singular, expected one for which isSolvable() is true");
        }
        if (rows != matrix.rows()) {
            throw new IllegalArgumentException("right-hand sides have " + rows + " rows, expected " + matrix.rows());
        }
        return solver;
    }

    /**
     * Returns the matrix.
     *
     * @return the one that {@link #decompose} took
     * @throws IllegalStateException if there is none
     */
    @Override
    public MatrixStore<Double> reconstruct() {
        if (matrix == null) {
            throw new IllegalStateException("there is no matrix, expected decompose() before");
        }
        return OjAlgoConverter.toOjAlgo(matrix);
    }

    @Override
    public int getRowDim() {
        return matrix == null ? 0 : matrix.rows();
    }

    @Override
    public int getColDim() {
        return matrix == null ? 0 : matrix.columns();
    }

    @Override
    public int size() {
        return Math.multiplyExact(getRowDim(), getColDim());
    }

    @Override
    public void reset() {
        if (solver != null) {
            solver.close();
            solver = null;
        }
        matrix = null;
    }

    /** Releases the matrix and the backend of an iterative method. The solver takes another matrix then. Idempotent. */
    @Override
    public void close() {
        reset();
    }
}
