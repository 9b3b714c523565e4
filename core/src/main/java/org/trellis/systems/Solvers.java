package org.trellis.systems;

import org.trellis.common.Precision;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;

/**
 * Makes solvers of linear systems. Each method names one; {@link SystemSolver} takes what else is to be chosen.
 *
 * <pre>{@code
 * double[] x = Solvers.auto(a).solve(b).x();
 * Solution solution = Solvers.cg(a).multigrid().tolerance(1e-10).solve(b);
 * }</pre>
 *
 * <p>A complex matrix is solved by its {@linkplain ComplexCsr#realForm equivalent real form}, on any backend;
 * right-hand sides and solutions are interleaved.
 */
public final class Solvers {
    private Solvers() {}

    /**
     * Chooses method and preconditioner by what the matrix is: a factorisation for small systems and sparse factors,
     * multigrid for what looks like diffusion, Krylov methods for the rest. What was tried and why is in the report.
     *
     * @param a a matrix, square or not
     * @return a solver
     */
    public static SystemSolver auto(CsrMatrix a) {
        return new SystemSolver(new HostSystem(a), a, usual(SolverConfig.AUTO, SolverConfig.AUTO, a.precision()));
    }

    /**
     * Chooses as {@link #auto(CsrMatrix)} does, over ranks.
     *
     * @param a a matrix over ranks
     * @return a solver
     */
    public static SystemSolver auto(SystemMatrix a) {
        return new SystemSolver(a, null, usual(SolverConfig.AUTO, SolverConfig.AUTO, a.precision()));
    }

    /**
     * Factorises the matrix and refines solutions: Cholesky, {@code L D Lᵀ} or LU, whichever it needs.
     *
     * @param a a square matrix
     * @return a solver
     */
    public static SystemSolver direct(CsrMatrix a) {
        return new SystemSolver(new HostSystem(a), a, usual(SolverConfig.AUTO, SolverConfig.AUTO, a.precision()))
                .direct();
    }

    /**
     * Chooses method and preconditioner by what the {@linkplain ComplexCsr#realForm real form} is: it is symmetric for
     * a Hermitian matrix.
     *
     * @param a a complex matrix, square or not
     * @return a solver of interleaved vectors
     * @throws IllegalArgumentException if the real form is too large
     */
    public static SystemSolver auto(ComplexCsr a) {
        return auto(a.realForm());
    }

    /**
     * Factorises the {@linkplain ComplexCsr#realForm real form} and refines solutions.
     *
     * @param a a square complex matrix
     * @return a solver of interleaved vectors
     * @throws IllegalArgumentException if the real form is too large
     */
    public static SystemSolver direct(ComplexCsr a) {
        return direct(a.realForm());
    }

    /**
     * Takes GMRES of the {@linkplain ComplexCsr#realForm real form}, with its ILU(0), which is that of the complex
     * matrix, unless another preconditioner is chosen. It may take up to twice the iterations of complex arithmetic.
     *
     * @param a a square complex matrix
     * @return a solver of interleaved vectors
     * @throws IllegalArgumentException if the real form is too large
     */
    public static SystemSolver gmres(ComplexCsr a) {
        return gmres(a.realForm());
    }

    /**
     * Takes COCG, conjugate gradients for complex symmetric matrices, with Jacobi's preconditioner of the complex
     * matrix unless another is chosen; {@code ilu0} is symmetric too.
     *
     * @param a a complex matrix that is its own transpose, not conjugated
     * @return a solver of interleaved vectors
     * @throws IllegalArgumentException if the matrix is not symmetric but for rounding, or its real form is too large
     */
    public static SystemSolver cocg(ComplexCsr a) {
        if (!a.isSymmetric(Math.sqrt(a.precision().unitRoundoff()))) {
            throw new IllegalArgumentException("cocg with " + a + ", expected a symmetric matrix; bicgstab and gmres "
                    + "take any, cg takes the real form of a Hermitian definite one");
        }
        return method(a.realForm(), "cocg", "block-jacobi").preconditioner(Preconditioning.blockJacobi(2));
    }

    /**
     * Takes BiCGStab in complex arithmetic, with ILU(0) unless another preconditioner is chosen.
     *
     * @param a a square complex matrix
     * @return a solver of interleaved vectors
     * @throws IllegalArgumentException if the real form is too large
     */
    public static SystemSolver bicgstab(ComplexCsr a) {
        return method(a.realForm(), "complex-bicgstab", "ilu0");
    }

    /**
     * Takes conjugate gradients, with Jacobi's preconditioner unless another is chosen.
     *
     * @param a a symmetric positive definite matrix
     * @return a solver
     */
    public static SystemSolver cg(CsrMatrix a) {
        return method(a, "cg", "jacobi");
    }

    /**
     * Takes conjugate gradients over ranks.
     *
     * @param a a symmetric positive definite matrix over ranks
     * @return a solver
     */
    public static SystemSolver cg(SystemMatrix a) {
        return method(a, "cg", "jacobi");
    }

    /**
     * Takes MINRES.
     *
     * @param a a symmetric matrix, definite or not
     * @return a solver
     */
    public static SystemSolver minres(CsrMatrix a) {
        return method(a, "minres", "none");
    }

    /**
     * Takes GMRES, with ILU(0) unless another preconditioner is chosen.
     *
     * @param a a square matrix
     * @return a solver
     */
    public static SystemSolver gmres(CsrMatrix a) {
        return method(a, "gmres", "ilu0");
    }

    /**
     * Takes GMRES over ranks, with Jacobi's preconditioner unless another is chosen.
     *
     * @param a a square matrix over ranks
     * @return a solver
     */
    public static SystemSolver gmres(SystemMatrix a) {
        return method(a, "gmres", "jacobi");
    }

    /**
     * Takes BiCGStab, with ILU(0) unless another preconditioner is chosen.
     *
     * @param a a square matrix
     * @return a solver
     */
    public static SystemSolver bicgstab(CsrMatrix a) {
        return method(a, "bicgstab", "ilu0");
    }

    /**
     * Takes LSQR, for least squares.
     *
     * @param a a matrix of any shape
     * @return a solver
     */
    public static SystemSolver lsqr(CsrMatrix a) {
        return method(a, "lsqr", "none");
    }

    /**
     * Takes a method by the name that files and the command line have for it.
     *
     * @param a              a matrix
     * @param method         its name, such as {@code idr}
     * @param preconditioner the preconditioner's name
     * @return a solver
     * @throws IllegalArgumentException if a name is unknown or the two do not go together; says what would
     */
    public static SystemSolver method(CsrMatrix a, String method, String preconditioner) {
        return new SystemSolver(new HostSystem(a), a, usual(method, preconditioner, a.precision()));
    }

    /**
     * Takes a method by name over ranks.
     *
     * @param a              a matrix over ranks
     * @param method         its name
     * @param preconditioner the preconditioner's name
     * @return a solver
     * @throws IllegalArgumentException if a name is unknown or the two do not go together; says what would
     */
    public static SystemSolver method(SystemMatrix a, String method, String preconditioner) {
        return new SystemSolver(a, null, usual(method, preconditioner, a.precision()));
    }

    /**
     * Takes a configuration, for example one that was read from a file.
     *
     * @param a     a matrix
     * @param stack method, preconditioner, their options, and when to stop
     * @return a solver
     */
    public static SystemSolver of(CsrMatrix a, SolverConfig stack) {
        return new SystemSolver(new HostSystem(a), a, stack);
    }

    /**
     * Takes a configuration over ranks.
     *
     * @param a     a matrix over ranks
     * @param stack method, preconditioner, their options, and when to stop
     * @return a solver
     */
    public static SystemSolver of(SystemMatrix a, SolverConfig stack) {
        return new SystemSolver(a, null, stack);
    }

    private static SolverConfig usual(String method, String preconditioner, Precision precision) {
        return SolverConfig.of(method, preconditioner).with(StoppingCriteria.defaults(precision));
    }
}
