package org.trellis.tuner.loop;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.DoubleStream;
import org.trellis.backend.Backend;
import org.trellis.common.KernelCompilationException;
import org.trellis.common.TrellisException;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.device.PreparedLoop;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.features.LoopFeatures;
import org.trellis.tuner.features.LoopFingerprint;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.LoopResult;

/**
 * Looks for the best parameters of one loop with runs of its own. Exhaustive, it measures the backend's whole space.
 * With a budget it measures the rule's parameters, the loop's present ones, the first guess, hints, and one set of
 * each shape, then steps around the best and around the best of shapes that are not much slower, as run-time tuning
 * does, then sets drawn at random. What was measured before is not measured again, so that a search can go on where it
 * was left.
 *
 * <p>Runs change data. What the loop writes is put back before each set of parameters and at the end, and each set's
 * first run is compared with that of the rule's: up to rounding they must agree.
 */
public final class LoopSearch {
    private final LoopMeter meter;
    private final LoopDeclaration loop;
    private final LoopParameters present;
    private final LoopKernels kernels;
    private final LoopFingerprint fingerprint;
    private final LoopSpace space;
    private final LoopAdvice advice;
    private final LoopTuningSettings settings;
    private final Map<LoopParameters, LoopResult> results = new LinkedHashMap<>();
    private LoopResult best;

    /**
     * Prepares a search. Costs a pass over the loop's maps, and a run.
     *
     * @param backend  where the loop runs
     * @param loop     the loop in its present layouts and numbering
     * @param advisor  makes the first guess
     * @param settings how to walk, and whether atomics belong to the space
     * @param known    what was measured before on this device with this loop
     */
    public LoopSearch(Backend backend, ParallelLoop loop, LoopAdvisor advisor, LoopTuningSettings settings,
            List<LoopResult> known) {
        this.loop = loop.declaration();
        this.present = loop.parameters();
        this.settings = Objects.requireNonNull(settings);
        this.kernels = backend.kernels(LoopKernels.class);
        this.fingerprint = LoopFingerprint.of(this.loop);
        LoopParameters rule = kernels.refine(this.loop, kernels.rule(this.loop));
        this.space = new LoopSpace(kernels, this.loop, rule, settings.allowUnrepeatable());
        this.advice = advisor.advise(fingerprint, space);
        this.meter = new LoopMeter(backend, this.loop);
        known.stream().filter(result -> result.loop().equals(fingerprint) && space.fits(result.parameters()))
                .forEach(this::keep);
    }

    /** Receives each set of parameters as soon as it was measured. */
    @FunctionalInterface
    public interface Listener {
        /** Ignores everything. */
        Listener NONE = (result, best, done, total) -> {};

        /**
         * A set was measured.
         *
         * @param result what came of it
         * @param best   the best so far, or null if nothing has worked
         * @param done   sets measured, those known before included
         * @param total  sets that there are
         */
        void tried(LoopResult result, LoopResult best, int done, int total);
    }

    private void keep(LoopResult result) {
        results.put(result.parameters(), result);
        if (result.isCorrect() && (best == null || result.medianSeconds() < best.medianSeconds())) {
            best = result;
        }
    }

    /**
     * Searches. Afterwards the loop's data are what they were.
     *
     * @param budget   how long to go on
     * @param seed     decides on what is drawn at random
     * @param listener receives progress about each set
     * @return the best, if anything worked
     */
    public Optional<LoopResult> run(SearchBudget budget, long seed, Listener listener) {
        List<LoopParameters> all = space.all();
        Progress progress = new Progress(budget, listener, all.size());
        try {
            progress.measure(space.rule());
            if (space.fits(present)) {
                progress.measure(present);
            }
            progress.measure(advice.parameters());
            if (!budget.isExhaustive()) {
                advice.promising().stream().limit(settings.limits().promising()).filter(space::fits)
                        .forEach(progress::measure);
                space.shapes(space.rule().blockSize()).forEach(progress::measure);
                Collections.shuffle(all, new Random(seed));
            }
            all.forEach(parameters -> {
                if (!budget.isExhaustive()) {
                    walk(progress);
                }
                progress.measure(parameters);
            });
            // Limits of registers and the like are not in the list.
            walk(progress);
        } finally {
            meter.restore();
        }
        return best();
    }

    private void walk(Progress progress) {
        Optional<LoopParameters> step = step();
        while (progress.isOpen() && step.isPresent()) {
            progress.measure(step.get());
            step = step();
        }
    }

    private Optional<LoopParameters> step() {
        if (best == null) {
            return Optional.empty();
        }
        double most = best.medianSeconds() * settings.limits().likelySlowdown();
        List<LoopResult> likely = results.values().stream()
                .filter(result -> result.isCorrect() && result.medianSeconds() <= most)
                .sorted(Comparator.comparingDouble(LoopResult::medianSeconds)).toList();
        List<LoopParameters> shapes = new ArrayList<>();
        for (LoopResult from : likely) {
            if (shapes.stream().noneMatch(other -> LoopSpace.sameShape(other, from.parameters()))) {
                for (LoopParameters step : space.around(from.parameters(), shapes.isEmpty())) {
                    if (!results.containsKey(step)) {
                        return Optional.of(step);
                    }
                }
                shapes.add(from.parameters());
            }
        }
        return Optional.empty();
    }

    /**
     * Returns the best so far.
     *
     * @return the result of the smallest median time, if anything worked
     */
    public Optional<LoopResult> best() {
        return Optional.ofNullable(best);
    }

    /**
     * Returns everything that is known.
     *
     * @return what was measured before and now
     */
    public List<LoopResult> results() {
        return List.copyOf(results.values());
    }

    /**
     * Returns what was known before.
     *
     * @return the first guess
     */
    public LoopAdvice advice() {
        return advice;
    }

    /**
     * Returns what the backend's rule proposes.
     *
     * @return parameters
     */
    public LoopParameters rule() {
        return space.rule();
    }

    /**
     * Describes the loop.
     *
     * @return its features, for a profile
     */
    public LoopFeatures features() {
        return LoopFeatures.of(loop);
    }

    /** The budget as it is spent. */
    private final class Progress {
        private final SearchBudget budget;
        private final Listener listener;
        private final int total;
        private final long start = System.nanoTime();
        private int trials;

        Progress(SearchBudget budget, Listener listener, int total) {
            this.budget = budget;
            this.listener = listener;
            this.total = total;
        }

        boolean isOpen() {
            return (System.nanoTime() - start) * 1e-9 < budget.seconds() && trials < budget.trials();
        }

        void measure(LoopParameters parameters) {
            if (results.containsKey(parameters) || !isOpen()) {
                return;
            }
            trials++;
            LoopResult result = LoopSearch.this.measure(parameters);
            keep(result);
            listener.tried(result, best, results.size(), Math.max(total, results.size()));
        }
    }

    private LoopResult measure(LoopParameters parameters) {
        if (!space.fits(parameters)) {
            return invalid(parameters, Invalidity.CONSTRAINTS);
        }
        long start = System.nanoTime();
        try (PreparedLoop prepared = kernels.prepare(loop, parameters)) {
            double preparation = (System.nanoTime() - start) * 1e-9;
            if (!meter.isRight(prepared)) {
                return invalid(parameters, Invalidity.CORRECTNESS);
            }
            return new LoopResult(fingerprint, parameters, meter.time(prepared), preparation, Invalidity.CORRECT,
                    Instant.now());
        } catch (KernelCompilationException e) {
            return invalid(parameters, Invalidity.COMPILE);
        } catch (TrellisException | OutOfMemoryError e) {
            return invalid(parameters, Invalidity.RUNTIME);
        }
    }

    /**
     * Measures some sets again, in turns. Afterwards the loop's data are what they were.
     *
     * @param some   sets that have worked
     * @param rounds how often each is measured
     * @return the times of each set, all rounds together
     */
    @SuppressWarnings("MustBeClosed") // closed here, all together
    public Map<LoopParameters, double[]> again(Collection<LoopParameters> some, int rounds) {
        Map<LoopParameters, PreparedLoop> prepared = new LinkedHashMap<>();
        Map<LoopParameters, double[]> times = new LinkedHashMap<>();
        try {
            some.forEach(parameters -> prepared.put(parameters, kernels.prepare(loop, parameters)));
            for (int round = 0; round < rounds; round++) {
                prepared.forEach((parameters, one) -> times.merge(parameters, meter.time(one),
                        (a, b) -> DoubleStream.concat(DoubleStream.of(a), DoubleStream.of(b)).toArray()));
            }
        } finally {
            prepared.values().forEach(PreparedLoop::close);
            meter.restore();
        }
        return times;
    }

    private LoopResult invalid(LoopParameters parameters, Invalidity reason) {
        return new LoopResult(fingerprint, parameters, new double[0], 0, reason, Instant.now());
    }
}
