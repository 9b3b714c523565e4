package org.trellis.bench.measurement;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.DelayedCommunicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.BasisKind;
import org.trellis.distributed.solve.SStepConjugateGradient;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;

/**
 * Times iterations of s-step conjugate gradients on threads whose messages are delayed: {@code trellis measure s-step
 * MATRIX RANKS MICROSECONDS ITERATIONS}. Contenders take turns; the least of five rounds counts.
 */
final class SStepTiming {
    private static final int ROUNDS = 5;
    private static final int[] STEPS = {1, 2, 4, 8};

    private SStepTiming() {}

    /**
     * Runs the program.
     *
     * @param arguments a generated matrix, symmetric and positive definite; ranks; latency; iterations
     */
    static void start(String... arguments) {
        CsrMatrix matrix = MatrixSpec.parse(arguments[0]).generate(Precision.F64, ProgressListener.NONE);
        int ranks = Integer.parseInt(arguments[1]);
        Duration latency = Duration.ofNanos(Long.parseLong(arguments[2]) * 1000);
        StoppingCriteria criteria = StoppingCriteria.relative(1e-30, Integer.parseInt(arguments[3]));
        int[] parts = new int[matrix.rows()];
        Arrays.setAll(parts, row -> (int) ((long) row * ranks / matrix.rows()));
        double[][] least = ThreadRanks.run(ranks, inner -> {
            double[][] best = new double[2][STEPS.length];
            for (double[] times : best) {
                Arrays.fill(times, Double.POSITIVE_INFINITY);
            }
            DelayedCommunicator communicator = new DelayedCommunicator(inner, latency, Double.POSITIVE_INFINITY);
            PartitionedMatrix part =
                    PartitionedMatrix.scatter(communicator, 0, matrix, new Partition(parts, ranks));
            double[] ends = SStepConjugateGradient.gershgorin(part);
            for (int round = 0; round < ROUNDS; round++) {
                for (int k = 0; k < STEPS.length; k++) {
                    for (int deep = 0; deep < 2; deep++) {
                        try (HaloPlan plan = HaloPlan.of(part, deep == 0 ? 1 : STEPS[k])) {
                            SolveReport report =
                                    new SStepConjugateGradient(plan, STEPS[k], BasisKind.CHEBYSHEV, ends[0],
                                            ends[1]).solve(part.vector(i -> 1 + i % 7), plan.vector(), criteria);
                            best[deep][k] = Math.min(best[deep][k], report.seconds() / report.iterations());
                        }
                    }
                }
            }
            return best;
        }).getFirst();
        for (int k = 0; k < STEPS.length; k++) {
            System.out.printf(Locale.ROOT, "s = %d: %.3f ms an iteration with one ring, %.3f ms with s rings%n",
                    STEPS[k],
                    1e3 * least[0][k], 1e3 * least[1][k]);
        }
    }
}
