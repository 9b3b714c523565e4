package org.trellis.distributed.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.eigen.EigenPairs;
import org.trellis.solve.eigen.Eigenvalues;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;

/** Eigenvalues over ranks are those of the whole matrix, with parts of its vectors. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RankEigenvaluesTest {
    private static final Configuration ONE_THREAD =
            Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
    private static final int COUNT = 4;

    /** Finds pairs on some ranks, the last of which may have no rows. */
    @SuppressWarnings("MustBeClosed") // the rank's backend closes the other
    private static List<EigenPairs> onRanks(CsrMatrix whole, int ranks, String method) {
        int[] partOf = new int[whole.rows()];
        int filled = ranks == 3 ? 2 : ranks;
        Arrays.setAll(partOf, i -> i * filled / whole.rows());
        Partition partition = new Partition(partOf, ranks);
        return ThreadRanks.run(ranks, communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole, partition);
            try (HaloPlan plan = HaloPlan.of(matrix, 1);
                    RankBackend backend = new RankBackend(communicator, Backends.open("threads", ONE_THREAD));
                    PartitionedOperator operator = new PartitionedOperator(plan, backend)) {
                Eigenvalues search = Eigenvalues.of(operator, backend).count(COUNT).smallest();
                EigenPairs found;
                if (method.equals("amg")) {
                    SolverConfig stack = new SolverConfig("cg", Map.of(), "amg",
                            Map.of("aggregates", "mis2", "coarse-rows", "20"), StoppingCriteria.relative(1e-8, 100),
                            false, false);
                    try (Preconditioner amg = PartitionedSolver.preconditioner(stack, matrix, backend,
                            RingChoice.of(1)).orElseThrow()) {
                        found = search.preconditioner(amg).find();
                    }
                } else {
                    found = (method.equals("lobpcg") ? search.lobpcg() : search).find();
                }
                List<double[]> vectors = found.vectors().stream()
                        .map(part -> matrix.gather(0, HostVector.of(part)))
                        .map(HostVector::toDoubleArray).toList();
                return new EigenPairs(found.values(), vectors, found.residuals(), found.limits(), found.products(),
                        found.restarts(), found.method(), found.seconds());
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"lanczos", "lobpcg", "amg"})
    void agreeWithOneRank(String method) {
        CsrMatrix whole = MatrixSpec.parse("poisson2d:nx=12,ny=15").generate(Precision.F64, ProgressListener.NONE);
        double[] expected = Eigenvalues.nearest(whole, COUNT, 0).values();
        for (int ranks = 1; ranks <= 3; ranks++) {
            List<EigenPairs> all = onRanks(whole, ranks, method);
            EigenPairs first = all.getFirst();
            String context = method + " on " + ranks + " ranks: " + first;
            assertEquals(COUNT, first.converged(), context);
            assertArrayEquals(expected, first.values(), 1e-9, context);
            for (EigenPairs other : all) {
                assertArrayEquals(first.values(), other.values(), context);
                assertEquals(first.products(), other.products(), context);
            }
            for (int k = 0; k < COUNT; k++) {
                double[] v = first.vectors().get(k);
                double[] product = whole.multiply(v);
                double square = 0;
                for (int i = 0; i < v.length; i++) {
                    square += Math.pow(product[i] - first.values()[k] * v[i], 2);
                }
                assertTrue(Math.sqrt(square) <= 2 * first.limits()[k], context + ", residual " + Math.sqrt(square));
            }
        }
    }

    /** Sums of a backend of one rank would not be those of the matrix. */
    @Test
    void refuseBackendsOfOneRank() {
        CsrMatrix whole = MatrixSpec.parse("poisson2d:nx=4").generate(Precision.F64, ProgressListener.NONE);
        ThreadRanks.run(2, communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole,
                    new Partition(new int[]{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1}, 2));
            try (HaloPlan plan = HaloPlan.of(matrix, 1);
                    Backend own = Backends.open("threads", ONE_THREAD);
                    Backend host = Backends.open("threads", ONE_THREAD);
                    RankBackend backend = new RankBackend(communicator, host);
                    PartitionedOperator operator = new PartitionedOperator(plan, backend)) {
                assertThrows(IllegalArgumentException.class, () -> Eigenvalues.of(operator, own).find());
                assertThrows(IllegalArgumentException.class,
                        () -> Eigenvalues.of(operator, backend).nearest(0).find());
            }
            return null;
        });
    }
}
