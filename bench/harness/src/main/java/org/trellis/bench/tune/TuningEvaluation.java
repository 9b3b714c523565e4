package org.trellis.bench.tune;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.ElementKernels;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;
import org.trellis.tuner.contest.SearchBudget;
import org.trellis.tuner.contest.TuningSettings;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.product.advice.Advice;
import org.trellis.tuner.product.advice.Advisor;
import org.trellis.tuner.product.online.OnlineSearch;
import org.trellis.tuner.product.online.TunedSpmvOperator;
import org.trellis.tuner.product.search.ProductMeter;
import org.trellis.tuner.product.search.SpmvSearch;
import org.trellis.tuner.profile.TuningResult;

/**
 * Judges run-time tuning: first the products of a program that tunes, then an exhaustive search that shows how
 * good each variant was. A vector update goes before each product, as in conjugate gradients, and the host waits
 * after it, as for a dot product.
 */
public final class TuningEvaluation {
    private static final int ROUNDS = 5;
    private static final int SAMPLES_OF_A_ROUND = 4;

    private final Backend backend;
    private final TuningSettings settings;
    private final int products;
    private final long seed;
    private final ProgressListener progress;

    /**
     * Creates an evaluation.
     *
     * @param backend  an open backend
     * @param settings how far to tune
     * @param products products that a program makes
     * @param seed     decides on the vectors
     * @param progress receives each step
     */
    public TuningEvaluation(Backend backend, TuningSettings settings, int products, long seed,
            ProgressListener progress) {
        this.backend = backend;
        this.settings = settings;
        this.products = products;
        this.seed = seed;
        this.progress = progress;
    }

    /**
     * What was found about a matrix.
     *
     * @param outcome how tuning did
     * @param results what was measured afterwards, with the times that judge
     */
    public record Evaluated(TuningOutcome outcome, List<TuningResult> results) {
        /** Copies the list. */
        public Evaluated {
            results = List.copyOf(results);
        }
    }

    /**
     * Evaluates.
     *
     * @param name    the matrix's name
     * @param matrix  the matrix in the precision of the products
     * @param advisor makes the first guess; to be fair, knows nothing of this matrix
     * @param finalists the best sets of an earlier exhaustive search, which are measured again in place of another
     *                  one; none for a search now
     * @return how tuning did
     */
    public Evaluated run(String name, CsrMatrix matrix, Advisor advisor, List<SpmvParameters> finalists) {
        try (ProductMeter meter = new ProductMeter(backend, matrix, seed)) {
            long start = System.nanoTime();
            Advice advice = advisor.advise(matrix);
            double adviceSeconds = (System.nanoTime() - start) * 1e-9;
            List<SpmvParameters> used = new ArrayList<>();
            List<SpmvParameters> believed = new ArrayList<>();
            int tunedAfter = 0;
            double preparation;
            List<Double> measured;
            progress.progress("tune " + name, 0, products);
            try (TunedSpmvOperator operator = TunedSpmvOperator.prepare(backend, matrix, advice, settings);
                    DenseVector copy = backend.vector(matrix.precision(), matrix.columns())) {
                ElementKernels vectors = backend.kernels(ElementKernels.class);
                for (int i = 0; i < products; i++) {
                    vectors.update(1, null, meter.x(), 0, copy);
                    operator.multiply(copy, meter.y());
                    meter.synchronize();
                    used.add(tunedAfter > 0 ? operator.parameters() : operator.lastParameters());
                    // The time of this product is read before the next one, or here.
                    believed.add(operator.parameters());
                    tunedAfter = tunedAfter == 0 && operator.isTuned() ? i + 1 : tunedAfter;
                    progress.progress("tune " + name, i + 1, products);
                }
                preparation = operator.preparationSeconds();
                measured = inOrder(used, operator.history());
            }
            SpmvSearch search = new SpmvSearch(meter, matrix, Fingerprint.of(matrix), List.of());
            Map<SpmvParameters, Double> seconds = measure(name, meter, search, matrix, advice, used, finalists);
            return new Evaluated(new TuningOutcome(name, matrix.precision(), seconds, advice.rule(),
                    advice.parameters(), used, measured, believed, tunedAfter, preparation, adviceSeconds),
                    search.results().stream().map(result -> timed(result, seconds)).toList());
        }
    }

    private static TuningResult timed(TuningResult result, Map<SpmvParameters, Double> seconds) {
        return !result.isCorrect()
                ? result
                : new TuningResult(result.matrix(), result.precision(), result.parameters(),
                        new double[]{seconds.get(result.parameters())}, result.prepareSeconds(), result.invalidity(),
                        result.timestamp());
    }

    /** The times in the order of the products; each product was timed until the last time there is. */
    private static List<Double> inOrder(List<SpmvParameters> used, List<OnlineSearch.Sampled> history) {
        Map<SpmvParameters, Iterator<Double>> times = new HashMap<>();
        history.forEach(way -> times.put(way.parameters(), Arrays.stream(way.seconds()).boxed().iterator()));
        return used.stream().map(way -> times.getOrDefault(way, Collections.emptyIterator()))
                .takeWhile(Iterator::hasNext).map(Iterator::next).toList();
    }

    private Map<SpmvParameters, Double> measure(String name, ProductMeter meter, SpmvSearch search, CsrMatrix matrix,
            Advice advice, List<SpmvParameters> used, List<SpmvParameters> finalists) {
        if (finalists.isEmpty()) {
            search.run(advice, SearchBudget.EXHAUSTIVE, seed,
                    (result, best, done, total) -> progress.progress("search " + name, done, total));
        } else {
            finalists.forEach(search::measureAndKeep);
        }
        Map<SpmvParameters, Double> seconds = new HashMap<>();
        search.results().stream().filter(TuningResult::isCorrect)
                .forEach(result -> seconds.put(result.parameters(), result.medianSeconds()));
        List<SpmvParameters> others = new ArrayList<>(used);
        others.add(advice.rule());
        for (SpmvParameters parameters : others) {
            if (!seconds.containsKey(parameters)) {
                seconds.put(parameters, search.measure(parameters).medianSeconds());
            }
        }
        return takeTurns(meter, matrix, seconds);
    }

    /**
     * The speed of a processor drifts, and on a device the caches remember what ran before: all are prepared and
     * measured again, in turns. On a host the least of the medians counts, since others only make times longer, on a
     * device the median of them.
     */
    @SuppressWarnings("MustBeClosed") // closed here, all together
    private Map<SpmvParameters, Double> takeTurns(ProductMeter meter, CsrMatrix matrix,
            Map<SpmvParameters, Double> seconds) {
        Map<SpmvParameters, SpmvOperator> operators = new LinkedHashMap<>();
        Map<SpmvParameters, double[]> medians = new HashMap<>();
        SparseKernels kernels = backend.kernels(SparseKernels.class);
        try {
            for (SpmvParameters parameters : seconds.keySet()) {
                if (!Double.isFinite(seconds.get(parameters))) {
                    continue;
                }
                operators.put(parameters, kernels.prepare(matrix, parameters));
                medians.put(parameters, new double[ROUNDS]);
            }
            for (int round = 0; round < ROUNDS; round++) {
                int current = round;
                operators.forEach((parameters, operator) -> medians.get(parameters)[current] =
                        ProductMeter.median(meter.hasDeviceClock()
                                ? meter.time(operator)
                                : meter.sample(operator, SAMPLES_OF_A_ROUND)));
            }
        } finally {
            operators.values().forEach(SpmvOperator::close);
        }
        // What failed stays infinitely slow.
        Map<SpmvParameters, Double> judged = new HashMap<>(seconds);
        medians.forEach((parameters, times) -> judged.put(parameters, meter.hasDeviceClock()
                ? ProductMeter.median(times)
                : Arrays.stream(times).min().orElseThrow()));
        return judged;
    }

    /**
     * Returns the mean share of the best speed after each product.
     *
     * @param outcomes how tuning did on several matrices
     * @param products number of products
     * @return the means over the matrices after 1, 2, ... products
     */
    public static double[] meanShares(List<TuningOutcome> outcomes, int products) {
        double[] means = new double[products];
        for (int i = 0; i < products; i++) {
            int after = i + 1;
            means[i] = outcomes.stream().mapToDouble(outcome -> outcome.shareAfter(after)).average().orElse(Double.NaN);
        }
        return means;
    }

    /**
     * Returns the outcomes of one precision.
     *
     * @param outcomes  how tuning did on several matrices
     * @param precision the precision
     * @return some of them
     */
    public static List<TuningOutcome> of(List<TuningOutcome> outcomes, Precision precision) {
        return outcomes.stream().filter(outcome -> outcome.precision() == precision).toList();
    }
}
