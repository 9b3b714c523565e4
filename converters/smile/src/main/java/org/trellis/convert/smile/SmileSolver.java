package org.trellis.convert.smile;

import org.trellis.common.Checks;
import org.trellis.solve.krylov.ArrayOperator;
import org.trellis.solve.krylov.ArraySolver;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import smile.math.matrix.LinearSolver;
import smile.math.matrix.Preconditioner;
import smile.math.matrix.SparseMatrix;

/** A solver of Trellis where Smile takes one, and preconditioners of Trellis for Smile's biconjugate gradients. */
public final class SmileSolver implements LinearSolver, AutoCloseable {
    private final ArraySolver solver;

    /**
     * Prepares a matrix of Smile.
     *
     * @param method how systems are solved
     * @param matrix a square matrix; copied
     * @throws IllegalArgumentException if the matrix does not suit the method; says why
     * @throws org.trellis.common.TrellisException if it is singular, or a preconditioner cannot be made
     */
    public SmileSolver(ArraySolver.Method method, SparseMatrix matrix) {
        this(method, SmileConverter.fromSmile(matrix));
    }

    /**
     * Prepares a matrix.
     *
     * @param method how systems are solved
     * @param matrix a square matrix
     * @throws IllegalArgumentException if the matrix does not suit the method; says why
     * @throws org.trellis.common.TrellisException if it is singular, or a preconditioner cannot be made
     */
    @SuppressWarnings("MustBeClosed") // closed with this
    public SmileSolver(ArraySolver.Method method, CsrMatrix matrix) {
        this.solver = method.prepare(matrix);
    }

    /**
     * Solves {@code A x = b}.
     *
     * @param b the right-hand side
     * @param x overwritten by the solution; may be {@code b}
     * @return {@code x}
     * @throws IllegalArgumentException if a length does not fit
     * @throws ArithmeticException      if an iterative method does not converge
     */
    @Override
    public double[] solve(double[] b, double[] x) {
        Checks.length("length of x", x.length, solver.matrix().columns());
        System.arraycopy(solver.solve(b), 0, x, 0, x.length);
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
