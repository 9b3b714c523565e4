package org.trellis.bench.direct;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.trellis.bench.console.ConsoleProgress;
import org.trellis.common.TrellisException;
import org.trellis.solve.direct.Refinement;
import org.trellis.sparse.CsrMatrix;

/** Factorises a matrix by several libraries, phase by phase and in turns, and keeps the median of each time. */
public final class DirectRun {
    /** Phases: analysis, factorisation, refactorisation, solution, solution for {@link #SIDES} right-hand sides. */
    private static final int PHASES = 5;
    private static final int SIDES = 32;
    private static final String POOL_THREAD = "ForkJoinPool.commonPool-worker";
    private static final int MOST_WARM_UP = 60;
    private static final double WARM_UP_SECONDS = 0.7;

    private final CsrMatrix matrix;
    private final double[] b;
    private final ToDoubleFunction<double[]> error;
    private double mostSeconds = Double.POSITIVE_INFINITY;
    private boolean processorTime;
    private final List<Contender> contenders = new ArrayList<>();

    /**
     * Creates a run without contenders whose error is the componentwise backward error.
     *
     * @param matrix a square matrix in double precision
     * @param b      the right-hand side
     */
    public DirectRun(CsrMatrix matrix, double[] b) {
        this(matrix, b, x -> Refinement.backwardError(matrix, b, x));
    }

    /**
     * Creates a run without contenders.
     *
     * @param matrix a matrix in double precision
     * @param b      the right-hand side
     * @param error  measures the error of a solution, which has an element for each column
     */
    public DirectRun(CsrMatrix matrix, double[] b, ToDoubleFunction<double[]> error) {
        this.matrix = matrix;
        this.b = b;
        this.error = error;
    }

    /**
     * Ends contenders that are slow, and chooses the clock.
     *
     * @param seconds   a contender whose first round takes longer has no others
     * @param processor whether the processor time of the calling thread and of the JVM's common pool is measured
     * @return this
     */
    public DirectRun limited(double seconds, boolean processor) {
        mostSeconds = seconds;
        processorTime = processor;
        return this;
    }

    private long now() {
        return processorTime
                ? ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime()
                : System.nanoTime();
    }

    /** Returns the processor time of the common pool, whose threads help the caller; 0 where the wall clock counts. */
    private long poolTime() {
        if (!processorTime) {
            return 0;
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return Arrays.stream(threads.getThreadInfo(threads.getAllThreadIds()))
                .filter(thread -> thread != null && thread.getThreadName().startsWith(POOL_THREAD))
                .mapToLong(thread -> Math.max(0, threads.getThreadCpuTime(thread.getThreadId()))).sum();
    }

    /** One library's times and factors. */
    private static final class Contender {
        private final DirectFactors factors;
        private final List<double[]> times = new ArrayList<>();
        private double[] solution;
        private double refinedError = Double.NaN;
        private String failure;
        private boolean slow;

        Contender(DirectFactors factors) {
            this.factors = factors;
        }
    }

    /**
     * What came of a contender.
     *
     * @param solver        the library
     * @param size          its factors, or null if it failed
     * @param seconds       medians of analysis, factorisation, refactorisation (NaN where there is none), solution and
     *                      solution for 32 right-hand sides (NaN where the matrix is not square)
     * @param backwardError the error of the solution as it is: componentwise for square systems
     * @param refinedError  the same after refinement; NaN where there is none
     * @param failure       why it failed, or null
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Result(String solver, DirectFactors.Size size, double[] seconds, double backwardError,
            double refinedError, String failure) {}

    /**
     * Adds a contender.
     *
     * @param factors closed by the caller
     */
    public void add(DirectFactors factors) {
        contenders.add(new Contender(factors));
    }

    /**
     * Runs all rounds.
     *
     * @param rounds   rounds that count; with more than one, others go before them until the JIT compiler is done
     * @param progress shows which
     */
    public void run(int rounds, ConsoleProgress progress) {
        int warm = rounds > 1 ? 1 : 0;
        if (rounds > 1) {
            contenders.forEach(contender -> warmUp(contender, progress));
        }
        for (int round = 0; round < rounds + warm; round++) {
            CsrMatrix values = otherValues(round);
            for (Contender contender : contenders) {
                progress.progress(contender.factors.solver(), round, rounds + warm);
                if (contender.failure == null && !contender.slow) {
                    round(contender, values, round >= warm);
                }
            }
        }
        progress.clear();
    }

    /** Repeats rounds of small matrices until the JIT compiler has done its work. */
    private void warmUp(Contender contender, ConsoleProgress progress) {
        long start = now();
        for (int round = 0; round < MOST_WARM_UP && contender.failure == null && !contender.slow
                && (now() - start) * 1e-9 < WARM_UP_SECONDS; round++) {
            progress.progress(contender.factors.solver() + ", warm-up", round, MOST_WARM_UP);
            round(contender, otherValues(round), false);
        }
    }

    /** The same structure, and symmetry, with values that differ by a thousandth. */
    private CsrMatrix otherValues(int round) {
        return matrix
                .mapValues((i, j, value) -> value * (1 + 1e-3 * (((i + j) * 3L + Math.abs(i - j) + round) % 7) / 7));
    }

    /** Refactorises twice, since the first time may allocate what later ones use; returns whether it can be done. */
    private static boolean warmedUp(DirectFactors factors) {
        for (int i = 0; i < 2; i++) {
            if (!factors.refactorise()) {
                return false;
            }
        }
        return true;
    }

    private void round(Contender contender, CsrMatrix values, boolean counts) {
        DirectFactors factors = contender.factors;
        long began = System.nanoTime();
        double[] times = new double[PHASES];
        try {
            times[0] = time(factors::analyse);
            times[1] = time(factors::factorise);
            double[] x = Arrays.copyOf(b, Math.max(b.length, matrix.columns()));
            times[3] = time(() -> factors.solve(x));
            contender.solution = Arrays.copyOf(x, matrix.columns());
            times[4] = matrix.rows() == matrix.columns() ? timeOfSides(factors) : Double.NaN;
            contender.refinedError = factors.refinedBackwardError(matrix, b);
            factors.take(values);
            times[2] = warmedUp(factors) ? time(factors::refactorise) : Double.NaN;
            factors.take(matrix);
            factors.factorise();
            contender.slow = (System.nanoTime() - began) * 1e-9 > mostSeconds;
            if (counts || contender.slow) {
                contender.times.add(times);
            }
        } catch (TrellisException | IllegalStateException e) {
            contender.failure = e.getMessage();
        }
    }

    private double timeOfSides(DirectFactors factors) {
        double[] several = new double[SIDES * b.length];
        for (int r = 0; r < SIDES; r++) {
            System.arraycopy(b, 0, several, r * b.length, b.length);
        }
        return time(() -> factors.solve(several, SIDES));
    }

    private double time(Runnable phase) {
        long pool = poolTime();
        long start = now();
        phase.run();
        long end = now();
        return (end - start + poolTime() - pool) * 1e-9;
    }

    /**
     * Returns what came of all, in the order in which they were added.
     *
     * @return the results
     */
    public List<Result> results() {
        return contenders.stream().map(this::result).toList();
    }

    private Result result(Contender contender) {
        if (contender.failure != null) {
            return new Result(contender.factors.solver(), null, new double[PHASES], Double.NaN, Double.NaN,
                    contender.failure);
        }
        double[] medians = new double[PHASES];
        for (int phase = 0; phase < medians.length; phase++) {
            int chosen = phase;
            double[] sorted = contender.times.stream().mapToDouble(times -> times[chosen]).sorted().toArray();
            medians[phase] = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        }
        return new Result(contender.factors.solver(), contender.factors.size(), medians,
                error.applyAsDouble(contender.solution), contender.refinedError, null);
    }

    /**
     * Returns the solution of a contender.
     *
     * @param index its place among them
     * @return the solution; null if it failed
     */
    public double[] solution(int index) {
        return contenders.get(index).solution;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d contenders, %d rows, right-hand side %s", contenders.size(), b.length,
                Arrays.hashCode(b));
    }
}
