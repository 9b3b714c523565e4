package org.trellis.distributed.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.memory.HostVector;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.Smoother;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.PartitionedCase;

/** Relaxation by colours over ranks as a preconditioner, against a sweep from zero of the reference backend. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RankRelaxationTest {
    private static final double OMEGA = 1.25;

    private static double[] expected(PartitionedCase problem) {
        try (Backend backend = Backends.open("reference", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(problem.matrix());
                Smoother smoother = Preconditioners.smoother("ssor", problem.matrix(), product, backend,
                        Map.of("omega", Double.toString(OMEGA)))) {
            HostVector x = HostVector.zeros(Precision.F64, problem.matrix().rows());
            smoother.sweep(HostVector.of(Precision.F64, x.length(), i -> 3 - i % 7), x, SweepDirection.SYMMETRIC);
            return x.toDoubleArray();
        }
    }

    @Test
    void applicationsHaveTheBitsOfASweepFromZero() {
        for (PartitionedCase problem : PartitionedCase.all(3, Precision.F64).subList(0, 8)) {
            double[] expected = expected(problem);
            for (int rings : new int[]{1, 3}) {
                double[] actual = ThreadRanks.run(3, communicator -> {
                    PartitionedMatrix part =
                            PartitionedMatrix.scatter(communicator, 0, problem.matrix(), problem.partition());
                    try (Backend backend = Backends.open("reference", Configuration.load());
                            RankRelaxation relaxation = RankRelaxation.of(part, "ssor",
                                    Map.of("omega", Double.toString(OMEGA)), RingChoice.of(rings), backend)) {
                        HostVector z = part.vector(i -> 0);
                        // The second application does not see what the first one left.
                        relaxation.apply(part.vector(i -> i), z);
                        long each = Math.ceilDiv(relaxation.stages() - 1, rings);
                        assertEquals(each, relaxation.exchanges());
                        relaxation.apply(part.vector(i -> 3 - i % 7), z);
                        assertEquals(2 * each, relaxation.exchanges());
                        return part.gather(0, z).toDoubleArray();
                    }
                }).getFirst();
                assertArrayEquals(expected, actual, () -> rings + " rings: " + problem);
            }
        }
    }

    @Test
    void optionsAreChecked() {
        for (String omega : List.of("0", "2", "-1", "NaN", "half")) {
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                    () -> RankRelaxation.refuse("ssor", Map.of("omega", omega)));
            assertTrue(refused.getMessage().startsWith("preconditioner 'ssor': option omega is '" + omega
                    + "', expected a number"), refused.getMessage());
        }
        refused("ssor", Map.of("direction", "forward"),
                "has no option 'direction', expected one of [omega, order, sweeps]");
        refused("gauss-seidel", Map.of("omega", "1"), "has no option 'omega'");
        refused("gauss-seidel", Map.of("order", "natural"), "option order is 'natural', expected coloured over "
                + "ranks");
        refused("sor", Map.of("direction", "up"), "is 'up', expected one of [symmetric, forward, backward]");
        refused("sor", Map.of("sweeps", "1.5"), "is '1.5', expected a whole number");
        refused("jacobi", Map.of(), "relaxation 'jacobi' over ranks, expected one of [gauss-seidel, sor, ssor]");
    }

    private static void refused(String name, Map<String, String> options, String message) {
        String found = assertThrows(IllegalArgumentException.class, () -> RankRelaxation.refuse(name, options))
                .getMessage();
        assertTrue(found.contains(message), found);
    }
}
