package org.trellis.distributed.balance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.DelayedCommunicator;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.distributed.mesh.Division;
import org.trellis.distributed.mesh.RankOptions;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.matrix.ChainKernelsLoops;
import org.trellis.solve.VectorsLoops;

/** A mesh on two backends of different speed that is divided again while a program iterates on it. */
class BalancerTest {
    private static final int SIZE = 150_000;
    private static final int ITERATIONS = 400;

    /** Whole numbers, so that every division gives the same sums. */
    private record Result(double[] values, double sum, String text, double[] shares, int rounds) {}

    private static Result run(Mesh mesh, double... shares) {
        MeshSet set = mesh.set("set", SIZE);
        double[] values = new double[SIZE];
        Arrays.setAll(values, i -> i % 7);
        Dat x = mesh.dat("x", set, 1, Precision.F64, values);
        Dat y = mesh.dat("y", set, 1, Precision.F64);
        Global sum = mesh.global("sum", 0);
        Global one = mesh.global("one", 1);
        LoopSequence sequence = mesh.sequence("iteration").set(sum, 0)
                .run(mesh.loop(VectorsLoops.AXPY, set, one, x, y)).run(mesh.loop(VectorsLoops.SQUARE, set, y, sum))
                .build();
        Balancer balancer = shares.length == 0 ? null : new Balancer(mesh, sequence, ITERATIONS, shares);
        for (int i = 0; i < ITERATIONS; i++) {
            sequence.run();
            if (balancer != null) {
                balancer.iterated();
            }
        }
        return new Result(y.toArray(), sum.get(), String.valueOf(balancer),
                balancer == null ? null : balancer.shares(),
                balancer == null ? 0 : balancer.rounds().size());
    }

    @Test
    void backendsOfDifferentSpeedShareAMesh() {
        Result expected;
        try (Backend backend = Backends.open("threads", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            expected = run(mesh);
        }
        List<Result> results = ThreadRanks.run(2, communicator -> {
            String name = communicator.rank() == 0 ? "reference" : "threads";
            // One thread: a busy machine lets a second one wait for longer than the loops take.
            Configuration one = Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
            try (Backend backend = Backends.open(name, one);
                    Mesh mesh = DistributedMesh.on(backend, communicator, RankOptions.usual()
                            .withDivision(Division.blocks().withShares(1, 1)))) {
                return run(mesh, 1, 1);
            }
        });
        for (Result result : results) {
            assertArrayEquals(expected.values(), result.values());
            assertEquals(expected.sum(), result.sum());
            assertArrayEquals(results.getFirst().shares(), result.shares(), "ranks decide alike");
            assertTrue(result.rounds() >= 1 && result.text().contains("the model says"), result.text());
        }
        // Calling a method with boxed arguments for each element is many times slower than a loop over arrays.
        double[] shares = results.getFirst().shares();
        assertTrue(shares[1] > shares[0], results.getFirst()::text);
    }

    /** A ring whose values spread: two loops over its nodes and one over its edges, which needs other ranks' nodes. */
    private static double[] ring(Mesh mesh, boolean balanced, List<Balancer> balancers) {
        int nodes = 600;
        MeshSet set = mesh.set("nodes", nodes);
        MeshSet edges = mesh.set("edges", nodes);
        int[] table = new int[2 * nodes];
        Arrays.setAll(table, i -> (i / 2 + i % 2) % nodes);
        MeshMap ends = mesh.map("ends", edges, set, 2, table);
        double[] first = new double[nodes];
        Arrays.setAll(first, i -> i % 13);
        double[] weights = new double[nodes];
        Arrays.fill(weights, -0.25);
        double[] ones = new double[nodes];
        Arrays.fill(ones, 1);
        Dat x = mesh.dat("x", set, 1, Precision.F64, first);
        Dat y = mesh.dat("y", set, 1, Precision.F64);
        Dat one = mesh.dat("one", set, 1, Precision.F64, ones);
        Dat weight = mesh.dat("weight", edges, 1, Precision.F64, weights);
        LoopSequence sequence = mesh.sequence("iteration").run(mesh.loop(ChainKernelsLoops.BEGIN, set, one, x, y))
                .run(mesh.loop(ChainKernelsLoops.CARRY, edges, weight, x.at(ends, 0), x.at(ends, 1), y.at(ends, 0),
                        y.at(ends, 1)))
                .run(mesh.loop(ChainKernelsLoops.BEGIN, set, one, y, x)).build();
        Balancer balancer = balanced ? new Balancer(mesh, sequence, 100_000, 1, 1) : null;
        for (int i = 0; i < 330; i++) {
            sequence.run();
            if (balanced) {
                balancer.iterated();
            }
        }
        if (balanced && mesh.ranks().orElseThrow().rank() == 0) {
            balancers.add(balancer);
        }
        return x.toArray();
    }

    /** Messages that take far longer than the loops: two ranks are never as fast as one. */
    @Test
    void ranksThatCannotHelpAreLeftOut() {
        double[] expected;
        try (Backend backend = Backends.open("threads", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            expected = ring(mesh, false, List.of());
        }
        List<Balancer> balancers = new CopyOnWriteArrayList<>();
        for (double[] values : ThreadRanks.run(2, own -> {
            try (Communicator communicator = new DelayedCommunicator(own, Duration.ofMillis(4), 1e9);
                    Backend backend = Backends.open("threads", Configuration.load());
                    Mesh mesh = DistributedMesh.on(backend, communicator, RankOptions.usual()
                            .withDivision(Division.blocks().withShares(1, 1)))) {
                return ring(mesh, true, balancers);
            }
        })) {
            assertArrayEquals(expected, values, 1e-12);
        }
        Balancer balancer = balancers.getFirst();
        assertTrue(balancer.isSettled() && balancer.alone().isPresent(), balancer::toString);
        assertTrue(balancer.toString().contains("cannot help rank " + balancer.alone().getAsInt()),
                balancer::toString);
        Balancer.Round last = balancer.rounds().getLast();
        assertTrue(last.isAlone() && last.measured() < 0.5 * balancer.rounds().getFirst().measured(),
                balancer::toString);
    }

    @Test
    void oneRankHasNothingToBalance() {
        try (Backend backend = Backends.open("threads", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            assertThrows(IllegalArgumentException.class, () -> run(mesh, 1, 1));
        }
    }
}
