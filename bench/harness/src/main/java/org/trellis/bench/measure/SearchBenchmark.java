package org.trellis.bench.measure;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;

/**
 * Measures many contenders, one after another, with a few samples of each: what an exhaustive search needs. Only one of
 * them is in memory at a time. Times on a device's own clock do not drift as those of a processor do, so taking turns
 * gains nothing there; on the processor {@link ProductBenchmark} is the one to trust.
 */
public final class SearchBenchmark {
    private static final int SAMPLES = 20;

    private final MeasureSettings settings;
    private final ProgressListener progress;

    /**
     * Creates a benchmark.
     *
     * @param settings decides on x
     * @param progress receives every contender
     */
    public SearchBenchmark(MeasureSettings settings, ProgressListener progress) {
        this.settings = settings;
        this.progress = progress;
    }

    /**
     * Measures.
     *
     * @param name       the matrix's name, for reports
     * @param matrix     the matrix
     * @param contenders who is measured, in this order
     * @return measurements and failures
     */
    public Outcome run(String name, CsrMatrix matrix, List<Contender> contenders) {
        Map<Precision, Problem> problems = new EnumMap<>(Precision.class);
        List<Measurement> measurements = new ArrayList<>();
        List<Failure> failures = new ArrayList<>();
        for (int i = 0; i < contenders.size(); i++) {
            progress.progress("search " + name, i, contenders.size());
            Contender contender = contenders.get(i);
            Problem problem = problems.computeIfAbsent(contender.precision(),
                    precision -> Problem.of(matrix, precision, settings.seed()));
            if (problem.objection().isEmpty()) {
                attempt(name, contender, problem, measurements, failures);
            } else {
                failures.add(Failure.of(name, contender, "prepare", problem.objection()));
            }
        }
        progress.progress("search " + name, contenders.size(), contenders.size());
        return new Outcome(measurements, failures);
    }

    // A contender may be anybody's code: whatever it throws is its failure, and the others go on.
    @SuppressWarnings("checkstyle:IllegalCatch")
    private static void attempt(String name, Contender contender, Problem problem, List<Measurement> measurements,
            List<Failure> failures) {
        try {
            measurements.add(measure(name, contender, problem));
        } catch (RuntimeException | LinkageError | OutOfMemoryError e) {
            failures.add(Failure.of(name, contender, "search", e.getMessage() == null ? e.toString() : e.getMessage()));
        }
    }

    private static Measurement measure(String name, Contender contender, Problem problem) {
        long start = System.nanoTime();
        try (TimedProduct product = contender.prepare(problem.matrix(), problem.x())) {
            double prepareSeconds = product.preparationSeconds().orElse((System.nanoTime() - start) * 1e-9);
            product.run();
            requireRight(problem, product);
            double[] deviceSamples = product.deviceSeconds(SAMPLES);
            double[] samples = new double[SAMPLES];
            for (int i = 0; i < SAMPLES; i++) {
                samples[i] = product.seconds(1);
            }
            ErrorCheck.Verdict verdict = requireRight(problem, product);
            return new Measurement(name, Traffic.of(problem.matrix(), contender.precision()), contender.name(),
                    contender.parameters(), contender.precision(), contender.threads(), samples, deviceSamples, 1,
                    verdict, prepareSeconds, product.preparedBytes(), 0);
        }
    }

    private static ErrorCheck.Verdict requireRight(Problem problem, TimedProduct product) {
        ErrorCheck.Verdict verdict = problem.check().judge(product.result());
        if (!verdict.accepted()) {
            throw new IllegalStateException("wrong result: " + verdict.explanation());
        }
        return verdict;
    }
}
