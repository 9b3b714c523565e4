package org.trellis.distributed.solve;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.trellis.distributed.communicate.RankTimeline;
import org.trellis.distributed.communicate.Reduction;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.multigrid.LevelRings;
import org.trellis.distributed.multigrid.RankMultigrid;
import org.trellis.distributed.multigrid.RankMultigridOptions;
import org.trellis.distributed.multigrid.RankPolynomial;
import org.trellis.distributed.multigrid.RankRelaxation;
import org.trellis.distributed.multigrid.RankSpace;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.multigrid.TunedRings;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.memory.DenseVector;
import org.trellis.memory.MemorySpace;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.krylov.AutomaticSolver;
import org.trellis.solve.krylov.KrylovMethod;
import org.trellis.solve.krylov.MatrixProperties;
import org.trellis.solve.krylov.NullSpaceSolver;
import org.trellis.solve.krylov.PreconditionedSolver;
import org.trellis.solve.krylov.ScaledSolver;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.SchwarzOptions;
import org.trellis.solve.smooth.Smoother;

/**
 * A method and a preconditioner on the ranks of a partitioned matrix: the same objects that solve on one rank, over a
 * {@link PartitionedOperator} and a {@link RankBackend}. Preconditioners are those that are the same for any number of
 * ranks: the diagonal, polynomials, relaxation by colours, multigrid; and Schwarz methods, whose subdomains are the
 * ranks. The others are made of a rank's rows and columns alone, so that iterations grow with the number of ranks.
 */
public final class PartitionedSolver implements PreconditionedSolver {
    private static final String NONE = "none";
    private static final String JACOBI = "jacobi";
    private static final String CHEBYSHEV = "chebyshev";
    private static final String AMG = "amg";
    private static final String SCHWARZ = SchwarzOptions.NAME;
    private static final String L1_JACOBI = "l1-jacobi";
    private static final String SPAI0 = "spai0";
    private static final String POLYNOMIAL = "polynomial";
    private static final List<String> PRECONDITIONERS = List.of(NONE, JACOBI, L1_JACOBI, SPAI0, POLYNOMIAL, CHEBYSHEV,
            "gauss-seidel", "sor", "ssor", AMG, SCHWARZ);
    /** Those of a rank's own rows and columns: block Jacobi, whose blocks are the ranks. */
    private static final List<String> OF_RANKS =
            List.of("block-jacobi", "block-gauss-seidel", "hybrid-gauss-seidel", "ic0", "ilu0", "ick", "iluk", "ict",
                    "ilut", "direct", "fsai");
    private static final String BLOCK_SIZE = "block-size";
    private static final String OMEGA = "omega";
    /** Rows that each rank must have for methods that take small dense problems or bounds from their own rows. */
    private static final int LEAST_ROWS = 50;
    /**
     * Iterations of conjugate gradients that are queued between two looks of the host at the residual, where ranks have
     * devices and an iteration is not much more than a product: what is queued beyond the last one changes nothing.
     */
    private static final int ITERATIONS_OF_LOOK = 8;

    private final LinearSolver solver;
    private final Preconditioner preconditioner;
    /** Names the preconditioner in reports; null where the solver does that. */
    private final String text;
    /** Chooses numbers of rings, or null where only the preconditioner may do so. */
    private final TunedRings tuned;

    /** Takes the solver, and a preconditioner or the name of what the solver has itself, null if it names it itself. */
    private PartitionedSolver(LinearSolver solver, Preconditioner preconditioner, PartitionedMatrix matrix,
            String own) {
        this(solver, preconditioner, matrix, own, null);
    }

    private PartitionedSolver(LinearSolver solver, Preconditioner preconditioner, PartitionedMatrix matrix,
            String own, TunedRings tuned) {
        this.solver = solver;
        this.tuned = tuned;
        this.preconditioner = preconditioner;
        this.text = preconditioner == null ? own : describe(preconditioner, matrix);
    }

    /** A smoother of this rank's rows would name their number; reports name that of all ranks' rows. */
    private static String describe(Preconditioner preconditioner, PartitionedMatrix matrix) {
        Preconditioner made = preconditioner instanceof RankDiagonal diagonal ? diagonal.own() : preconditioner;
        return made instanceof Smoother smoother ? smoother.describe(matrix.globalRows()) : made.toString();
    }

    /**
     * Prepares a stack. Collective.
     *
     * @param stack    method, preconditioner and their options
     * @param matrix   the partitioned matrix
     * @param operator its product; not closed by the solver
     * @param backend  what the operator's vectors are computed with; not closed by the solver
     * @return a solver of owned parts, to be used in step on all ranks; the caller closes it
     * @throws IllegalArgumentException if the stack cannot be used over several ranks; says what can
     */
    @MustBeClosed
    public static PartitionedSolver prepare(SolverConfig stack, PartitionedMatrix matrix, PartitionedOperator operator,
            RankBackend backend) {
        return prepare(stack, matrix, operator, backend, RingChoice.of(1), null);
    }

    /**
     * Prepares a stack whose preconditioner exchanges rings. Collective.
     *
     * @param stack    method, preconditioner and their options
     * @param matrix   the partitioned matrix
     * @param operator its product; not closed by the solver
     * @param backend  what the operator's vectors are computed with; not closed by the solver
     * @param rings    how many rings the smoothers of multigrid, a polynomial or relaxation exchange at once
     * @param space    the near null space for multigrid, which then says how many unknowns a node has; null for
     *                 constants
     * @return a solver of owned parts, to be used in step on all ranks; the caller closes it
     * @throws IllegalArgumentException if the stack cannot be used over several ranks; says what can
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the solver
    public static PartitionedSolver prepare(SolverConfig stack, PartitionedMatrix matrix, PartitionedOperator operator,
            RankBackend backend, RingChoice rings, RankSpace space) {
        refuse(stack);
        double largest = matrix.largestEntry();
        int exponent = ScaledSolver.matrixExponent(matrix.precision(), stack.mixedPrecision(), largest);
        if (exponent == 0) {
            return prepareOrdinary(stack, matrix, operator, backend, rings, space);
        }
        PartitionedMatrix scaled = matrix.scaled(Math.scalb(1.0, exponent));
        HaloPlan plan = HaloPlan.of(scaled, 1, backend.own());
        PartitionedOperator product = null;
        PartitionedSolver inner = null;
        try {
            product = new PartitionedOperator(plan, backend);
            inner = prepareOrdinary(stack, scaled, product, backend, rings, space);
            PartitionedOperator owned = product;
            return new PartitionedSolver(new ScaledSolver(inner, exponent, largest, backend, () -> {
                owned.close();
                plan.close();
            }), null, matrix, null, inner::settleRings);
        } catch (RuntimeException | Error e) {
            if (inner != null) {
                inner.close();
            }
            if (product != null) {
                product.close();
            }
            plan.close();
            throw e;
        }
    }

    /** Prepares a stack for a matrix whose entries are of ordinary size. */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the solver
    private static PartitionedSolver prepareOrdinary(SolverConfig stack, PartitionedMatrix matrix,
            PartitionedOperator operator, RankBackend backend, RingChoice rings, RankSpace space) {
        if (stack.mixedPrecision()) {
            return new PartitionedSolver(withNullSpace(stack, operator,
                    RankRefinement.prepare(stack, matrix, operator, backend, rings, space), backend), null, matrix,
                    null);
        }
        if (stack.isAutomatic()) {
            return new PartitionedSolver(
                    withNullSpace(stack, operator, automatic(matrix, operator, backend, rings, space), backend), null,
                    matrix, null);
        }
        if (stack.isOfSteps()) {
            SStepSolver steps = ofSteps(stack, matrix, backend, rings, space);
            return new PartitionedSolver(new ScaledSolver(steps, 0, matrix.largestEntry(), backend, () -> {}), null,
                    matrix, stack.preconditioner(), steps);
        }
        KrylovMethod method = stack.krylovMethod();
        requireRows(method, stack.methodOptions(), matrix);
        Preconditioner made = preconditioner(stack, matrix, backend, rings, space);
        try {
            LinearSolver solver = method.prepare(operator, made, backend, stack.methodOptions());
            if (solver instanceof ConjugateGradient cg && (made == null || made.inverseDiagonal().isPresent())
                    && matrix.communicator().sum(onDevice(backend) ? 1 : 0) > 0) {
                cg.checkInterval(ITERATIONS_OF_LOOK);
            }
            return new PartitionedSolver(withNullSpace(stack, operator, solver, backend), made, matrix, NONE);
        } catch (RuntimeException | OutOfMemoryError e) {
            if (made != null) {
                made.close();
            }
            throw e;
        }
    }

    /** Chooses by what the whole matrix is, as on one rank; factorisations are of each rank's rows, or of all. */
    private static LinearSolver automatic(PartitionedMatrix matrix, PartitionedOperator operator, RankBackend backend,
            RingChoice rings, RankSpace space) {
        return new AutomaticSolver(RankProperties.of(matrix, space != null, !onDevice(backend)), operator, backend,
                maker(matrix, operator, backend, rings, space));
    }

    /**
     * Returns what a choice of a solver depends on. Collective.
     *
     * @param matrix  the partitioned matrix
     * @param backend where it is solved
     * @param space   the near null space for multigrid; null for constants
     * @return the properties of the whole matrix, the same on all ranks
     */
    public static MatrixProperties properties(PartitionedMatrix matrix, RankBackend backend, RankSpace space) {
        return RankProperties.of(matrix, space != null, !onDevice(backend));
    }

    /**
     * Returns what prepares solvers for one that chooses among them. Each preparation is collective.
     *
     * @param matrix   the partitioned matrix
     * @param operator its product; not closed by the solvers
     * @param backend  what the operator's vectors are computed with; not closed by the solvers
     * @param rings    how many rings smoothers exchange at once
     * @param space    the near null space for multigrid; null for constants
     * @return prepares solvers, which who asks for them closes
     */
    public static AutomaticSolver.Maker maker(PartitionedMatrix matrix, PartitionedOperator operator,
            RankBackend backend, RingChoice rings, RankSpace space) {
        return new AutomaticSolver.Maker() {
            @Override
            @SuppressWarnings("MustBeClosed") // closed with the solver
            public LinearSolver stack(SolverConfig stack) {
                return prepare(stack, matrix, operator, backend, rings, space);
            }

            @Override
            @SuppressWarnings("MustBeClosed") // closed with the solver
            public LinearSolver factorised(KrylovMethod method, Map<String, String> options, FactorLimits limits) {
                requireRows(method, options, matrix);
                Preconditioner inverse = new RedundantDirectSolver(matrix, backend, limits);
                try {
                    return new PartitionedSolver(method.prepare(operator, inverse, backend, options), inverse,
                            matrix, NONE);
                } catch (RuntimeException | Error e) {
                    inverse.close();
                    throw e;
                }
            }
        };
    }

    /**
     * Makes a preconditioner by itself. Collective.
     *
     * @param stack   its name and options
     * @param matrix  the partitioned matrix
     * @param backend what vectors are computed with; not closed by the preconditioner
     * @param rings   how many rings it exchanges at once
     * @return the preconditioner, which the caller closes; empty for {@code none}
     * @throws IllegalArgumentException if it cannot be used over several ranks; says what can
     */
    public static Optional<Preconditioner> preconditioner(SolverConfig stack, PartitionedMatrix matrix,
            RankBackend backend, RingChoice rings) {
        refuse(stack);
        return Optional.ofNullable(preconditioner(stack, matrix, backend, rings, null));
    }

    /**
     * Makes what solves a small system directly, on every rank. Collective: all rows come together on each.
     *
     * @param matrix  the partitioned matrix
     * @param backend what vectors are computed with; not closed by the inverse
     * @return the inverse, which the caller closes
     */
    @MustBeClosed
    public static Smoother inverse(PartitionedMatrix matrix, RankBackend backend) {
        return new ReplicatedInverse(matrix, backend);
    }

    /** Takes constants out of right-hand sides and solutions if that is asked for; sums are all ranks'. */
    private static LinearSolver withNullSpace(SolverConfig stack, PartitionedOperator operator, LinearSolver solver,
            RankBackend backend) {
        if (!stack.nullSpaceOfConstants()) {
            return solver;
        }
        try {
            return NullSpaceSolver.ofConstants(operator, solver, backend);
        } catch (RuntimeException e) {
            solver.close();
            throw e;
        }
    }

    /**
     * Prepares the preconditioner of a stack alone. Collective.
     *
     * @param stack   preconditioner and its options; the method does not matter
     * @param matrix  the partitioned matrix
     * @param backend what vectors of owned rows are computed with
     * @param rings   how many rings smoothers exchange at once
     * @param space   the near null space for multigrid; null for constants
     * @return the preconditioner, which the caller closes; null for none
     * @throws IllegalArgumentException if it cannot be used over several ranks; says what can
     */
    @SuppressWarnings("MustBeClosed") // returned
    public static Preconditioner preconditioner(SolverConfig stack, PartitionedMatrix matrix, RankBackend backend,
            RingChoice rings, RankSpace space) {
        refuse(stack);
        RankTimeline timeline = matrix.communicator().timeline();
        timeline.naming("preconditioner");
        try {
            if (OF_RANKS.contains(stack.preconditioner())) {
                return RankSchwarz.ofRanks(matrix, stack.preconditioner(), stack.preconditionerOptions(), backend);
            }
            return switch (stack.preconditioner()) {
                case NONE -> null;
                case AMG -> multigrid(stack.preconditionerOptions(), matrix, backend, rings, space);
                case CHEBYSHEV -> RankPolynomial.chebyshev(matrix, stack.preconditionerOptions(), rings, backend.own());
                case SCHWARZ -> RankSchwarz.of(matrix, stack.preconditionerOptions(), backend);
                case POLYNOMIAL -> RankPolynomial.neumann(matrix, stack.preconditionerOptions(), rings, backend.own());
                case JACOBI, L1_JACOBI, SPAI0 -> diagonal(stack, matrix, backend);
                default -> RankRelaxation.of(matrix, stack.preconditioner(), stack.preconditionerOptions(), rings,
                        backend.own());
            };
        } finally {
            timeline.naming("");
        }
    }

    /** Makes a preconditioner that divides by a number for each row, as Jacobi's method with these as diagonal. */
    private static Preconditioner diagonal(SolverConfig stack, PartitionedMatrix matrix, RankBackend backend) {
        PartitionedOperator.RowDivisor divisor = switch (stack.preconditioner()) {
            case L1_JACOBI -> (values, from, to, element) -> Math.copySign(
                    IntStream.range(from, to).mapToDouble(k -> Math.abs(values.get(k))).sum(), element);
            case SPAI0 -> (values, from, to, element) -> IntStream.range(from, to)
                    .mapToDouble(k -> values.get(k) * values.get(k)).sum() / element;
            default -> (values, from, to, element) -> element;
        };
        Preconditioner own = CollectiveFailure.onAll(matrix.communicator(),
                () -> Preconditioners.of(JACOBI, PartitionedOperator.diagonal(matrix, divisor), backend.own(),
                        stack.preconditionerOptions()).orElseThrow(),
                Preconditioner::close);
        return new RankDiagonal(matrix.communicator(), backend.elements(), own);
    }

    private static boolean onDevice(RankBackend backend) {
        return !backend.device().space().equals(MemorySpace.HOST);
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the solver
    private static SStepSolver ofSteps(SolverConfig stack, PartitionedMatrix matrix, RankBackend backend,
            RingChoice rings, RankSpace space) {
        boolean gmres = stack.method().equals(SolverConfig.S_STEP_GMRES);
        Preconditioner made = gmres && stack.preconditioner().equals(AMG)
                ? multigrid(stack.preconditionerOptions(), matrix, backend, rings, space)
                : gmres && stack.preconditioner().equals(CHEBYSHEV)
                        ? RankPolynomial.chebyshev(matrix, stack.preconditionerOptions(), rings, backend.own())
                        : null;
        try {
            return SStepSolver.prepare(stack, matrix, rings, backend.own(), made);
        } catch (RuntimeException | OutOfMemoryError e) {
            if (made != null) {
                made.close();
            }
            throw e;
        }
    }

    /**
     * Refuses what cannot be used over several ranks.
     *
     * @param stack the stack
     * @throws IllegalArgumentException if it cannot; says what can
     */
    public static void refuse(SolverConfig stack) {
        List<String> objections = new ArrayList<>();
        if (stack.nullSpaceOfConstants() && stack.isOfSteps()) {
            objections.add("method " + stack.method() + " with a null space");
        }
        boolean ofRanks = OF_RANKS.contains(stack.preconditioner());
        if (!stack.isAutomatic() && !ofRanks && !PRECONDITIONERS.contains(stack.preconditioner())) {
            objections.add("preconditioner " + stack.preconditioner());
        }
        TreeSet<String> further = new TreeSet<>(stack.preconditionerOptions().keySet());
        if (!stack.preconditioner().equals(SPAI0)) {
            further.remove(OMEGA);
        }
        if (List.of(JACOBI, L1_JACOBI, SPAI0).contains(stack.preconditioner()) && !further.isEmpty()) {
            objections.add("options " + further + " of " + stack.preconditioner());
        }
        if (stack.method().equals(SolverConfig.S_STEP) && stack.preconditioner().equals(AMG)) {
            objections.add("method " + stack.method() + " with preconditioner " + AMG
                    + ", which takes jacobi or chebyshev");
        }
        if (stack.isOfSteps() && (ofRanks || PRECONDITIONERS.contains(stack.preconditioner()))
                && !List.of(NONE, JACOBI, CHEBYSHEV, AMG).contains(stack.preconditioner())) {
            objections.add("method " + stack.method() + " with preconditioner " + stack.preconditioner()
                    + ", which takes jacobi or chebyshev"
                    + (stack.method().equals(SolverConfig.S_STEP) ? "" : " or amg"));
        }
        if (!objections.isEmpty()) {
            throw new IllegalArgumentException("over several ranks " + String.join(" and ", objections)
                    + " cannot be used, expected a method by name with preconditioner jacobi (option omega), "
                    + "l1-jacobi, spai0, polynomial, chebyshev, gauss-seidel, sor, ssor, amg, schwarz, "
                    + String.join(", ", OF_RANKS) + " or none, or method auto");
        }
        if (stack.isAutomatic()) {
            return;
        }
        if (stack.isOfSteps()) {
            SStepSolver.refuse(stack);
        }
        if (stack.preconditioner().equals(SCHWARZ)) {
            refuseUnsymmetric(stack);
        }
        if (RankRelaxation.names().contains(stack.preconditioner())) {
            RankRelaxation.refuse(stack.preconditioner(), stack.preconditionerOptions());
        }
        if (stack.preconditioner().equals(POLYNOMIAL)) {
            RankPolynomial.neumannDegree(stack.preconditionerOptions());
        }
        if (stack.preconditioner().equals(AMG)) {
            Map<String, String> others = new TreeMap<>(stack.preconditionerOptions());
            others.remove(BLOCK_SIZE);
            RankMultigridOptions.parse(others, RingChoice.AUTOMATIC);
        }
    }

    /** What only the matrix shows, that local problems are not symmetric, the method refuses when it is prepared. */
    private static void refuseUnsymmetric(SolverConfig stack) {
        KrylovMethod method = stack.krylovMethod();
        SchwarzOptions options = SchwarzOptions.parse(stack.preconditionerOptions());
        if (options.cutsSymmetry() && method.needsSymmetric() && method != KrylovMethod.FCG) {
            throw new IllegalArgumentException("method " + method + " with preconditioner " + options
                    + " over several ranks, which is not symmetric, expected variant=additive or overlap=0; gmres, "
                    + "bicgstab and idr take the restricted variant");
        }
    }

    /**
     * Says whether a stack exchanges rings whose number is a matter of speed alone, as the overlap of Schwarz methods
     * is not.
     *
     * @param stack the stack
     * @return true for multigrid, polynomials, relaxation by colours, s-step methods and {@code auto}, which may
     *         choose multigrid
     */
    public static boolean takesRings(SolverConfig stack) {
        return stack.isAutomatic() || List.of(AMG, CHEBYSHEV, POLYNOMIAL).contains(stack.preconditioner())
                || RankRelaxation.names().contains(stack.preconditioner()) || stack.isOfSteps();
    }

    /**
     * Says whether the numbers of rings of a stack can be chosen by times.
     *
     * @param stack the stack
     * @return true for what takes rings, but for s-step conjugate gradients with a polynomial
     */
    public static boolean tunesRings(SolverConfig stack) {
        boolean polynomial = stack.method().equals(SolverConfig.S_STEP) && stack.preconditioner().equals(CHEBYSHEV);
        return takesRings(stack) && !polynomial;
    }

    @MustBeClosed
    private static Preconditioner multigrid(Map<String, String> options, PartitionedMatrix matrix,
            RankBackend backend, RingChoice rings, RankSpace space) {
        Map<String, String> others = new TreeMap<>(options);
        String given = others.remove(BLOCK_SIZE);
        int block = given != null ? Integer.parseInt(given) : space == null ? 1 : space.blockSize();
        if (space != null && space.blockSize() != block) {
            throw new IllegalArgumentException("multigrid with " + BLOCK_SIZE + "=" + block
                    + " and a near null space of " + space + ", expected " + BLOCK_SIZE + "=" + space.blockSize()
                    + ", or none");
        }
        RankSpace taken = space == null && block > 1 ? RankSpace.constants(matrix, block) : space;
        return RankMultigrid.of(matrix, taken, RankMultigridOptions.parse(others, rings), backend.own());
    }

    private static void requireRows(KrylovMethod method, Map<String, String> options, PartitionedMatrix matrix) {
        int needed = switch (method) {
            case GMRES, FGMRES, LGMRES -> number(options, "restart");
            case IDR -> number(options, "s");
            case CHEBYSHEV -> options.containsKey("lower") && options.containsKey("upper")
                    ? 0
                    : number(options, "steps");
            default -> 0;
        };
        if (method.isComplex() && matrix.communicator().greatest(matrix.ownedRows() % 2) > 0) {
            throw new IllegalArgumentException(method + " over " + matrix.communicator().size()
                    + " ranks, one of which has an odd number of rows, expected both rows of a complex number on one "
                    + "rank");
        }
        long[] least = {matrix.ownedRows()};
        matrix.communicator().allReduce(Reduction.MIN, least);
        if (least[0] < needed) {
            throw new IllegalArgumentException(method + " over " + matrix.communicator().size()
                    + " ranks, one of which has " + least[0] + " rows, expected at least " + needed
                    + " on each; cg, bicgstab and minres take any");
        }
    }

    /** Methods check their options themselves; what is no number is not for this to say. */
    private static int number(Map<String, String> options, String name) {
        String given = options.getOrDefault(name, "");
        return given.matches("[0-9]{1,6}") ? Integer.parseInt(given) : LEAST_ROWS;
    }

    /**
     * Solves with the owned parts of vectors. Collective.
     *
     * @param b        the owned elements of the right-hand side
     * @param x        those of the first guess, overwritten by the solution
     * @param criteria when to stop, the same on all ranks; a limit of time ends all of them in the same iteration
     * @param observer hears of each iteration on this rank
     * @return how it went, the same on all ranks but for times
     * @throws IllegalArgumentException if an operand does not fit
     */
    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        SolveReport report = solver.solve(b, x, criteria, observer);
        return text == null ? report : report.withPreparation(text, 0);
    }

    /**
     * Returns the levels, if the preconditioner is multigrid. Collective then: runs a few cycles.
     *
     * @return a report; empty for other preconditioners
     */
    public Optional<MultigridReport> multigrid() {
        return preconditioner().filter(RankMultigrid.class::isInstance).map(RankMultigrid.class::cast)
                .map(RankMultigrid::report);
    }

    /**
     * Ends the choice of numbers of rings, where times of iterations decide it. Collective, after as many solutions on
     * each rank.
     *
     * @return what is used on each level of the preconditioner, finest first, the same on all ranks; empty for
     *         preconditioners that exchange nothing
     */
    public List<LevelRings> settleRings() {
        if (tuned != null) {
            return tuned.settleRings();
        }
        return preconditioner().filter(TunedRings.class::isInstance).map(TunedRings.class::cast)
                .map(TunedRings::settleRings).orElse(List.of());
    }

    @Override
    public Optional<Preconditioner> preconditioner() {
        return preconditioner == null ? PreconditionedSolver.of(solver) : Optional.of(preconditioner);
    }

    @Override
    public void close() {
        solver.close();
        if (preconditioner != null) {
            preconditioner.close();
        }
    }

    @Override
    public String toString() {
        return solver.toString();
    }
}
