package org.trellis.distributed.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.CoarseningOptions;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.solve.multigrid.Multigrid;
import org.trellis.solve.multigrid.MultigridOptions;
import org.trellis.solve.multigrid.MultigridReport;
import org.trellis.solve.multigrid.NearNullSpace;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.TestSeed;

/** Cycles over ranks on devices are those of one rank on the host but for rounding, whatever the devices. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
abstract class DeviceMultigridContract {
    private static final Configuration ONE_THREAD =
            Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();

    /** Opens the backend of a rank, on a device that writes to those of others if asked and able, or skips the test. */
    @MustBeClosed
    protected abstract Backend open(int rank, boolean writes);

    /** Says whether cases that are not for every build are to be run, or skips those. */
    protected abstract boolean all();

    /** Skips the test where there is no device, before there are ranks. */
    private void requireDevice() {
        try (Backend probe = open(0, true)) {
            assertTrue(probe.optionalKernels(HaloKernels.class).isPresent());
        }
    }

    private static CsrMatrix generate(String text, Precision precision) {
        return MatrixSpec.parse(text).generate(precision, ProgressListener.NONE);
    }

    private static double element(long i) {
        return (7919 * i + 13) % 1009 / 1009.0;
    }

    private static Map<String, String> options(String text) {
        Map<String, String> options = given(text);
        options.put("aggregates", "mis2");
        options.put("coarse-rows", "20");
        options.putIfAbsent("setup", "host");
        return options;
    }

    private static Map<String, String> given(String text) {
        Map<String, String> options = new HashMap<>();
        for (String one : text.split(";")) {
            options.put(one.substring(0, one.indexOf('=')), one.substring(one.indexOf('=') + 1));
        }
        return options;
    }

    private static Partition partition(int rows, int parts, boolean random) {
        int[] partOf = random
                ? TestSeed.random("ranks of rows").ints(rows, 0, parts).toArray()
                : new int[rows];
        if (!random) {
            Arrays.setAll(partOf, i -> (int) ((long) i * parts / rows));
        }
        return new Partition(partOf, parts);
    }

    private static HostVector toHost(DenseVector vector) {
        HostVector copy = HostVector.zeros(vector.precision(), vector.length());
        vector.copyTo(copy);
        return copy;
    }

    /** What a rank does with a cycle. */
    private interface Work {
        HostVector run(RankMultigrid multigrid, PartitionedMatrix matrix, Backend backend);
    }

    private double[] onRanks(CsrMatrix whole, Partition partition, int host, RankMultigridOptions options,
            Work work) {
        requireDevice();
        return ThreadRanks.run(partition.parts(), communicator -> {
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole, partition);
            try (Backend backend = communicator.rank() == host
                    ? Backends.open("threads", ONE_THREAD)
                    : open(communicator.rank(), host < 0);
                    RankMultigrid multigrid = RankMultigrid.of(matrix, null, options, backend)) {
                return matrix.gather(0, work.run(multigrid, matrix, backend));
            }
        }).getFirst().toDoubleArray();
    }

    private static HostVector cycle(RankMultigrid multigrid, PartitionedMatrix matrix, Backend backend) {
        try (DenseVector b = backend.vector(matrix.precision(), matrix.ownedRows());
                DenseVector z = backend.vector(matrix.precision(), matrix.ownedRows())) {
            b.copyFrom(matrix.vector(DeviceMultigridContract::element));
            for (int turn = 0; turn < 2; turn++) {
                multigrid.apply(b, z);
            }
            return toHost(z);
        }
    }

    private static double[] cycleOfOne(CsrMatrix whole, Map<String, String> given) {
        Map<String, String> options = new HashMap<>(given);
        options.put("setup", "host");
        try (Backend backend = Backends.open("threads", ONE_THREAD);
                Multigrid multigrid = Multigrid.of(whole, null, options, backend)) {
            HostVector z = HostVector.zeros(whole.precision(), whole.rows());
            multigrid.apply(HostVector.of(whole.precision(), whole.rows(), DeviceMultigridContract::element), z);
            return z.toDoubleArray();
        }
    }

    private static void assertNear(double[] expected, double[] actual, double tolerance, String what) {
        double size = Arrays.stream(expected).map(Math::abs).max().orElse(0);
        assertArrayEquals(expected, actual, tolerance * size, what + ", seed " + TestSeed.value());
    }

    private void cycles(int ranks, String option, String rings, int rowsPerRank, int host, Precision precision) {
        CsrMatrix whole = generate("poisson2d:nx=15", precision);
        Map<String, String> options = options(option);
        double[] expected = cycleOfOne(whole, options);
        RankMultigridOptions parsed = RankMultigridOptions.parse(options, RingChoice.parse(rings));
        double[] actual = onRanks(whole, partition(whole.rows(), ranks, ranks > 2), host,
                rowsPerRank == 0 ? parsed : parsed.rowsPerRank(rowsPerRank), DeviceMultigridContract::cycle);
        assertNear(expected, actual, 1e4 * precision.unitRoundoff(),
                ranks + " ranks, " + option + ", rings " + rings + ", host " + host + ", " + precision);
    }

    @ParameterizedTest
    @CsvSource({"2, smoother=chebyshev, 1, 30, -1, F64", "2, setup=backend, 1, 30, -1, F64"})
    void aCycleIsThatOfOneRank(int ranks, String option, String rings, int rowsPerRank, int host,
            Precision precision) {
        cycles(ranks, option, rings, rowsPerRank, host, precision);
    }

    /** Coarse levels on one rank alone (0) or on several, with and without a rank on the host. */
    @ParameterizedTest
    @CsvSource({"1, cycle=v, 1, 0, -1, F64", "2, cycle=v, 1, 0, -1, F32", "2, cycle=w, '2,1', 0, -1, F64",
        "3, cycle=w, '3,2', 30, -1, F64", "3, cycle=f, 1, 30, -1, F64", "3, cycle=k, 2, 30, -1, F64",
        "4, smoother=jacobi, 1, 30, -1, F32", "5, smoother=l1-jacobi, 2, 20, -1, F64", "2, before=0, 1, 0, -1, F64",
        "2, after=0, 1, 30, -1, F64", "3, before=2, 2, 20, -1, F64", "3, cycle=v, 2, 30, 1, F64",
        "3, cycle=w, 1, 0, 0, F64", "2, 'smoother=chebyshev,kind=4,degree=4', auto, 30, -1, F64",
        "2, 'smoother=chebyshev,degree=2', tuned, 30, -1, F64", "5, cycle=v, 4, 30, 3, F32",
        "1, 'setup=backend;cycle=v', 1, 0, -1, F64", "2, 'setup=backend;cycle=w', 2, 0, -1, F32",
        "3, 'setup=backend;cycle=v', auto, 30, -1, F64", "3, 'setup=backend;cycle=w', '2,1', 30, 1, F64",
        "3, 'setup=backend;cycle=f', 1, 30, -1, F64", "2, 'setup=backend;cycle=k', 1, 0, -1, F64",
        "4, 'setup=backend;smoother=jacobi;coarsening=aggregation;cycle=v', 1, 30, -1, F64"})
    void allKindsOfCyclesAre(int ranks, String option, String rings, int rowsPerRank, int host, Precision precision) {
        Assumptions.assumeTrue(all());
        cycles(ranks, option, rings, rowsPerRank, host, precision);
    }

    /** Where levels are set up by default, and where an option says. */
    @Test
    void aDeviceSetsUpWhatIsLargeAndFits() {
        requireDevice();
        ThreadRanks.run(2, communicator -> {
            PartitionedMatrix small = diagonal(communicator, 19_999);
            PartitionedMatrix large = diagonal(communicator, 20_000);
            MultigridOptions automatic = MultigridOptions.parse(Map.of("aggregates", "mis2"));
            MultigridOptions onHosts = MultigridOptions.parse(Map.of("setup", "host"));
            MultigridOptions there = MultigridOptions.parse(Map.of("setup", "backend"));
            try (Backend backend = open(communicator.rank(), true);
                    Backend host = Backends.open("threads", ONE_THREAD)) {
                RankDevices devices = RankDevices.of("levels", backend, communicator);
                assertTrue(DeviceSetupRule.gathers(large, automatic, devices));
                assertFalse(DeviceSetupRule.gathers(small, automatic, devices));
                assertTrue(DeviceSetupRule.gathers(small, there, devices));
                assertFalse(DeviceSetupRule.gathers(large, onHosts, devices));
                RankDevices second = RankDevices.of("levels", communicator.rank() == 0 ? host : backend, communicator);
                assertFalse(DeviceSetupRule.gathers(large, automatic, second));
                assertThrows(UnsupportedKernelException.class, () -> DeviceSetupRule.gathers(small, there, second));
            }
            return null;
        });
    }

    private static PartitionedMatrix diagonal(Communicator communicator, long rows) {
        return PartitionedMatrix.generate(communicator, rows, Precision.F64, (row, entries) -> entries.add(row, 2));
    }

    /** The first rank's device sets up what one rank does on the host, whether small levels stay there or not. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"2|poisson2d:nx=15|false|aggregates=mis2|F64"})
    void aDeviceSetsUpTheLevelsOfOneRank(int ranks, String text, boolean staying, String option,
            Precision precision) {
        levels(ranks, text, staying, option, precision);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"1|poisson2d:nx=15|true|aggregates=mis2|F64",
        "3|poisson3d:nx=7|true|aggregates=mis2|F32", "4|jump2d:nx=18,contrast=1e6,block=3|false|aggregates=mis2|F64",
        "5|anisotropic2d:nx=18,epsilon=0.001,angle=30|true|aggregates=mis2|F64",
        "3|poisson2d:nx=15|false|coarsening=aggregation|F64", "2|poisson2d:nx=15|true|coarsening=classical|F64",
        "3|elasticity2d:nx=7|false|aggregates=mis2|F64"})
    void aDeviceSetsUpAllKindsOfLevels(int ranks, String text, boolean staying, String option, Precision precision) {
        Assumptions.assumeTrue(all());
        levels(ranks, text, staying, option, precision);
    }

    private void levels(int ranks, String text, boolean staying, String option, Precision precision) {
        CsrMatrix whole = generate(text, precision);
        int blockSize = text.startsWith("elasticity") ? 2 : 1;
        Map<String, String> given = given(option);
        given.put("coarse-rows", "20");
        given.put("setup", "backend");
        CoarseningOptions options = MultigridOptions.parse(given).coarsening();
        Hierarchy expected = Hierarchy.of(whole, NearNullSpace.constants(whole.rows(), blockSize), options);
        requireDevice();
        List<List<RowBlock[]>> found = ThreadRanks.run(ranks, communicator -> {
            PartitionedMatrix own =
                    PartitionedMatrix.scatter(communicator, 0, whole, partition(whole.rows(), ranks, blockSize == 1));
            try (Backend backend = open(communicator.rank(), true);
                    RankHierarchy hierarchy = RankHierarchy.onFirstDevice(own,
                            blockSize == 1 ? null : RankSpace.constants(own, blockSize), options, 30, staying,
                            RankDevices.of("levels", backend, communicator))) {
                List<RowBlock[]> levels = new ArrayList<>();
                for (int l = 0; l < hierarchy.levels(); l++) {
                    levels.add(new RowBlock[]{hierarchy.matrix(l).rows(),
                        l + 1 < hierarchy.levels() ? hierarchy.prolongation(l) : null});
                    assertEquals(expected.level(l).matrix().nonZeros(), hierarchy.nonZeros(l), "level " + l);
                }
                return levels;
            }
        });
        assertEquals(expected.size(), found.getFirst().size(), text);
        for (int l = 0; l < expected.size(); l++) {
            int at = l;
            int rows = expected.level(l).matrix().rows();
            String what = text + ", level " + l + ", seed " + TestSeed.value();
            RankHierarchyTest.assertSame(expected.level(l).matrix(),
                    RankHierarchyTest.whole(found.stream().map(rank -> rank.get(at)[0]).toList(), rows), what);
            if (l + 1 < expected.size()) {
                RankHierarchyTest.assertSame(expected.level(l).prolongation().orElseThrow(),
                        RankHierarchyTest.whole(found.stream().map(rank -> rank.get(at)[1]).toList(),
                                expected.level(l + 1).matrix().rows()),
                        what + ", P");
            }
        }
    }

    /** The same bits for any rings and ranks, levels on one rank or several, since rows are summed alike. */
    @ParameterizedTest
    @CsvSource({"F64", "F32"})
    void bitsDependNeitherOnRanksNorOnRings(Precision precision) {
        Assumptions.assumeTrue(all());
        CsrMatrix whole = generate("poisson3d:nx=7", precision);
        double[] first = null;
        for (int ranks : new int[]{2, 3, 5}) {
            RankMultigridOptions parsed = RankMultigridOptions
                    .parse(options("smoother=chebyshev"), RingChoice.of(ranks == 2 ? 1 : ranks)).rowsPerRank(20);
            double[] actual = onRanks(whole, partition(whole.rows(), ranks, false), -1, parsed,
                    DeviceMultigridContract::cycle);
            if (first != null) {
                assertArrayEquals(first, actual, ranks + " ranks");
            }
            first = actual;
        }
    }

    /** Other values in the same structure. */
    @ParameterizedTest
    @CsvSource({"0, host", "30, host", "0, backend", "30, backend"})
    void refreshTakesOtherValues(int rowsPerRank, String setup) {
        Assumptions.assumeTrue(all());
        CsrMatrix whole = generate("poisson2d:nx=15", Precision.F64);
        Map<String, String> options = options("cycle=v;setup=" + setup);
        RankMultigridOptions parsed = RankMultigridOptions.parse(options, RingChoice.of(2));
        double[] expected = Arrays.stream(cycleOfOne(whole, options)).map(value -> value / 4).toArray();
        double[] actual = onRanks(whole, partition(whole.rows(), 2, false), -1,
                rowsPerRank == 0 ? parsed : parsed.rowsPerRank(rowsPerRank), (multigrid, matrix, backend) -> {
                    cycle(multigrid, matrix, backend);
                    multigrid.refresh(PartitionedMatrix.scatter(matrix.communicator(), 0, whole.scaled(4),
                            partition(whole.rows(), 2, false)));
                    MultigridReport report = multigrid.report();
                    assertEquals(multigrid.hierarchy().levels(), report.levels().size());
                    assertTrue(report.levels().stream().allMatch(level -> level.bytes() > 0), report::toString);
                    return cycle(multigrid, matrix, backend);
                });
        assertNear(expected, actual, 1e-12, "refreshed");
    }

    /** Conjugate gradients with multigrid by way of the stack. */
    @ParameterizedTest
    @CsvSource({"1, poisson2d:nx=24, cg, amg, F64", "2, poisson2d:nx=24, cg, amg, F64",
        "3, poisson3d:nx=9, cg, amg, F32", "4, 'anisotropic2d:nx=24,epsilon=0.01,angle=0', cg, amg, F64",
        "5, poisson2d:nx=24, pipelined-cg, amg, F64", "3, poisson2d:nx=24, cg, chebyshev, F64",
        "2, poisson2d:nx=24, gmres, amg, F64", "2, poisson2d:nx=16, s-step;steps=4, jacobi, F64",
        "3, poisson2d:nx=16, s-step;steps=3, none, F32", "2, poisson2d:nx=16, s-step;steps=2, chebyshev, F64",
        "3, poisson2d:nx=16, s-step-gmres;steps=4;restart=20, jacobi, F64",
        "2, poisson2d:nx=24, s-step-gmres;steps=3, amg, F64", "2, poisson2d:nx=20, cg, ssor, F64",
        "3, poisson2d:nx=16, bicgstab, ssor, F32"})
    void methodsTakeAsManyIterations(int ranks, String spec, String method, String preconditioner,
            Precision precision) {
        Assumptions.assumeTrue(all());
        CsrMatrix whole = generate(spec, precision);
        double tolerance = precision == Precision.F64 ? 1e-9 : 1e-4;
        Map<String, String> options = preconditioner.equals("amg")
                ? Map.of("coarse-rows", "20", "aggregates", "mis2")
                : Map.of();
        Map<String, String> ofMethod =
                method.contains(";") ? given(method.substring(method.indexOf(';') + 1)) : Map.of();
        SolverConfig stack = new SolverConfig(method.split(";")[0], ofMethod, preconditioner, options,
                StoppingCriteria.relative(tolerance, 200), false, false);
        int expected = solve(whole, stack, 1, tolerance, true);
        int actual = solve(whole, stack, ranks, tolerance, false);
        assertTrue(Math.abs(expected - actual) <= 2, () -> expected + " iterations on a host, " + actual + " on "
                + ranks + " devices");
    }

    @SuppressWarnings("MustBeClosed") // closed with the ranks' backend
    private int solve(CsrMatrix whole, SolverConfig stack, int ranks, double tolerance, boolean onHost) {
        requireDevice();
        Partition partition = partition(whole.rows(), ranks, false);
        List<Integer> iterations = ThreadRanks.run(ranks, communicator -> {
            Backend own = onHost ? Backends.open("threads", ONE_THREAD) : open(communicator.rank(), true);
            PartitionedMatrix matrix = PartitionedMatrix.scatter(communicator, 0, whole, partition);
            try (RankBackend backend = new RankBackend(communicator, own);
                    HaloPlan plan = HaloPlan.of(matrix, 1, own);
                    PartitionedOperator operator = new PartitionedOperator(plan, backend);
                    PartitionedSolver solver = PartitionedSolver.prepare(stack, matrix, operator, backend,
                            stack.isOfSteps() ? RingChoice.AUTOMATIC : RingChoice.of(2), null);
                    DenseVector b = own.vector(whole.precision(), matrix.ownedRows());
                    DenseVector x = own.vector(whole.precision(), matrix.ownedRows());
                    DenseVector product = own.vector(whole.precision(), matrix.ownedRows())) {
                HostVector right = matrix.vector(DeviceMultigridContract::element);
                b.copyFrom(right);
                SolveReport report = solver.solve(b, x, StoppingCriteria.relative(tolerance, 200),
                        IterationObserver.NONE);
                assertTrue(report.converged(), report::toString);
                operator.apply(x, product);
                assertArrayEquals(right.toDoubleArray(), toHost(product).toDoubleArray(), 100 * tolerance);
                return agreed(communicator, report.iterations());
            }
        });
        return iterations.getFirst();
    }

    private static int agreed(Communicator communicator, int iterations) {
        assertEquals(communicator.greatest(iterations), iterations, "iterations of ranks");
        return iterations;
    }
}
