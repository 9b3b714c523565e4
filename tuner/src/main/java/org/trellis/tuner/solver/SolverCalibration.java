package org.trellis.tuner.solver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.trellis.backend.Backend;
import org.trellis.common.TrellisException;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.CollectiveClock;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.tuner.profile.SolverResult;

/**
 * What solvers take on one machine for each second that they take on another one, by what they wait for:
 * factorisations compute, other set-ups compute and move data, and solutions move data. The ratios are those of a few
 * solvers that both machines have run on the same systems.
 *
 * @param factorisation the ratio of factorisations
 * @param setup         the ratio of other set-ups
 * @param solution      the ratio of solutions
 */
public record SolverCalibration(double factorisation, double setup, double solution) {
    /** How often a probe solves at least; the first time does not count. */
    static final int SOLUTIONS = 4;
    /** It goes on for so long, until code is compiled as it was where others solved many times. */
    private static final double SECONDS_OF_SOLUTIONS = 0.5;
    private static final int MOST_SOLUTIONS = 100;
    /** Of how many latest solutions the median counts. */
    private static final int LATEST = 5;
    /** Shorter set-ups show nothing of a machine. */
    private static final double LEAST_SETUP = 1e-6;
    private static final String FACTORS = "direct";

    /**
     * Checks the ratios.
     *
     * @throws IllegalArgumentException if one is not a positive number
     */
    public SolverCalibration {
        check("factorisations", factorisation);
        check("set-ups", setup);
        check("solutions", solution);
    }

    private static void check(String what, double ratio) {
        if (!(ratio > 0) || !Double.isFinite(ratio)) {
            throw new IllegalArgumentException("ratio of the times of " + what + " is " + ratio
                    + ", expected a positive number");
        }
    }

    /**
     * What a solver took on both machines.
     *
     * @param there        what was measured on the other machine
     * @param setupSeconds its set-up here
     * @param seconds      its solution here
     */
    public record Probe(SolverResult there, double setupSeconds, double seconds) {
        /** Checks that there is something. */
        public Probe {
            Objects.requireNonNull(there);
        }
    }

    /**
     * Calibrates by the medians of the ratios of probes. A kind of time of which there is no probe takes the geometric
     * mean of the others.
     *
     * @param probes at least one
     * @return the calibration
     * @throws IllegalArgumentException if there is no probe, or a time here is not positive
     */
    public static SolverCalibration of(List<Probe> probes) {
        if (probes.isEmpty()) {
            throw new IllegalArgumentException("calibration without a probe, expected at least one");
        }
        double factorisation = setupRatio(probes, probe -> factorises(probe.there()));
        double setup = setupRatio(probes, probe -> !factorises(probe.there()));
        double solution = median(probes, probe -> probe.seconds() / probe.there().medianSeconds());
        double[] known = Arrays.stream(new double[]{factorisation, setup, solution})
                .filter(ratio -> !Double.isNaN(ratio)).map(Math::log).toArray();
        double usual = Math.exp(Arrays.stream(known).average().orElseThrow());
        return new SolverCalibration(Double.isNaN(factorisation) ? usual : factorisation,
                Double.isNaN(setup) ? usual : setup, solution);
    }

    private static double setupRatio(List<Probe> probes, Predicate<Probe> kind) {
        List<Probe> some = probes.stream().filter(kind).filter(probe -> probe.setupSeconds() >= LEAST_SETUP
                && probe.there().prepareSeconds() >= LEAST_SETUP).toList();
        return median(some, probe -> probe.setupSeconds() / probe.there().prepareSeconds());
    }

    /** The middle one, or the geometric mean of the two in the middle; NaN for none. */
    private static double median(List<Probe> probes, ToDoubleFunction<Probe> ratio) {
        double[] sorted = probes.stream().mapToDouble(ratio).sorted().toArray();
        int n = sorted.length;
        return n == 0 ? Double.NaN : Math.sqrt(sorted[(n - 1) / 2] * sorted[n / 2]);
    }

    /** Says whether the set-up is a factorisation of the whole matrix. */
    static boolean factorises(SolverResult result) {
        Object preconditioner = result.configuration().get("preconditioner");
        return FACTORS.equals(result.configuration().get("method")) || FACTORS.equals(preconditioner);
    }

    /**
     * Scales what another machine measured.
     *
     * @param there what it measured
     * @return the same with the times that are expected here
     */
    public SolverResult here(SolverResult there) {
        double[] seconds = Arrays.stream(there.runtimes()).map(time -> solution * time).toArray();
        return new SolverResult(there.matrix(), there.setting(), there.configuration(), seconds,
                (factorises(there) ? factorisation : setup) * there.prepareSeconds(), there.invalidity(),
                there.chosen(), true, there.timestamp());
    }

    /**
     * Measures here what another machine measured.
     *
     * @param matrix  the system, in the precision of the result
     * @param there   a result that was right
     * @param backend where it is solved
     * @param seed    of the right-hand side
     * @return both
     * @throws IllegalArgumentException if the choice does not suit the matrix here
     * @throws TrellisException         if it cannot be prepared, or does not solve the system here
     */
    public static Probe measure(CsrMatrix matrix, SolverResult there, Backend backend, long seed) {
        SolverChoice choice = SolverChoice.fromMap(there.configuration());
        CollectiveClock clock = CollectiveClock.of(backend);
        long start = clock.nanoTime();
        // Once, as a program prepares what it uses: code that has not run yet counts there, too.
        try (FixedSolver solver = FixedSolver.of(matrix, choice, backend)) {
            double setup = (clock.nanoTime() - start) * 1e-9;
            double[] latest = solve(solver, matrix, there, backend, seed).stream().mapToDouble(Double::doubleValue)
                    .sorted().toArray();
            return new Probe(there, setup, latest[latest.length / 2]);
        }
    }

    /** Solves for a random solution, to the tolerance of the result; returns the times of the latest solutions. */
    private static List<Double> solve(FixedSolver solver, CsrMatrix matrix, SolverResult there, Backend backend,
            long seed) {
        StoppingCriteria usual = StoppingCriteria.defaults(matrix.precision());
        StoppingCriteria criteria = StoppingCriteria.relative(Math.pow(10, -there.setting().digits()),
                usual.maximumIterations());
        CollectiveClock clock = CollectiveClock.of(backend);
        HostVector random = HostVector.of(new SplittableRandom(seed).doubles(matrix.rows(), -1, 1).toArray())
                .convert(matrix.precision());
        try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                DenseVector b = backend.vector(matrix.precision(), matrix.rows());
                DenseVector x = backend.vector(matrix.precision(), matrix.rows())) {
            x.copyFrom(random);
            product.multiply(x, b);
            List<Double> seconds = new ArrayList<>();
            double spent = 0;
            for (int i = 0; i < SOLUTIONS || (spent < SECONDS_OF_SOLUTIONS && i < MOST_SOLUTIONS); i++) {
                x.copyFrom(HostVector.zeros(matrix.precision(), matrix.rows()));
                long start = clock.nanoTime();
                SolveReport report = solver.solve(b, x, criteria);
                if (!report.converged()) {
                    throw new TrellisException(report.detail());
                }
                seconds.add(Math.max(1, clock.nanoTime() - start) * 1e-9);
                spent += seconds.getLast();
            }
            return seconds.subList(Math.max(1, seconds.size() - LATEST), seconds.size());
        }
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "factorisations x %.3g, other set-ups x %.3g, solutions x %.3g",
                factorisation,
                setup, solution);
    }
}
