package org.trellis.bench.measurement;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.source.MatrixLocator;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * Times the first products of a new operator and those after many, with each backend in turns: {@code trellis measure
 * long-run PRODUCTS ROUNDS MATRIX...}. All matrices are multiplied in one process, one after the other, so the first of
 * them finds nothing compiled and the others most of it. With one thread, times are its processor time, so that other
 * programs count little.
 */
final class LongRunTiming {
    private static final List<String> BACKENDS = List.of("cpu", "threads", "simd", "reference");
    private static final int FIRST = 10;
    /** Products of one turn take about so long, in nanoseconds. */
    private static final double TURN = 1e6;
    private static final int MOST_IN_TURN = 20_000;

    private final int products;
    private final int rounds;
    private final LongSupplier clock;
    private final List<Double> lateRatios = new ArrayList<>();
    private final List<Double> firstRatios = new ArrayList<>();

    private LongRunTiming(int products, int rounds) {
        this.products = products;
        this.rounds = rounds;
        this.clock = Configuration.load().get(ConfigurationKeys.THREADS) == 1
                ? ManagementFactory.getThreadMXBean()::getCurrentThreadCpuTime
                : System::nanoTime;
    }

    /**
     * Prints a line a matrix, and the means.
     *
     * @param arguments products before the comparison, rounds of it, and matrices
     */
    static void start(String... arguments) throws IOException {
        LongRunTiming timing = new LongRunTiming(positive("products", arguments[0]), positive("rounds", arguments[1]));
        List<Backend> open = new ArrayList<>();
        try {
            for (String name : BACKENDS) {
                open.add(open(name));
            }
            System.out.printf(Locale.ROOT, "%-32s %10s %10s %10s %10s %8s %10s%n", "matrix", "cpu, us", "threads",
                    "simd", "reference", "to best", "first ten");
            MatrixLocator locator = new MatrixLocator(Configuration.load(), ReadOptions.DEFAULT);
            for (String argument : Arrays.asList(arguments).subList(2, arguments.length)) {
                for (MatrixSource source : locator.locate(argument)) {
                    timing.measure(source.name(), source.load(ProgressListener.NONE), open);
                }
            }
            timing.printMeans();
        } finally {
            open.forEach(Backend::close);
        }
    }

    private static int positive(String what, String text) {
        int number = Integer.parseInt(text);
        if (number < 1) {
            throw new IllegalArgumentException(what + " are " + number + ", expected at least 1");
        }
        return number;
    }

    @MustBeClosed
    private static Backend open(String name) {
        return Backends.open(name, Configuration.load());
    }

    @SuppressWarnings("MustBeClosed") // closed below
    private void measure(String name, CsrMatrix matrix, List<Backend> backends) {
        List<Caller> callers = new ArrayList<>();
        try {
            for (Backend backend : backends) {
                callers.add(new Caller(backend.kernels(SparseKernels.class).prepare(matrix), matrix, clock));
            }
            callers.forEach(caller -> caller.begin(products));
            for (int round = 0; round < rounds; round++) {
                for (Caller caller : callers) {
                    caller.turn(round, rounds);
                }
            }
            print(name, callers);
        } finally {
            callers.forEach(Caller::close);
        }
    }

    private void print(String name, List<Caller> callers) {
        double best = callers.stream().mapToDouble(Caller::median).min().orElseThrow();
        Caller own = callers.getFirst();
        double late = own.median() / best;
        double first = own.first / (FIRST * own.median());
        lateRatios.add(late);
        firstRatios.add(first);
        System.out.printf(Locale.ROOT, "%-32s %10.2f %10.2f %10.2f %10.2f %8.3f %10.2f  after %d%n", name,
                callers.get(0).median() / 1e3, callers.get(1).median() / 1e3, callers.get(2).median() / 1e3,
                callers.get(3).median() / 1e3, late, first, own.count);
    }

    private void printMeans() {
        System.out.printf(Locale.ROOT, "cpu's time over that of the best: %s%nfirst ten over ten late ones: %s%n",
                summary(lateRatios), summary(firstRatios));
    }

    private static String summary(List<Double> ratios) {
        double[] sorted = ratios.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        double mean = Math.exp(Arrays.stream(sorted).map(Math::log).average().orElse(0));
        return String.format(Locale.ROOT, "%.3f in the geometric mean of %d, median %.3f, most %.3f; %d above 1.05",
                mean, sorted.length, sorted[sorted.length / 2], sorted[sorted.length - 1],
                Arrays.stream(sorted).filter(ratio -> ratio > 1.05).count());
    }

    /** An operator with operands of its own, and the times of its turns. */
    private static final class Caller {
        private final SpmvOperator operator;
        private final HostVector x;
        private final HostVector y;
        private final LongSupplier clock;
        private double first;
        private int count;
        private int inTurn;
        private double[] times;

        @MustBeClosed
        Caller(SpmvOperator operator, CsrMatrix matrix, LongSupplier clock) {
            this.operator = operator;
            this.clock = clock;
            this.x = HostVector.of(matrix.precision(), matrix.columns(), i -> 1 + i % 7);
            this.y = HostVector.zeros(matrix.precision(), matrix.rows());
        }

        void begin(int products) {
            first = run(FIRST);
            double all = run(Math.max(1, products - FIRST));
            inTurn = (int) Math.clamp(TURN * products / Math.max(1, all), 1, MOST_IN_TURN);
        }

        void turn(int round, int rounds) {
            if (round == 0) {
                times = new double[rounds];
            }
            operator.multiply(x, y);
            count++;
            times[round] = run(inTurn) / inTurn;
        }

        private double run(int times) {
            long start = clock.getAsLong();
            for (int i = 0; i < times; i++) {
                operator.multiply(x, y);
            }
            count += times;
            return clock.getAsLong() - start;
        }

        double median() {
            double[] sorted = times.clone();
            Arrays.sort(sorted);
            return sorted[sorted.length / 2];
        }

        void close() {
            operator.close();
        }
    }
}
