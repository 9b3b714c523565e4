package org.trellis.tuner.solver;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.SolverResult;
import org.trellis.tuner.profile.SolverSetting;

/**
 * Decides what is tried next, and what stays. Knows times only that it is given, so that it decides alike wherever it
 * is given the same: on every rank, and again for the same times.
 */
final class Tournament {
    /** The share of the champion's time after which a trial that has got nowhere ends. */
    private static final double PROBE = 1.0 / 3;
    /** The share of the way to a solution that it must have come by then. */
    private static final double LEAST_PROGRESS = 0.2;
    /** The share of the champion's cost that must be saved for a change, so that noise decides nothing. */
    private static final double GAIN = 0.03;
    /** The share that a choice which was slower before must promise to be tried again. */
    private static final double SECOND_CHANCE = 0.8;
    private static final int NEAR = 1;
    /** What the first set-up of a kind takes at least in a program: code that has not run yet is slow. */
    private static final double COLD_SECONDS = 5e-3;
    /** What a look at all choices takes, which few programs need. */
    private static final double BROWSE_SECONDS = 1e-2;
    /** Solutions between two searches for a candidate, at most. */
    private static final int LONGEST_PAUSE = 8;
    /** A clock's least step, which is no time at all. */
    private static final double LEAST_TIME = 1e-9;

    /** The share of what trials may cost that is left to them where the first guess is sure. */
    private static final double SURE_SHARE = 0.1;
    /** The last part of the solutions that are expected, in which no code runs for the first time. */
    private static final double LAST_PART = 0.25;

    private final TunedSolver.Settings settings;
    private final boolean sure;
    private final int comparable;
    private final SolverSpace space;
    private final Map<SolverChoice, Contender> contenders = new LinkedHashMap<>();
    private final Map<String, Double> setupOfFamily = new LinkedHashMap<>();
    private final List<SolverChoice> order;
    private final List<Contender> tried = new ArrayList<>();
    private SolverChoice centre;
    private List<SolverChoice> near = List.of();
    private Contender champion;
    private Contender pending;
    private int done;
    private int updates;
    private double excess;
    /** What the latest set-up for a trial may have taken since its code had not run yet. */
    private double coldExtra;
    private final double usualProduct;
    private final Contenders known;
    private final ColdCode code;
    private double productSeconds = Double.NaN;
    private int settledAt = -1;
    /** The number of solutions before the next search for a candidate, and how many there are between two. */
    private int nextLook;
    private int pause = 1;

    /**
     * A choice that is to be tried.
     *
     * @param seconds      the time that its solution may take
     * @param probeSeconds the time after which it must have come some way
     */
    record Trial(Contender contender, double seconds, double probeSeconds) {}

    /**
     * Begins.
     *
     * @param known      what a product may take before one was measured, which choices can solve with what was prepared
     *                   for other values, and what has run in this process
     * @param order      what is tried, the most promising first
     * @param sure       whether the first is thought to be near the best
     * @param comparable the number of solutions after which the champion's time is one to compare trials with
     */
    Tournament(TunedSolver.Settings settings, Contenders known, SolverChoice first, List<SolverChoice> order,
            boolean sure, int comparable) {
        this.settings = settings;
        this.space = known.space();
        this.usualProduct = known.productSeconds();
        this.known = known;
        this.code = known.code();
        this.sure = sure;
        this.comparable = comparable;
        this.order = NamedChoices.copyOf(order);
        this.champion = contender(first);
    }

    Contender contender(SolverChoice choice) {
        return contenders.computeIfAbsent(choice, Contender::new);
    }

    List<Contender> known() {
        return List.copyOf(contenders.values());
    }

    Contender champion() {
        return champion;
    }

    boolean isSettled() {
        return settledAt >= 0;
    }

    /** The number of solutions after which nothing more was worth a trial; -1 before. */
    int settledAt() {
        return settledAt;
    }

    double excess() {
        return excess;
    }

    int done() {
        return done;
    }

    void productTook(double seconds) {
        if (!Double.isNaN(seconds)) {
            productSeconds = Double.isNaN(productSeconds) ? seconds : Math.min(productSeconds, seconds);
        }
    }

    void updated() {
        updates++;
        champion.updated();
        if (updates == 1) {
            lookAtOnce();
        }
    }

    /** As many as the program announced; if it solves more, as many again as it has solved. */
    int expected() {
        return Math.max(settings.solves(), done >= settings.solves() ? 2 * done : 0);
    }

    private double remaining() {
        return Math.max(1, expected() - done);
    }

    private double updatesPerSolve() {
        return done == 0 ? 0 : Math.min(1, (double) updates / done);
    }

    /** What a solution costs with what is prepared, other values included. */
    private double cost(Contender contender) {
        double update = contender.isPrepared() ? contender.secondsOfUpdate() : 0;
        return contender.solveSeconds() + (updates == 0 ? 0 : updatesPerSolve() * update);
    }

    private double budget() {
        return share() * expected() * cost(champion) - excess;
    }

    /** A guess that is sure is one for values that stay. */
    private double share() {
        return sure && updates == 0 ? SURE_SHARE * settings.excess() : settings.excess();
    }

    /** Chooses what is tried in the next solution; empty if nothing is. */
    Optional<Trial> next() {
        if (settings.isFixed() || champion.solves() < comparable || !champion.isSteady() || champion.isOut()) {
            return Optional.empty();
        }
        double present = cost(champion);
        if (pending != null) {
            Contender again = pending;
            pending = null;
            if (again.solves() > 0 || PROBE * champion.solveSeconds() <= budget()) {
                return Optional.of(trial(again));
            }
        }
        // Decided at once in most solutions, which may take less than a look at all candidates.
        boolean affordable = PROBE * champion.solveSeconds() <= budget();
        Optional<Contender> next = affordable && done >= nextLook && code.paysForTrials()
                ? looked(present)
                : Optional.empty();
        if (next.isPresent()) {
            settledAt = -1;
            return next.map(this::trial);
        }
        settledAt = settledAt < 0 ? done : settledAt;
        return Optional.empty();
    }

    /** Looks for a candidate, and the less often the longer there is none. */
    private Optional<Contender> looked(double present) {
        Optional<Contender> next = candidate(present);
        pause = next.isPresent() ? 1 : Math.min(LONGEST_PAUSE, 2 * pause);
        nextLook = done + pause;
        return next;
    }

    /** What is known has changed. */
    private void lookAtOnce() {
        pause = 1;
        nextLook = done;
    }

    /**
     * The first of the most promising ones, of those next to the champion, then of all others, which are only made when
     * needed. While a promising one waits until its code can be paid for, nothing is spent on the others.
     */
    private Optional<Contender> candidate(double present) {
        boolean waiting = false;
        for (SolverChoice choice : (Iterable<SolverChoice>) Stream.concat(kept(), inOrder(present))::iterator) {
            Contender one = contender(choice);
            if (isWorthTrying(one, present) && isAffordable(choice, present)) {
                if (!isCold(choice)) {
                    return Optional.of(one);
                }
                waiting = true;
            }
        }
        if (waiting || budget() < BROWSE_SECONDS) {
            return Optional.empty();
        }
        return Stream.<Supplier<List<SolverChoice>>>of(this::near, space::all).flatMap(list -> list.get().stream())
                .map(this::contender).filter(one -> isWorthTrying(one, present)
                        && isAffordable(one.choice(), present) && !isCold(one.choice()))
                .findFirst();
    }

    /** But for those that take a while to be read and whose family costs too much. */
    private Stream<SolverChoice> inOrder(double present) {
        return IntStream.range(0, order.size())
                .filter(i -> NamedChoices.familyBeforeReading(order, i)
                        .map(family -> isAffordable(setupOfFamily(family), present)).orElse(true))
                .mapToObj(order::get);
    }

    private boolean isAffordable(SolverChoice choice, double present) {
        return isAffordable(setupOf(choice), present);
    }

    private boolean isAffordable(double setup, double present) {
        return setup + PROBE * champion.solveSeconds() <= budget() && setup < share() * remaining() * present;
    }

    /**
     * Says whether code would run for the first time that solutions so far cannot pay for, since times to come may
     * fall, or that too few solutions are left for.
     */
    private boolean isCold(SolverChoice choice) {
        double extra = sharesSolver(choice) ? 0 : code.extraSeconds(choice, known.isPlain(choice));
        return extra > code.allowance() || (extra > 0 && remaining() < LAST_PART * expected());
    }

    /** It may take longer than the champion by what it saves where values change. */
    private Trial trial(Contender candidate) {
        double update = candidate.secondsOfUpdate();
        double fixed = setupOf(candidate.choice()) / remaining()
                + updatesPerSolve() * (Double.isNaN(update) ? setupOf(candidate.choice()) : update);
        double seconds = Math.max(PROBE * champion.solveSeconds(), cost(champion) - fixed);
        double extra = candidate.solves() == 0 ? firstExtra() : 0;
        return new Trial(candidate, seconds + extra, PROBE * seconds + extra);
    }

    /**
     * What a solver's first solution takes beyond later ones on a device, where it records launches: as much as that of
     * the champion did, but at most as much again.
     */
    private double firstExtra() {
        return comparable > 1 ? Math.min(champion.firstExtra(), champion.solveSeconds()) : 0;
    }

    /** The champion as it was prepared for other values: a trial that prepares nothing. */
    private Stream<SolverChoice> kept() {
        SolverChoice choice = champion.choice();
        boolean pays = updates > 0 && choice.renewal() == SolverChoice.Renewal.ALWAYS && !choice.isAutomatic()
                && !choice.isDirect() && cost(champion) > (1 + GAIN) * champion.solveSeconds();
        return pays && known.canKeep(choice) ? Stream.of(choice.with(SolverChoice.Renewal.GROWN)) : Stream.empty();
    }

    private List<SolverChoice> near() {
        if (!champion.choice().equals(centre)) {
            centre = champion.choice();
            near = space.neighbours(centre, NEAR);
        }
        return near;
    }

    @SuppressWarnings("ReferenceEquality") // there is one contender of each choice
    private boolean isWorthTrying(Contender candidate, double present) {
        if (candidate == champion || candidate.isOut()) {
            return false;
        }
        if (candidate.choice().renewal() == SolverChoice.Renewal.GROWN && updates == 0) {
            return false;
        }
        if (candidate.solves() > 0) {
            return cost(candidate) < SECOND_CHANCE * present;
        }
        return candidate.trials() == 0 && !hasFailed(candidate.choice());
    }

    /** Those that prepare alike fare alike: a family whose members got nowhere is not tried further. */
    private boolean hasFailed(SolverChoice choice) {
        if (choice.family().equals(champion.choice().family())) {
            return false;
        }
        return tried.stream().anyMatch(other -> other.solves() == 0 && other.progress() < LEAST_PROGRESS
                && other.choice().family().equals(choice.family()));
    }

    /** What preparing takes: measured, or as others of the family took, or in products. */
    double setupOf(SolverChoice choice) {
        if (sharesSolver(choice)) {
            return 0;
        }
        Contender known = contender(choice);
        if (known.isPrepared()) {
            return known.setupSeconds();
        }
        return setupOfFamily(choice.family());
    }

    private double setupOfFamily(String family) {
        Double alike = setupOfFamily.get(family);
        if (alike != null) {
            return alike;
        }
        double products = switch (family) {
            case "none" -> 0;
            case "jacobi", "l1-jacobi", "spai0", "polynomial", "block-jacobi" -> 40;
            case "chebyshev" -> 100;
            case "ssor", "gauss-seidel", "sor", "ic0", "ilu0" -> 180;
            case "fsai" -> 300;
            default -> 400;
        };
        return Math.max(COLD_SECONDS, products * (Double.isNaN(productSeconds) ? usualProduct : productSeconds));
    }

    /** Says whether a choice differs from the champion in nothing that is prepared. */
    boolean sharesSolver(SolverChoice choice) {
        return choice.stack().equals(champion.choice().stack());
    }

    void prepared(Contender contender, double seconds) {
        coldExtra = 0;
        contender.prepared(seconds);
        setupOfFamily.merge(contender.choice().family(), seconds, Math::min);
    }

    /** Counts the preparation of the first champion, without which there is no solution. */
    void firstPrepared(Contender contender, double seconds) {
        code.ran(contender.choice(), known.isPlain(contender.choice()), 0);
        prepared(contender, seconds);
    }

    /**
     * Counts the preparation for a trial.
     *
     * @param usual what was expected of it
     */
    void preparedForTrial(Contender contender, double seconds, double usual) {
        prepared(contender, seconds);
        boolean simple = known.isPlain(contender.choice());
        coldExtra = code.extraSeconds(contender.choice(), simple);
        excess -= code.ran(contender.choice(), simple, seconds - usual);
    }

    /** Counts a solution of the champion alone, or that there was none. */
    void defended(double seconds, boolean solved) {
        if (solved) {
            champion.solved(seconds);
            code.solved(settings.excess() * seconds);
        }
        done++;
    }

    /**
     * Says whether a set-up that took longer than was thought can still pay. It is made, and what counts from now on is
     * that for other values, whose code has run.
     */
    boolean pays(Contender contender) {
        return updatesPerSolve() * (contender.secondsOfUpdate() - coldExtra) < cost(champion);
    }

    /** Says whether a trial that has used its probe goes on. */
    static boolean isPromising(double progress) {
        return progress >= LEAST_PROGRESS;
    }

    /**
     * Counts a trial that solved the system.
     *
     * @param seconds of the solution
     * @param setup   what preparing it took for this trial
     * @return whether it is the champion now; if not, it may {@linkplain #goesOnWith go on}
     */
    boolean won(Contender contender, double seconds, double setup) {
        contender.tried(1);
        tried.add(contender);
        contender.solved(seconds);
        code.solved(settings.excess() * seconds);
        done++;
        excess += setup + Math.max(0, seconds - champion.solveSeconds());
        if (cost(contender) < (1 - GAIN) * cost(champion)) {
            champion = contender;
            return true;
        }
        boolean first = contender.solves() == 1 && firstExtra() > 0;
        pending = first && cost(contender) - firstExtra() < (1 - GAIN) * cost(champion) ? contender : null;
        return false;
    }

    /** Says whether a contender that is prepared is tried in the next solution again. */
    @SuppressWarnings("ReferenceEquality") // there is one contender of each choice
    boolean goesOnWith(Contender contender) {
        return pending == contender;
    }

    /**
     * Counts a trial that did not solve the system, after the champion has.
     *
     * @param progress    the share of the way to a solution that it came
     * @param setup       what preparing it took for this trial
     * @param trialSeconds what it took
     * @param restSeconds  what the champion took for the rest
     * @return whether it is worth going on with it, since its code is warm now
     */
    boolean lost(Contender contender, double progress, double setup, double trialSeconds, double restSeconds) {
        double usual = champion.solveSeconds();
        contender.tried(progress);
        tried.add(contender);
        code.solved(settings.excess() * restSeconds);
        done++;
        excess += setup + (Double.isNaN(usual) ? trialSeconds : Math.max(0, trialSeconds + restSeconds - usual));
        boolean near = !contender.isOut() && contender.trials() == 1 && progress > 0
                && trialSeconds / progress < 1 / SECOND_CHANCE * usual;
        pending = near ? contender : null;
        return near;
    }

    /**
     * Who solves what neither the champion nor the choice by rules does: the most promising one that nothing speaks
     * against. What prepares alike what has not solved the system comes last.
     */
    Optional<SolverChoice> replacement() {
        Set<String> failed = contenders.values().stream().filter(Contender::isOut).map(one -> one.choice().family())
                .collect(Collectors.toSet());
        return left().filter(choice -> !failed.contains(choice.family())).findFirst().or(() -> left().findFirst());
    }

    private Stream<SolverChoice> left() {
        return order.stream().filter(choice -> !choice.isAutomatic() && !contender(choice).isOut());
    }

    /** Makes another one the champion, since this one does not solve the system. */
    void depose(SolverChoice next) {
        champion = contender(next);
        lookAtOnce();
    }

    boolean hasUpdates() {
        return updates > 0;
    }

    /** Returns what was measured, for a profile. */
    @SuppressWarnings("ReferenceEquality") // there is one contender of each choice
    List<SolverResult> results(Fingerprint matrix, SolverSetting setting, Instant now) {
        List<SolverResult> results = new ArrayList<>();
        for (Contender one : contenders.values()) {
            Invalidity invalidity = one.isBelied()
                    ? Invalidity.CORRECTNESS
                    : one.isOut() && !one.isPrepared()
                            ? Invalidity.CONSTRAINTS
                            : one.isOut()
                                    ? Invalidity.RUNTIME
                                    : one.solves() > 0 ? Invalidity.CORRECT : Invalidity.TIMEOUT;
            double prepare = setting.updated() ? one.secondsOfUpdate() : one.setupSeconds();
            double[] seconds = Arrays.stream(one.measuredSeconds()).map(time -> Math.max(LEAST_TIME, time)).toArray();
            if (one.solves() > 0 || one.trials() > 0 || one.isOut()) {
                results.add(new SolverResult(matrix, setting, one.choice().toMap(),
                        invalidity == Invalidity.CORRECT ? seconds : new double[0],
                        Double.isNaN(prepare) ? 0 : prepare, invalidity, one == champion, now));
            }
        }
        return results;
    }

    @Override
    public String toString() {
        return "tournament of " + order.size() + " solvers, champion " + champion;
    }
}
