package org.trellis.tuner.solver;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.trellis.common.TrellisException;
import org.trellis.solve.LinearSolver;

/**
 * Who has the turn in a solution: a trial, the fastest choice so far, and what comes after it where it does not solve.
 * Keeps the solvers that are prepared, and writes down what each did.
 */
final class SolverTurns implements AutoCloseable {
    /** A kept preconditioner is renewed from this many times the iterations on that a new one took, and a few more. */
    private static final double GROWTH = 1.5;
    private static final int GROWTH_STEPS = 2;

    private final Contenders contenders;
    private final Tournament tournament;
    private final Attempt.Work work;
    private final boolean fixed;
    private final List<TunedSolver.Step> history;
    private Held held;
    private Held challenger;

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

    /**
     * Begins without a prepared solver.
     *
     * @param fixed   whether nothing but the champion may have a turn
     * @param history where the steps are added
     */
    SolverTurns(Contenders contenders, Tournament tournament, Attempt.Work work, boolean fixed,
            List<TunedSolver.Step> history) {
        this.contenders = contenders;
        this.tournament = tournament;
        this.work = work;
        this.fixed = fixed;
        this.history = history;
    }

    /** Solves a system. */
    void solve(Attempt attempt) {
        Optional<Tournament.Trial> trial = tournament.next();
        if (trial.isPresent()) {
            challenge(trial.get(), attempt);
        } else {
            tournament.defended(defend(attempt), attempt.isSolved());
        }
        tournament.productTook(attempt.productSeconds());
    }

    /** What is prepared is for values that are no more. */
    void renewed() {
        tournament.updated();
        if (held != null) {
            held.stale = true;
            held.checked = false;
        }
        dropChallenger();
    }

    /** Lets a trial go first. */
    private void challenge(Tournament.Trial trial, Attempt attempt) {
        Contender contender = trial.contender();
        int solve = tournament.done();
        boolean shared = tournament.sharesSolver(contender.choice());
        double setup = shared ? 0 : prepareChallenger(contender, attempt);
        if (shared) {
            // What is kept is renewed as the champion is, which takes less than its first set-up did.
            tournament.prepared(contender, tournament.champion().isPrepared()
                    ? tournament.champion().secondsOfRenewal()
                    : 0);
        }
        boolean ready = shared ? held != null : challenger != null;
        if (!ready || (contender.isPrepared() && !tournament.pays(contender))) {
            String why = contender.isOut()
                    ? contender.obstacle()
                    : String.format(Locale.ROOT, "its set-up of %.3g s does not pay", setup);
            record(new TunedSolver.Step(solve, contender.choice(), true, setup, 0, 0, 0, attempt.relativeResidual(),
                    why));
            attempt.note(contender + ", tried: " + why);
            dropChallenger();
            tournament.lost(contender, 0, setup, 0, defend(attempt));
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
        record(new TunedSolver.Step(solve, contender.choice(), true, setup, took, attempt.lastIterations(), progress,
                attempt.relativeResidual(), why));
        attempt.note(contender + ", tried: " + why);
        double rest = defend(attempt);
        if (!tournament.lost(contender, progress, setup, took, rest)) {
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
        int solve = tournament.done();
        Contender before = tournament.champion();
        boolean wins = tournament.won(contender, took, setup);
        boolean again = tournament.goesOnWith(contender);
        String note = wins
                ? "faster than " + before + ", and used from now on"
                : "not faster than " + before + (again ? " the first time, and tried once more" : "");
        record(new TunedSolver.Step(solve, contender.choice(), true, setup, took, attempt.lastIterations(), 1,
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
        double usual = tournament.setupOf(contender.choice());
        long start = work.nanoTime().getAsLong();
        double most = Math.max(Double.MIN_NORMAL,
                Math.min(attempt.timeLeft() / 2, tournament.champion().solveSeconds() * tournament.expected()));
        challenger = prepare(contender, most);
        double setup = work.since(start);
        attempt.prepared(setup);
        if (challenger != null && !contender.choice().isAutomatic()) {
            tournament.preparedForTrial(contender, setup, usual);
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
            Contender champion = tournament.champion();
            byRules |= champion.choice().isAutomatic();
            int solve = tournament.done();
            double setup = ready(attempt);
            double took = 0;
            if (held != null) {
                took = run(held, Double.POSITIVE_INFINITY, attempt);
                setup += preparedMeanwhile(champion, attempt);
                countIterations(attempt);
                record(new TunedSolver.Step(solve, champion.choice(), false, setup, took, attempt.lastIterations(),
                        attempt.progress(), attempt.relativeResidual(),
                        attempt.isSolved() ? "solved" : attempt.lastDetail()));
                if (attempt.isSolved()) {
                    attempt.note(
                            champion + (fixed ? ", the choice that is fixed" : ", the fastest so far"));
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
            if (fixed || attempt.isOutOfTime() || (held != null && attempt.isAtOwnLimit())) {
                requireSome(champion, attempt);
                return took;
            }
            Optional<SolverChoice> next = replacement(champion, byRules, attempt);
            if (next.isEmpty()) {
                requireSome(champion, attempt);
                release(held);
                held = null;
                tournament.depose(SolverChoice.AUTO);
                return took;
            }
            attempt.note(champion + " is left: " + (champion.isOut() ? champion.obstacle() : attempt.lastDetail()));
            release(held);
            held = null;
            tournament.depose(next.get());
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
        return tournament.replacement();
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
        if (!fixed && champion.isOut()) {
            tournament.depose(SolverChoice.AUTO);
        }
    }

    /** Makes the champion ready for the values of now; returns what that took. */
    private double ready(Attempt attempt) {
        Contender champion = tournament.champion();
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
            tournament.firstPrepared(champion, setup);
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

    private void record(TunedSolver.Step step) {
        history.add(step);
        // What solves as before is not worth the start of a logger, which takes longer than a small system.
        if (step.trial() || step.progress() < 1) {
            Log.LOG.log(System.Logger.Level.DEBUG, () -> Instant.now() + " " + step);
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
        dropChallenger();
        release(held);
        held = null;
    }
}
