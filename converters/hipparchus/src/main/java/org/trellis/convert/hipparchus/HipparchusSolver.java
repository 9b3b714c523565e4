package org.trellis.convert.hipparchus;

import java.util.function.Function;
import org.hipparchus.exception.LocalizedCoreFormats;
import org.hipparchus.exception.MathIllegalArgumentException;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.DecompositionSolver;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.SystemSolver;

/**
 * A solver of Trellis where Hipparchus takes what its decompositions give: {@code new
 * HipparchusSolver(Solvers::direct, matrix)} in place of {@code new LUDecomposition(matrix).getSolver()}.
 */
public final class HipparchusSolver implements DecompositionSolver, AutoCloseable {
    private final int size;
    private final SystemSolver solver;

    /**
     * Prepares a matrix. As in Hipparchus a singular one shows when a system is solved.
     *
     * @param method makes a solver for a matrix, such as {@code Solvers::direct}
     * @param matrix a square matrix; copied
     * @throws IllegalArgumentException if the matrix does not suit the method; says why
     */
    public HipparchusSolver(Function<CsrMatrix, SystemSolver> method, RealMatrix matrix) {
        this(method, HipparchusConverter.fromHipparchus(matrix));
    }

    /**
     * Prepares a matrix.
     *
     * @param method makes a solver for a matrix, such as {@code Solvers::direct}
     * @param matrix a square matrix
     * @throws IllegalArgumentException if the matrix does not suit the method; says why
     */
    public HipparchusSolver(Function<CsrMatrix, SystemSolver> method, CsrMatrix matrix) {
        size = matrix.rows();
        solver = prepared(method, matrix);
    }

    private static SystemSolver prepared(Function<CsrMatrix, SystemSolver> method, CsrMatrix matrix) {
        try {
            return method.apply(matrix).prepare();
        } catch (FactorisationException e) {
            if (e.reason() == FactorisationException.Reason.PIVOT) {
                return null;
            }
            throw e;
        }
    }

    @Override
    public RealVector solve(RealVector b) {
        requireRows(b.getDimension());
        return new ArrayRealVector(solver.solve(b.toArray()).orThrow().x(), false);
    }

    @Override
    public RealMatrix solve(RealMatrix b) {
        requireRows(b.getRowDimension());
        RealMatrix x = new Array2DRowRealMatrix(size, b.getColumnDimension());
        for (int j = 0; j < b.getColumnDimension(); j++) {
            x.setColumn(j, solver.solve(b.getColumn(j)).orThrow().x());
        }
        return x;
    }

    private void requireRows(int rows) {
        if (rows != size) {
            throw new MathIllegalArgumentException(LocalizedCoreFormats.DIMENSIONS_MISMATCH, rows, size);
        }
        if (solver == null) {
            throw new MathIllegalArgumentException(LocalizedCoreFormats.SINGULAR_MATRIX);
        }
    }

    @Override
    public boolean isNonSingular() {
        return solver != null;
    }

    @Override
    public RealMatrix getInverse() {
        return solve(MatrixUtils.createRealIdentityMatrix(size));
    }

    @Override
    public int getRowDimension() {
        return size;
    }

    @Override
    public int getColumnDimension() {
        return size;
    }

    @Override
    public void close() {
        if (solver != null) {
            solver.close();
        }
    }
}
