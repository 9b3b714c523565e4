package org.trellis.bench.direct;

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
    private final CsrMatrix matrix;
    private final double[] b;
    private final ToDoubleFunction<double[]> error;
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

    /** One library's times and factors. */
    private static final class Contender {
        private final DirectFactors factors;
        private final List<double[]> times = new ArrayList<>();
        private double[] solution;
        private String failure;

        Contender(DirectFactors factors) {
            this.factors = factors;
        }
    }

    /**
     * What came of a contender.
     *
     * @param solver        the library
     * @param size          its factors, or null if it failed
     * @param seconds       medians of analysis, factorisation, refactorisation (NaN where there is none) and solution
     * @param backwardError the error of the solution as it is: componentwise for square systems
     * @param failure       why it failed, or null
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Result(String solver, DirectFactors.Size size, double[] seconds, double backwardError,
            String failure) {}

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
     * @param rounds   rounds that count; with more than one, one more goes before them
     * @param progress shows which
     */
    public void run(int rounds, ConsoleProgress progress) {
        int warm = rounds > 1 ? 1 : 0;
        for (int round = 0; round < rounds + warm; round++) {
            CsrMatrix values = otherValues(round);
            for (Contender contender : contenders) {
                progress.progress(contender.factors.solver(), round, rounds + warm);
                if (contender.failure == null) {
                    round(contender, values, round >= warm);
                }
            }
        }
        progress.clear();
    }

    /** The same structure with values that differ by a thousandth. */
    private CsrMatrix otherValues(int round) {
        return matrix.mapValues((i, j, value) -> value * (1 + 1e-3 * ((i + 3 * j + round) % 7) / 7));
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
        try {
            long start = System.nanoTime();
            factors.analyse();
            long analysed = System.nanoTime();
            factors.factorise();
            long factorised = System.nanoTime();
            double[] x = Arrays.copyOf(b, Math.max(b.length, matrix.columns()));
            long before = System.nanoTime();
            factors.solve(x);
            long solved = System.nanoTime();
            contender.solution = Arrays.copyOf(x, matrix.columns());
            factors.take(values);
            boolean again = warmedUp(factors);
            long restart = System.nanoTime();
            again = again && factors.refactorise();
            long refactorised = System.nanoTime();
            factors.take(matrix);
            factors.factorise();
            if (counts) {
                contender.times.add(new double[]{(analysed - start) * 1e-9, (factorised - analysed) * 1e-9,
                    again ? (refactorised - restart) * 1e-9 : Double.NaN, (solved - before) * 1e-9});
            }
        } catch (TrellisException | IllegalStateException e) {
            contender.failure = e.getMessage();
        }
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
            return new Result(contender.factors.solver(), null, new double[4], Double.NaN, contender.failure);
        }
        double[] medians = new double[4];
        for (int phase = 0; phase < medians.length; phase++) {
            int chosen = phase;
            double[] sorted = contender.times.stream().mapToDouble(times -> times[chosen]).sorted().toArray();
            medians[phase] = (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
        }
        return new Result(contender.factors.solver(), contender.factors.size(), medians,
                error.applyAsDouble(contender.solution), null);
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
