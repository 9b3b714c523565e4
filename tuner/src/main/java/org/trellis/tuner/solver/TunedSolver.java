package org.trellis.tuner.solver;

import com.google.errorprone.annotations.MustBeClosed;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
import org.trellis.common.TrellisException;
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
    /** A kept preconditioner is renewed from this many times the iterations on that a new one took, and a few more. */
    private static final double GROWTH = 1.5;
    private static final int GROWTH_STEPS = 2;
    private static final double ALL = Double.POSITIVE_INFINITY;
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
    private Held held;
    private Held challenger;
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
            if (!(excess >= 0) || excess == ALL) {
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

    /** Opened when there is something to say. */
    private static final class Log {
        private static final System.Logger LOG = System.getLogger(TunedSolver.class.getName());

        private Log() {}
    }

    /** A prepared solver, and whether it was prepared for older values. */
    private static final class Held {
        private final Contender contender;
        private final LinearSolver solver;
        private boolean stale;
        private boolean grown;
        /** Whether a solution with the values of now was checked. */
        private boolean checked;
        private int freshIterations = -1;

        Held(Contender contender, LinearSolver solver) {
            this.contender = contender;
            this.solver = solver;
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
        Optional<Tournament.Trial> trial = tournament().next();
        if (trial.isPresent()) {
            challenge(trial.get(), attempt);
        } else {
            tournament().defended(defend(attempt), attempt.isSolved());
        }
        tournament().productTook(attempt.productSeconds());
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
        }
        return tournament;
    }

    private SolverChoice firstChoice() {
        if (settings.isFixed()) {
            return settings.fixed().get();
        }
        return settings.first().isPresent() ? settings.first().get() : guess().order().getFirst();
    }

    /** Lets a trial go first. */
    private void challenge(Tournament.Trial trial, Attempt attempt) {
        Contender contender = trial.contender();
        int solve = tournament().done();
        boolean shared = tournament().sharesSolver(contender.choice());
        double setup = shared ? 0 : prepareChallenger(contender, attempt);
        if (shared) {
            // What is kept is renewed as the champion is, which takes less than its first set-up did.
            tournament().prepared(contender, tournament().champion().isPrepared()
                    ? tournament().champion().secondsOfRenewal()
                    : 0);
        }
        boolean ready = shared ? held != null : challenger != null;
        if (!ready || (contender.isPrepared() && !tournament().pays(contender))) {
            String why = contender.isOut()
                    ? contender.obstacle()
                    : String.format(Locale.ROOT, "its set-up of %.3g s does not pay", setup);
            record(new Step(solve, contender.choice(), true, setup, 0, 0, 0, attempt.relativeResidual(), why));
            attempt.note(contender + ", tried: " + why);
            dropChallenger();
            tournament().lost(contender, 0, setup, 0, defend(attempt));
            return;
        }
        double took = probe(shared ? held : challenger, trial, attempt);
        setup += preparedMeanwhile(contender, attempt);
        double progress = attempt.progress();
        if (attempt.isSolved()) {
            finishWon(contender, attempt, setup, took, shared);
            return;
        }
        if (attempt.isBelied()) {
            contender.belie("reported a solution whose recomputed residual is " + attempt.residual());
        }
        String why = contender.isOut() ? contender.obstacle() : "cut off: " + attempt.lastDetail();
        record(new Step(solve, contender.choice(), true, setup, took, attempt.lastIterations(), progress,
                attempt.relativeResidual(), why));
        attempt.note(contender + ", tried: " + why);
        double rest = defend(attempt);
        if (!tournament().lost(contender, progress, setup, took, rest)) {
            dropChallenger();
        }
    }

    /** A trial has a third of the champion's time, and the rest if it has come some way by then. */
    private double probe(Held tried, Tournament.Trial trial, Attempt attempt) {
        double took = run(tried, trial.probeSeconds(), attempt);
        if (!attempt.isSolved() && !attempt.isBelied() && Tournament.isPromising(attempt.progress())
                && took < trial.seconds() && !attempt.isOutOfTime()) {
            took += run(tried, trial.seconds() - took, attempt);
        }
        return took;
    }

    /** On a device the residuals of what was found honest once are not computed twice: each look waits for it. */
    private double run(Held prepared, double most, Attempt attempt) {
        double took = attempt.run(prepared.solver, most, prepared.checked && contenders.isOnDevice());
        prepared.checked |= attempt.isSolved();
        return took;
    }

    private void finishWon(Contender contender, Attempt attempt, double setup, double took, boolean shared) {
        int solve = tournament().done();
        Contender before = tournament().champion();
        boolean wins = tournament().won(contender, took, setup);
        boolean again = tournament().goesOnWith(contender);
        String note = wins
                ? "faster than " + before + ", and used from now on"
                : "not faster than " + before + (again ? " the first time, and tried once more" : "");
        record(new Step(solve, contender.choice(), true, setup, took, attempt.lastIterations(), 1,
                attempt.relativeResidual(),
                note));
        attempt.note(contender + ", tried: " + note);
        if (wins && shared) {
            Held same = new Held(contender, held.solver);
            same.stale = held.stale;
            same.freshIterations = held.freshIterations;
            same.checked = held.checked;
            held = same;
        } else if (wins) {
            release(held);
            held = challenger;
            held.freshIterations = attempt.lastIterations();
            challenger = null;
        } else if (!again) {
            dropChallenger();
        }
    }

    private double prepareChallenger(Contender contender, Attempt attempt) {
        if (challenger != null && challenger.contender.equals(contender) && !challenger.stale) {
            return 0;
        }
        dropChallenger();
        double usual = tournament().setupOf(contender.choice());
        long start = work.nanoTime().getAsLong();
        double most = Math.max(Double.MIN_NORMAL,
                Math.min(attempt.timeLeft() / 2, tournament().champion().solveSeconds() * tournament().expected()));
        challenger = prepare(contender, most);
        double setup = work.since(start);
        attempt.prepared(setup);
        if (challenger != null && !contender.choice().isAutomatic()) {
            tournament().preparedForTrial(contender, setup, usual);
        }
        return setup;
    }

    /** Prepares a choice; what cannot be prepared is out. */
    private Held prepare(Contender contender, double most) {
        try {
            return new Held(contender, contenders.prepare(contender.choice(), most));
        } catch (IllegalArgumentException | TrellisException e) {
            contender.exclude("cannot be prepared: " + e.getMessage());
            return null;
        }
    }

    /** Solves with the champion, and with what comes after it where it does not; returns the seconds of the last. */
    private double defend(Attempt attempt) {
        boolean byRules = false;
        while (true) {
            Contender champion = tournament().champion();
            byRules |= champion.choice().isAutomatic();
            int solve = tournament().done();
            double setup = ready(attempt);
            double took = 0;
            if (held != null) {
                took = run(held, ALL, attempt);
                setup += preparedMeanwhile(champion, attempt);
                countIterations(attempt);
                record(new Step(solve, champion.choice(), false, setup, took, attempt.lastIterations(),
                        attempt.progress(), attempt.relativeResidual(),
                        attempt.isSolved() ? "solved" : attempt.lastDetail()));
                if (attempt.isSolved()) {
                    attempt.note(
                            champion + (settings.isFixed() ? ", the choice that is fixed" : ", the fastest so far"));
                    return took;
                }
                if (held.stale) {
                    held.grown = true;
                    attempt.note(champion + " is made anew: " + attempt.lastDetail());
                    continue;
                }
                if (attempt.isBelied()) {
                    champion.belie("reported a solution whose recomputed residual is " + attempt.residual());
                }
            }
            if (settings.isFixed() || attempt.isOutOfTime() || (held != null && attempt.isAtOwnLimit())) {
                requireSome(champion, attempt);
                return took;
            }
            Optional<SolverChoice> next = replacement(champion, byRules, attempt);
            if (next.isEmpty()) {
                requireSome(champion, attempt);
                release(held);
                held = null;
                tournament().depose(SolverChoice.AUTO);
                return took;
            }
            attempt.note(champion + " is left: " + (champion.isOut() ? champion.obstacle() : attempt.lastDetail()));
            release(held);
            held = null;
            tournament().depose(next.get());
        }
    }

    /**
     * Who solves what the champion does not: the choice by rules, which has remedies of its own, then what is thought
     * to be fast otherwise. The choice by rules stays for other right-hand sides.
     */
    private Optional<SolverChoice> replacement(Contender champion, boolean byRules, Attempt attempt) {
        if (!champion.isOut() && !champion.choice().isAutomatic()) {
            champion.exclude("did not solve the system: " + attempt.lastDetail());
        }
        if (!byRules) {
            return Optional.of(SolverChoice.AUTO);
        }
        return tournament().replacement();
    }

    /** The choice by rules prepares when it solves. */
    private static double preparedMeanwhile(Contender contender, Attempt attempt) {
        double inner = attempt.lastPreparation();
        if (inner > 0 && contender.isPrepared()) {
            contender.renewed(inner);
        } else if (inner > 0) {
            contender.prepared(inner);
        }
        return inner;
    }

    /** What was not ready in the time that the program allows gives way to rules, which prepare while they solve. */
    private void requireSome(Contender champion, Attempt attempt) {
        if (attempt.hasRun()) {
            return;
        }
        if (!attempt.isOutOfTime()) {
            throw new IllegalArgumentException(champion + " for " + contenders + " " + champion.obstacle());
        }
        attempt.endUnprepared(champion.toString());
        if (!settings.isFixed() && champion.isOut()) {
            tournament().depose(SolverChoice.AUTO);
        }
    }

    /** Makes the champion ready for the values of now; returns what that took. */
    private double ready(Attempt attempt) {
        Contender champion = tournament().champion();
        if (held != null && !held.stale) {
            return 0;
        }
        boolean keep = held != null && champion.choice().renewal() == SolverChoice.Renewal.GROWN && !held.grown
                && contenders.canKeep(champion.choice());
        if (keep) {
            return 0;
        }
        long start = work.nanoTime().getAsLong();
        boolean first = held == null;
        if (first || !refreshed(champion)) {
            release(held);
            held = prepare(champion, Math.max(Double.MIN_NORMAL, attempt.timeLeft() / 2));
        }
        double setup = work.since(start);
        attempt.prepared(setup);
        if (held == null) {
            return setup;
        }
        held.stale = false;
        held.grown = false;
        held.checked = false;
        held.freshIterations = -1;
        if (champion.choice().isAutomatic()) {
            return setup;
        }
        if (first) {
            tournament().firstPrepared(champion, setup);
        } else {
            champion.renewed(setup);
        }
        return setup;
    }

    private boolean refreshed(Contender champion) {
        try {
            return contenders.refresh(champion.choice(), held.solver);
        } catch (TrellisException e) {
            Log.LOG.log(System.Logger.Level.DEBUG, () -> champion + " cannot be refreshed: " + e.getMessage());
            return false;
        }
    }

    /** What is kept is renewed before the next solution once it takes many more iterations than when it was new. */
    private void countIterations(Attempt attempt) {
        if (!held.stale && held.freshIterations < 0) {
            held.freshIterations = attempt.lastIterations();
        } else if (held.stale && attempt.lastIterations() > GROWTH * held.freshIterations + GROWTH_STEPS) {
            held.grown = true;
        }
    }

    private void record(Step step) {
        history.add(step);
        // What solves as before is not worth the start of a logger, which takes longer than a small system.
        if (step.trial() || step.progress() < 1) {
            Log.LOG.log(System.Logger.Level.DEBUG, () -> Instant.now() + " " + step);
        }
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
            return this;
        }
        tournament().updated();
        if (held != null) {
            held.stale = true;
            held.checked = false;
        }
        dropChallenger();
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

    private void dropChallenger() {
        release(challenger);
        challenger = null;
    }

    private static void release(Held solver) {
        if (solver != null) {
            solver.solver.close();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        dropChallenger();
        release(held);
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
