package org.trellis.bench.measure;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;

/** Contenders that are in memory at the same time and take turns. */
final class ContenderGroup {
    private static final double WARM_UP_TURN_SECONDS = 0.02;
    private static final int WARM_UP_WINDOW = 3;
    private static final int WARM_UP_LIMIT = 40;
    private static final double STEADY = 0.98;

    private final String matrixName;
    private final Map<Precision, Problem> problems;
    private final MeasureSettings settings;
    private final ProgressListener progress;
    private final List<Competitor> competitors = new ArrayList<>();
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<Failure> failures = new ArrayList<>();

    ContenderGroup(String matrixName, Map<Precision, Problem> problems, MeasureSettings settings,
            ProgressListener progress) {
        this.matrixName = matrixName;
        this.problems = problems;
        this.settings = settings;
        this.progress = progress;
    }

    Outcome run(List<Contender> contenders) {
        try {
            for (Contender contender : contenders) {
                progress.progress("prepare " + matrixName, competitors.size(), contenders.size());
                enter(contender);
            }
            warmUp();
            settle();
            chooseBatches();
            takeTurns();
            List.copyOf(competitors).forEach(this::finish);
        } finally {
            competitors.forEach(Competitor::close);
        }
        return new Outcome(measurements, failures);
    }

    @SuppressWarnings("MustBeClosed") // closed with the others at the end of the run
    private void enter(Contender contender) {
        List<Competitor> made = new ArrayList<>();
        Optional<String> problem = attempt(() -> made.add(prepare(contender)));
        if (problem.isPresent()) {
            failures.add(Failure.of(matrixName, contender, "prepare", problem.get()));
            return;
        }
        Competitor competitor = made.getFirst();
        competitors.add(competitor);
        whileRight(competitor, "check", c -> {
            c.product().run();
            requireRight(c);
        });
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // the competitor's
    private Competitor prepare(Contender contender) {
        Problem problem = problems.get(contender.precision());
        Preparation prepared = Preparation.of(() -> contender.prepare(problem.matrix(), problem.x()));
        return new Competitor(contender, prepared.product(), prepared.seconds());
    }

    private void warmUp() {
        List<Double> totals = new ArrayList<>();
        double least = Math.min(1, settings.seconds()) / 2;
        for (int round = 0; round < WARM_UP_LIMIT && !competitors.isEmpty(); round++) {
            progress.progress("warm up " + matrixName, round, WARM_UP_LIMIT);
            for (Competitor competitor : List.copyOf(competitors)) {
                whileRight(competitor, "warm up", c -> c.warmUp(WARM_UP_TURN_SECONDS));
            }
            totals.add(competitors.stream().mapToDouble(Competitor::fastestWarmUp).sum());
            if (round * WARM_UP_TURN_SECONDS >= least && steady(totals)) {
                return;
            }
        }
    }

    /** Goes on with those that look for a faster way while they work, until they have taken one. */
    private void settle() {
        long start = System.nanoTime();
        double passed = 0;
        while (passed < settings.settlingSeconds()) {
            List<Competitor> looking = competitors.stream().filter(c -> !c.product().isSettled()).toList();
            if (looking.isEmpty()) {
                return;
            }
            progress.progress("settle " + matrixName, (long) (1e3 * passed), (long) (1e3 * settings.settlingSeconds()));
            looking.forEach(competitor -> whileRight(competitor, "warm up", c -> c.warmUp(WARM_UP_TURN_SECONDS)));
            passed = (System.nanoTime() - start) * 1e-9;
        }
    }

    /** Steady when the last rounds did not find products that are notably faster. */
    private static boolean steady(List<Double> totals) {
        int last = totals.size() - 1;
        return last >= WARM_UP_WINDOW && totals.get(last) >= STEADY * totals.get(last - WARM_UP_WINDOW);
    }

    /** Within a sample of several products only the first would find flushed caches. */
    private void chooseBatches() {
        boolean flushed = settings.caches() == MeasureSettings.Caches.FLUSHED;
        competitors.forEach(competitor -> competitor.chooseBatch(flushed ? 0 : settings.minimumSampleSeconds()));
    }

    private void takeTurns() {
        System.gc();
        CacheFlush flush = new CacheFlush(settings.caches());
        double turn = settings.seconds() / settings.rounds();
        List<Competitor> all = List.copyOf(competitors);
        List<List<Integer>> rounds = Schedule.rounds(all.size(), settings.rounds(), settings.seed());
        for (int round = 0; round < rounds.size(); round++) {
            progress.progress("measure " + matrixName, round, rounds.size());
            for (int index : rounds.get(round)) {
                Competitor competitor = all.get(index);
                if (competitors.contains(competitor)) {
                    whileRight(competitor, "measure", c -> c.takeTurn(turn, flush));
                    pause(competitor.product().lingerMilliseconds());
                }
            }
        }
        progress.progress("measure " + matrixName, rounds.size(), rounds.size());
    }

    private void pause(int milliseconds) {
        if (milliseconds == 0 || competitors.size() == 1) {
            return;
        }
        try {
            Thread.sleep(milliseconds);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the measurement was interrupted", e);
        }
    }

    private void finish(Competitor competitor) {
        whileRight(competitor, "measure", c -> {
            ErrorCheck.Verdict verdict = requireRight(c);
            Contender contender = c.contender();
            Traffic traffic = Traffic.of(problems.get(contender.precision()).matrix(), contender.precision());
            measurements.add(c.measurement(matrixName, traffic, verdict));
        });
    }

    private ErrorCheck.Verdict requireRight(Competitor competitor) {
        Problem problem = problems.get(competitor.contender().precision());
        ErrorCheck.Verdict verdict = problem.check().judge(competitor.product().result());
        if (!verdict.accepted()) {
            throw new IllegalStateException("wrong result: " + verdict.explanation());
        }
        return verdict;
    }

    /** Lets a competitor do something; one that fails is out. */
    private void whileRight(Competitor competitor, String stage, Consumer<Competitor> action) {
        attempt(() -> action.accept(competitor)).ifPresent(problem -> {
            failures.add(Failure.of(matrixName, competitor.contender(), stage, problem));
            competitors.remove(competitor);
            competitor.close();
        });
    }

    // A contender may be anybody's code: whatever it throws is its failure, and the others go on.
    @SuppressWarnings("checkstyle:IllegalCatch")
    private static Optional<String> attempt(Runnable action) {
        try {
            action.run();
            return Optional.empty();
        } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
            return Optional.of(e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }
}
