package org.trellis.distributed.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.Smoother;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.TestSeed;

/** Polynomials over ranks against those of one rank. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RankPolynomialTest {
    private static final int RANKS = 3;
    private static final Map<String, String> OPTIONS = Map.of("degree", "3", "ratio", "12");

    /** A symmetric matrix whose rows add up to far more than its eigenvalues, so that these are estimated. */
    private static CsrMatrix matrix(int size, Precision precision, SplittableRandom random) {
        List<TreeMap<Integer, Double>> rows = new ArrayList<>();
        for (int row = 0; row < size; row++) {
            rows.add(new TreeMap<>(Map.of(row, random.nextDouble(1, 2))));
        }
        for (int entry = 0; entry < 6 * size; entry++) {
            int row = random.nextInt(size);
            int column = random.nextInt(size);
            if (row != column) {
                double value = random.nextDouble(-0.3, 0.3);
                rows.get(row).put(column, value);
                rows.get(column).put(row, value);
            }
        }
        CsrBuilder builder = new CsrBuilder(size, precision, 0);
        for (TreeMap<Integer, Double> row : rows) {
            row.forEach(builder::add);
            builder.endRow();
        }
        return builder.build();
    }

    private static String interval(String description) {
        return Arrays.stream(description.split(", ")).filter(part -> part.startsWith("lambda")).toList().toString();
    }

    private static String alone(CsrMatrix matrix) {
        try (Backend backend = Backends.open("reference", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                Smoother smoother = Preconditioners.smoother("chebyshev", matrix, product, backend, OPTIONS)) {
            return interval(smoother.describe());
        }
    }

    /** The estimate is the same however rows are divided, so that iterations with the polynomial are. */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void intervalsAreThoseOfOneRank(Precision precision) {
        SplittableRandom random = TestSeed.random("intervals " + precision);
        for (int size : new int[]{1, 40, 611}) {
            CsrMatrix matrix = matrix(size, precision, random);
            Partition parts = new Partition(random.ints(size, 0, RANKS).toArray(), RANKS);
            String expected = alone(matrix);
            ThreadRanks.run(RANKS, communicator -> {
                PartitionedMatrix part = PartitionedMatrix.scatter(communicator, 0, matrix, parts);
                try (Backend backend = Backends.open("reference", Configuration.load());
                        RankPolynomial polynomial =
                                RankPolynomial.chebyshev(part, OPTIONS, RingChoice.of(1), backend)) {
                    assertEquals(expected, interval(polynomial.toString()), () -> size + " rows");
                }
                return null;
            });
        }
    }
}
