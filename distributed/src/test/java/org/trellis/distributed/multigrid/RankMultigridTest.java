package org.trellis.distributed.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.solve.multigrid.MultigridOptions;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.multigrid.OperatorLevel;
import org.trellis.solve.multigrid.OperatorMultigrid;
import org.trellis.solve.smooth.Preconditioners;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;
import org.trellis.testing.PartitionedCase;
import org.trellis.testing.TestSeed;

/** Cycles over ranks are those of one rank. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RankMultigridTest {
    private static final Configuration ONE_THREAD =
            Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
    private static final Map<String, String> SMALL = Map.of("aggregates", "mis2", "coarse-rows", "20");

    /** What is done with a preconditioner on each rank. */
    private interface Work {
        HostVector run(RankMultigrid multigrid, PartitionedMatrix matrix);
    }

    private static HostVector[] onRanks(CsrMatrix whole, Partition partition, Map<String, String> options,
            RingChoice rings, Work work) {
        return ThreadRanks.run(partition.parts(), communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole, partition);
            try (Backend backend = Backends.open("threads", ONE_THREAD);
                    RankMultigrid multigrid = RankMultigrid.of(matrix, null,
                            RankMultigridOptions.parse(options, rings).rowsPerRank(30), backend)) {
                return matrix.gather(0, work.run(multigrid, matrix));
            }
        }).toArray(HostVector[]::new);
    }

    private static double[] cycle(CsrMatrix whole, Partition partition, Map<String, String> options,
            RingChoice rings) {
        return onRanks(whole, partition, options, rings, (multigrid, matrix) -> {
            HostVector z = matrix.vector(i -> Double.NaN);
            multigrid.apply(matrix.vector(RankMultigridTest::element), z);
            return z;
        })[0].toDoubleArray();
    }

    private static double[] cycleOfOne(CsrMatrix whole, Map<String, String> options) {
        try (Backend backend = Backends.open("threads", ONE_THREAD);
                Multigrid multigrid = Multigrid.of(whole, null, options, backend)) {
            HostVector z = HostVector.zeros(whole.precision(), whole.rows());
            multigrid.apply(HostVector.of(whole.precision(), whole.rows(), RankMultigridTest::element), z);
            return z.toDoubleArray();
        }
    }

    private static double element(long i) {
        return (7919 * i + 13) % 1009 / 1009.0;
    }

    private static CsrMatrix generate(String text, Precision precision) {
        return MatrixSpec.parse(text).generate(precision, ProgressListener.NONE);
    }

    private static Partition blocks(int rows, int parts) {
        int[] partOf = new int[rows];
        Arrays.setAll(partOf, i -> (int) ((long) i * parts / rows));
        return new Partition(partOf, parts);
    }

    private static Map<String, String> with(String... more) {
        Map<String, String> options = new LinkedHashMap<>(SMALL);
        for (String one : more) {
            options.put(one.substring(0, one.indexOf('=')), one.substring(one.indexOf('=') + 1));
        }
        return options;
    }

    private static void assertNear(double[] expected, double[] actual, double tolerance, String what) {
        double size = Arrays.stream(expected).map(Math::abs).max().orElse(0);
        assertArrayEquals(expected, actual, tolerance * size, what);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"cycle=v", "cycle=w", "cycle=f", "cycle=k", "before=0", "after=0",
        "before=2", "smoother=jacobi", "smoother=l1-jacobi", "smoother=chebyshev,degree=3,ratio=20",
        "smoother=jacobi,omega=0.7"})
    void aCycleIsThatOfOneRank(String option) {
        CsrMatrix matrix = generate("poisson2d:nx=18", Precision.F64);
        Map<String, String> options = with(option);
        double[] expected = cycleOfOne(matrix, options);
        double[] one = cycle(matrix, blocks(matrix.rows(), 1), options, RingChoice.of(1));
        assertNear(expected, one, 1e-12, option);
        int[] partOf = TestSeed.random("ranks of rows").ints(matrix.rows(), 0, 3).toArray();
        double[] many = cycle(matrix, new Partition(partOf, 3), options, RingChoice.of(2, 1, 3));
        if (option.equals("cycle=k")) {
            assertNear(one, many, 1e-12, option);
        } else {
            assertArrayEquals(one, many, option + ", the same bits, seed " + TestSeed.value());
        }
    }

    /** Cycles that improve an iterate are those of one rank; the last two levels are empty on the second. */
    @ParameterizedTest
    @ValueSource(strings = {"cycle=v", "cycle=w"})
    void cyclesImproveIterates(String option) {
        CsrMatrix matrix = generate("poisson2d:nx=18", Precision.F64);
        Map<String, String> options = with(option);
        double[] expected;
        try (Backend backend = Backends.open("threads", ONE_THREAD);
                Multigrid multigrid = Multigrid.of(matrix, null, options, backend)) {
            HostVector x = HostVector.of(Precision.F64, matrix.rows(), row -> element(3L * row));
            HostVector b = HostVector.of(Precision.F64, matrix.rows(), RankMultigridTest::element);
            multigrid.sweep(b, x, SweepDirection.FORWARD);
            multigrid.sweep(b, x, SweepDirection.FORWARD);
            expected = x.toDoubleArray();
        }
        double[] actual = onRanks(matrix, blocks(matrix.rows(), 2), options, RingChoice.of(2), (multigrid, own) -> {
            HostVector x = own.vector(row -> element(3 * row));
            HostVector b = own.vector(RankMultigridTest::element);
            multigrid.sweep(b, x, SweepDirection.FORWARD);
            for (PreparedStep step : multigrid.bindSweep(b, x, SweepDirection.FORWARD)) {
                step.run();
            }
            assertTrue(multigrid.storedBytes() > 0);
            assertThrows(IllegalArgumentException.class, () -> multigrid.sweep(x, x, SweepDirection.FORWARD));
            return x;
        })[0].toDoubleArray();
        assertNear(expected, actual, 1e-12, option);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {"poisson3d:nx=8", "anisotropic2d:nx=18,epsilon=0.001,angle=30",
        "jump2d:nx=18,contrast=1e6,block=3"})
    void bitsDependNeitherOnRanksNorOnRings(String text) {
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = generate(text, precision);
            double[] expected = cycleOfOne(matrix, SMALL);
            double[] one = cycle(matrix, blocks(matrix.rows(), 1), SMALL, RingChoice.AUTOMATIC);
            assertNear(expected, one, 1e4 * precision.unitRoundoff(), text);
            assertArrayEquals(one, cycle(matrix, blocks(matrix.rows(), 2), SMALL, RingChoice.of(4)));
            assertArrayEquals(one, cycle(matrix, blocks(matrix.rows(), 9), SMALL, RingChoice.of(2)));
        }
    }

    @Test
    void awkwardMatricesHaveTheCycleOfOneRank() {
        for (PartitionedCase problem : PartitionedCase.all(3, Precision.F64)) {
            Map<String, String> options = Map.of("aggregates", "mis2", "coarse-rows", "8", "smoother",
                    "jacobi,omega=0.5");
            assertNear(cycleOfOne(problem.matrix(), options),
                    cycle(problem.matrix(), problem.partition(), options, RingChoice.of(2)), 1e-11, problem.name());
        }
    }

    /**
     * Cycles that are written down for one rank run over ranks, with operators on owned rows and dot products of all
     * ranks; the second level is empty on one of them.
     */
    @ParameterizedTest
    @ValueSource(strings = {"cycle=v", "cycle=k"})
    void cyclesOfGivenOperatorsRunOverRanks(String option) {
        CsrMatrix matrix = generate("poisson2d:nx=18", Precision.F64);
        Map<String, String> options = with(option, "max-levels=3", "smoother=jacobi,omega=0.7", "coarse-rows=2");
        double[] expected = cycleOfOne(matrix, options);
        double[] actual = ThreadRanks.run(2, communicator -> {
            PartitionedMatrix own = PartitionedMatrix.scatter(communicator, 0, matrix, blocks(matrix.rows(), 2));
            MultigridOptions parsed = MultigridOptions.parse(options);
            try (Backend host = Backends.open("threads", ONE_THREAD);
                    RankBackend backend = new RankBackend(communicator, host);
                    RankHierarchy hierarchy = RankHierarchy.of(own, null, parsed.coarsening(), 1000)) {
                assertEquals(3, hierarchy.levels());
                assertEquals(communicator.rank() == 0, hierarchy.matrix(1).ownedRows() > 0);
                List<OperatorLevel> levels =
                        List.of(operators(hierarchy, 0, backend), operators(hierarchy, 1, backend));
                try (RankMultigrid lowest = RankMultigrid.of(hierarchy.matrix(2), null,
                        RankMultigridOptions.parse(with("max-levels=1"), RingChoice.of(1)), backend.own());
                        OperatorMultigrid multigrid =
                                OperatorMultigrid.of(levels, lowest, parsed.cycle(), backend)) {
                    HostVector z = own.vector(i -> Double.NaN);
                    multigrid.apply(own.vector(RankMultigridTest::element), z);
                    return own.gather(0, z).toDoubleArray();
                }
            }
        }).getFirst();
        assertNear(expected, actual, 1e-12, option);
    }

    @SuppressWarnings("MustBeClosed") // for a test
    private static OperatorLevel operators(RankHierarchy hierarchy, int number, RankBackend backend) {
        PartitionedMatrix matrix = hierarchy.matrix(number);
        PartitionedMatrix next = hierarchy.matrix(number + 1);
        RankDevices place = RankDevices.of("test", backend.own(), hierarchy.communicator());
        PartitionedOperator operator = new PartitionedOperator(HaloPlan.of(matrix, 1, backend.own()), backend);
        RankTransfer up = new RankTransfer(hierarchy.level(number).prolongation(), next, hierarchy.communicator(),
                hierarchy.tags().next(), place);
        RankTransfer down = new RankTransfer(hierarchy.level(number).restriction(), matrix, hierarchy.communicator(),
                hierarchy.tags().next(), place);
        return new OperatorLevel(operator, transfer(up, matrix.ownedRows(), next.ownedRows()),
                transfer(down, next.ownedRows(), matrix.ownedRows()),
                Preconditioners.smoother("jacobi", PartitionedOperator.diagonal(matrix), operator, backend.own(),
                        Map.of("omega", "0.7")),
                true);
    }

    private static LinearOperator transfer(RankTransfer transfer, int rows, int columns) {
        return LinearOperator.of(rows, columns, Precision.F64, MemorySpace.HOST,
                (alpha, x, beta, y) -> transfer.multiply(x, y, beta == 1));
    }

    /** A coarsest level that several ranks have rows of is solved on the first one. */
    @Test
    void oneLevelIsADirectSolution() {
        CsrMatrix matrix = generate("poisson2d:nx=9", Precision.F64);
        double[] x = cycle(matrix, blocks(matrix.rows(), 3), with("max-levels=1"), RingChoice.of(1));
        double[] product = matrix.multiply(x);
        double[] expected = new double[product.length];
        Arrays.setAll(expected, RankMultigridTest::element);
        assertArrayEquals(expected, product, 1e-12);
    }

    /** Degree 2, one level above the coarsest: b, and the iterate before the sweep up, or an exchange each product. */
    @Test
    void moreRingsExchangeLess() {
        CsrMatrix matrix = generate("poisson2d:nx=16", Precision.F64);
        int[] rings = {1, 2};
        int[] exchanges = {4, 2};
        for (int k = 0; k < rings.length; k++) {
            int expected = exchanges[k];
            onRanks(matrix, blocks(matrix.rows(), 2), with("max-levels=2"), RingChoice.of(rings[k]),
                    (multigrid, own) -> {
                        HostVector z = own.vector(i -> 0);
                        multigrid.apply(own.vector(i -> 1), z);
                        long before = multigrid.exchanges();
                        multigrid.apply(own.vector(i -> 1), z);
                        assertEquals(expected, multigrid.exchanges() - before);
                        return z;
                    });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"poisson2d:nx=22", "jump2d:nx=20,contrast=1e4,block=4"})
    void otherValuesGiveTheCycleOfANewHierarchy(String text) {
        CsrMatrix matrix = generate(text, Precision.F64);
        CsrMatrix other = matrix.mapValues((row, column, value) -> (row == column ? 3.5 : 3) * value);
        double[] expected;
        try (Backend backend = Backends.open("threads", ONE_THREAD);
                Multigrid multigrid = Multigrid.of(matrix, null, SMALL, backend)) {
            multigrid.refresh(other);
            HostVector z = HostVector.zeros(Precision.F64, matrix.rows());
            multigrid.apply(HostVector.of(Precision.F64, matrix.rows(), RankMultigridTest::element), z);
            expected = z.toDoubleArray();
        }
        Partition partition = blocks(matrix.rows(), 3);
        double[] actual = onRanks(matrix, partition, SMALL, RingChoice.of(2), (multigrid, own) -> {
            HostVector z = own.vector(i -> 0);
            multigrid.refresh(PartitionedMatrix.scatter(own.communicator(), 0, other, partition));
            multigrid.refresh(PartitionedMatrix.scatter(own.communicator(), 0, other, partition));
            multigrid.apply(own.vector(RankMultigridTest::element), z);
            return z;
        })[0].toDoubleArray();
        assertNear(expected, actual, 1e-11, text);
        CsrMatrix smaller = generate("poisson2d:nx=5", Precision.F64);
        JobFailedException failure = assertThrows(JobFailedException.class,
                () -> onRanks(matrix, partition, SMALL, RingChoice.of(1), (multigrid, own) -> {
                    multigrid.refresh(PartitionedMatrix.scatter(own.communicator(), 0, smaller,
                            blocks(smaller.rows(), 3)));
                    return own.vector(i -> 0);
                }));
        assertTrue(failure.getMessage().contains("expected the same rows with the same structure"),
                failure.getMessage());
    }

    @Test
    void reportSaysWhereLevelsAre() {
        CsrMatrix matrix = generate("poisson2d:nx=22", Precision.F64);
        List<MultigridReport> reports = ThreadRanks.run(3, communicator -> report(communicator, matrix));
        MultigridReport report = reports.getFirst();
        assertEquals(reports.get(1).levels(), report.levels());
        assertEquals(484, report.levels().getFirst().rows());
        assertEquals(matrix.nonZeros(), report.levels().getFirst().nonZeros());
        assertEquals("3 ranks, 2 rings", report.levels().getFirst().product());
        assertEquals("inverse", report.levels().getLast().smoother());
        assertEquals("1 rank", report.levels().getLast().product());
        assertTrue(report.toString().contains("chebyshev, kind=4, degree=2, lambda-max="), report::toString);
        int last = report.levels().size() - 1;
        assertEquals(2 * last + 1, report.visits().size());
    }

    private static MultigridReport report(Communicator communicator, CsrMatrix matrix) {
        PartitionedMatrix own = PartitionedMatrix.scatter(communicator, 0, matrix, blocks(matrix.rows(), 3));
        try (Backend backend = Backends.open("threads", ONE_THREAD);
                RankMultigrid multigrid = RankMultigrid.of(own, null,
                        RankMultigridOptions.parse(SMALL, RingChoice.of(2)), backend)) {
            return multigrid.report();
        }
    }

    @Test
    void aSetupOnADeviceIsRefusedOnHosts() {
        CsrMatrix matrix = MatrixSpec.parse("poisson2d:nx=6").generate(Precision.F64, ProgressListener.NONE);
        JobFailedException refused = assertThrows(JobFailedException.class, () -> ThreadRanks.run(2, communicator -> {
            PartitionedMatrix own = PartitionedMatrix.scatter(communicator, 0, matrix, blocks(matrix.rows(), 2));
            try (Backend backend = Backends.open("threads", ONE_THREAD);
                    RankMultigrid multigrid = RankMultigrid.of(own, null,
                            RankMultigridOptions.parse(Map.of("setup", "backend"), RingChoice.of(1)), backend)) {
                return multigrid.exchanges();
            }
        }));
        assertTrue(refused.getMessage().contains("setup=backend wants a GPU on the first rank"), refused.getMessage());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"aggregates=greedy|expected mis2", "coarsening=classical|coarsening=classical",
        "coarsening=air|on one rank it works",
        "improve-candidates=2|improve-candidates=2, expected 0",
        "adaptive-candidates=3|adaptive-candidates=3, expected 0",
        "smoother=ssor|expected one of [chebyshev, jacobi, l1-jacobi]",
        "smoother=l1-jacobi,omega=0.5|has no option 'omega'"})
    void refusesWhatThereIsNot(String option, String message) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> RankMultigridOptions.parse(
                        Map.of(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1)),
                        RingChoice.AUTOMATIC));
        assertTrue(refused.getMessage().contains(message), refused.getMessage());
    }
}
