package org.trellis.examples.rotor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.examples.rotor.kernels.ManufacturedSolution;
import org.trellis.examples.rotor.mesh.FlowMesh;
import org.trellis.examples.rotor.mesh.FlowMeshes;
import org.trellis.examples.rotor.mesh.Patch;
import org.trellis.examples.rotor.mesh.SlipWalls;
import org.trellis.examples.rotor.solver.FlowSettings;
import org.trellis.examples.rotor.solver.FlowSettings.Dissipation;
import org.trellis.examples.rotor.solver.FlowSettings.Flow;
import org.trellis.examples.rotor.solver.FlowSettings.Scheme;
import org.trellis.examples.rotor.solver.FlowSolver;
import org.trellis.examples.rotor.solver.InitialFlows;
import org.trellis.kernel.LoopStyle;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.ParallelLoop;

/** The flow solver: free streams, made-up flows, conservation, backends, multigrid. */
final class FlowSolverTest {
    private static final Scheme ROE = new Scheme(Dissipation.ROE, true, false);
    private static final Scheme LIMITED = new Scheme(Dissipation.ROE, false, true);
    private static final Scheme JST = new Scheme(Dissipation.JST, true, false);

    private static Configuration configuration(int threads) {
        return Configuration.builder().set(ConfigurationKeys.THREADS, threads).build();
    }

    /** Runs something on a mesh of one backend. */
    private static <T> T on(String name, Function<Mesh, T> program) {
        try (Backend backend = Backends.open(name, configuration(1));
                Mesh mesh = Mesh.on(backend, MeshOptions.of(Configuration.load()).withCheckPlans(true))) {
            return program.apply(mesh);
        }
    }

    private static double[] march(Mesh mesh, FlowMesh geometry, FlowSettings settings, FlowSolver.Problem problem,
            int cycles) {
        FlowSolver solver = new FlowSolver(mesh, geometry, settings, problem, Precision.F64);
        solver.start();
        for (int i = 0; i < cycles; i++) {
            solver.advance();
        }
        return solver.state().toArray();
    }

    static Stream<Scheme> schemes() {
        return Stream.of(ROE, LIMITED, JST);
    }

    private static void assertFreeStreamStays(String mesh, Flow flow, Scheme scheme) {
        FlowMesh geometry = FlowMeshes.of(mesh, 2);
        double[] state = on("threads", one -> march(one, geometry, FlowSettings.usual(flow).with(scheme),
                InitialFlows.freeStream(flow), 3));
        double[] free = flow.freeStream();
        for (int i = 0; i < state.length; i++) {
            assertEquals(free[i % 6], state[i], 2e-14);
        }
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void freeStreamStaysOnDistortedMeshesInATurningFrame(Scheme scheme) {
        assertFreeStreamStays("box:n=6,mix=mixed,distort=0.4,wave=0.05", new Flow(0.6, 0.7, 0, 0, false, 1), scheme);
        assertFreeStreamStays("box:n=4,mix=tet,distort=0.4", new Flow(1.8, 0.2, 0.01, 0.4, false, 1), scheme);
        assertFreeStreamStays("annulus:nx=4,ny=4,nz=4,distort=0.3,mix=mixed", new Flow(0.4, 0, 0, 0, false, 1),
                scheme);
        assertFreeStreamStays("annulus:nx=4,ny=4,nz=4,distort=0.3", new Flow(0.4, 0.3, 0, 0, false, 1), scheme);
    }

    /** Errors of density, speed, pressure and ν̃ of the discrete flow. */
    private static double[] errors(String spec, ManufacturedSolution made, int cycles) {
        FlowMesh geometry = FlowMeshes.of(spec, 1);
        Flow flow = new Flow(made.speed(), made.omega(), made.viscosity(), 0, made.turbulence() > 0, 1);
        double[] state = on("threads", mesh -> march(mesh, geometry, FlowSettings.usual(flow).with(ROE),
                InitialFlows.madeUp(made), cycles));
        double[] volumes = geometry.levels().getFirst().volumes();
        double[] x = geometry.levels().getFirst().mesh().points();
        double[] sums = new double[6];
        for (int node = 0; node < volumes.length; node++) {
            double[] exact = made.state(x[3 * node], x[3 * node + 1], x[3 * node + 2]);
            for (int k = 0; k < 6; k++) {
                double e = state[6 * node + k] - exact[k];
                sums[k] += volumes[node] * e * e;
            }
        }
        return Arrays.stream(sums).map(Math::sqrt).toArray();
    }

    /** Halving the width quarters the error, for flows without friction, laminar and turbulent, in a turning frame. */
    @ParameterizedTest
    @CsvSource({"0, 0, 0.2, 45, 90", "0.05, 0, 0.2, 40, 100", "0.05, 0.05, 0.2, 40, 100"})
    void madeUpFlowsConvergeWithOrderTwo(double viscosity, double turbulence, double omega, int few, int many) {
        ManufacturedSolution made = new ManufacturedSolution(0.5, omega, viscosity, turbulence);
        double[] coarse = errors("box:n=4", made, few);
        double[] fine = errors("box:n=8", made, many);
        for (int k = 0; k < (turbulence > 0 ? 6 : 5); k++) {
            double order = Math.log(coarse[k] / fine[k]) / Math.log(2);
            int component = k;
            assertTrue(order > 1.8, () -> "component " + component + " converges with order " + order);
        }
    }

    /** Nothing gets through the walls of a box, whatever the state: mass and energy only move. */
    @ParameterizedTest
    @MethodSource("schemes")
    void massAndEnergyAreConserved(Scheme scheme) {
        FlowMesh geometry = FlowMeshes.of("box:n=6,mix=mixed,distort=0.3,sides=wall", 1);
        ManufacturedSolution wild = new ManufacturedSolution(0.5, 0, 0, 0);
        Flow flow = new Flow(0.5, 0, 0.02, 0.4, false, 1);
        FlowSolver.Problem problem = withoutSources(wild, InitialFlows.freeStream(flow));
        double[] r = on("threads", mesh -> {
            FlowSolver solver = new FlowSolver(mesh, geometry, FlowSettings.usual(flow).with(scheme), problem,
                    Precision.F64);
            solver.start();
            solver.evaluate();
            return solver.residuals().toArray();
        });
        double[] sums = new double[6];
        double[] sizes = new double[6];
        for (int i = 0; i < r.length; i++) {
            sums[i % 6] += r[i];
            sizes[i % 6] += Math.abs(r[i]);
        }
        assertTrue(sizes[0] > 1e-3 && sizes[4] > 1e-3);
        assertEquals(0, sums[0], 1e-13 * sizes[0] + 1e-15);
        assertEquals(0, sums[4], 1e-13 * sizes[4] + 1e-15);
    }

    private static FlowSolver.Problem withoutSources(ManufacturedSolution flow, FlowSolver.Problem other) {
        return new FlowSolver.Problem() {
            @Override
            public double[] state(double... x) {
                return flow.state(x);
            }

            @Override
            public double[] source(double... x) {
                return null;
            }

            @Override
            public double[] distances(FlowMesh.Level level) {
                return other.distances(level);
            }
        };
    }

    /** Cases that between them run every kernel. */
    static Stream<Case> cases() {
        Flow turbulent = new Flow(0.4, 0.2, 1e-3, 0.4, true, 1);
        FlowSettings usual = FlowSettings.usual(turbulent);
        return Stream.of(new Case("blade:nx=16,ny=4,nz=4,mix=mixed,distort=0.1", usual.with(LIMITED)),
                new Case("blade:nx=16,ny=4,nz=4", FlowSettings.usual(new Flow(0.4, 0.2, 0, 0, false, 0.98)).with(JST)
                        .withSteps(3, 0.5)),
                new Case("plate:nx=16,ny=2,nz=8", usual.with(ROE)));
    }

    /** A mesh and how flow through it is computed. */
    record Case(String mesh, FlowSettings settings) {
        double[] march(Mesh mesh) {
            return FlowSolverTest.march(mesh, FlowMeshes.of(this.mesh, 2), settings,
                    InitialFlows.freeStream(settings.flow()), 2);
        }
    }

    private static List<String> backends() {
        List<String> names = new ArrayList<>();
        for (BackendProvider provider : Backends.providers()) {
            if (provider.probe().available() && !provider.name().equals("reference")) {
                names.add(provider.name());
            }
        }
        return names;
    }

    @ParameterizedTest
    @MethodSource("cases")
    void backendsAndRanksAgreeWithReference(Case flow) {
        double[] expected = on("reference", flow::march);
        for (String name : backends()) {
            assertAgree(name, expected, on(name, flow::march));
        }
        for (double[] state : ThreadRanks.run(3, communicator -> {
            try (Backend backend = Backends.open("threads", configuration(1));
                    Mesh mesh = DistributedMesh.on(backend, communicator)) {
                return flow.march(mesh);
            }
        })) {
            assertAgree("ranks", expected, state);
        }
    }

    private static void assertAgree(String name, double[] expected, double[] state) {
        for (int i = 0; i < expected.length; i++) {
            int at = i;
            assertEquals(expected[i], state[i], 1e-11, () -> name + ", node " + at / 6 + ", component " + at % 6);
        }
    }

    /** The rule leaves small loops scalar; here all that can be are vector code. */
    @Test
    void vectorCodeAgreesWithReference() {
        Case flow = cases().toList().getFirst();
        double[] expected = on("reference", flow::march);
        assertAgree("vectors", expected, on("simd", mesh -> {
            FlowSolver solver = new FlowSolver(mesh, FlowMeshes.of(flow.mesh(), 2), flow.settings(),
                    InitialFlows.freeStream(flow.settings().flow()), Precision.F64);
            int vectors = 0;
            for (ParallelLoop loop : solver.sequence().loops().keySet()) {
                if (loop.declaration().kernel().objection(LoopStyle.SIMD).isEmpty()) {
                    loop.parameters(loop.parameters().withStyle(LoopStyle.SIMD));
                    vectors++;
                }
            }
            assertTrue(vectors > 20, "only " + vectors + " loops have vector code");
            solver.start();
            solver.advance();
            solver.advance();
            return solver.state().toArray();
        }));
    }

    /** Work to six orders of the residual, in steps on the finest level. */
    private static double work(String channel, int levels, FlowSettings.Cycle cycle, int most) {
        Flow flow = new Flow(0.5, 0, 0, 0, false, 1);
        return on("threads", mesh -> {
            FlowSolver solver = new FlowSolver(mesh, FlowMeshes.of(channel, levels),
                    FlowSettings.usual(flow).withSteps(3, 0).with(cycle), InitialFlows.freeStream(flow), Precision.F64);
            solver.start();
            double largest = solver.iterate();
            double residual = largest;
            int cycles = 1;
            while (residual > 1e-6 * largest && cycles < most) {
                residual = solver.iterate();
                largest = Math.max(largest, residual);
                cycles++;
            }
            assertTrue(residual <= 1e-6 * largest || levels == 1, "residual " + residual + " of " + largest);
            return cycles * solver.workOfCycle();
        });
    }

    @Test
    void multigridNeedsAQuarterOfTheWork() {
        String channel = "channel:nx=16,ny=4,nz=8,height=0.05,shape=sine";
        double multi = work(channel, 3, new FlowSettings.Cycle(1, 1, 2, 2), 100);
        double single = work(channel, 1, FlowSettings.Cycle.W, (int) (4 * multi) + 1);
        assertTrue(multi * 4 < single, () -> "work " + multi + " with three levels, " + single + " with one");
    }

    /** A start on coarser levels, which are of first order, comes nearer to the flow, and leads to the same. */
    @Test
    void nestedStartsLeadToTheSameFlow() {
        Flow flow = new Flow(0.5, 0, 0, 0, false, 1);
        FlowMesh geometry = FlowMeshes.of("channel:nx=16,ny=4,nz=8,height=0.05,shape=sine", 3);
        FlowSettings settings = FlowSettings.usual(flow).withSteps(3, 0).with(new FlowSettings.Cycle(1, 1, 2, 2));
        double[] plain = on("threads", mesh -> march(mesh, geometry, settings, InitialFlows.freeStream(flow), 60));
        on("threads", mesh -> {
            FlowSolver solver = new FlowSolver(mesh, geometry, settings, InitialFlows.freeStream(flow), Precision.F64);
            solver.start();
            double far = pressureDifference(solver, plain);
            double before = solver.startNested(10);
            double near = pressureDifference(solver, plain);
            assertTrue(near < 0.9 * far, () -> "off by " + far + " before, by " + near + " after the start");
            assertTrue(solver.workOfStart() > 1 && solver.workOfStart() < 10, () -> "work " + solver.workOfStart());
            double first = solver.iterate();
            assertTrue(first < before, () -> "residual " + before + " before, " + first + " after the start");
            for (int i = 0; i < 60; i++) {
                solver.advance();
            }
            assertEquals(0, pressureDifference(solver, plain), 1e-7);
            return null;
        });
    }

    /** The mean over all nodes. */
    private static double pressureDifference(FlowSolver solver, double... state) {
        double[] there = solver.state().toArray();
        double sum = 0;
        for (int at = 4; at < there.length; at += 6) {
            sum += Math.abs(there[at] - state[at]);
        }
        return sum * 6 / there.length;
    }

    /** Nothing goes through a wall without friction: where walls meet, only along the edge. */
    @Test
    void nodesKeepToWalls() {
        Flow flow = new Flow(0.5, 0, 0, 0, false, 1);
        FlowMesh geometry = FlowMeshes.of("channel:nx=12,ny=4,nz=4", 2);
        double[] state = on("threads", mesh -> march(mesh, geometry, FlowSettings.usual(flow),
                InitialFlows.freeStream(flow), 3));
        FlowMesh.Level finest = geometry.levels().getFirst();
        SlipWalls walls = SlipWalls.of(finest, 0, Set.of(Patch.SLIP));
        double most = 0;
        for (int i = 0; i < walls.nodes().length; i++) {
            int at = 6 * walls.nodes()[i];
            for (int d = 9 * i; d < 9 * i + 9; d += 3) {
                double through = walls.directions()[d] * state[at + 1] + walls.directions()[d + 1] * state[at + 2]
                        + walls.directions()[d + 2] * state[at + 3];
                assertEquals(0, through, 1e-14);
            }
            most = Math.max(most, Math.abs(state[at + 3]));
        }
        assertTrue(most > 0.01, "the flow follows the bump");
    }
}
