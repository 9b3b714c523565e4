package org.trellis.examples.tsunami;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.loop.SetOrder;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.examples.tsunami.TriangleMesh.Bounds;
import org.trellis.examples.tsunami.TsunamiSolver.Loop;
import org.trellis.mesh.LoopKernels;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.ParallelLoop;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.Fusion;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.Tiling;
import org.trellis.testing.TestSeed;

/** The solver on every backend, beside plain calls of the kernels, exact solutions and what must not change. */
final class TsunamiSolverTest {
    private static final MeshOptions OPTIONS =
            new MeshOptions(Layout.AOS, Optional.empty(), Optional.empty(), false, true);
    private static final Settings SETTINGS = Settings.DEFAULT;
    private static final int BED = 3;

    @MustBeClosed
    private static Backend backend(String name, int threads) {
        return Backends.open(name, Configuration.builder().set(ConfigurationKeys.THREADS, threads).build());
    }

    /** One thread: what follows is about the scheme. */
    private static void withSolver(TsunamiCase sea, Precision precision, Consumer<TsunamiSolver> use) {
        withSolver("threads", 1, OPTIONS, sea, precision, use);
    }

    private static void withSolver(String backend, int threads, MeshOptions options, TsunamiCase sea,
            Precision precision,
            Consumer<TsunamiSolver> use) {
        MeshTopology topology = MeshTopology.of(sea.mesh());
        try (Backend opened = backend(backend, threads); Mesh mesh = Mesh.on(opened, options)) {
            use.accept(new TsunamiSolver(mesh, topology, initial(sea, topology), SETTINGS, precision));
        }
    }

    private static double[] initial(TsunamiCase sea, MeshTopology topology) {
        return InitialState.of(topology, sea.surface().orElse(Shapes.flat(0)), Shapes.flat(0));
    }

    private static void run(TsunamiSolver solver, double time) {
        while (solver.time() < time * (1 - 1e-12)) {
            solver.step(time - solver.time());
        }
    }

    /** Waves over hills and islands, with an open end and a sea. */
    private static TsunamiCase rough() {
        Bounds bounds = new Bounds(0, 0, 130, 70);
        TriangleMesh mesh = Rectangles.of(bounds, 13, 7, ShallowWater.SEA)
                .withBed(Shapes.bumps(bounds, -4, 6, 40));
        mesh.boundaryKinds()[0] = ShallowWater.OPEN;
        return new TsunamiCase("rough", mesh, Optional.of(Shapes.dam(60, 1.5, -1)), Optional.empty());
    }

    private static double[] expected(TsunamiCase sea, int steps) {
        MeshTopology topology = MeshTopology.of(sea.mesh());
        SequentialTsunami plain = new SequentialTsunami(topology, initial(sea, topology), SETTINGS);
        for (int i = 0; i < steps; i++) {
            plain.step(1e9);
        }
        return plain.state();
    }

    private static double tolerance(Precision precision) {
        return precision == Precision.F64 ? 1e-11 : 1e-3;
    }

    @ParameterizedTest
    @ValueSource(strings = {"reference", "threads", "simd", "cpu"})
    void agreesWithPlainCalls(String backend) {
        TsunamiCase sea = rough();
        double[] expected = expected(sea, 30);
        for (Precision precision : Precision.values()) {
            for (Layout layout : Layout.values()) {
                withSolver(backend, 2, OPTIONS.withLayout(layout), sea, precision, solver -> {
                    for (int i = 0; i < 30; i++) {
                        solver.step(1e9);
                    }
                    assertArrayEquals(expected, solver.state().toArray(), tolerance(precision));
                });
            }
        }
    }

    /** Steps as chains: noted or declared, fused, in tiles with and without redundancy. */
    @ParameterizedTest
    @ValueSource(strings = {"reference", "threads", "simd"})
    void chainsAgreeWithPlainCalls(String backend) {
        TsunamiCase sea = rough();
        double[] expected = expected(sea, 30);
        for (Tiling tiling : Tiling.values()) {
            for (boolean lazy : new boolean[]{false, true}) {
                ChainOptions chains = ChainOptions.EAGER.withLazy(lazy).withTiling(tiling, 25)
                        .withFusion(tiling == Tiling.NONE ? Fusion.ON : Fusion.OFF);
                withSolver(backend, 2, OPTIONS.withChains(chains), sea, Precision.F64, solver -> {
                    for (int i = 0; i < 30; i++) {
                        solver.step(1e9);
                    }
                    assertArrayEquals(expected, solver.state().toArray(), tolerance(Precision.F64));
                });
            }
        }
    }

    /** Every way of running the loop that adds, and with it every style of the others. */
    @ParameterizedTest
    @ValueSource(strings = {"threads", "simd"})
    void everyParameter(String backend) {
        TsunamiCase sea = rough();
        double[] expected = expected(sea, 5);
        try (Backend opened = backend(backend, 2)) {
            LoopKernels kernels = opened.kernels(LoopKernels.class);
            MeshTopology topology = MeshTopology.of(sea.mesh());
            try (Mesh mesh = Mesh.on(opened, OPTIONS)) {
                TsunamiSolver solver =
                        new TsunamiSolver(mesh, topology, initial(sea, topology), SETTINGS, Precision.F64);
                double[] start = solver.state().toArray();
                for (Loop loop : Loop.values()) {
                    ParallelLoop varied = solver.loop(loop);
                    LoopParameters usual = varied.parameters();
                    for (LoopParameters parameters : kernels.parameterSpace(varied.declaration())) {
                        solver.state().setAll(start);
                        varied.parameters(parameters);
                        for (int i = 0; i < 5; i++) {
                            solver.step(1e9);
                        }
                        double[] state = solver.state().toArray();
                        assertArrayEquals(expected, state, 1e-11, loop + " as " + parameters);
                    }
                    varied.parameters(usual);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(SetOrder.class)
    void numberingsDoNotMatter(SetOrder order) {
        TsunamiCase sea = rough();
        double[] expected = expected(sea, 10);
        SplittableRandom random = TestSeed.random("numberings" + order);
        MeshTopology topology = MeshTopology.of(sea.mesh());
        try (Backend opened = backend("threads", 2); Mesh mesh = Mesh.on(opened, OPTIONS)) {
            TsunamiSolver solver = new TsunamiSolver(mesh, topology, initial(sea, topology), SETTINGS, Precision.F64);
            MeshOrder.shuffle(mesh, random);
            order.apply(solver.edgeCells(), 32);
            if (order == SetOrder.PARTITION) {
                solver.runPartition();
            }
            for (int i = 0; i < 10; i++) {
                solver.step(1e9);
            }
            assertArrayEquals(expected, solver.state().toArray(), 1e-11);
        }
    }

    private static double damError(int nx, double right, Precision precision) {
        TsunamiCase sea = TsunamiCase.builtIn("dambreak:ny=2,nx=" + nx + ",right=" + right, SETTINGS);
        double[] error = new double[1];
        withSolver(sea, precision, solver -> {
            run(solver, 20);
            error[0] = Comparison.with(sea.exact().orElseThrow(), solver.time(), MeshTopology.of(sea.mesh()),
                    solver.state().toArray()).meanError();
        });
        return error[0];
    }

    /** Onto water (Stoker) and onto dry ground (Ritter): the finer, the nearer, at the rate of a first-order scheme. */
    @ParameterizedTest
    @ValueSource(doubles = {5, 0.1, 0})
    void damBreak(double right) {
        double coarse = damError(40, right, Precision.F64);
        double fine = damError(80, right, Precision.F64);
        double finer = damError(160, right, Precision.F64);
        assertTrue(coarse < 0.2, "error " + coarse);
        assertTrue(fine / coarse < 0.7 && finer / fine < 0.7, coarse + ", " + fine + ", " + finer);
        assertEquals(finer, damError(160, right, Precision.F32), 1e-3 * finer);
    }

    /** Hills, islands and the sea around: nothing moves, to the last bit. */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void lakeAtRest(Precision precision) {
        TsunamiCase sea = TsunamiCase.builtIn("lake:n=30", SETTINGS);
        MeshTopology topology = MeshTopology.of(sea.mesh());
        double[] start = initial(sea, topology);
        long dry = 0;
        for (int cell = 0; cell < topology.cells(); cell++) {
            dry += start[4 * cell] == start[4 * cell + BED] ? 1 : 0;
        }
        assertTrue(dry > 20 && dry < topology.cells() / 2, dry + " dry cells");
        withSolver(sea, precision, solver -> {
            double[] before = solver.state().toArray();
            for (int i = 0; i < 100; i++) {
                solver.step(1e9);
            }
            assertEquals(0, Comparison.largestChange(before, solver.state().toArray()));
        });
    }

    /** A flood over hills between walls: no water is lost, and no depth is negative. */
    @ParameterizedTest
    @EnumSource(Precision.class)
    void keepsVolume(Precision precision) {
        Bounds bounds = new Bounds(0, 0, 100, 100);
        TriangleMesh mesh = Rectangles.of(bounds, 24, 24, ShallowWater.WALL)
                .withBed(Shapes.bumps(bounds, -10, 12, 30));
        TsunamiCase sea =
                new TsunamiCase("flood", mesh, Optional.of(Shapes.dam(50, 1.5, -3)), Optional.empty());
        withSolver(sea, precision, solver -> {
            Measures before = solver.measure();
            run(solver, 30);
            Measures after = solver.measure();
            assertTrue(after.speed() > 0.1, "it moves");
            assertEquals(before.volume(), after.volume(),
                    before.volume() * (precision == Precision.F64 ? 1e-13 : 1e-6));
            double[] state = solver.state().toArray();
            for (int cell = 0; cell < mesh.cells(); cell++) {
                double depth = state[4 * cell] - state[4 * cell + BED];
                assertTrue(depth >= (precision == Precision.F64 ? -1e-12 : -1e-5), "depth " + depth);
            }
        });
    }

    /** A round hump in the middle of a square: what happens left happens right. */
    @Test
    void symmetricDrop() {
        int n = 24;
        TsunamiCase sea = TsunamiCase.builtIn("drop:n=" + n, SETTINGS);
        withSolver(sea, Precision.F64, solver -> {
            run(solver, 60);
            double[] state = solver.state().toArray();
            Measures now = solver.measure();
            assertTrue(now.lowest() < -0.01 && now.highest() > 0.01, now.toString());
            // The mirror image of the triangles of square (i, j) are those of square (n - 1 - i, j), in some order.
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < n; i++) {
                    assertEquals(squareSum(state, i + n * j), squareSum(state, n - 1 - i + n * j), 1e-12);
                    assertEquals(squareSum(state, i + n * j), squareSum(state, i + n * (n - 1 - j)), 1e-12);
                    assertEquals(squareSum(state, i + n * j), squareSum(state, j + n * i), 1e-12);
                }
            }
        });
    }

    private static double squareSum(double[] state, int square) {
        return state[8 * square] + state[8 * square + 4];
    }

    /** A wave leaves through a sea, and comes back from a wall. */
    @Test
    void seaSwallowsWaves() {
        for (String ends : new String[]{"wall", "sea"}) {
            TsunamiCase channel = TsunamiCase.builtIn("channel:nx=100,ny=2,depth=10,ends=" + ends, SETTINGS);
            TsunamiCase wave = new TsunamiCase(channel.name(), channel.mesh(),
                    Optional.of((x, y) -> 0.1 * Math.exp(-(x - 500) * (x - 500) / 2500)), Optional.empty());
            withSolver(wave, Precision.F32, solver -> {
                run(solver, 100);
                double left = solver.measure().highest();
                assertTrue(ends.equals("sea") ? left < 1e-3 : left > 0.02, ends + ": " + left);
            });
        }
    }

    @Test
    void crestIsTheHighestLevel() {
        TsunamiCase sea = rough();
        withSolver(sea, Precision.F64, solver -> {
            double[] highest = new double[sea.mesh().cells()];
            Arrays.fill(highest, -1e30);
            for (int i = 0; i < 10; i++) {
                solver.step(1e9);
                solver.noteCrest();
                double[] state = solver.state().toArray();
                for (int cell = 0; cell < highest.length; cell++) {
                    highest[cell] = Math.max(highest[cell], state[4 * cell]);
                }
            }
            assertArrayEquals(highest, solver.crest().toArray());
        });
    }

    /** Where all is dry there is nothing to measure, and any step will do. */
    @Test
    void dryLand() {
        TriangleMesh mesh = Rectangles.of(new Bounds(0, 0, 1, 1), 1, 1, ShallowWater.OPEN).withBed(Shapes.flat(3));
        TsunamiCase land = TsunamiCase.of("land", mesh);
        withSolver(land, Precision.F32, solver -> {
            assertEquals(7, solver.step(7));
            Measures measures = solver.measure();
            assertEquals(0, measures.volume());
            assertTrue(Double.isNaN(measures.lowest()) && Double.isNaN(measures.highest()));
        });
    }
}
