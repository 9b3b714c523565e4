package org.trellis.solve.krylov;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.trellis.backend.Backend;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.sparse.LinearOperator;

/** The methods: what each needs of a matrix and of a preconditioner, and how to prepare it. */
public enum KrylovMethod {
    /** Conjugate gradients. */
    CG("cg", Matrices.DEFINITE, List.of()),
    /** Flexible conjugate gradients, for preconditioners that change. */
    FCG("fcg", Matrices.DEFINITE, List.of()),
    /** Pipelined conjugate gradients, with one reduction an iteration. */
    PIPELINED_CG("pipelined-cg", Matrices.DEFINITE, List.of()),
    /** MINRES, for symmetric matrices, definite or not. */
    MINRES("minres", Matrices.SYMMETRIC, List.of()),
    /** GMRES(m). */
    GMRES("gmres", Matrices.SQUARE, List.of("restart", "side", "reorthogonalise")),
    /** FGMRES(m), for preconditioners that change. */
    FGMRES("fgmres", Matrices.SQUARE, List.of("restart", "reorthogonalise")),
    /** LGMRES(m, k), which keeps corrections of earlier cycles and systems. */
    LGMRES("lgmres", Matrices.SQUARE, List.of("restart", "corrections", "reorthogonalise")),
    /** BiCGStab. */
    BICGSTAB("bicgstab", Matrices.SQUARE, List.of()),
    /** BiCG, which multiplies with the transpose too. */
    BICG("bicg", Matrices.SQUARE, List.of()),
    /** TFQMR, whose residuals fall smoothly. */
    TFQMR("tfqmr", Matrices.SQUARE, List.of()),
    /** IDR(s). */
    IDR("idr", Matrices.SQUARE, List.of("s")),
    /** Chebyshev iteration, which wants to know the interval of the eigenvalues. */
    CHEBYSHEV("chebyshev", Matrices.DEFINITE, List.of("lower", "upper", "steps")),
    /** Richardson's iteration: the preconditioner by itself. */
    RICHARDSON("richardson", Matrices.SQUARE, List.of("damping")),
    /** LSQR, for matrices of any shape. */
    LSQR("lsqr", Matrices.ANY, List.of()),
    /** LSMR, for matrices of any shape. */
    LSMR("lsmr", Matrices.ANY, List.of()),
    /** COCG, for complex symmetric matrices, given as real forms. */
    COCG("cocg", Matrices.COMPLEX_SYMMETRIC, List.of()),
    /** BiCGStab in complex arithmetic, for real forms of complex matrices. */
    COMPLEX_BICGSTAB("complex-bicgstab", Matrices.COMPLEX, List.of());

    private static final int DEFAULT_RESTART = 30;
    private static final int DEFAULT_SHADOWS = 4;
    private static final int DEFAULT_STEPS = 50;
    private static final int DEFAULT_CORRECTIONS = 3;

    private final String label;
    private final Matrices matrices;
    private final List<String> options;

    KrylovMethod(String label, Matrices matrices, List<String> options) {
        this.label = label;
        this.matrices = matrices;
        this.options = options;
    }

    /** What a method solves, real kinds each within the next. */
    public enum Matrices {
        /** Symmetric positive definite ones. */
        DEFINITE,
        /** Symmetric ones. */
        SYMMETRIC,
        /** Square ones. */
        SQUARE,
        /** Any. */
        ANY,
        /** {@linkplain org.trellis.sparse.ComplexCsr#realForm Real forms} of complex symmetric ones. */
        COMPLEX_SYMMETRIC,
        /** Real forms of complex ones. */
        COMPLEX
    }

    /**
     * Finds a method.
     *
     * @param label its name, such as {@code gmres}
     * @return the method
     * @throws IllegalArgumentException if there is none of that name; lists those that there are
     */
    public static KrylovMethod of(String label) {
        String wanted = label.toLowerCase(Locale.ROOT);
        return Arrays.stream(values()).filter(method -> method.label.equals(wanted)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("method '" + label + "', expected one of "
                        + Arrays.stream(values()).map(KrylovMethod::label).collect(Collectors.joining(", "))));
    }

    /**
     * Returns the name.
     *
     * @return in lower case, such as {@code pipelined-cg}
     */
    public String label() {
        return label;
    }

    /**
     * Returns what it solves.
     *
     * @return the kind of matrices
     */
    public Matrices matrices() {
        return matrices;
    }

    /**
     * Returns the names of its options.
     *
     * @return none, some
     */
    public List<String> options() {
        return options;
    }

    /**
     * Says whether the preconditioner may be another operator at each call.
     *
     * @return true for the flexible methods, and for Richardson's, which recurs nothing
     */
    public boolean takesVariable() {
        return this == FCG || this == FGMRES || this == LGMRES || this == RICHARDSON;
    }

    /**
     * Says whether the preconditioner must be symmetric and positive definite.
     *
     * @return true for conjugate gradients, MINRES and Chebyshev iteration
     */
    public boolean needsSymmetric() {
        return matrices == Matrices.DEFINITE || matrices == Matrices.SYMMETRIC;
    }

    /**
     * Says whether the method computes with complex numbers.
     *
     * @return true if its matrix is the real form of a complex one
     */
    public boolean isComplex() {
        return matrices == Matrices.COMPLEX || matrices == Matrices.COMPLEX_SYMMETRIC;
    }

    /**
     * Prepares the method.
     *
     * <table>
     * <caption>Options</caption>
     * <tr><th>option</th><th>of</th><th>meaning, default</th></tr>
     * <tr><td>{@code restart}</td><td>gmres, fgmres, lgmres</td><td>iterations of a cycle, 30</td></tr>
     * <tr><td>{@code corrections}</td><td>lgmres</td><td>corrections of earlier cycles that are directions too,
     * 3</td></tr>
     * <tr><td>{@code reorthogonalise}</td><td>gmres, fgmres, lgmres</td><td>{@code needed} (default), {@code always},
     * {@code never}</td></tr>
     * <tr><td>{@code side}</td><td>gmres</td><td>of the preconditioner, {@code right} (default) or
     * {@code left}</td></tr>
     * <tr><td>{@code s}</td><td>idr</td><td>dimension of the shadow space, 4</td></tr>
     * <tr><td>{@code lower}, {@code upper}</td><td>chebyshev</td><td>ends of the interval of the preconditioned
     * eigenvalues; default: from {@code steps} (50) conjugate gradient iterations, and a lower end that comes down
     * where residuals fall too slowly</td></tr>
     * <tr><td>{@code damping}</td><td>richardson</td><td>ω, 1</td></tr>
     * </table>
     *
     * @param matrix         the operator; not closed by the solver
     * @param preconditioner an approximate inverse, or null for none; not closed by the solver
     * @param backend        the backend that prepared both
     * @param values         of options; those that are missing have their defaults
     * @return a solver that the caller closes
     * @throws IllegalArgumentException if the shape of the matrix, the preconditioner or an option does not suit the
     *         method; says what would
     */
    @SuppressWarnings("MustBeClosed") // returned
    public LinearSolver prepare(LinearOperator matrix, Preconditioner preconditioner, Backend backend,
            Map<String, String> values) {
        MethodOptions given = new MethodOptions("method " + label, options, values);
        refuse(matrix, preconditioner);
        return switch (this) {
            case CG -> new ConjugateGradient(matrix, preconditioner, backend);
            case FCG -> new FlexibleConjugateGradient(matrix, preconditioner, backend);
            case PIPELINED_CG -> new PipelinedConjugateGradient(matrix, preconditioner, backend);
            case MINRES -> new Minres(matrix, preconditioner, backend);
            case GMRES, FGMRES, LGMRES -> new Gmres(matrix, preconditioner, backend, gmres(given));
            case BICGSTAB -> new BiCgStab(matrix, preconditioner, backend);
            case BICG -> new BiConjugateGradient(matrix, preconditioner, backend);
            case TFQMR -> new TransposeFreeQmr(matrix, preconditioner, backend);
            case IDR -> new Idr(matrix, preconditioner, backend, given.positive("s", DEFAULT_SHADOWS));
            case CHEBYSHEV -> chebyshev(matrix, preconditioner, backend, given);
            case RICHARDSON -> new Richardson(matrix, preconditioner, backend, given.number("damping", 1));
            case LSQR, LSMR -> new Lsqr(matrix, backend, this == LSMR);
            case COCG -> new Cocg(matrix, preconditioner, backend);
            case COMPLEX_BICGSTAB -> new ComplexBiCgStab(matrix, preconditioner, backend);
        };
    }

    private Gmres.Settings gmres(MethodOptions given) {
        return new Gmres.Settings(given.positive("restart", DEFAULT_RESTART), this != GMRES,
                this == GMRES && given.choice("side", "right", "left").equals("left"),
                Gmres.Again.valueOf(given.choice("reorthogonalise", "needed", "always", "never")
                        .toUpperCase(Locale.ROOT)),
                this == LGMRES ? given.positive("corrections", DEFAULT_CORRECTIONS) : 0);
    }

    private static LinearSolver chebyshev(LinearOperator matrix, Preconditioner preconditioner, Backend backend,
            MethodOptions given) {
        boolean fixed = given.has("lower");
        EigenvalueBounds bounds = fixed && given.has("upper")
                ? new EigenvalueBounds(0, 0)
                : EigenvalueBounds.of(matrix, preconditioner, backend, given.positive("steps", DEFAULT_STEPS));
        return new Chebyshev(matrix, preconditioner, backend, new ChebyshevInterval(
                given.number("lower", bounds.lower()), given.number("upper", bounds.upper()), fixed));
    }

    /**
     * Refuses what the method cannot take.
     *
     * @param matrix         the operator
     * @param preconditioner an approximate inverse, or null
     * @throws IllegalArgumentException if the shape of the matrix or the preconditioner does not suit the method; says
     *         what would
     */
    public void refuse(LinearOperator matrix, Preconditioner preconditioner) {
        if (matrices != Matrices.ANY && matrix.rows() != matrix.columns()) {
            throw new IllegalArgumentException(label + " with " + matrix
                    + ", expected a square matrix; lsqr and lsmr take any shape");
        }
        if (isComplex() && matrix.rows() % 2 != 0) {
            throw new IllegalArgumentException(label + " with " + matrix + ", expected the real form of a complex "
                    + "matrix, which has an even number of rows");
        }
        if (preconditioner == null) {
            return;
        }
        if (matrices == Matrices.ANY) {
            throw new IllegalArgumentException(label + " with " + preconditioner
                    + ", expected no preconditioner: one of a square matrix is none of the normal equations");
        }
        if (preconditioner.rows() != matrix.rows() || preconditioner.columns() != matrix.columns()) {
            throw new IllegalArgumentException(label + " of " + matrix.rows() + " rows with " + preconditioner + " of "
                    + preconditioner.rows() + " rows, expected as many");
        }
        if (preconditioner.variable() && !takesVariable()) {
            throw new IllegalArgumentException(label + " with " + preconditioner + ", which may change from call to "
                    + "call, expected one that stays the same; " + (needsSymmetric() ? "fcg" : "fgmres")
                    + " takes such a one");
        }
        if (this == BICG && !preconditioner.symmetric()) {
            throw new IllegalArgumentException("bicg with " + preconditioner + ", which is not symmetric, expected a "
                    + "symmetric one such as jacobi, since it serves the transposed system too; bicgstab takes any");
        }
        if (!preconditioner.symmetric() && needsSymmetric() && this != FCG) {
            throw new IllegalArgumentException(label + " with " + preconditioner
                    + ", which is not symmetric, expected a symmetric one such as jacobi, ssor or ic0; gmres, bicgstab "
                    + "and idr take any");
        }
    }

    @Override
    public String toString() {
        return label;
    }
}
