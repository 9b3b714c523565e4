package org.trellis.distributed.device;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloExchange;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.ReverseExchange;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.multigrid.RingChoice;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.powers.ColouredGaussSeidel;
import org.trellis.distributed.powers.KrylovBasis;
import org.trellis.distributed.powers.RingProduct;
import org.trellis.distributed.powers.RingSmoother;
import org.trellis.distributed.powers.TransposedProduct;
import org.trellis.distributed.solve.PartitionedOperator;
import org.trellis.distributed.solve.PartitionedSolver;
import org.trellis.distributed.solve.RankBackend;
import org.trellis.distributed.solve.RankSchwarz;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.PreparedReduction;
import org.trellis.mesh.partition.Partition;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.smooth.SweepDirection;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.PartitionedCase;

/** What ranks with their vectors on devices must do, whatever the devices, and beside ranks on the host. */
@Timeout(value = 200, unit = TimeUnit.SECONDS)
abstract class DeviceRanksContract {
    private static final int STEPS = 5;

    /** Opens the backend of a rank, on a device that writes to those of others if asked and able, or skips the test. */
    @MustBeClosed
    protected abstract Backend open(int rank, boolean writes);

    /** Returns the most ranks of a test. */
    protected abstract int ranks();

    /** Says whether solvers are run, which want many kernels. */
    protected boolean solves() {
        return true;
    }

    /** Says whether NCCL can join two ranks. */
    protected abstract boolean joins();

    private static double element(long i) {
        return Math.sin(1.7 * i + 0.3);
    }

    /** Runs something on ranks that each have a backend. */
    private <T> List<T> onRanks(int ranks, Function<Rank, T> task) {
        return onRanks(ranks, false, task);
    }

    private <T> List<T> onRanks(int ranks, boolean writes, Function<Rank, T> task) {
        try (Backend probe = open(0, writes)) {
            assertTrue(probe.optionalKernels(HaloKernels.class).isPresent());
        }
        return ThreadRanks.run(ranks, communicator -> {
            try (Backend backend = open(communicator.rank(), writes)) {
                return task.apply(new Rank(communicator, backend));
            }
        });
    }

    private record Rank(Communicator communicator, Backend backend) {
        PartitionedMatrix share(PartitionedCase problem) {
            return PartitionedMatrix.scatter(communicator, 0, problem.matrix(), problem.partition());
        }
    }

    /** Every fourth of the cases, beginning with another one for each number. */
    private static List<PartitionedCase> some(int ranks, Precision precision, int first) {
        List<PartitionedCase> all = PartitionedCase.all(ranks, precision);
        return all.stream().filter(problem -> all.indexOf(problem) % 4 == first % 4).toList();
    }

    @Test
    void exchangesBringAllRingsOfAllVectors() {
        for (Precision precision : Precision.values()) {
            List<PartitionedCase> cases = some(ranks(), precision, precision == Precision.F64 ? 0 : 1);
            onRanks(ranks(), rank -> {
                for (PartitionedCase problem : cases) {
                    try (HaloPlan plan = HaloPlan.of(rank.share(problem), 3, rank.backend())) {
                        exchange(plan, 1, problem.name());
                        exchange(plan, 3, problem.name());
                    }
                }
                return null;
            });
        }
    }

    /** Transports are measured, and whichever is taken for a size brings the same. */
    @Test
    void messagesTakeTheWayThatWasMeasured() {
        List<PartitionedCase> cases = some(2, Precision.F64, 1);
        onRanks(2, true, rank -> {
            TransportComparison times = TransportComparison.measure(rank.communicator(), 300,
                    List.of(new DeviceTransport(rank.backend(), true), new DeviceTransport(rank.backend(), false)),
                    List.of(8, 512));
            assertEquals(4, times.times().size());
            assertTrue(times.toString().contains("staged"), times::toString);
            List<String> waysOfSmall = new ArrayList<>();
            for (String small : List.of(DeviceTransport.DIRECT, DeviceTransport.STAGED)) {
                String large = small.equals(DeviceTransport.DIRECT) ? DeviceTransport.STAGED : DeviceTransport.DIRECT;
                TransportComparison told =
                        TransportComparison.parse(List.of(small + " 64 1e-6", large + " 64 2e-6", small + " 4096 2e-6",
                                large + " 4096 1e-6"));
                for (PartitionedCase problem : cases) {
                    try (HaloPlan plan = HaloPlan.of(rank.share(problem), 2, rank.backend()).byWays(told)) {
                        exchange(plan, 1, problem.name() + ", small ones " + small);
                        plan.transport().ifPresent(waysOfSmall::add);
                    }
                }
            }
            assertTrue(waysOfSmall.stream().distinct().count() > 1, waysOfSmall::toString);
            return null;
        });
    }

    /** Every transport brings the same, and says which it is. */
    @ParameterizedTest
    @ValueSource(
            strings = {DeviceTransport.DIRECT, DeviceTransport.COPIED, DeviceTransport.STAGED, DeviceTransport.NCCL})
    void everyWayBringsAllRings(String transport) {
        assumeTrue(!transport.equals(DeviceTransport.NCCL) || joins(),
                "there is no NCCL, or not a device for each of two ranks");
        Map<String, String> words =
                Map.of(DeviceTransport.DIRECT, "written by kernels", DeviceTransport.COPIED, "copied",
                        DeviceTransport.STAGED, "through the host", DeviceTransport.NCCL, "by NCCL");
        List<PartitionedCase> cases = some(2, Precision.F64, 3);
        onRanks(2, true, rank -> {
            DeviceTransports transports =
                    DeviceTransports.start(rank.communicator(), rank.backend(), List.of(transport)).orElseThrow();
            assertEquals(transport, transports.transport(8), transports::toString);
            assertEquals(Optional.empty(), transports.times());
            List<String> found = new ArrayList<>();
            for (PartitionedCase problem : cases) {
                try (HaloPlan plan = HaloPlan.of(rank.share(problem), 2, rank.backend())) {
                    exchange(plan, 1, problem.name() + " " + transport);
                    exchange(plan, 3, problem.name() + " " + transport);
                    plan.transport().filter(said -> !said.contains("nothing")).ifPresent(found::add);
                }
            }
            assertTrue(!found.isEmpty() && found.stream().allMatch(said -> said.contains(words.get(transport))),
                    found::toString);
            transports.close();
            return null;
        });
    }

    /**
     * At start the usual transports are measured and left with the backend; a second start in a process measures
     * nothing.
     */
    @Test
    void waysAreMeasuredAtStart() {
        onRanks(2, true, rank -> {
            DeviceTransports transports =
                    DeviceTransports.start(rank.communicator(), rank.backend(), List.of()).orElseThrow();
            TransportComparison times = transports.times().orElseThrow();
            for (String transport : List.of(DeviceTransport.DIRECT, DeviceTransport.COPIED, DeviceTransport.STAGED)) {
                assertTrue(times.latency(transport) > 0, times::toString);
            }
            assertEquals(transports.transport(8), times.fastest(8));
            assertTrue(transports.toString().contains("taken: 8 B") && transports.seconds() > 0, transports::toString);
            assertSame(transports, DeviceTransports.of(rank.backend()).orElseThrow());
            assertSame(times,
                    DeviceTransports.start(rank.communicator(), rank.backend(), List.of()).orElseThrow().times()
                            .orElseThrow(),
                    "measured once");
            try (Backend host = Backends.open("reference", Configuration.load())) {
                assertEquals(Optional.empty(), DeviceTransports.start(rank.communicator(),
                        rank.communicator().rank() == 1 ? host : rank.backend(), List.of()));
            }
            return null;
        });
    }

    /** Numbers that NCCL brings are combined in the order of ranks. */
    @Test
    void numbersTravelByNccl() {
        assumeTrue(joins(), "there is no NCCL, or not a device for each of two ranks");
        onRanks(2, true, rank -> {
            int own = rank.communicator().rank();
            DeviceTransports transports =
                    DeviceTransports.start(rank.communicator(), rank.backend(), List.of(DeviceTransport.NCCL))
                            .orElseThrow();
            try (DeviceReduction reduction =
                    DeviceReduction.of(rank.communicator(), 7, rank.backend(), 4).orElseThrow();
                    DenseVector values = rank.backend().vector(Precision.F64, 5)) {
                for (int round = 0; round < 3; round++) {
                    values.copyFrom(HostVector.of(Precision.F64, 5, i -> 0.1 * (own + 1) * (i + 1)));
                    reduction.combine(PreparedReduction.Operation.SUM, values, 1, 2);
                    reduction.combine(PreparedReduction.Operation.MIN, values, 3, 1);
                    reduction.combine(PreparedReduction.Operation.MAX, values, 4, 1);
                    HostVector found = HostVector.zeros(Precision.F64, 5);
                    values.copyTo(found);
                    assertArrayEquals(new double[]{0.1 * (own + 1), 0.1 * 2 + 0.2 * 2, 0.1 * 3 + 0.2 * 3, 0.1 * 4,
                        0.2 * 5}, found.toDoubleArray(), "round " + round);
                }
            }
            transports.close();
            return null;
        });
    }

    /** One device for two ranks cannot be joined, and that is said on both. */
    @Test
    void waysThatAreNotThereAreRefused() {
        onRanks(2, true, rank -> {
            try (Backend same = open(0, true)) {
                String message = assertThrows(BackendUnavailableException.class, () -> DeviceTransports
                        .start(rank.communicator(), same, List.of(DeviceTransport.NCCL))).getMessage();
                assertTrue(message.contains("share a device") || message.contains("NCCL (libnccl.so.2)"), message);
            }
            assertThrows(IllegalArgumentException.class, () -> DeviceTransports.only("pigeon", null));
            return null;
        });
    }

    /** A rank on the host between ranks on devices. */
    @Test
    void hostsAndDevicesAreNeighbours() {
        List<PartitionedCase> cases = some(ranks(), Precision.F64, 1);
        onRanks(ranks(), rank -> {
            try (Backend host = Backends.open("reference", Configuration.load())) {
                Backend own = rank.communicator().rank() == 1 ? host : rank.backend();
                for (PartitionedCase problem : cases) {
                    try (HaloPlan plan = HaloPlan.of(rank.share(problem), 2, own)) {
                        assertEquals(rank.communicator().rank() != 1, plan.isOnDevice());
                        exchange(plan, 2, problem.name());
                    }
                }
            }
            return null;
        });
    }

    private static void exchange(HaloPlan plan, int count, String name) {
        HaloExchange exchange = plan.exchange(count);
        RingVector[] vectors = new RingVector[count];
        for (int v = 0; v < count; v++) {
            vectors[v] = plan.vector();
        }
        for (int round = 1; round <= 3; round++) {
            for (int v = 0; v < count; v++) {
                int factor = 10 * v + round;
                vectors[v].set(i -> factor * (i + 1));
                exchange.with(v, vectors[v]);
            }
            exchange.start();
            exchange.finish();
            for (int v = 0; v < count; v++) {
                assertEquals(plan.rings(), vectors[v].validRings());
                HostVector found = vectors[v].toHost();
                for (int i = 0; i < plan.localElements(); i++) {
                    assertEquals((double) ((10 * v + round) * (plan.globalIndex(i) + 1)), found.get(i),
                            "element " + i + " of vector " + v + " in round " + round + " of " + name);
                }
            }
        }
        for (int neighbour = 0; neighbour < plan.sends().size(); neighbour++) {
            assertEquals(3, exchange.messages(neighbour));
        }
    }

    /** Powers and sweeps agree with those on the host within rounding, and have the same bits for any rings. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void stepsAgreeWithTheHost(int fewer) {
        int ranks = Math.max(1, ranks() - fewer + 1);
        for (PartitionedCase problem : some(ranks, Precision.F64, 2 + fewer)) {
            onRanks(ranks, rank -> {
                PartitionedMatrix matrix = rank.share(problem);
                double[][] expected;
                try (HaloPlan plan = HaloPlan.of(matrix, 1)) {
                    expected = steps(plan);
                }
                double[][] first = null;
                for (int rings : new int[]{1, 3}) {
                    try (HaloPlan plan = HaloPlan.of(matrix, rings, rank.backend())) {
                        double[][] actual = steps(plan);
                        for (int v = 0; v < expected.length; v++) {
                            assertArrayEquals(expected[v], actual[v], 1e-12, "vector " + v + " of " + problem);
                            if (first != null) {
                                assertArrayEquals(first[v], actual[v], "bits of vector " + v + " of " + problem);
                            }
                        }
                        first = actual;
                    }
                }
                return null;
            });
        }
    }

    /** What needs messages may run beside what needs none; by itself a rank tries both and decides. */
    @Test
    void aSecondQueueChangesNoBits() {
        PartitionedCase problem = some(2, Precision.F64, 0).getLast();
        onRanks(2, true, rank -> {
            PartitionedMatrix matrix = rank.share(problem);
            double[][] first = null;
            for (String streams : List.of("1", "2", "auto")) {
                SideQueue side = SideQueue.of(rank.backend(), streams);
                assertEquals(streams.equals("2"), side.isUsed());
                try (HaloPlan plan = HaloPlan.of(matrix, 2, rank.backend()).beside(side)) {
                    double[][] found = steps(plan);
                    if (first == null) {
                        first = found;
                    }
                    for (int v = 0; v < found.length; v++) {
                        assertArrayEquals(first[v], found[v], "vector " + v + " with streams " + streams);
                    }
                    plan.transport().ifPresent(
                            transport -> assertEquals(side.isUsed(), transport.contains("second stream"), transport));
                    decides(plan);
                }
            }
            return null;
        });
    }

    /** A trial ends within a hundred products that exchange. */
    private static void decides(HaloPlan plan) {
        RingProduct product = new RingProduct(plan);
        RingVector x = plan.vector(DeviceRanksContract::element);
        RingVector y = plan.vector();
        for (int i = 0; i < 100; i++) {
            x.changed();
            product.multiply(x, y);
        }
        assertTrue(plan.side().isDecided());
    }

    private static double[][] steps(HaloPlan plan) {
        RingVector[] basis = new RingVector[STEPS];
        for (int v = 0; v < basis.length; v++) {
            basis[v] = plan.vector();
        }
        new RingProduct(plan).basis(KrylovBasis.chebyshev(STEPS, -1.5, 1.5),
                plan.vector(DeviceRanksContract::element), basis);
        assertEquals(Math.ceilDiv(STEPS, plan.rings()), plan.exchanges());
        RingSmoother chebyshev = RingSmoother.chebyshev(plan, 0.5, 2.5);
        RingSmoother jacobi = RingSmoother.l1Jacobi(plan);
        for (RingSmoother smoother : new RingSmoother[]{chebyshev, jacobi}) {
            smoother.rightHandSide().set(i -> element(i + 5));
            smoother.solution().set(DeviceRanksContract::element);
            smoother.smooth(STEPS);
        }
        double[][] results = new double[STEPS + 2][];
        for (int v = 0; v < STEPS; v++) {
            results[v] = basis[v].gather(0).toDoubleArray();
        }
        results[STEPS] = chebyshev.solution().gather(0).toDoubleArray();
        results[STEPS + 1] = jacobi.solution().gather(0).toDoubleArray();
        return results;
    }

    @Test
    void numbersAreCombinedInTheOrderOfRanks() {
        int ranks = ranks();
        onRanks(ranks, true, rank -> {
            int own = rank.communicator().rank();
            double sum = 0.1;
            double least = Double.POSITIVE_INFINITY;
            for (int r = 0; r < ranks; r++) {
                sum = r == 0 ? 0.1 : sum + 0.1 * (r + 1);
                least = Math.min(least, element(r));
            }
            try (DeviceReduction reduction =
                    DeviceReduction.of(rank.communicator(), 7, rank.backend(), 4).orElseThrow();
                    DenseVector values = rank.backend().vector(Precision.F64, 6)) {
                for (int round = 0; round < 5; round++) {
                    HostVector given = HostVector.of(Precision.F64, 6, i -> i < 5 ? 0.1 * (own + 1) : element(own));
                    values.copyFrom(given);
                    reduction.combine(PreparedReduction.Operation.SUM, values, 1, 3);
                    reduction.combine(PreparedReduction.Operation.MIN, values, 5, 1);
                    HostVector found = HostVector.zeros(Precision.F64, 6);
                    values.copyTo(found);
                    assertArrayEquals(new double[]{given.get(0), sum, sum, sum, given.get(4), least},
                            found.toDoubleArray(), "round " + round);
                }
            }
            return null;
        });
    }

    /** Solvers of one rank's, in one precision and in two, chosen by the matrix, with rings that are tuned. */
    @ParameterizedTest
    @CsvSource({"-1,cg,jacobi,false", "1,cg,jacobi,false", "-1,cg,jacobi,true", "1,cg,jacobi,true", "-1,cg,amg,false",
        "1,cg,amg,true", "-1,auto,auto,false", "-1,cg,ssor,false", "-1,s-step,jacobi,false"})
    @SuppressWarnings("MustBeClosed") // closed with the ranks' backend
    void solversRunOnDevices(int host, String method, String preconditioner, boolean mixed) {
        assumeTrue(solves(), "emulated solvers take seconds: asked for with -Dtrellis.test.emulation=some");
        StoppingCriteria criteria = StoppingCriteria.relative(1e-10, 200).within(1000);
        Map<String, String> amg = Map.of("coarse-rows", "20", "levels", "f32", "setup", "host");
        SolverConfig stack = new SolverConfig(method, Map.of(), preconditioner,
                preconditioner.equals("amg") ? amg : Map.of(), criteria, mixed, false);
        onRanks(2, host < 0, rank -> {
            boolean onHost = rank.communicator().rank() == host;
            Backend own = onHost ? Backends.open("reference", Configuration.load()) : rank.backend();
            CsrMatrix whole = MatrixSpec.parse("poisson2d:nx=12").generate(Precision.F64, ProgressListener.NONE);
            Partition halves = new Partition(IntStream.range(0, 144).map(row -> row / 72).toArray(), 2);
            PartitionedMatrix matrix = PartitionedMatrix.scatter(rank.communicator(), 0, whole, halves);
            try (RankBackend backend = new RankBackend(rank.communicator(), own);
                    HaloPlan plan = HaloPlan.of(matrix, 1, own);
                    PartitionedOperator operator = new PartitionedOperator(plan, backend);
                    PartitionedSolver solver = PartitionedSolver.prepare(stack, matrix, operator, backend,
                            PartitionedSolver.tunesRings(stack) ? RingChoice.TUNED : RingChoice.of(1), null);
                    DenseVector b = own.vector(Precision.F64, matrix.ownedRows());
                    DenseVector x = own.vector(Precision.F64, matrix.ownedRows());
                    DenseVector product = own.vector(Precision.F64, matrix.ownedRows())) {
                HostVector right = matrix.vector(DeviceRanksContract::element);
                b.copyFrom(right);
                SolveReport report = solver.solve(b, x, criteria, IterationObserver.NONE);
                assertTrue(report.converged(), report::toString);
                assertEquals(rank.communicator().greatest(report.iterations()), report.iterations());
                operator.apply(x, product);
                HostVector found = HostVector.zeros(Precision.F64, matrix.ownedRows());
                product.copyTo(found);
                assertArrayEquals(right.toDoubleArray(), found.toDoubleArray(), 1e-8);
            }
            return null;
        });
    }

    /** Sums go back to their owners, whether these are on devices or on the host. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void transposedProductsAgreeWithOneRank(int host) {
        for (PartitionedCase problem : some(ranks(), Precision.F64, 1)) {
            double[] expected = new double[problem.matrix().columns()];
            double[] bound = new double[expected.length];
            problem.matrix().forEachEntry((row, column, value) -> {
                expected[column] += value * element(row);
                bound[column] += Math.abs(value * element(row));
            });
            onRanks(ranks(), true, rank -> {
                try (Backend other = Backends.open("reference", Configuration.load());
                        HaloPlan plan = HaloPlan.of(rank.share(problem), 2,
                                rank.communicator().rank() == host ? other : rank.backend())) {
                    TransposedProduct product = new TransposedProduct(plan);
                    RingVector x = plan.vector(DeviceRanksContract::element);
                    RingVector[] results = {plan.vector(), plan.vector()};
                    for (RingVector y : results) {
                        product.multiply(x, y);
                    }
                    HostVector first = results[0].gather(0);
                    HostVector second = results[1].gather(0);
                    for (int i = 0; rank.communicator().rank() == 0 && i < expected.length; i++) {
                        assertEquals(first.get(i), second.get(i), "the same bits again");
                        assertEquals(expected[i], first.get(i), 1e-13 * bound[i] + 1e-300,
                                "element " + i + " of " + problem.name());
                    }
                }
                return null;
            });
        }
    }

    /** Schwarz methods are those of hosts but for rounding, with factors there and here. */
    @ParameterizedTest
    @CsvSource({"-1, 1, ilu0, restricted", "1, 2, direct, additive"})
    @SuppressWarnings("MustBeClosed") // closed with the ranks' backend
    void schwarzMethodsAgreeWithTheHost(int host, int overlap, String local, String variant) {
        Map<String, String> options =
                Map.of("overlap", Integer.toString(overlap), "local", local, "variant", variant);
        for (PartitionedCase problem : some(ranks(), Precision.F64, host + 2).subList(0, 2)) {
            onRanks(ranks(), host < 0, rank -> {
                PartitionedMatrix matrix = rank.share(problem);
                double[] expected = null;
                for (boolean here : new boolean[]{true, false}) {
                    Backend own = here || rank.communicator().rank() == host
                            ? Backends.open("reference", Configuration.load())
                            : rank.backend();
                    RankBackend backend = new RankBackend(rank.communicator(), own);
                    try (RankSchwarz schwarz = RankSchwarz.of(matrix, options, backend);
                            DenseVector x = own.vector(Precision.F64, matrix.ownedRows());
                            DenseVector y = own.vector(Precision.F64, matrix.ownedRows())) {
                        x.copyFrom(matrix.vector(DeviceRanksContract::element));
                        schwarz.apply(1, x, 0, y);
                        schwarz.apply(-2, x, 0.5, y);
                        HostVector found = HostVector.zeros(Precision.F64, matrix.ownedRows());
                        y.copyTo(found);
                        if (here) {
                            expected = found.toDoubleArray();
                        } else {
                            assertArrayEquals(expected, found.toDoubleArray(), 1e-12, problem.name());
                        }
                    }
                }
                return null;
            });
        }
    }

    /** Relaxation by colours is that of hosts but for rounding, and has the same bits for any number of rings. */
    @ParameterizedTest
    @CsvSource({"-1, 1, F64", "-1, 1.4, F32", "1, 1.3, F64"})
    void colouredSweepsAgreeWithTheHost(int host, double omega, Precision precision) {
        for (PartitionedCase problem : some(ranks(), precision, host + 3).subList(1, 4)) {
            onRanks(ranks(), host < 0, rank -> {
                PartitionedMatrix matrix = rank.share(problem);
                HostVector expected;
                try (HaloPlan plan = HaloPlan.of(matrix, 1)) {
                    expected = sweep(plan, omega).gather(0);
                }
                HostVector first = null;
                for (int rings : new int[]{1, 3}) {
                    try (Backend other = Backends.open("reference", Configuration.load());
                            HaloPlan plan = HaloPlan.of(matrix, rings,
                                    rank.communicator().rank() == host ? other : rank.backend())) {
                        HostVector found = sweep(plan, omega).gather(0);
                        assertArrayEquals(expected.toDoubleArray(), found.toDoubleArray(),
                                100 * precision.unitRoundoff(), problem.name());
                        if (first != null && host < 0) {
                            assertArrayEquals(first.toDoubleArray(), found.toDoubleArray(), problem.name());
                        }
                        first = found;
                    }
                }
                return null;
            });
        }
    }

    private static RingVector sweep(HaloPlan plan, double omega) {
        ColouredGaussSeidel smoother = ColouredGaussSeidel.of(plan, omega);
        smoother.rightHandSide().set(DeviceRanksContract::element);
        smoother.solution().set(i -> element(i + 17));
        smoother.smooth(2, SweepDirection.SYMMETRIC);
        smoother.smooth(1, SweepDirection.FORWARD);
        assertTrue(plan.sends().isEmpty() || smoother.messages(0) > 0);
        return smoother.solution();
    }

    /** What ranks have for elements of their rings is added at the owners, with the bits of ranks on the host. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 1})
    void addsRingsAtTheirOwners(int host) {
        for (PartitionedCase problem : some(ranks(), Precision.F64, 1)) {
            onRanks(ranks(), true, rank -> {
                try (Backend other = Backends.open("reference", Configuration.load())) {
                    for (int rings = 1; rings <= 2; rings++) {
                        addRings(rank, problem, rings, rank.communicator().rank() == host ? other : rank.backend());
                    }
                }
                return null;
            });
        }
    }

    private static void addRings(Rank rank, PartitionedCase problem, int rings, Backend own) {
        try (HaloPlan plan = HaloPlan.of(rank.share(problem), 2, own);
                HaloPlan onHost = HaloPlan.of(rank.share(problem), 2)) {
            HostVector sums = RingSums.of(plan, rings, DeviceRanksContract::element).gather(0);
            HostVector expected = RingSums.of(onHost, rings, DeviceRanksContract::element).gather(0);
            for (int i = 0; rank.communicator().rank() == 0 && i < problem.matrix().rows(); i++) {
                assertEquals(expected.get(i), sums.get(i), "element " + i + " of " + problem.name() + " with " + rings
                        + " rings");
            }
        }
    }

    @Test
    void whatDevicesLackIsRefused() {
        PartitionedCase problem = PartitionedCase.all(2, Precision.F64).getFirst();
        onRanks(2, rank -> {
            try (HaloPlan plan = HaloPlan.of(rank.share(problem), 1, rank.backend())) {
                assertThrows(IllegalArgumentException.class, () -> new ReverseExchange(plan, 2));
                assertThrows(IllegalStateException.class, () -> plan.vector().values());
            }
            return null;
        });
    }
}
