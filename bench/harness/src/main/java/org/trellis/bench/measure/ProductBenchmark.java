package org.trellis.bench.measure;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;

/**
 * Times the product of one matrix by several contenders, fairly: all are prepared and checked first, warmed up in turn
 * until their times are steady, and then timed in rounds whose order is drawn from a seed. Each has x and y of its own.
 * A contender whose result is wrong, before or after it was timed, is a failure and has no time.
 *
 * <p>If the prepared matrices do not fit the memory allowed, the contenders are measured in several groups, one after
 * the other.
 */
public final class ProductBenchmark {
    private static final int LARGEST_GROUP = 64;

    private final MeasureSettings settings;
    private final ProgressListener progress;

    /**
     * Creates a benchmark.
     *
     * @param settings how contenders are timed
     * @param progress receives the turns done
     */
    public ProductBenchmark(MeasureSettings settings, ProgressListener progress) {
        this.settings = settings;
        this.progress = progress;
    }

    /**
     * Measures all contenders on a matrix.
     *
     * @param name       the name of the matrix, for the measurements
     * @param matrix     the matrix in double precision
     * @param contenders who takes part
     * @return times of those that were right, and the others with the reason
     */
    public Outcome run(String name, CsrMatrix matrix, List<Contender> contenders) {
        Map<Precision, Problem> problems = new EnumMap<>(Precision.class);
        List<Failure> failures = new ArrayList<>();
        List<Contender> able = new ArrayList<>();
        for (Contender contender : contenders) {
            Problem problem = problems.computeIfAbsent(contender.precision(),
                    precision -> Problem.of(matrix, precision, settings.seed()));
            if (problem.objection().isEmpty()) {
                able.add(contender);
            } else {
                failures.add(Failure.of(name, contender, "prepare", problem.objection()));
            }
        }
        Outcome outcome = new Outcome(List.of(), failures);
        int size = groupSize(matrix);
        for (int from = 0; from < able.size(); from += size) {
            ContenderGroup group = new ContenderGroup(name, problems, settings, progress);
            outcome = outcome.plus(group.run(able.subList(from, Math.min(able.size(), from + size))));
        }
        return inOrder(outcome, contenders);
    }

    /** A prepared matrix takes about what the original takes, and twice that while it is made. */
    private int groupSize(CsrMatrix matrix) {
        long fitting = settings.memoryBytes() / Math.max(1, 2 * matrix.storedBytes());
        return (int) Math.max(2, Math.min(LARGEST_GROUP, fitting));
    }

    private static Outcome inOrder(Outcome outcome, List<Contender> contenders) {
        List<String> order = contenders.stream()
                .map(contender -> key(contender.name(), contender.parameters(), contender.precision()))
                .toList();
        List<Measurement> sorted = new ArrayList<>(outcome.measurements());
        sorted.sort(Comparator.comparingInt(m -> order.indexOf(key(m.backend(), m.parameters(), m.precision()))));
        return new Outcome(sorted, outcome.failures());
    }

    private static String key(String name, Map<String, Object> parameters, Precision precision) {
        return name + ' ' + parameters + ' ' + precision;
    }
}
