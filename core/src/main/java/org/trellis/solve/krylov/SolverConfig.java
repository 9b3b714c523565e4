package org.trellis.solve.krylov;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.CycleShape;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.sparse.SpmvOperator;

/**
 * How a system is solved, as a value: method, preconditioner, their options, and when to stop.
 *
 * @param method                the name of a {@link KrylovMethod}, {@link #AUTO}, {@link #MULTIGRID}, {@link #S_STEP},
 *                              or {@link #S_STEP_GMRES}
 * @param methodOptions         options of the method, by name
 * @param preconditioner        the name of a preconditioner, {@code none} for none; with {@link #AUTO} must be
 *                              {@link #AUTO}, too
 * @param preconditionerOptions options of the preconditioner, by name
 * @param criteria              when to stop
 * @param mixedPrecision        whether the method runs in single precision, within refinement in double precision
 * @param nullSpaceOfConstants  whether the matrix takes constants to zero, as that of a Neumann problem does
 */
public record SolverConfig(String method, Map<String, String> methodOptions, String preconditioner,
        Map<String, String> preconditionerOptions, StoppingCriteria criteria, boolean mixedPrecision,
        boolean nullSpaceOfConstants) {
    private static final String JACOBI = "jacobi";
    /** Stands for a method and a preconditioner that are chosen by what the matrix is. */
    public static final String AUTO = "auto";

    /** Stands for multigrid cycles alone, that is for Richardson's iteration with them. */
    public static final String MULTIGRID = "multigrid";

    /** Stands for s-step conjugate gradients, which are for several ranks; options {@code steps} and {@code basis}. */
    public static final String S_STEP = "s-step";

    /**
     * Stands for GMRES with blocks of basis vectors, which is for several ranks; options {@code steps}, {@code basis}
     * and {@code restart}.
     */
    public static final String S_STEP_GMRES = "s-step-gmres";

    private static final List<String> S_STEP_OPTIONS = List.of("steps", "basis");
    private static final List<String> S_STEP_GMRES_OPTIONS = List.of("steps", "basis", "restart");
    private static final StoppingCriteria DEFAULT_CRITERIA = StoppingCriteria.defaults(Precision.F64);
    private static final Pattern TEXT = Pattern.compile(
            "(refined )?([\\w-]+)(?:\\(([^()]*)\\))?(?: with ([\\w-]+)(?:\\(([^()]*)\\))?)?");

    /**
     * Checks names and combinations, as far as that can be done without a matrix.
     *
     * @throws IllegalArgumentException if a name is unknown or things do not go together; says what would work
     */
    public SolverConfig {
        method = method.toLowerCase(Locale.ROOT);
        preconditioner = preconditioner.toLowerCase(Locale.ROOT);
        methodOptions = Collections.unmodifiableMap(new TreeMap<>(methodOptions));
        preconditionerOptions = Collections.unmodifiableMap(new TreeMap<>(preconditionerOptions));
        Objects.requireNonNull(criteria);
        if (method.equals(AUTO)) {
            requireAuto(preconditioner, methodOptions, preconditionerOptions);
        } else {
            check(method, methodOptions, preconditioner);
            new MethodOptions("preconditioner " + preconditioner, NamedPreconditioners.optionsOf(preconditioner),
                    preconditionerOptions);
            NamedPreconditioners.check(preconditioner, preconditionerOptions);
            requireSymmetricCycle(known(method), preconditioner, preconditionerOptions);
            requireEqualPrecision(method, preconditionerOptions);
        }
    }

    private static void requireAuto(String preconditioner, Map<String, String> methodOptions,
            Map<String, String> preconditionerOptions) {
        if (!preconditioner.equals(AUTO)) {
            throw new IllegalArgumentException("method auto with preconditioner " + preconditioner
                    + ", expected preconditioner auto: both are chosen together; name a method to name its "
                    + "preconditioner");
        }
        if (!methodOptions.isEmpty() || !preconditionerOptions.isEmpty()) {
            throw new IllegalArgumentException("method auto with options " + methodOptions + preconditionerOptions
                    + ", expected none: they belong to what is not chosen yet");
        }
    }

    private static void check(String method, Map<String, String> methodOptions, String preconditioner) {
        KrylovMethod known = known(method);
        if (method.equals(MULTIGRID) && !preconditioner.equals(NamedPreconditioners.AMG)) {
            throw new IllegalArgumentException("method multigrid with preconditioner " + preconditioner
                    + ", expected amg, whose cycles it repeats; richardson takes any preconditioner");
        }
        List<String> options = switch (method) {
            case MULTIGRID -> List.of();
            case S_STEP -> S_STEP_OPTIONS;
            case S_STEP_GMRES -> S_STEP_GMRES_OPTIONS;
            default -> known.options();
        };
        new MethodOptions("method " + method, options, methodOptions);
        if (!NamedPreconditioners.names().contains(preconditioner)) {
            throw new IllegalArgumentException("preconditioner '" + preconditioner + "', expected one of "
                    + String.join(", ", NamedPreconditioners.names()));
        }
        if (known.matrices() == KrylovMethod.Matrices.ANY && !preconditioner.equals("none")) {
            throw new IllegalArgumentException(method + " with preconditioner " + preconditioner
                    + ", expected none: one of a square matrix is none of the normal equations");
        }
    }

    /** Cycles that are repeated improve an iterate, whose digits levels of lower precision do not hold. */
    private static void requireEqualPrecision(String method, Map<String, String> options) {
        if (method.equals(MULTIGRID) && options.containsKey("levels")) {
            throw new IllegalArgumentException("method multigrid with levels=" + options.get("levels")
                    + " of amg, expected none: its cycles are in the precision of the matrix; cg with "
                    + "preconditioner amg takes them");
        }
    }

    private static void requireSymmetricCycle(KrylovMethod method, String preconditioner,
            Map<String, String> options) {
        if (preconditioner.equals(NamedPreconditioners.AMG) && method.needsSymmetric() && !method.takesVariable()) {
            CycleShape shape = NamedPreconditioners.cycle(options);
            if (shape == CycleShape.F || shape == CycleShape.K) {
                throw new IllegalArgumentException(
                        "method " + method + " with cycle " + shape.label() + " of amg, which "
                                + (shape == CycleShape.F ? "is not symmetric" : "varies with what it is applied to")
                                + ", expected cycle v or w, or method fcg, which takes any");
            }
        }
    }

    private static KrylovMethod known(String method) {
        if (method.equals(MULTIGRID)) {
            return KrylovMethod.RICHARDSON;
        }
        if (method.equals(S_STEP)) {
            return KrylovMethod.CG;
        }
        if (method.equals(S_STEP_GMRES)) {
            return KrylovMethod.GMRES;
        }
        try {
            return KrylovMethod.of(method);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "method '" + method + "', expected one of " + String.join(", ", methods())
                            + ", or " + AUTO + ", which chooses method and preconditioner by what the matrix is",
                    e);
        }
    }

    /**
     * Returns the names of methods but for {@link #AUTO}.
     *
     * @return those that iterate by themselves first
     */
    public static List<String> methods() {
        return Stream.concat(Arrays.stream(KrylovMethod.values()).map(KrylovMethod::label),
                Stream.of(MULTIGRID, S_STEP, S_STEP_GMRES)).toList();
    }

    /**
     * Returns the method that iterates.
     *
     * @return Richardson's for {@link #MULTIGRID}, conjugate gradients for {@link #S_STEP}, GMRES for
     *         {@link #S_STEP_GMRES}
     * @throws IllegalStateException    if the method is {@link #AUTO}
     * @throws IllegalArgumentException never, since the name was checked
     */
    public KrylovMethod krylovMethod() {
        if (isAutomatic()) {
            throw new IllegalStateException("the method of " + this + " is not chosen yet");
        }
        return known(method);
    }

    /**
     * Creates a stack with the {@linkplain StoppingCriteria#defaults default criteria} of double precision, in one
     * precision.
     *
     * @param method         the name of a method
     * @param preconditioner the name of a preconditioner
     * @return a stack without options
     * @throws IllegalArgumentException if a name is unknown or the two do not go together; says what would work
     */
    public static SolverConfig of(String method, String preconditioner) {
        return new SolverConfig(method, Map.of(), preconditioner, Map.of(), DEFAULT_CRITERIA, false, false);
    }

    /**
     * Returns the stacks that have names.
     *
     * <table>
     * <caption>Presets</caption>
     * <tr><th>name</th><th>what</th></tr>
     * <tr><td>{@code default}</td><td>chosen by what the matrix is</td></tr>
     * <tr><td>{@code spd}</td><td>cg with IC(0)</td></tr>
     * <tr><td>{@code elasticity}</td><td>cg with SSOR</td></tr>
     * <tr><td>{@code multigrid}</td><td>cg with algebraic multigrid</td></tr>
     * <tr><td>{@code unsymmetric}</td><td>GMRES(50) with ILU(0)</td></tr>
     * <tr><td>{@code smallest-memory}</td><td>cg with Jacobi</td></tr>
     * </table>
     *
     * @return stacks by name, in this order
     */
    public static Map<String, SolverConfig> presets() {
        Map<String, SolverConfig> all = new LinkedHashMap<>();
        all.put("default", of(AUTO, AUTO));
        all.put("spd", of("cg", "ic0"));
        all.put("elasticity", of("cg", "ssor"));
        all.put(MULTIGRID, of("cg", NamedPreconditioners.AMG));
        all.put("unsymmetric", new SolverConfig("gmres", Map.of("restart", "50"), "ilu0", Map.of(), DEFAULT_CRITERIA,
                false, false));
        all.put("smallest-memory", of("cg", "jacobi"));
        return all;
    }

    /**
     * Finds a stack by name.
     *
     * @param name a name of {@link #presets}
     * @return the stack
     * @throws IllegalArgumentException if there is none of that name; lists those that there are
     */
    public static SolverConfig preset(String name) {
        SolverConfig found = presets().get(name);
        if (found == null) {
            throw new IllegalArgumentException(
                    "preset '" + name + "', expected one of " + String.join(", ", presets().keySet()));
        }
        return found;
    }

    /**
     * Reads what {@link #toString} writes, such as {@code gmres(restart=50) with ilut(drop=0.01, fill=5)}.
     *
     * @param text a method and a preconditioner, each with options in brackets, with commas and spaces between them;
     *             before it {@code refined} for mixed precision
     * @return the stack, with default criteria and no null space
     * @throws IllegalArgumentException if the text has another form, a name is unknown, or things do not go together;
     *                                  says what was expected
     */
    public static SolverConfig parse(String text) {
        Matcher found = TEXT.matcher(text);
        if (!found.matches()) {
            throw new IllegalArgumentException("solver '" + text
                    + "', expected METHOD(OPTION=VALUE, ...) with PRECONDITIONER(OPTION=VALUE, ...), options if any");
        }
        String method = found.group(2);
        String preconditioner = found.group(4) != null ? found.group(4) : method.equals(AUTO) ? AUTO : "none";
        return new SolverConfig(method, options(text, found.group(3)), preconditioner, options(text, found.group(5)),
                DEFAULT_CRITERIA, found.group(1) != null, false);
    }

    private static Map<String, String> options(String whole, String text) {
        Map<String, String> options = new TreeMap<>();
        if (text == null || text.isEmpty()) {
            return options;
        }
        for (String option : text.split(", ", -1)) {
            int equals = option.indexOf('=');
            if (equals < 1 || options.put(option.substring(0, equals), option.substring(equals + 1)) != null) {
                throw new IllegalArgumentException("solver '" + whole + "' with option '" + option
                        + "', expected NAME=VALUE, each name once");
            }
        }
        return options;
    }

    /**
     * Returns the stack with other criteria.
     *
     * @param other when to stop
     * @return another stack
     */
    public SolverConfig with(StoppingCriteria other) {
        return new SolverConfig(method, methodOptions, preconditioner, preconditionerOptions, other, mixedPrecision,
                nullSpaceOfConstants);
    }

    /**
     * Says whether method and preconditioner are chosen by what the matrix is.
     *
     * @return true for {@link #AUTO}
     */
    public boolean isAutomatic() {
        return method.equals(AUTO);
    }

    /**
     * Says whether the method does several steps for one exchange of messages.
     *
     * @return true for {@link #S_STEP} and {@link #S_STEP_GMRES}
     */
    public boolean isOfSteps() {
        return method.equals(S_STEP) || method.equals(S_STEP_GMRES);
    }

    /**
     * Says that the stack will be prepared for a matrix, so that a backend can compile what it takes while the matrix
     * is still being prepared for products. Returns at once, and does nothing for stacks that nothing is known of.
     *
     * @param matrix  the matrix
     * @param backend where the stack will run
     * @throws IllegalArgumentException if an option of the preconditioner or its value is unknown
     */
    public void announce(CsrMatrix matrix, Backend backend) {
        if (!mixedPrecision && !isAutomatic() && preconditioner.equals(NamedPreconditioners.AMG)) {
            NamedPreconditioners.announceMultigrid(matrix, preconditionerOptions, backend);
        }
    }

    /**
     * Prepares the stack for a matrix.
     *
     * @param matrix  the matrix, also where preconditioners are made of
     * @param product its product on the backend; not closed by the solver
     * @param backend where all of it runs
     * @return a solver that the caller closes
     * @throws IllegalArgumentException if the stack does not suit the matrix; says what would
     * @throws org.trellis.common.TrellisException if a preconditioner cannot be made; names the row
     */
    public LinearSolver prepare(CsrMatrix matrix, LinearOperator product, Backend backend) {
        return prepare(matrix, product, SolverContext.of(backend));
    }

    /**
     * Prepares the stack for a matrix of which more is known.
     *
     * @param matrix  the matrix, also where preconditioners are made of
     * @param product its product on the backend; not closed by the solver
     * @param parts   the backend, and what else there is
     * @return a solver that the caller closes
     * @throws IllegalArgumentException if the stack or the near null space does not suit the matrix; says what would
     * @throws org.trellis.common.TrellisException if a preconditioner cannot be made; names the row
     */
    @SuppressWarnings("MustBeClosed") // closed with the solver
    public LinearSolver prepare(CsrMatrix matrix, LinearOperator product, SolverContext parts) {
        double largest = FiniteInput.largestEntry(toString(), matrix);
        int exponent = ScaledSolver.matrixExponent(matrix.precision(), mixedPrecision, largest);
        if (exponent == 0) {
            return prepareOrdinary(matrix, product, parts);
        }
        CsrMatrix scaled = matrix.scaled(Math.scalb(1.0, exponent));
        SpmvOperator scaledProduct = parts.products().apply(scaled);
        LinearSolver solver = null;
        try {
            solver = prepareOrdinary(scaled, scaledProduct, parts);
            return new ScaledSolver(solver, exponent, largest, parts.backend(), scaledProduct::close);
        } catch (RuntimeException | OutOfMemoryError e) {
            if (solver != null) {
                solver.close();
            }
            scaledProduct.close();
            throw e;
        }
    }

    /**
     * Says whether {@link #prepareOnOneThread} takes the stack: conjugate gradients alone or with {@code jacobi},
     * without options, in double precision.
     *
     * @param matrix a square matrix
     * @return true if it does
     */
    public boolean runsOnOneThread(CsrMatrix matrix) {
        return method.equals(KrylovMethod.CG.label()) && methodOptions.isEmpty() && !mixedPrecision
                && !nullSpaceOfConstants && preconditionerOptions.isEmpty()
                && (preconditioner.equals(JACOBI) || preconditioner.equals("none"))
                && matrix.precision() == Precision.F64 && matrix.segments().size() == 1;
    }

    /**
     * Prepares the stack for one thread of the host on plain arrays. That begins sooner in a new process, and prepares
     * other values by a pass over them, while large systems take longer than with all threads. Residuals in reports are
     * recomputed from solutions.
     *
     * @param matrix a square matrix whose entries are finite and of ordinary size; vectors are to be in the memory of
     *               the host
     * @return a solver that has nothing to close
     * @throws IllegalArgumentException unless the stack {@linkplain #runsOnOneThread runs so}
     * @throws org.trellis.solve.direct.FactorisationException if a diagonal element has no inverse; names the row
     */
    public LinearSolver prepareOnOneThread(CsrMatrix matrix) {
        if (!runsOnOneThread(matrix)) {
            throw new IllegalArgumentException(this + " for " + matrix + " on one thread, expected cg with jacobi or "
                    + "none, without options, and a matrix of one segment in double precision");
        }
        return TrialIterations.conjugateGradients(matrix, preconditioner.equals(JACOBI));
    }

    /**
     * Prepares the stack so that reports of solutions that converged say how far they may be off, whatever the method,
     * for square matrices of at most 20,000 rows. Methods that do not know it solve once
     * more, for a random right-hand side to three digits, after the first solution with a matrix.
     *
     * @param matrix  the matrix, also where preconditioners are made of
     * @param product its product on the backend; not closed by the solver
     * @param parts   the backend, and what else there is
     * @return a solver that the caller closes
     * @throws IllegalArgumentException if the stack or the near null space does not suit the matrix; says what would
     * @throws org.trellis.common.TrellisException if a preconditioner cannot be made; names the row
     */
    public LinearSolver prepareEstimated(CsrMatrix matrix, LinearOperator product, SolverContext parts) {
        LinearSolver solver = prepare(matrix, product, parts);
        // A singular matrix has no condition; an automatic choice has its own estimates.
        return nullSpaceOfConstants || solver instanceof AutomaticSolver
                ? solver
                : EstimatedSolver.of(solver, matrix, parts.backend());
    }

    /** Prepares the stack for a matrix whose entries are of ordinary size. */
    private LinearSolver prepareOrdinary(CsrMatrix matrix, LinearOperator product, SolverContext parts) {
        LinearSolver solver = prepareInner(matrix, product, parts);
        if (!nullSpaceOfConstants) {
            return solver;
        }
        try {
            return NullSpaceSolver.ofConstants(product, solver, parts.backend());
        } catch (RuntimeException e) {
            solver.close();
            throw e;
        }
    }

    private LinearSolver prepareInner(CsrMatrix matrix, LinearOperator product, SolverContext parts) {
        if (isOfSteps()) {
            throw new IllegalArgumentException("method " + method + " on one rank, where there is nothing to "
                    + "communicate, expected " + krylovMethod() + "; over ranks (run --ranks N solve) it is one");
        }
        if (mixedPrecision) {
            return MixedPrecisionConfig.prepare(this, matrix, product, parts);
        }
        return isAutomatic()
                ? new AutomaticSolver(matrix, () -> product, parts)
                : ConfiguredSolver.prepare(this, matrix, product, parts);
    }

    /**
     * Returns the names of preconditioners.
     *
     * @return {@code none} first
     */
    public static List<String> preconditioners() {
        return NamedPreconditioners.names();
    }

    @Override
    public String toString() {
        return (mixedPrecision ? "refined " : "") + method + text(methodOptions)
                + (isAutomatic() ? "" : " with " + preconditioner + text(preconditionerOptions));
    }

    private static String text(Map<String, String> options) {
        return options.isEmpty()
                ? ""
                : options.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(", ", "(", ")"));
    }
}
