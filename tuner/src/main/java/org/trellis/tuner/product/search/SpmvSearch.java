package org.trellis.tuner.product.search;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.trellis.common.KernelCompilationException;
import org.trellis.common.TrellisException;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.product.advice.Advice;
import org.trellis.tuner.product.online.KernelNeighbourhood;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.TuningResult;

/**
 * Looks for the best parameters of a matrix with products of its own. Exhaustive, it measures the backend's whole
 * space. With a budget it measures the first guess, the rule and the most promising of a ranking, then sets drawn at
 * random for half of the budget, then the neighbours of the best. On a host, where times are noisy and code is compiled
 * meanwhile, it then measures what is close to the best, the first guess and the rule a second time. What an earlier
 * search has measured is not measured again, so that a search can go on where it was left.
 */
public final class SpmvSearch {
    private static final int FROM_RANKING = 6;
    /** A set that takes longer than this many times the best will not turn out to be the best. */
    private static final double MAX_RATIO_TO_BEST = 3;

    private final ProductMeter meter;
    private final CsrMatrix matrix;
    private final SparseKernels kernels;
    private final Fingerprint fingerprint;
    private final Map<SpmvParameters, TuningResult> results = new LinkedHashMap<>();
    private TuningResult best;

    /**
     * Prepares a search.
     *
     * @param meter       times products of the matrix
     * @param matrix      the matrix
     * @param fingerprint its structure
     * @param known       what was measured before on this device with this matrix and precision
     */
    public SpmvSearch(ProductMeter meter, CsrMatrix matrix, Fingerprint fingerprint, List<TuningResult> known) {
        this.meter = Objects.requireNonNull(meter);
        this.matrix = Objects.requireNonNull(matrix);
        this.fingerprint = Objects.requireNonNull(fingerprint);
        this.kernels = meter.backend().kernels(SparseKernels.class);
        known.forEach(this::keep);
    }

    private void keep(TuningResult result) {
        results.put(result.parameters(), result);
        if (result.isCorrect() && (best == null || result.medianSeconds() < best.medianSeconds())) {
            best = result;
        }
    }

    /**
     * Searches.
     *
     * @param advice   the first guess and the ranking
     * @param budget   how long to go on
     * @param seed     decides on what is drawn at random
     * @param listener hears of each set
     * @return the best, if anything worked
     */
    public Optional<TuningResult> run(Advice advice, SearchBudget budget, long seed, SearchListener listener) {
        List<SpmvParameters> space = new ArrayList<>(kernels.parameterSpace(matrix));
        Progress progress = new Progress(budget, listener, space.size());
        if (budget.isExhaustive()) {
            space.forEach(progress::measure);
            confirm(progress.measured, advice);
            return best();
        }
        promising(advice).forEach(progress::measure);
        Collections.shuffle(space, new Random(seed));
        for (SpmvParameters parameters : space) {
            if (progress.share() >= 0.5) {
                break;
            }
            progress.measure(parameters);
        }
        while (progress.isOpen() && best != null && nextNeighbour().isPresent()) {
            progress.measure(nextNeighbour().orElseThrow());
        }
        space.forEach(progress::measure);
        confirm(progress.measured, advice);
        return best();
    }

    /**
     * Measures again what is not far behind the best, the first guess and the rule, and keeps the better of both
     * results. On a host other programs may have taken its processors the first time, and the first sets of a process
     * are measured before the code that they share with the others has been compiled. A device's own clock needs no
     * second look.
     */
    private void confirm(List<TuningResult> measured, Advice advice) {
        if (meter.hasDeviceClock() || best == null) {
            return;
        }
        Set<SpmvParameters> begun = Set.copyOf(List.of(advice.parameters(), advice.rule()));
        double limit = MAX_RATIO_TO_BEST * best.medianSeconds();
        for (TuningResult first : measured.reversed()) {
            if (first.isCorrect() && (first.medianSeconds() < limit || begun.contains(first.parameters()))) {
                TuningResult second = measure(first.parameters());
                if (second.isCorrect() && second.medianSeconds() < first.medianSeconds()) {
                    keep(second);
                }
            }
        }
    }

    private Set<SpmvParameters> promising(Advice advice) {
        Set<SpmvParameters> first = new LinkedHashSet<>();
        first.add(advice.parameters());
        first.add(advice.rule());
        advice.ranking().stream().limit(FROM_RANKING)
                .filter(ranked -> kernels.constraint(matrix, ranked.parameters()).isEmpty())
                .forEach(ranked -> first.add(ranked.parameters()));
        return first;
    }

    private Optional<SpmvParameters> nextNeighbour() {
        KernelNeighbourhood around = new KernelNeighbourhood(kernels, matrix);
        SpmvParameters from = best.parameters();
        List<SpmvParameters> near = new ArrayList<>();
        for (boolean up : new boolean[]{true, false}) {
            around.rows(from, up).ifPresent(near::add);
            around.threads(from, up).ifPresent(near::add);
            around.block(from, up).ifPresent(near::add);
        }
        near.addAll(around.others(from));
        return near.stream().filter(parameters -> !results.containsKey(parameters)).findFirst();
    }

    /**
     * Returns the best so far.
     *
     * @return the result of the smallest median time, if anything worked
     */
    public Optional<TuningResult> best() {
        return Optional.ofNullable(best);
    }

    /**
     * Returns everything that is known.
     *
     * @return what was measured before and now
     */
    public List<TuningResult> results() {
        return List.copyOf(results.values());
    }

    /** The budget as it is spent. */
    private final class Progress {
        private final SearchBudget budget;
        private final SearchListener listener;
        private final int total;
        private final List<TuningResult> measured = new ArrayList<>();
        private final long start = System.nanoTime();
        private int trials;

        Progress(SearchBudget budget, SearchListener listener, int total) {
            this.budget = budget;
            this.listener = listener;
            this.total = total;
        }

        double share() {
            return Math.max((System.nanoTime() - start) * 1e-9 / budget.seconds(), (double) trials / budget.trials());
        }

        boolean isOpen() {
            return share() < 1;
        }

        void measure(SpmvParameters parameters) {
            if (results.containsKey(parameters) || !isOpen()) {
                return;
            }
            trials++;
            TuningResult result = SpmvSearch.this.measure(parameters);
            keep(result);
            measured.add(result);
            listener.tried(result, best, results.size(), Math.max(total, results.size()));
        }
    }

    /**
     * Measures one set and keeps what came of it.
     *
     * @param parameters the set
     * @return what came of it
     */
    public TuningResult measureAndKeep(SpmvParameters parameters) {
        TuningResult result = measure(parameters);
        keep(result);
        return result;
    }

    /**
     * Measures one set, whether or not it is known.
     *
     * @param parameters the set
     * @return what came of it
     */
    public TuningResult measure(SpmvParameters parameters) {
        if (kernels.constraint(matrix, parameters).isPresent()) {
            return invalid(parameters, Invalidity.CONSTRAINTS);
        }
        long start = System.nanoTime();
        try (SpmvOperator operator = kernels.prepare(matrix, parameters)) {
            operator.makeReady();
            double preparation = (System.nanoTime() - start) * 1e-9;
            if (!meter.isRight(operator)) {
                return invalid(parameters, Invalidity.CORRECTNESS);
            }
            return new TuningResult(fingerprint, matrix.precision(), parameters, meter.time(operator), preparation,
                    Invalidity.CORRECT, Instant.now());
        } catch (KernelCompilationException e) {
            return invalid(parameters, Invalidity.COMPILE);
        } catch (TrellisException | OutOfMemoryError e) {
            return invalid(parameters, Invalidity.RUNTIME);
        }
    }

    private TuningResult invalid(SpmvParameters parameters, Invalidity reason) {
        return new TuningResult(fingerprint, matrix.precision(), parameters, new double[0], 0, reason, Instant.now());
    }
}
