package org.trellis.solve.krylov;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.trellis.backend.Backend;
import org.trellis.common.TrellisException;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.TimeLimit;
import org.trellis.solve.direct.FactorLimits;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/**
 * Chooses method and preconditioner by what the matrix is, and falls back on another choice where one breaks down, does
 * not get on or cannot be made. Small systems, and larger ones whose factors turn out to be sparse, are factorised.
 * From 500 rows on, {@linkplain TrialIterations iterations on one thread} of a host come before that, which solve easy
 * systems in less time and end where they do not. Each choice, why it was made and why it was left is a note of the
 * report. A choice that has solved a system is the first for the next one.
 *
 * <p>Of matrices of 500 rows and more the diagonal may {@linkplain Dominance dominate}, which bounds the number of
 * iterations: then they go on, and no factors are counted.
 *
 * <p>Multigrid is the first choice for systems of 10,000 rows and more that look like diffusion, or whose near null
 * space is given, or whose unknowns are numbered node by node and look like elasticity: its coarse levels then keep the
 * unknowns of a node apart.
 *
 * <p>Where the largest entries of rows, or of columns, differ by more than six orders of magnitude, methods other than
 * conjugate gradients and factorisations, which do that themselves, work on an {@linkplain Equilibration equilibrated}
 * copy; the residual of the system itself decides. Over ranks nothing is scaled.
 *
 * <p>To find out costs a few passes over the matrix. Whether a symmetric matrix is definite shows on the way: its
 * diagonal must be positive, and conjugate gradients break down if it is not.
 *
 * <p>Several ranks choose alike: what is known of the matrix is the same on all, and so are reports and, by the
 * {@link CollectiveClock} of their backend, times.
 */
public final class AutomaticSolver implements PreconditionedSolver {
    /** The most rows of which a factorisation is the first choice, unless its factors fill as those of random ones. */
    private static final int SMALL_DIRECT = 20_000;
    /** Operations for each entry up to which a small matrix is factorised without further ado. */
    private static final double OPERATIONS_OF_SPARSE = 1_000;
    /** Operations for each entry from which on all iterations are tried before a factorisation of a small matrix. */
    private static final double OPERATIONS_OF_SMALL = 50_000;
    /** Below so many rows a factorisation takes less time than anything that needs a preconditioner. */
    private static final int LEAST_TRIED = 500;
    /** Jacobi's iteration gains a tenth in each step, so that more are in vain. */
    private static final int DOMINANT_ITERATIONS = 400;
    /** Iterations that take less time than a factorisation of more than {@link #OPERATIONS_OF_SPARSE}. */
    private static final int ITERATIONS_OF_SMALL = 80;
    /** The most rows whose factors are counted before anything is chosen. */
    private static final int LARGEST_COUNTED = 300_000;
    /** Operations of a factorisation, for each entry of the matrix, that take about as long as usual iterations. */
    private static final double OPERATIONS_OF_ITERATIONS = 5_000;
    /** Iterations without progress after which the next choice is tried. */
    private static final int PATIENCE = 500;
    private static final double LEAST_SECONDS = 0.01;
    /** Of residuals that are the same but for so much, that of the later choice is reported, which knows more. */
    private static final double TIE = 1 + 1e-6;

    private MatrixProperties matrix;
    private final Supplier<? extends LinearOperator> product;
    private final Maker maker;
    private final Backend backend;
    private final CollectiveClock clock;
    /** The maker, if it is that of one rank; else null. */
    private final OneRankMaker one;
    private final String finding;
    private final List<Choice> choices = new ArrayList<>();
    /** What cannot be prepared, however often it is tried. */
    private final Set<String> impossible = new HashSet<>();
    /** Whether all choices are there: those that come last are not made up before they are needed. */
    private boolean complete;
    private int current;
    private LinearSolver prepared;

    /** What prepares a choice. */
    private enum Kind {
        /** A method with a preconditioner on the backend; {@code lu} stands for a factorisation. */
        STACK,
        /** A factorisation alone. */
        DIRECT,
        /** Iterations on one thread of the host. */
        TRIAL
    }

    /**
     * What is tried. A factorisation alone may take so many operations for each entry, or 10⁸; iterations on one thread
     * go on whatever a factorisation takes if the number is infinite.
     */
    private record Choice(Kind kind, KrylovMethod method, Map<String, String> options, String preconditioner,
            String reason, double operations, int iterations) {
        boolean direct() {
            return kind == Kind.DIRECT;
        }

        @Override
        public String toString() {
            return direct()
                    ? "direct"
                    : method + (options.isEmpty() ? "" : "(" + String.join(", ", options.values()) + ")") + " with "
                            + preconditioner + (kind == Kind.TRIAL ? " on one thread" : "");
        }
    }

    /** Prepares what was chosen. What cannot be prepared is thrown as both methods of a stack do, on all ranks. */
    public interface Maker {
        /**
         * Prepares a method with a preconditioner by name.
         *
         * @param stack both
         * @return a solver, closed by the automatic one
         */
        LinearSolver stack(SolverConfig stack);

        /**
         * Prepares a method that a factorisation of the whole matrix preconditions.
         *
         * @param method  the method
         * @param options its options
         * @param limits  what the factorisation may take; the same on all ranks
         * @return a solver, closed by the automatic one
         */
        LinearSolver factorised(KrylovMethod method, Map<String, String> options, FactorLimits limits);

        /**
         * Says whether the whole matrix is here, so that {@link #direct} can factorise it.
         *
         * @return false unless overridden
         */
        default boolean isWhole() {
            return false;
        }

        /**
         * Prepares a solver by factorisation alone.
         *
         * @param limits     what the factorisation may take
         * @param operations the most multiplications and additions for each entry of the matrix; may be infinite
         * @return a solver, closed by the automatic one
         * @throws UnsupportedOperationException unless {@link #isWhole}
         */
        default LinearSolver direct(FactorLimits limits, double operations) {
            throw new UnsupportedOperationException("factorisation of a matrix that is spread over ranks");
        }
    }

    /**
     * Chooses for a matrix of one rank.
     *
     * @param matrix  the matrix, square or not
     * @param product returns its product, the same each time, which is not closed by the solver; asked for when a
     *                method first iterates
     * @param parts   the backend, and what is known of the matrix
     */
    public AutomaticSolver(CsrMatrix matrix, Supplier<? extends LinearOperator> product, SolverContext parts) {
        this(matrix, MatrixProperties.quick(matrix, parts), product, parts);
    }

    private AutomaticSolver(CsrMatrix matrix, MatrixProperties findings, Supplier<? extends LinearOperator> product,
            SolverContext parts) {
        this(findings, product, parts.backend(), new OneRankMaker(matrix, findings, product, parts));
    }

    /**
     * Chooses for a matrix that need not be on one rank.
     *
     * @param matrix  what is known of it
     * @param product its product; not closed by the solver
     * @param backend where it is
     * @param maker   prepares solvers
     */
    public AutomaticSolver(MatrixProperties matrix, LinearOperator product, Backend backend, Maker maker) {
        this(matrix, () -> product, backend, maker);
    }

    private AutomaticSolver(MatrixProperties matrix, Supplier<? extends LinearOperator> product, Backend backend,
            Maker maker) {
        this.matrix = matrix;
        this.product = product;
        this.backend = backend;
        this.maker = maker;
        this.one = maker instanceof OneRankMaker known ? known : null;
        this.clock = CollectiveClock.of(backend);
        this.finding = choose();
    }

    private String choose() {
        if (matrix.rows() != matrix.columns()) {
            add(KrylovMethod.LSQR, Map.of(), "none", "the only method for a matrix that is not square");
            complete = true;
            return "the matrix has " + matrix.rows() + " rows and " + matrix.columns() + " columns";
        }
        String found = "the matrix is " + (matrix.symmetric() ? "symmetric" : "not symmetric") + ", its diagonal is "
                + (matrix.positiveDiagonal()
                        ? "positive"
                        : "not positive, for the first time in row " + matrix.firstNonPositive());
        boolean small = maker.isWhole() && matrix.rows() <= SMALL_DIRECT;
        if (!small) {
            findMultigrid();
        }
        boolean tried = one != null && matrix.rows() >= LEAST_TRIED && chooseTrial();
        if (small) {
            chooseSmall(tried);
        } else {
            if (maker.isWhole() && matrix.rows() <= LARGEST_COUNTED && !suitsMultigrid()) {
                addDirect("which is faster than iterations if its factors stay sparse", OPERATIONS_OF_ITERATIONS);
            }
            chooseOthers();
        }
        return found;
    }

    /** What multigrid needs to be known costs several passes. */
    private void findMultigrid() {
        if (one != null) {
            matrix = matrix.withMultigrid(one.matrix());
        }
    }

    private void completeChoices() {
        if (current == choices.size() - 1 && !complete) {
            findMultigrid();
            chooseOthers();
        }
    }

    /** What comes after iterations that are compared with a factorisation, and after this. */
    private void chooseOthers() {
        complete = true;
        if (matrix.symmetric()) {
            chooseSymmetric(matrix.positiveDiagonal());
        }
        add(KrylovMethod.GMRES, Map.of("restart", "50"), "ilu0", "for matrices that need not be symmetric");
        add(KrylovMethod.BICGSTAB, Map.of(), "ilu0", "which needs less memory than longer cycles of gmres");
        add(KrylovMethod.GMRES, Map.of("restart", "100"), "spai0", "whose cycles are longer, and whose preconditioner "
                + "needs no pivots");
        add(KrylovMethod.GMRES, Map.of("restart", "100"), "none", "which needs no diagonal");
        if (maker.isWhole() && matrix.rows() > SMALL_DIRECT) {
            addDirect("since nothing less has led to a solution", Double.POSITIVE_INFINITY);
        } else if (matrix.rows() <= SMALL_DIRECT) {
            add(KrylovMethod.FGMRES, Map.of("restart", "10"), "lu", "since nothing less has led to a solution");
        }
        add(KrylovMethod.LSQR, Map.of(), "none", "which solves singular systems that have solutions");
    }

    /**
     * Iterations whose convergence is bounded, so that not even the factors of a factorisation need be counted, or that
     * show how fast they converge. Returns whether the latter come first.
     */
    private boolean chooseTrial() {
        Optional<Dominance> dominance = one.dominance();
        boolean small = isOnHost() && matrix.rows() <= LARGEST_COUNTED && one.matrix().segments().size() == 1;
        boolean definite = matrix.symmetric() && matrix.positiveDiagonal();
        if (small && dominance.isEmpty() && (matrix.rows() <= SMALL_DIRECT || !suitsMultigrid())) {
            choices.add(new Choice(Kind.TRIAL, definite ? KrylovMethod.CG : KrylovMethod.GMRES, Map.of(),
                    definite ? "ic0" : "ilu0", "which go on while what is left of them takes less time than a "
                            + "factorisation",
                    0, Integer.MAX_VALUE));
            return true;
        }
        if (dominance.isPresent()) {
            Dominance found = dominance.get();
            String onHost = definite ? "ic0" : "ilu0";
            choices.add(new Choice(small ? Kind.TRIAL : Kind.STACK, definite ? KrylovMethod.CG : KrylovMethod.GMRES,
                    Map.of(), isOnHost() ? onHost : "jacobi",
                    String.format(Locale.ROOT,
                            "which takes few iterations since the diagonal dominates: what is beside "
                                    + "it is at most %.2g of it in each row%s",
                            found.share(),
                            found.isWeighted() ? " once columns are weighted" : ""),
                    Double.POSITIVE_INFINITY, DOMINANT_ITERATIONS));
        }
        return false;
    }

    /** A factorisation, after a few iterations where its factors are not sparse unless these were tried already. */
    private void chooseSmall(boolean tried) {
        String reason = "which takes less time than iterations for at most " + SMALL_DIRECT + " rows";
        if (isOnHost() && !tried) {
            addDirect(reason + " if its factors stay sparse", OPERATIONS_OF_SPARSE);
            boolean mayBeDefinite = matrix.symmetric() && matrix.positiveDiagonal();
            choices.add(new Choice(one == null ? Kind.STACK : Kind.TRIAL,
                    mayBeDefinite ? KrylovMethod.CG : KrylovMethod.GMRES, Map.of(),
                    mayBeDefinite ? "ic0" : "ilu0",
                    "which takes less time than such a factorisation if it needs at most "
                            + ITERATIONS_OF_SMALL + " iterations",
                    Double.POSITIVE_INFINITY, ITERATIONS_OF_SMALL));
        }
        addDirect(reason, OPERATIONS_OF_SMALL);
    }

    private boolean isOnHost() {
        return backend.device().space().equals(MemorySpace.HOST);
    }

    private boolean suitsMultigrid() {
        return matrix.symmetric() && matrix.positiveDiagonal() && matrix.rows() >= MatrixProperties.LEAST_MULTIGRID
                && (matrix.hasNearNullSpace() || matrix.elliptic() || matrix.blockSize() > 1);
    }

    private void chooseSymmetric(boolean positiveDiagonal) {
        if (positiveDiagonal) {
            if (suitsMultigrid()) {
                add(KrylovMethod.CG, Map.of(), NamedPreconditioners.AMG, reasonForMultigrid());
                if (maker.isWhole() && matrix.rows() > SMALL_DIRECT && matrix.rows() <= LARGEST_COUNTED) {
                    addDirect("which does not need a definite matrix, if its factors stay sparse",
                            OPERATIONS_OF_ITERATIONS);
                }
            }
            if (isOnHost()) {
                add(KrylovMethod.CG, Map.of(), "ic0", "which takes the fewest iterations if it can be made");
            }
            add(KrylovMethod.CG, Map.of(), "jacobi", "which can be made wherever the diagonal is positive");
        }
        add(KrylovMethod.MINRES, Map.of(), "none", "which does not need a definite matrix");
    }

    private String reasonForMultigrid() {
        if (matrix.hasNearNullSpace()) {
            return "whose coarse levels represent the near null space that is given";
        }
        return matrix.blockSize() > 1
                ? "by nodes of " + matrix.blockSize() + " unknowns, since entries come in such blocks, as those of "
                        + "elasticity do; rigid body motions of its nodes would take fewer iterations"
                : "since couplings are mostly negative and balance the diagonal, as those of diffusion do, so "
                        + "that iterations hardly grow with the size";
    }

    private void add(KrylovMethod method, Map<String, String> options, String preconditioner, String reason) {
        choices.add(new Choice(Kind.STACK, method, options, preconditioner, reason, 0, Integer.MAX_VALUE));
    }

    private void addDirect(String reason, double operations) {
        choices.add(new Choice(Kind.DIRECT, null, Map.of(), "direct", reason, operations, Integer.MAX_VALUE));
    }

    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        List<String> notes = new ArrayList<>();
        notes.add("auto: " + finding);
        HostVector guess = HostVector.zeros(x.precision(), x.length());
        x.copyTo(guess);
        SolveReport best = null;
        HostVector bestSolution = guess;
        int left = criteria.maximumIterations();
        double setup = 0;
        TimeLimit time = new TimeLimit(criteria.maximumSeconds(), clock);
        while (true) {
            completeChoices();
            Choice choice = choices.get(current);
            boolean last = current == choices.size() - 1;
            boolean solvedDirectly = false;
            boolean late = false;
            long start = clock.nanoTime();
            String obstacle = prepare(choice, Math.max(LEAST_SECONDS, time.left() / 2));
            setup += (clock.nanoTime() - start) * 1e-9;
            if (obstacle == null) {
                x.copyFrom(guess);
                SolveReport report =
                        consistent(prepared.solve(b, x, share(criteria, choice, left, time.left(), last), observer),
                                criteria);
                left -= Math.min(left, report.iterations());
                late = last && report.status() == SolveStatus.TIME_LIMIT;
                if (best == null || report.converged() || report.trueResidual() <= TIE * best.trueResidual()) {
                    best = report;
                    bestSolution = HostVector.zeros(x.precision(), x.length());
                    x.copyTo(bestSolution);
                }
                solvedDirectly = choice.direct();
                obstacle = report.converged()
                        ? objection(choice, b, x, criteria)
                        : "ended after " + report.iterations() + " iterations: " + report.detail();
            }
            notes.add("auto: " + choice + ", " + choice.reason()
                    + (obstacle == null ? "" : ": " + obstacle));
            boolean ends = obstacle == null || last || solvedDirectly || left == 0;
            late |= !ends && time.left() <= Double.MIN_NORMAL;
            if (ends || late) {
                x.copyFrom(bestSolution);
                SolveReport found = best == null ? nothing(obstacle, x, b, criteria) : best;
                return finish(late ? late(found, criteria) : found, obstacle == null, notes, setup);
            }
            notes.add("auto: on to the next choice");
            closePrepared();
            do {
                current++;
                completeChoices();
            } while (current < choices.size() - 1 && impossible.contains(choices.get(current).toString()));
        }
    }

    /** With more time other choices would have had their turn: that is the status, not how the best one ended. */
    private static SolveReport late(SolveReport best, StoppingCriteria criteria) {
        if (best.converged() || best.status() == SolveStatus.TIME_LIMIT) {
            return best;
        }
        double scale = criteria.toFirstResidual() ? best.residualHistory().getFirst() : best.rightHandSideNorm();
        String detail = "residual " + best.trueResidual() + " is above " + criteria.threshold(scale) + " after "
                + criteria.maximumSeconds() + " s, which left no time for other choices: " + best.detail();
        return new SolveReport(SolveStatus.TIME_LIMIT, best.iterations(), best.restarts(), best.residualHistory(),
                best.rightHandSideNorm(), best.trueResidual(), best.seconds(), detail, best.facts());
    }

    /** Returns why a solution that has converged is not good enough; null if it is. */
    private String objection(Choice choice, DenseVector b, DenseVector x, StoppingCriteria criteria) {
        return choice.kind() == Kind.TRIAL && choice.method() == KrylovMethod.GMRES
                ? one.objection(b, x, Math.max(criteria.relativeTolerance(), x.precision().unitRoundoff()))
                : null;
    }

    /** A solution of the least squares solves no square system, and says that there is none. */
    private SolveReport consistent(SolveReport report, StoppingCriteria criteria) {
        boolean square = matrix.rows() == matrix.columns();
        if (!square || !report.converged() || report.trueResidual() <= threshold(report, criteria)) {
            return report;
        }
        return new SolveReport(SolveStatus.STAGNATED, report.iterations(), report.restarts(), report.residualHistory(),
                report.rightHandSideNorm(), report.trueResidual(), report.seconds(), "the least residual of all is "
                        + report.trueResidual() + ": the matrix is singular or nearly so, and the system has no "
                        + "solution; the right-hand side has a part outside of the range of the matrix",
                report.facts());
    }

    private static double threshold(SolveReport report, StoppingCriteria criteria) {
        return criteria.threshold(criteria.toFirstResidual()
                ? report.residualHistory().getFirst()
                : report.rightHandSideNorm());
    }

    /** Half of the iterations and of the time that are left; all of it for the last choice. */
    private static StoppingCriteria share(StoppingCriteria criteria, Choice choice, int left, double remaining,
            boolean last) {
        double seconds = Math.max(LEAST_SECONDS, remaining);
        return last
                ? criteria.atMost(left).within(seconds)
                : criteria.atMost(Math.min(choice.iterations(), (left + 1) / 2)).within(seconds / 2)
                        .stagnatingAfter(patience(criteria));
    }

    private static int patience(StoppingCriteria criteria) {
        return criteria.stagnationWindow() == 0 ? PATIENCE : Math.min(PATIENCE, criteria.stagnationWindow());
    }

    private SolveReport finish(SolveReport report, boolean solved, List<String> notes, double setup) {
        if (!solved) {
            closePrepared();
            current = 0;
        }
        return report.withNotes(notes).withPreparation(report.preconditioner(), setup - report.setupSeconds());
    }

    /** The report of no iteration at all, since nothing could be prepared. */
    private SolveReport nothing(String obstacle, DenseVector x, DenseVector b, StoppingCriteria criteria) {
        try (LinearSolver none = KrylovMethod.RICHARDSON.prepare(product.get(), null, backend, Map.of())) {
            SolveReport report = none.solve(b, x, criteria.atMost(0));
            return new SolveReport(report.converged() ? report.status() : SolveStatus.BREAKDOWN, 0, 0,
                    report.residualHistory(), report.rightHandSideNorm(), report.trueResidual(), report.seconds(),
                    "none of the choices could be prepared, the last of them, " + choices.get(current) + ", "
                            + obstacle,
                    report.facts());
        }
    }

    /** Prepares a choice unless it is there; returns why it cannot be. A factorisation may take as long as said. */
    private String prepare(Choice choice, double seconds) {
        if (prepared != null) {
            return null;
        }
        try {
            FactorLimits limits = FactorLimits.ofHeap().within(seconds);
            prepared = switch (choice.kind()) {
                case TRIAL -> one.trial(limits, choice.operations() == Double.POSITIVE_INFINITY);
                case DIRECT -> maker.direct(limits, choice.operations());
                case STACK -> choice.preconditioner().equals("lu")
                        ? maker.factorised(choice.method(), choice.options(), limits)
                        : maker.stack(new SolverConfig(choice.method().label(), choice.options(),
                                choice.preconditioner(), optionsOf(choice), StoppingCriteria.relative(0, 0), false,
                                false));
            };
            return null;
        } catch (IllegalArgumentException | TrellisException e) {
            if (!(e instanceof FactorisationException f) || f.reason() == FactorisationException.Reason.PIVOT) {
                impossible.add(choice.toString());
            }
            return "cannot be prepared: " + e.getMessage();
        }
    }

    private Map<String, String> optionsOf(Choice choice) {
        return choice.preconditioner().equals(NamedPreconditioners.AMG) && matrix.blockSize() > 1
                ? Map.of(NamedPreconditioners.BLOCK_SIZE, Integer.toString(matrix.blockSize()))
                : Map.of();
    }

    /**
     * Takes other values of the same structure, after the product has taken them if there is one. What was chosen
     * stays; factors keep their order and pivots, multigrid its hierarchy, other preconditioners are made anew.
     *
     * @param values the matrix with its new values
     * @throws IllegalStateException if the matrix is not on one rank
     */
    public void update(CsrMatrix values) {
        if (one == null) {
            throw new IllegalStateException(
                    "new values for a matrix that is spread over ranks, expected another solver");
        }
        one.take(values);
        impossible.clear();
        if (prepared instanceof DirectSolver direct) {
            try {
                direct.update(values);
            } catch (TrellisException e) {
                closePrepared();
            }
        } else if (preconditioner().orElse(null) instanceof Multigrid multigrid) {
            multigrid.refresh(values);
            if (prepared instanceof PreconditionedSolver solver) {
                solver.valuesChanged(values);
            }
        } else {
            closePrepared();
        }
    }

    private void closePrepared() {
        if (prepared != null) {
            prepared.close();
            prepared = null;
        }
    }

    @Override
    public Optional<Preconditioner> preconditioner() {
        return prepared == null ? Optional.empty() : PreconditionedSolver.of(prepared);
    }

    @Override
    public void close() {
        closePrepared();
    }

    @Override
    public String toString() {
        return "auto, " + choices.get(current);
    }
}
