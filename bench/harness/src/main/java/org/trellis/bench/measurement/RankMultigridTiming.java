package org.trellis.bench.measurement;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.DelayedCommunicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.multigrid.RankMultigrid;
import org.trellis.distributed.multigrid.RankMultigridOptions;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.KrylovMethod;
import org.trellis.sparse.CsrMatrix;

/**
 * Times solutions by conjugate gradients with multigrid on threads whose messages are delayed, for numbers of rings:
 * {@code trellis measure rank-multigrid MATRIX RANKS MICROSECONDS METHOD SMOOTHER RINGS...}. Contenders take turns; the
 * least of some rounds counts. Prints exchanges of smoothers and residuals, too, which no other work on the machine
 * disturbs.
 */
final class RankMultigridTiming {
    private static final int ROUNDS = 5;

    private RankMultigridTiming() {}

    /** What one way of solving took. */
    private record Result(int iterations, long exchanges, String rings, double seconds) {}

    /**
     * Runs the program.
     *
     * @param arguments a generated matrix, symmetric and positive definite; ranks; latency; method; smoother with its
     *                  options; choices of rings
     */
    static void start(String... arguments) {
        CsrMatrix matrix = MatrixSpec.parse(arguments[0]).generate(Precision.F64, ProgressListener.NONE);
        int ranks = Integer.parseInt(arguments[1]);
        Duration latency = Duration.ofNanos(Long.parseLong(arguments[2]) * 1000);
        Map<String, String> options = Map.of("smoother", arguments[4]);
        List<RingChoice> choices = Arrays.stream(arguments).skip(5).map(RingChoice::parse).toList();
        int[] parts = new int[matrix.rows()];
        Arrays.setAll(parts, row -> (int) ((long) row * ranks / matrix.rows()));
        List<Result> results = ThreadRanks.run(ranks, inner -> run(
                new DelayedCommunicator(inner, latency, Double.POSITIVE_INFINITY), matrix, new Partition(parts, ranks),
                KrylovMethod.of(arguments[3]), options, choices)).getFirst();
        for (Result result : results) {
            System.out.printf(Locale.ROOT, "rings %s: %d iterations, %d exchanges in smoothers, %.1f ms%n",
                    result.rings(), result.iterations(), result.exchanges(), 1e3 * result.seconds());
        }
    }

    @SuppressWarnings("MustBeClosed") // the program ends
    private static List<Result> run(Communicator communicator, CsrMatrix whole, Partition partition,
            KrylovMethod method, Map<String, String> options, List<RingChoice> choices) {
        PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole, partition);
        Backend own = Backends.open("threads",
                Configuration.builder().set(ConfigurationKeys.THREADS, 1).build());
        RankBackend backend = new RankBackend(communicator, own);
        PartitionedOperator operator = new PartitionedOperator(HaloPlan.of(matrix, 1), backend);
        RankMultigrid[] cycles = new RankMultigrid[choices.size()];
        LinearSolver[] solvers = new LinearSolver[cycles.length];
        for (int i = 0; i < cycles.length; i++) {
            cycles[i] = RankMultigrid.of(matrix, null, RankMultigridOptions.parse(options, choices.get(i)), own);
            solvers[i] = method.prepare(operator, cycles[i], backend, Map.of());
        }
        Result[] best = new Result[cycles.length];
        for (int turn = 0; turn < ROUNDS * cycles.length; turn++) {
            int i = turn % cycles.length;
            long before = cycles[i].exchanges();
            SolveReport report = solvers[i].solve(matrix.vector(row -> 1 + row % 7),
                    HostVector.zeros(Precision.F64, matrix.ownedRows()), StoppingCriteria.relative(1e-8, 200),
                    IterationObserver.NONE);
            if (best[i] == null || report.seconds() < best[i].seconds()) {
                int[] rings = new int[cycles[i].hierarchy().levels() - 1];
                for (int l = 0; l < rings.length; l++) {
                    rings[l] = cycles[i].rings(l);
                }
                best[i] = new Result(report.iterations(), cycles[i].exchanges() - before,
                        choices.get(i) + " " + Arrays.toString(rings), report.seconds());
            }
        }
        return List.of(best);
    }
}
