package org.trellis.convert.smile;

import java.util.function.Function;
import org.trellis.common.Checks;
import org.trellis.solve.krylov.ArrayOperator;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.systems.SystemSolver;
import smile.math.matrix.LinearSolver;
import smile.math.matrix.Preconditioner;
import smile.math.matrix.SparseMatrix;

/** A solver of Trellis where Smile takes one, and preconditioners of Trellis for Smile's biconjugate gradients. */
public final class SmileSolver implements LinearSolver, AutoCloseable {
    private final SystemSolver solver;

    /**
     * Prepares a matrix of Smile.
     *
     * @param method makes a solver for a matrix, such as {@code Solvers::direct}
     * @param matrix a square matrix; copied
     * @throws IllegalArgumentException if the matrix does not suit the method; says why
     * @throws org.trellis.common.TrellisException if it is singular, or a preconditioner cannot be made
     */
    public SmileSolver(Function<CsrMatrix, SystemSolver> method, SparseMatrix matrix) {
        this(method, SmileConverter.fromSmile(matrix));
    }

    /**
     * Prepares a matrix.
     *
     * @param method makes a solver for a matrix, such as {@code Solvers::direct}
     * @param matrix a square matrix
     * @throws IllegalArgumentException if the matrix does not suit the method; says why
     * @throws org.trellis.common.TrellisException if it is singular, or a preconditioner cannot be made
     */
    public SmileSolver(Function<CsrMatrix, SystemSolver> method, CsrMatrix matrix) {
        this.solver = method.apply(matrix).prepare();
    }

    /**
     * Solves {@code A x = b}.
     *
     * @param b the right-hand side
     * @param x overwritten by the solution; may be {@code b}
     * @return {@code x}
     * @throws IllegalArgumentException if a length does not fit
     * @throws ArithmeticException      if the solution does not meet the tolerance of the solver; says what it reached
     */
    @Override
    public double[] solve(double[] b, double[] x) {
        Checks.length("length of x", x.length, solver.rows());
        System.arraycopy(solver.solve(b).orThrow().x(), 0, x, 0, x.length);
        return x;
    }

    /**
     * Shows a preconditioner.
     *
     * @param inverse an approximation of the inverse, of doubles on the host; not closed
     * @return Smile's form of it, of use as long as that one is open
     */
    public static Preconditioner preconditioner(LinearOperator inverse) {
        return (b, x) -> System.arraycopy(ArrayOperator.multiply(inverse, b), 0, x, 0, x.length);
    }

    @Override
    public void close() {
        solver.close();
    }
}
