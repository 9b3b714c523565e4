package org.trellis.bench.measurement;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.multigrid.RankMultigrid;
import org.trellis.distributed.multigrid.RankMultigridOptions;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * Times ranks of one thread beside as many threads of one rank, in turns: the set-up of multigrid with the same
 * hierarchy, and an iteration of conjugate gradients with the diagonal. {@code trellis measure rank-solvers MATRIX
 * RANKS ROUNDS ITERATIONS}.
 */
final class RankSolverTiming {
    private static final Map<String, String> OPTIONS = Map.of("aggregates", "mis2");

    private RankSolverTiming() {}

    /**
     * Runs the program.
     *
     * @param arguments a generated matrix, symmetric and positive definite; ranks; rounds; iterations
     */
    static void start(String... arguments) {
        CsrMatrix matrix = MatrixSpec.parse(arguments[0]).generate(Precision.F64, ProgressListener.NONE);
        int ranks = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        StoppingCriteria criteria = StoppingCriteria.relative(1e-30, Integer.parseInt(arguments[3]));
        double[][] setup = new double[2][rounds];
        double[][] iteration = new double[2][rounds];
        for (int round = 0; round < rounds; round++) {
            onThreads(matrix, ranks, criteria, setup[0], iteration[0], round);
            onRanks(matrix, ranks, criteria, setup[1], iteration[1], round);
        }
        print("set-up of multigrid", setup);
        print("iteration of cg", iteration);
    }

    private static Configuration threads(int count) {
        return Configuration.builder().set(ConfigurationKeys.THREADS, count).build();
    }

    private static void onThreads(CsrMatrix matrix, int count, StoppingCriteria criteria, double[] setup,
            double[] iteration, int round) {
        try (Backend backend = Backends.open("threads", threads(count))) {
            long began = System.nanoTime();
            try (Multigrid multigrid = Multigrid.of(matrix, null, OPTIONS, backend)) {
                setup[round] = (System.nanoTime() - began) * 1e-9;
                multigrid.symmetric();
            }
            try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                    LinearSolver solver = SolverConfig.of("cg", "jacobi").prepare(matrix, product, backend)) {
                HostVector b = HostVector.of(Precision.F64, matrix.rows(), i -> 1 + i % 7);
                iteration[round] = iteration(solver, b, criteria);
            }
        }
    }

    /** The second solution counts: the first one compiles. */
    private static double iteration(LinearSolver solver, HostVector b, StoppingCriteria criteria) {
        double seconds = 0;
        for (int i = 0; i < 2; i++) {
            HostVector x = HostVector.zeros(Precision.F64, b.length());
            seconds = solver.solve(b, x, criteria, IterationObserver.NONE).seconds() / criteria.maximumIterations();
        }
        return seconds;
    }

    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    private static void onRanks(CsrMatrix whole, int ranks, StoppingCriteria criteria, double[] setup,
            double[] iteration, int round) {
        int[] parts = new int[whole.rows()];
        Arrays.setAll(parts, row -> (int) ((long) row * ranks / whole.rows()));
        ThreadRanks.run(ranks, communicator -> {
            PartitionedMatrix matrix =
                    PartitionedMatrix.scatter(communicator, 0, whole, new Partition(parts, ranks));
            try (HaloPlan plan = HaloPlan.of(matrix, 1);
                    RankBackend backend = new RankBackend(communicator, Backends.open("threads", threads(1)));
                    PartitionedOperator operator = new PartitionedOperator(plan, backend)) {
                double took = setup(matrix, communicator, backend.own());
                double each;
                try (PartitionedSolver solver =
                        PartitionedSolver.prepare(SolverConfig.of("cg", "jacobi"), matrix, operator, backend)) {
                    each = iteration(solver, matrix.vector(i -> 1 + i % 7), criteria);
                }
                if (communicator.rank() == 0) {
                    setup[round] = took;
                    iteration[round] = each;
                }
            }
            return null;
        });
    }

    private static double setup(PartitionedMatrix matrix, Communicator communicator, Backend backend) {
        communicator.barrier();
        long began = System.nanoTime();
        try (RankMultigrid multigrid = RankMultigrid.of(matrix, null,
                RankMultigridOptions.parse(OPTIONS, RingChoice.of(1)), backend)) {
            communicator.barrier();
            double seconds = (System.nanoTime() - began) * 1e-9;
            multigrid.symmetric();
            return seconds;
        }
    }

    private static void print(String what, double[][] seconds) {
        double[] medians = new double[2];
        for (int i = 0; i < 2; i++) {
            double[] sorted = seconds[i].clone();
            Arrays.sort(sorted);
            medians[i] = sorted[sorted.length / 2];
            System.out.printf(Locale.ROOT, "%s, %s: median %.3f ms, least %.3f ms of %s%n", what,
                    i == 0 ? "threads" : "ranks", 1e3 * medians[i], 1e3 * sorted[0], Arrays.toString(Arrays.stream(
                            seconds[i]).map(s -> Math.rint(1e5 * s) / 100).toArray()));
        }
        System.out.printf(Locale.ROOT, "%s: ranks take %.2f times as long as threads%n", what,
                medians[1] / medians[0]);
    }
}
