package org.trellis.tuner.solver;

import com.google.errorprone.annotations.MustBeClosed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Checks;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.AutomaticSolver;
import org.trellis.solve.krylov.MatrixProperties;
import org.trellis.solve.krylov.SolverContext;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.profile.SolverSetting;
import org.trellis.tuner.profile.TuningDevice;

/**
 * Solves one system after the other with a matrix, or with one whose values change, and finds out on the way how that
 * is done fastest: which method, preconditioner, smoother, cycle and precision of levels, or a factorisation.
 *
 * <pre>{@code
 * try (TunedSolver solver = TunedSolver.of(a)) {
 *     for (double[] b : loads) {
 *         solver.solve(b, x);
 *     }
 * }
 * }</pre>
 *
 * <p>Every solution is a whole one, to the tolerance that was asked for. It begins with what is fastest so far. Now and
 * then another choice goes first; if it falls behind it is cut off, and the fastest goes on from whichever iterate has
 * the smallest residual, the first guess or what the trial has left. What trials cost beyond the fastest, set-ups
 * included, stays within a share of what all solutions take. A choice that reported a solution whose recomputed
 * residual is none is out.
 *
 * <p>Choices by time change bits. A {@linkplain Settings#fixed fixed choice} gives the same bits each time;
 * {@link #history} says what was chosen.
 *
 * <p>Over ranks all call it alike, and decide alike: times are the greatest of all ranks. One object serves one thread.
 */
public final class TunedSolver implements LinearSolver {
    /** The first solution of a process on a device loads kernels, beside which anything looks fast. */
    private static final int COMPARABLE_ON_DEVICE = 2;

    private final Contenders contenders;
    private final Settings settings;
    private final Supplier<FirstGuess> guesses;
    private final Vectors vectors;
    private final Attempt.Work work;
    private final List<Step> history = new ArrayList<>();
    /** Null until the first solution: a program may give other values before it. */
    private FirstGuess guess;
    private Tournament tournament;
    private SolverTurns turns;
    private double tolerance = StoppingCriteria.DEFAULT_TOLERANCE;
    private boolean closed;

    /**
     * How a solver tunes itself.
     *
     * @param solves               how many solutions the program expects; if it needs more, as many again are expected
     * @param excess               the share of the time of all solutions that trials may cost beyond the fastest
     *                             choice, set-ups included, at least 0
     * @param fixed                the one choice that is used, and nothing tried; empty to tune
     * @param first                what it begins with; empty for the first guess
     * @param nearNullSpace        what multigrid has to represent on coarse levels; empty for constants
     * @param nullSpaceOfConstants whether the matrix takes constants to zero, as that of a Neumann problem does
     * @param profiles             what was learnt before, the most trusted first
     * @param model                guesses where no profile knows the structure; empty for the model of the library
     */
    public record Settings(int solves, double excess, Optional<SolverChoice> fixed, Optional<SolverChoice> first,
            Optional<NearNullSpace> nearNullSpace, boolean nullSpaceOfConstants, List<Profile> profiles,
            Optional<SolverModel> model) {
        private static final int USUAL_SOLVES = 20;
        private static final double USUAL_EXCESS = 0.1;

        /**
         * Checks the numbers.
         *
         * @throws IllegalArgumentException if there is no solution, or the share is negative or not finite
         */
        public Settings {
            Checks.positive("expected solutions", solves);
            if (!(excess >= 0) || excess == Double.POSITIVE_INFINITY) {
                throw new IllegalArgumentException("excess of trials is " + excess
                        + ", expected a share of all time, at least 0");
            }
            Objects.requireNonNull(fixed);
            Objects.requireNonNull(first);
            Objects.requireNonNull(nearNullSpace);
            Objects.requireNonNull(model);
            profiles = List.copyOf(profiles);
        }

        /**
         * Returns the usual settings: 20 solutions, of whose time a tenth may go into trials.
         *
         * @return the settings
         */
        public static Settings defaults() {
            return new Settings(USUAL_SOLVES, USUAL_EXCESS, Optional.empty(), Optional.empty(), Optional.empty(),
                    false, List.of(), Optional.empty());
        }

        /**
         * Expects another number of solutions.
         *
         * @param number at least 1
         * @return other settings
         * @throws IllegalArgumentException if the number is less than 1
         */
        public Settings solves(int number) {
            return new Settings(number, excess, fixed, first, nearNullSpace, nullSpaceOfConstants, profiles, model);
        }

        /**
         * Lets trials cost another share.
         *
         * @param share of the time of all solutions, at least 0
         * @return other settings
         * @throws IllegalArgumentException if the share is negative or not finite
         */
        public Settings excess(double share) {
            return new Settings(solves, share, fixed, first, nearNullSpace, nullSpaceOfConstants, profiles, model);
        }

        /**
         * Uses one choice and tries nothing, for the same bits in each run.
         *
         * @param choice the choice, such as {@link TunedSolver#choice} of an earlier run
         * @return other settings
         */
        public Settings fixed(SolverChoice choice) {
            return new Settings(solves, excess, Optional.of(choice), first, nearNullSpace, nullSpaceOfConstants,
                    profiles, model);
        }

        /**
         * Begins with a choice.
         *
         * @param choice the choice
         * @return other settings
         */
        public Settings first(SolverChoice choice) {
            return new Settings(solves, excess, fixed, Optional.of(choice), nearNullSpace, nullSpaceOfConstants,
                    profiles, model);
        }

        /**
         * Gives what coarse levels of multigrid have to represent.
         *
         * @param vectors the near null space
         * @return other settings
         */
        public Settings nearNullSpace(NearNullSpace vectors) {
            return new Settings(solves, excess, fixed, first, Optional.of(vectors), nullSpaceOfConstants, profiles,
                    model);
        }

        /**
         * Says that the matrix takes constants to zero.
         *
         * @return other settings
         */
        public Settings withNullSpaceOfConstants() {
            return new Settings(solves, excess, fixed, first, nearNullSpace, true, profiles, model);
        }

        /**
         * Begins with what a profile knows of the same structure.
         *
         * @param profile such as {@link TunedSolver#addTo} made
         * @return other settings
         */
        public Settings profile(Profile profile) {
            return new Settings(solves, excess, fixed, first, nearNullSpace, nullSpaceOfConstants,
                    List.of(profile), model);
        }

        /**
         * Guesses by a model of one's own.
         *
         * @param own such as {@code trellis profile train-solvers} writes
         * @return other settings
         */
        public Settings model(SolverModel own) {
            return new Settings(solves, excess, fixed, first, nearNullSpace, nullSpaceOfConstants, profiles,
                    Optional.of(own));
        }

        boolean isFixed() {
            return fixed.isPresent();
        }
    }

    /**
     * What a choice did in a solution.
     *
     * @param solve            the number of the solution, from 0
     * @param choice           who solved
     * @param trial            whether this was a trial
     * @param setupSeconds     what preparing or renewing it took
     * @param seconds          what it took then
     * @param iterations       how many it did
     * @param progress         the share of the way to the tolerance that was behind at its end, 1 for a solution
     * @param relativeResidual the recomputed residual over the right-hand side, Euclidean norms; NaN for 0 over 0
     * @param note             what came of it, for people
     */
    public record Step(int solve, SolverChoice choice, boolean trial, double setupSeconds, double seconds,
            int iterations, double progress, double relativeResidual, String note) {
        /** Checks that there is something. */
        public Step {
            Objects.requireNonNull(choice);
            Objects.requireNonNull(note);
        }
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    TunedSolver(Contenders contenders, Settings settings, Supplier<FirstGuess> guesses, LongSupplier nanoTime,
            CollectiveClock clock) {
        this.contenders = contenders;
        this.settings = settings;
        this.guesses = guesses;
        Backend backend = contenders.backend();
        this.vectors = new Vectors(backend, contenders.isAlone());
        this.work = new Attempt.Work(contenders::subtractProduct, vectors,
                backend.vector(contenders.precision(), contenders.rows()),
                backend.vector(contenders.precision(), contenders.rows()), clock, nanoTime, contenders.isOnDevice());
    }

    /**
     * Solves with a matrix, on the backend of the host that is configured, or the best one of the host.
     *
     * @param a a square matrix
     * @return a solver, which the caller closes
     * @throws IllegalArgumentException if the matrix is not square, or an entry is not finite
     */
    @MustBeClosed
    public static TunedSolver of(CsrMatrix a) {
        return of(a, Settings.defaults());
    }

    /**
     * Solves with a matrix, on the backend of the host that is configured, or the best one of the host.
     *
     * @param a        a square matrix
     * @param settings how it tunes itself
     * @return a solver, which the caller closes
     * @throws IllegalArgumentException if the matrix is not square, or an entry is not finite
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public static TunedSolver of(CsrMatrix a, Settings settings) {
        Backend backend = Backends.openHost(Configuration.load());
        try {
            return of(a, SolverContext.of(backend), true, settings);
        } catch (RuntimeException | Error e) {
            backend.close();
            throw e;
        }
    }

    /**
     * Solves with a matrix on a backend.
     *
     * @param a        a square matrix
     * @param backend  where it is solved; not closed by the solver
     * @param settings how it tunes itself
     * @return a solver, which the caller closes before the backend
     * @throws IllegalArgumentException if the matrix is not square, or an entry is not finite
     */
    @MustBeClosed
    public static TunedSolver of(CsrMatrix a, Backend backend, Settings settings) {
        return of(a, SolverContext.of(backend), false, settings);
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    private static TunedSolver of(CsrMatrix a, SolverContext usual, boolean owned, Settings settings) {
        if (a.rows() != a.columns()) {
            throw new IllegalArgumentException("tuned solver for " + a
                    + ", expected a square matrix; method lsqr takes any shape");
        }
        SolverContext parts = new SolverContext(usual.backend(), usual.products(), settings.nearNullSpace());
        MatrixContenders made = new MatrixContenders(a, parts, owned, settings.nullSpaceOfConstants());
        CollectiveClock clock = CollectiveClock.of(usual.backend());
        return new TunedSolver(made, settings, () -> FirstGuess.of(made, settings), clock::nanoTime, clock);
    }

    /**
     * Solves with an operator whose solvers its owner prepares, such as one over ranks, all of which call this.
     *
     * @param known    what is known of the matrix; the same on all ranks
     * @param operator the operator; not closed by the solver
     * @param backend  where it is
     * @param maker    prepares solvers for the values of the operator at that time
     * @param settings how it tunes itself; null spaces are the maker's, and profiles are not asked
     * @return a solver, which the caller closes before the operator
     * @throws IllegalArgumentException if the operator is not square
     */
    @MustBeClosed
    public static TunedSolver of(MatrixProperties known, LinearOperator operator, Backend backend,
            AutomaticSolver.Maker maker, Settings settings) {
        return of(known, operator, backend, maker, settings, KnownSolvers.NONE);
    }

    /**
     * Solves with an operator, and begins with what profiles know of it.
     *
     * @param known    what is known of the matrix; the same on all ranks
     * @param operator the operator; not closed by the solver
     * @param backend  where it is
     * @param maker    prepares solvers for the values of the operator at that time
     * @param settings how it tunes itself; null spaces are the maker's, and profiles are not asked
     * @param solvers  what profiles know of its solvers; the same on all ranks
     * @return a solver, which the caller closes before the operator
     * @throws IllegalArgumentException if the operator is not square
     */
    @MustBeClosed
    public static TunedSolver of(MatrixProperties known, LinearOperator operator, Backend backend,
            AutomaticSolver.Maker maker, Settings settings, KnownSolvers solvers) {
        MadeContenders made = new MadeContenders(known, operator, backend, maker);
        CollectiveClock clock = CollectiveClock.of(backend);
        return new TunedSolver(made, settings, () -> FirstGuess.byKnown(solvers, made.space()), clock::nanoTime, clock);
    }

    /**
     * Solves {@code A x = b} by the {@linkplain StoppingCriteria#defaults default criteria}.
     *
     * @param b the right-hand side
     * @param x the first guess, overwritten by the solution
     * @return how it went
     * @throws IllegalArgumentException if a length does not fit, or an element is not finite
     */
    public SolveReport solve(double[] b, double[] x) {
        return solve(b, x, StoppingCriteria.defaults(contenders.precision()));
    }

    /**
     * Solves {@code A x = b}.
     *
     * @param b        the right-hand side
     * @param x        the first guess, overwritten by the solution
     * @param criteria when to stop; iterations are counted for each choice that has its turn
     * @return how it went
     * @throws IllegalArgumentException if a length does not fit, or an element is not finite
     */
    public SolveReport solve(double[] b, double[] x, StoppingCriteria criteria) {
        Checks.length("length of b", b.length, contenders.rows());
        Checks.length("length of x", x.length, contenders.rows());
        Precision precision = contenders.precision();
        Backend backend = contenders.backend();
        try (DenseVector right = backend.vector(precision, b.length);
                DenseVector solution = backend.vector(precision, x.length)) {
            right.copyFrom(HostVector.of(b).convert(precision));
            solution.copyFrom(HostVector.of(x).convert(precision));
            SolveReport report = solve(right, solution, criteria);
            HostVector found = HostVector.zeros(precision, x.length);
            solution.copyTo(found);
            for (int i = 0; i < x.length; i++) {
                x[i] = found.get(i);
            }
            return report;
        }
    }

    @Override
    public SolveReport solve(DenseVector b, DenseVector x, StoppingCriteria criteria, IterationObserver observer) {
        requireOpen();
        Checks.length("length of b", b.length(), contenders.rows());
        Checks.length("length of x", x.length(), contenders.rows());
        tolerance = criteria.relativeTolerance();
        Attempt attempt = new Attempt(work, b, x, criteria, observer);
        tournament();
        turns.solve(attempt);
        return attempt.report();
    }

    private FirstGuess guess() {
        if (guess == null) {
            guess = guesses.get();
        }
        return guess;
    }

    /** Without lambdas as far as the first solution: each takes a new process as long as many a small system. */
    private Tournament tournament() {
        if (tournament == null) {
            tournament = new Tournament(settings, contenders, firstChoice(), guess().order(), guess().sure(),
                    isHost(contenders.backend()) && !contenders.isOnDevice() ? 1 : COMPARABLE_ON_DEVICE);
            for (Map.Entry<SolverChoice, String> out : guess().out().entrySet()) {
                tournament.contender(out.getKey()).exclude(out.getValue());
            }
            turns = new SolverTurns(contenders, tournament, work, settings.isFixed(), history);
        }
        return tournament;
    }

    private SolverChoice firstChoice() {
        if (settings.isFixed()) {
            return settings.fixed().get();
        }
        return settings.first().isPresent() ? settings.first().get() : guess().order().getFirst();
    }

    private static boolean isHost(Backend backend) {
        return backend.device().space().equals(MemorySpace.HOST);
    }

    /**
     * Takes other values, in the order of the entries of the matrix, for the next solutions.
     *
     * @param values a value for each entry, row by row, by ascending columns
     * @return this
     * @throws IllegalArgumentException      if there are more or fewer values than entries, or one is not finite
     * @throws UnsupportedOperationException if this was made for an operator
     */
    public TunedSolver update(double[] values) {
        CsrMatrix old = matrixContenders().matrix();
        if (values.length != old.nonZeros()) {
            throw new IllegalArgumentException(
                    values.length + " values for " + old + ", expected one for each entry");
        }
        int[] next = {0};
        return update(old.mapValues((row, column, value) -> values[next[0]++]));
    }

    /**
     * Takes a matrix of the same structure for the next solutions.
     *
     * @param values the matrix with its new values
     * @return this
     * @throws IllegalArgumentException      if the matrix has another size, precision or number of entries, or one is
     *                                       not finite
     * @throws IllegalStateException         after {@link #close}
     * @throws UnsupportedOperationException if this was made for an operator
     */
    public TunedSolver update(CsrMatrix values) {
        requireOpen();
        matrixContenders().take(values);
        return renewed();
    }

    private MatrixContenders matrixContenders() {
        if (contenders instanceof MatrixContenders found) {
            return found;
        }
        throw new UnsupportedOperationException("new values for " + contenders
                + ", whose owner gives them to it, and calls renewed() then");
    }

    /**
     * Says that the operator has taken other values.
     *
     * @return this
     * @throws IllegalStateException after {@link #close}
     */
    public TunedSolver renewed() {
        requireOpen();
        if (history.isEmpty()) {
            guess = null;
            tournament = null;
            closeTurns();
        } else {
            turns.renewed();
        }
        return this;
    }

    /**
     * Returns the fastest choice so far.
     *
     * @return what the next solution is found with, unless another one is tried
     */
    public SolverChoice choice() {
        return tournament().champion().choice();
    }

    /**
     * Says whether nothing more is worth a trial at present.
     *
     * @return true once that is so
     */
    public boolean isSettled() {
        return settings.isFixed() || tournament().isSettled();
    }

    /**
     * Returns what was done in each solution.
     *
     * @return one step for each choice that had its turn, in order
     */
    public List<Step> history() {
        return List.copyOf(history);
    }

    /**
     * Says what it began with, and why.
     *
     * @return for people
     */
    public String firstGuess() {
        return settings.fixed().map(choice -> choice + ", which is fixed")
                .or(() -> settings.first().map(choice -> choice + ", which was given"))
                .orElse(guess().order().getFirst() + ", " + guess().reason());
    }

    /**
     * Adds what was measured to a profile, so that another program begins where this one is.
     *
     * @param before the profile
     * @param name   a name of the matrix for people
     * @return a profile with it
     * @throws UnsupportedOperationException if this was made for an operator
     */
    public Profile addTo(Profile before, String name) {
        return addTo(before, name, matrixContenders().matrix(), TuningDevice.of(contenders.backend()), 1);
    }

    /**
     * Adds what was measured over ranks to a profile, on one rank that has the whole matrix.
     *
     * @param before the profile
     * @param name   a name of the matrix for people
     * @param whole  the matrix
     * @param device what a rank computes with
     * @param ranks  how many ranks there are
     * @return a profile with it
     */
    public Profile addTo(Profile before, String name, CsrMatrix whole, TuningDevice device, int ranks) {
        int digits = (int) Math.max(0, Math.round(-Math.log10(Math.max(Double.MIN_NORMAL, tolerance))));
        SolverSetting setting = new SolverSetting(whole.precision(), digits, ranks, tournament().hasUpdates());
        return before.withSolvers(device, name, MatrixFeatures.of(whole), SystemFeatures.of(whole),
                tournament().results(Fingerprint.of(whole), setting, Instant.now()));
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
    }

    private void closeTurns() {
        if (turns != null) {
            turns.close();
            turns = null;
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        closeTurns();
        work.best().close();
        work.rest().close();
        vectors.close();
        contenders.close();
    }

    @Override
    public String toString() {
        return "tuned solver for " + contenders + (tournament == null ? "" : ", " + tournament.champion());
    }
}
