package org.trellis.bench.scaling;

import com.google.errorprone.annotations.MustBeClosed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.measure.SampleStatistics;
import org.trellis.bench.model.ModelRun;
import org.trellis.bench.powers.PowersReport;
import org.trellis.bench.powers.PowersRun;
import org.trellis.bench.powers.PowersSettings;
import org.trellis.bench.ranks.RankJob;
import org.trellis.bench.ranks.RankMatrices;
import org.trellis.bench.scaling.ScalingReport.Case;
import org.trellis.bench.scaling.ScalingReport.Transports;
import org.trellis.bench.scaling.ScalingReport.Variant;
import org.trellis.bench.source.MatrixSource;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.ProgressListener;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.distributed.device.TransportTimes;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.RingModel;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.DenseVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;

/** Runs all programs on all numbers of ranks, one after the other; ranks are threads of this process, or its GPUs. */
final class ScalingRun {
    private static final int[] ONE_RING = {1};

    private final ScalingSettings settings;
    private final RankJob pattern;
    private final ProgressListener progress;

    /**
     * Prepares a run.
     *
     * @param settings what is run
     * @param pattern  the ranks but for their number
     * @param progress receives what goes on
     */
    ScalingRun(ScalingSettings settings, RankJob pattern, ProgressListener progress) {
        this.settings = settings;
        this.pattern = pattern;
        this.progress = progress;
    }

    /**
     * Finds out which transports messages have between each number of ranks but one.
     *
     * @param all whether every transport is measured
     */
    List<Transports> transports(boolean all) {
        List<Transports> found = new ArrayList<>();
        for (int ranks : settings.ranks()) {
            RankJob job = job(ranks);
            if (ranks > 1 && (all || job.backends().contains(RankJob.GPU))) {
                progress.progress("transports of messages between " + ranks + " ranks", 0, 1);
                found.add(job.run(communicator -> {
                    try (Backend backend = job.open(communicator).orElse(null)) {
                        return new Transports(ranks, job.describe(communicator, Optional.empty()),
                                backend == null ? null : DeviceTransports.of(backend).orElse(null),
                                all ? TransportTimes.measure(communicator, backend) : null);
                    }
                }));
            }
        }
        return found;
    }

    private RankJob job(int ranks) {
        return new RankJob(pattern.transport(), ranks, 0, pattern.partitioner(), pattern.backends(), null,
                pattern.latency());
    }

    /** Runs the programs on one matrix that all numbers of ranks divide among them. */
    List<Case> strong(MatrixSource source) throws IOException {
        CsrMatrix matrix = source.load(progress).toPrecision(settings.precision());
        if (matrix.nonZeros() == 0) {
            throw new IllegalArgumentException(matrix + " has no entries, expected one or more to be timed");
        }
        List<Case> cases = new ArrayList<>();
        for (int ranks : settings.ranks()) {
            cases.addAll(on(ranks, source.name(), matrix));
        }
        return cases;
    }

    /** Runs the programs on matrices that grow with the ranks. */
    List<Case> weak(MatrixSpec one) {
        List<Case> cases = new ArrayList<>();
        for (int ranks : settings.ranks()) {
            cases.addAll(on(ranks, one.toString(),
                    ModelRun.grown(one, ranks).generate(settings.precision(), progress)));
        }
        return cases;
    }

    private List<Case> on(int ranks, String name, CsrMatrix whole) {
        progress.progress(name + " on " + ranks + (ranks == 1 ? " rank" : " ranks"), 0, 1);
        RankJob job = job(ranks);
        return job.run(communicator -> new OnRanks(job, communicator, name, whole).run());
    }

    /** All programs on one matrix and number of ranks; every rank has one of these and does the same. */
    private final class OnRanks {
        private final RankJob job;
        private final Communicator communicator;
        private final String name;
        private final PartitionedMatrix matrix;
        private final long rows;
        private final long nonZeros;

        OnRanks(RankJob job, Communicator communicator, String name, CsrMatrix whole) {
            this.job = job;
            this.communicator = communicator;
            this.name = name;
            this.matrix = RankMatrices.divide(communicator, communicator.rank() == 0 ? whole : null, job);
            this.rows = matrix.globalRows();
            this.nonZeros = communicator.sum(matrix.rows().nonZeros());
        }

        List<Case> run() {
            List<Case> cases = new ArrayList<>();
            for (ScalingProgram program : settings.programs()) {
                cases.addAll(program.takesRings() ? List.of(steps(program)) : solver(program));
            }
            return cases;
        }

        private Case steps(ScalingProgram program) {
            boolean alone = communicator.size() == 1;
            PowersSettings powers = new PowersSettings(alone ? ONE_RING : settings.rings(), settings.maxRings(),
                    program.steps(), settings.degree(), settings.steps(), settings.seconds(),
                    null, RankJob.BANDWIDTH);
            try (Backend backend = job.open(communicator).orElse(null)) {
                PowersReport report = new PowersRun(powers, matrix, job, backend, false).run(0);
                Optional<RingModel> model = Optional.ofNullable(report.choice()).map(PowersReport.Choice::model);
                List<Variant> variants = report.results().stream()
                        .map(result -> new Variant(result.rings(), result.chosen(), result.seconds(), result.fastest(),
                                model.map(m -> m.secondsPerStep()[result.rings() - 1]).orElse(Double.NaN)))
                        .toList();
                return result(program, "step", report.transport(), variants, 0, null, null);
            } catch (IllegalArgumentException | UnsupportedKernelException e) {
                return refused(program, "step", e);
            }
        }

        @MustBeClosed
        private Backend ownThread() {
            return Backends.open("threads", Configuration.builder().set(ConfigurationKeys.THREADS, 1).build());
        }

        @SuppressWarnings("MustBeClosed") // closed with the ranks' backend
        private List<Case> solver(ScalingProgram program) {
            try (RankBackend backend =
                    new RankBackend(communicator, job.open(communicator).orElseGet(this::ownThread));
                    HaloPlan plan = HaloPlan.of(matrix, 1, backend.own());
                    PartitionedOperator operator = new PartitionedOperator(plan, backend)) {
                Times times = new Times(program.stack(), plan, operator, backend, program.isWhole());
                String transport = job.describe(communicator, plan.transport());
                if (!program.isWhole()) {
                    return List.of(result(program, "iteration", transport, variants(times.solutions), times.iterations,
                            null, null));
                }
                return List.of(result(program, "set-up", transport, variants(times.setups), 0, null, null),
                        result(program, "solution", transport, variants(times.solutions), times.iterations, null,
                                times.failure));
            } catch (IllegalArgumentException | UnsupportedKernelException e) {
                return List.of(refused(program, program.isWhole() ? "solution" : "iteration", e));
            }
        }

        /** The same on all ranks, before any of them waits for another. */
        private Case refused(ScalingProgram program, String unit, RuntimeException why) {
            return result(program, unit, communicator.transport(), List.of(), 0, why.getMessage(), null);
        }

        private List<Variant> variants(double[] seconds) {
            SampleStatistics times = SampleStatistics.of(seconds);
            return List.of(new Variant(1, false, times.median(), times.minimum(), Double.NaN));
        }

        private Case result(ScalingProgram program, String unit, String transport, List<Variant> variants,
                int iterations,
                String refusal, String failure) {
            String family = name.contains(":") ? name.substring(0, name.indexOf(':')) : name;
            return new Case(family, name, rows, nonZeros, program.label(), unit, communicator.size(), transport,
                    variants,
                    iterations, refusal, failure);
        }

        /** Sets up and solves, once to warm up and then as often as asked. */
        private final class Times {
            private final double[] setups = new double[settings.rounds()];
            private final double[] solutions = new double[settings.rounds()];
            private int iterations;
            private String failure;

            Times(SolverConfig stack, HaloPlan plan, PartitionedOperator operator, RankBackend backend,
                    boolean whole) {
                StoppingCriteria criteria = whole
                        ? StoppingCriteria.relative(settings.tolerance(), settings.iterations())
                        : StoppingCriteria.relative(Double.MIN_NORMAL, settings.iterations());
                try (DenseVector b = backend.vector(matrix.precision(), matrix.ownedRows());
                        DenseVector x = backend.vector(matrix.precision(), matrix.ownedRows())) {
                    b.copyFrom(matrix.vector(row -> 1));
                    for (int round = -1; round < settings.rounds(); round++) {
                        x.copyFrom(matrix.vector(row -> 0));
                        long began = now(plan);
                        try (PartitionedSolver solver =
                                PartitionedSolver.prepare(stack, matrix, operator, backend)) {
                            long ready = now(plan);
                            SolveReport report = solver.solve(b, x, criteria, IterationObserver.NONE);
                            long done = now(plan);
                            iterations = report.iterations();
                            failure = whole && !report.converged() ? report.detail() : null;
                            setups[Math.max(0, round)] = (ready - began) * 1e-9;
                            solutions[Math.max(0, round)] =
                                    (done - ready) * 1e-9 / (whole ? 1 : Math.max(1, iterations));
                        }
                    }
                }
            }

            /** The time at which all ranks have come here. */
            private long now(HaloPlan plan) {
                plan.synchronize();
                communicator.barrier();
                return System.nanoTime();
            }
        }
    }
}
