package org.trellis.distributed.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.kernel.Access;
import org.trellis.kernel.LoopKernel;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.CallStep;
import org.trellis.mesh.Dat;
import org.trellis.mesh.LoopSequence;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshMap;
import org.trellis.mesh.MeshSet;
import org.trellis.mesh.WorkStep;
import org.trellis.mesh.assembly.AssembledMatrices;
import org.trellis.mesh.matrix.LoopOperator;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.assembled.AssembledSystem;
import org.trellis.solve.krylov.KrylovMethod;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.ElementKernels;
import org.trellis.testing.InterpretedKernel;
import org.trellis.testing.TestSeed;

/** One program, on one rank and over several: vectors of dats, products by loops, assembled systems, and sequences. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class RankedSystemTest {
    private static final LoopKernel BEGIN = InterpretedKernel.named("begin").dat(Access.READ, 1).dat(Access.READ, 1)
            .dat(Access.WRITE, 1).cuda("p2[0] = p0[0] * p1[0];\n")
            .does(values -> first(values, 2, at(values, 0) * at(values, 1)));
    private static final LoopKernel FLUX = InterpretedKernel.named("flux").dat(Access.READ, 1).dat(Access.READ, 1)
            .dat(Access.READ, 1).dat(Access.INCREMENT, 1).dat(Access.INCREMENT, 1)
            .cuda("REAL flow = p0[0] * (p1[0] - p2[0]); p3[0] += flow; p4[0] -= flow;\n").does(values -> {
                double flow = at(values, 0) * (at(values, 1) - at(values, 2));
                first(values, 3, at(values, 3) + flow);
                first(values, 4, at(values, 4) - flow);
            });
    private static final LoopKernel ZERO =
            InterpretedKernel.named("zero").dat(Access.WRITE, 1).cuda("p0[0] = 0;\n")
                    .does(values -> first(values, 0, 0));
    private static final LoopKernel ADD_EDGE =
            InterpretedKernel.named("addEdge").dat(Access.READ, 1).dat(Access.INCREMENT, 1, 4)
                    .cuda("for (int i = 0; i < 4; i++) { p1[i][0] += i % 3 == 0 ? p0[0] : -p0[0]; }\n").does(values -> {
                        double[][] k = (double[][]) values[1];
                        for (int i = 0; i < 4; i++) {
                            k[i][0] += i % 3 == 0 ? at(values, 0) : -at(values, 0);
                        }
                    });
    private static final LoopKernel ADD_NODE = InterpretedKernel.named("addNode").dat(Access.READ, 1)
            .dat(Access.INCREMENT, 1).cuda("p1[0] += p0[0];\n")
            .does(values -> first(values, 1, at(values, 1) + at(values, 0)));
    /** Reads entries from the elements that make them. */
    private static final LoopKernel OFF = InterpretedKernel.named("off").dat(Access.READ, 1, 4).dat(Access.WRITE, 1)
            .does(values -> first(values, 1, ((double[][]) values[0])[1][0]));

    private static double at(Object[] values, int argument) {
        return ((double[]) values[argument])[0];
    }

    private static void first(Object[] values, int argument, double value) {
        ((double[]) values[argument])[0] = value;
    }

    /** A random graph with weights, and the system of its Laplacian and a positive diagonal. */
    static final class Problem {
        private final Mesh mesh;
        private final MeshSet nodes;
        private final MeshSet edges;
        private final MeshMap ends;
        private final MeshMap itself;
        private final Dat shift;
        private final Dat weight;
        private final Dat b;
        private final Dat x;

        Problem(Mesh mesh, int size, Precision precision) {
            this.mesh = mesh;
            SplittableRandom random = TestSeed.random("ranked system " + size);
            nodes = mesh.set("nodes", size);
            int[] targets = new int[2 * (size == 0 ? 0 : 2 * size - 1)];
            for (int edge = 0; edge < targets.length / 2; edge++) {
                targets[2 * edge] = edge % size;
                targets[2 * edge + 1] = edge < size - 1
                        ? edge + 1
                        : Math.min(size - 1, edge % size + random.nextInt(1, 12));
            }
            edges = mesh.set("edges", targets.length / 2);
            ends = mesh.map("ends", edges, nodes, 2, targets);
            itself = mesh.map("itself", nodes, nodes, 1, IntStream.range(0, size).toArray());
            shift = mesh.dat("shift", nodes, 1, precision, random.doubles(size, 0.01, 0.1).toArray());
            weight = mesh.dat("weight", edges, 1, precision, random.doubles(edges.size(), 0.5, 2).toArray());
            b = mesh.dat("b", nodes, 1, precision, random.doubles(size, -1, 1).toArray());
            x = mesh.dat("x", nodes, 1, precision);
        }

        LoopSequence product(Dat from, Dat to) {
            return mesh.sequence("product of " + from.name())
                    .run(mesh.loop(BEGIN, nodes, shift, from, to))
                    .run(mesh.loop(FLUX, edges, weight, from.at(ends, 0), from.at(ends, 1), to.at(ends, 0),
                            to.at(ends, 1)))
                    .build();
        }

        LoopOperator operator() {
            Dat operand = mesh.dat("operand", nodes, 1, b.precision());
            Dat result = mesh.dat("result", nodes, 1, b.precision());
            return LoopOperator.of(operand, result, product(operand, result));
        }

        AssemblyPattern pattern() {
            return AssemblyPattern.of("K", List.of(new AssemblyPattern.Coupling(ends, ends),
                    new AssemblyPattern.Coupling(itself, itself)));
        }

        Dat assembled(AssemblyPattern pattern) {
            Dat values = pattern.values("values of K", b.precision());
            mesh.sequence("assembly").run(mesh.loop(ZERO, pattern.entries(), values))
                    .run(mesh.loop(ADD_EDGE, edges, weight, values.at(pattern.positions(0))))
                    .run(mesh.loop(ADD_NODE, nodes, shift, values.at(pattern.positions(1), 0))).build().run();
            return values;
        }

        /** Solves, and returns the solution with the number of iterations behind it. */
        double[] solve(LinearSolver solver, StoppingCriteria criteria) {
            x.fill(0);
            SolveReport report = solver.solve(b.vector(), x.vector(), criteria);
            assertTrue(report.converged(), report.toString());
            double[] all = x.toArray();
            double[] result = Arrays.copyOf(all, all.length + 1);
            result[all.length] = report.iterations();
            return result;
        }
    }

    static double[] alone(Function<Mesh, double[]> program) {
        try (Backend backend = Backends.open("threads", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            return program.apply(mesh);
        }
    }

    private static List<double[]> onRanks(int ranks, RankOptions options, Function<Mesh, double[]> program) {
        return ThreadRanks.run(ranks, communicator -> {
            try (Backend backend = Backends.open("threads", Configuration.load());
                    Mesh mesh = DistributedMesh.on(backend, communicator, options)) {
                return program.apply(mesh);
            }
        });
    }

    private static List<double[]> onRanks(int ranks, Function<Mesh, double[]> program) {
        return onRanks(ranks, RankOptions.usual(), program);
    }

    /** Solutions agree to a tolerance, iterations but for a few. */
    private static void assertSame(double[] expected, List<double[]> found, double tolerance, double more) {
        for (double[] one : found) {
            int n = expected.length - 1;
            assertEquals(expected[n], one[n], Math.max(1, more * expected[n]), "iterations");
            for (int i = 0; i < n; i++) {
                assertEquals(expected[i], one[i], tolerance, "element " + i);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void solvesWithoutAMatrix(int ranks) {
        for (Precision precision : Precision.values()) {
            Function<Mesh, double[]> program = mesh -> {
                Problem problem = new Problem(mesh, 211, precision);
                LoopOperator a = problem.operator();
                try (ConjugateGradient cg = new ConjugateGradient(a, null, mesh.solverBackend())) {
                    return problem.solve(cg, StoppingCriteria.relative(precision == Precision.F64 ? 1e-9 : 1e-4, 500));
                }
            };
            assertSame(alone(program), onRanks(ranks, program), precision == Precision.F64 ? 1e-6 : 2e-2, 0);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void solvesAnAssembledSystem(int ranks) {
        requireSystem(ranks);
    }

    @ParameterizedTest
    @Tag("nightly")
    @ValueSource(ints = {1, 4})
    void otherNumbersOfRanksSolveAnAssembledSystem(int ranks) {
        requireSystem(ranks);
    }

    private static void requireSystem(int ranks) {
        for (String preconditioner : List.of("none", "jacobi", "chebyshev", "amg", "ic0")) {
            boolean ofRanks = preconditioner.equals("ic0");
            for (String method : List.of("cg", "gmres")) {
                Function<Mesh, double[]> program = mesh -> {
                    Problem problem = new Problem(mesh, 300, Precision.F64);
                    AssemblyPattern pattern = problem.pattern();
                    try (AssembledSystem system = AssembledSystem.of(pattern, problem.assembled(pattern));
                            LinearSolver solver = system.solver(SolverConfig.of(method, preconditioner))) {
                        return problem.solve(solver, StoppingCriteria.relative(1e-9, 500));
                    }
                };
                assertSame(alone(program), onRanks(ranks, program), 1e-6,
                        ofRanks ? 2 : preconditioner.equals("amg") ? 0.34 : 0);
            }
        }
    }

    /** Values of the entries have the numbers of one rank, wherever rows are; other ranks' entries are brought. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void entriesHaveTheNumbersOfOneRank(int ranks) {
        for (int size : new int[]{1, 2, 7, 97}) {
            Function<Mesh, double[]> program = mesh -> {
                Problem problem = new Problem(mesh, size, Precision.F64);
                AssemblyPattern pattern = problem.pattern();
                Dat values = problem.assembled(pattern);
                Dat off = mesh.dat("off", problem.edges, 1, Precision.F64);
                List<Double> found = new ArrayList<>();
                mesh.loop(OFF, problem.edges, values.at(pattern.positions(0)), off).run();
                for (double value : off.toArray()) {
                    found.add(value);
                }
                for (double value : values.toArray()) {
                    found.add(value);
                }
                for (int column = 0; column < size; column++) {
                    int entry = pattern.entry(size / 2, column);
                    found.add((double) entry);
                    found.add(entry < 0 ? 0 : values.get(entry, 0));
                }
                values.setAll(IntStream.range(0, pattern.entries().size()).toArray());
                mesh.loop(OFF, problem.edges, values.at(pattern.positions(0)), off).run();
                for (double value : off.toArray()) {
                    found.add(value);
                }
                return found.stream().mapToDouble(Double::doubleValue).toArray();
            };
            double[] expected = alone(program);
            for (double[] found : onRanks(ranks, program)) {
                assertArrayEquals(expected, found, 1e-12);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void refillsAndInverts(int ranks) {
        Function<Mesh, double[]> program = mesh -> {
            Problem problem = new Problem(mesh, 60, Precision.F64);
            AssemblyPattern pattern = problem.pattern();
            Dat values = problem.assembled(pattern);
            try (AssembledSystem system = AssembledSystem.of(pattern, values)) {
                mesh.loop(ADD_EDGE, problem.edges, problem.weight, values.at(pattern.positions(0))).run();
                system.refill();
                try (Preconditioner inverse = system.inverse();
                        Preconditioner jacobi = system.preconditioner("jacobi", Map.of()).orElseThrow()) {
                    inverse.apply(problem.b.vector(), problem.x.vector());
                    system.operator().apply(problem.x.vector(), problem.b.vector());
                    Dat z = mesh.dat("z", problem.nodes, 1, Precision.F64);
                    jacobi.apply(problem.b.vector(), z.vector());
                    problem.b.setAll(z.toArray());
                }
                double[] x = problem.x.toArray();
                double[] both = Arrays.copyOf(x, 2 * x.length);
                System.arraycopy(problem.b.toArray(), 0, both, x.length, x.length);
                return both;
            }
        };
        double[] expected = alone(program);
        for (double[] found : onRanks(ranks, program)) {
            assertArrayEquals(expected, found, 1e-9);
        }
    }

    /** Whatever writes a vector between loops, they read what was written, of other ranks, too. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void loopsReadWhatVectorsWere(int ranks) {
        for (int rings : new int[]{0, 1, 2}) {
            Function<Mesh, double[]> program = mesh -> {
                Problem problem = new Problem(mesh, 83, Precision.F64);
                Dat y = mesh.dat("y", problem.nodes, 1, Precision.F64);
                LoopSequence.Builder builder = mesh.sequence("steps");
                if (rings > 0) {
                    builder.rings(rings);
                }
                for (int step = 0; step < 3; step++) {
                    builder.run(mesh.loop(BEGIN, problem.nodes, problem.shift, problem.b, y))
                            .run(mesh.loop(FLUX, problem.edges, problem.weight, problem.b.at(problem.ends, 0),
                                    problem.b.at(problem.ends, 1), y.at(problem.ends, 0), y.at(problem.ends, 1)))
                            .run(new WorkStep("b += y / 8", () -> problem.mesh.solverBackend()
                                    .kernels(ElementKernels.class).update(0.125, null, y.vector(), 1,
                                            problem.b.vector()),
                                    List.of()))
                            .run(new CallStep("halve", () -> halve(mesh, problem.b.vector()), List.of()));
                }
                LoopSequence steps = builder.build();
                steps.run();
                steps.run();
                try (DenseVector result = mesh.solverBackend().vector(Precision.F64, 1)) {
                    mesh.solverBackend().kernels(ElementKernels.class).dot(y.vector(), problem.b.vector(), result, 0);
                    HostVector sum = HostVector.zeros(Precision.F64, 1);
                    result.copyTo(sum);
                    return DoubleStream.concat(DoubleStream.of(sum.get(0)), DoubleStream.of(y.toArray())).toArray();
                }
            };
            double[] expected = alone(program);
            for (double[] found : onRanks(ranks, program)) {
                assertArrayEquals(expected, found, 1e-10);
            }
        }
    }

    private static void halve(Mesh mesh, DenseVector b) {
        mesh.solverBackend().kernels(ElementKernels.class).update(0, null, b, 0.5, b.part(0, b.length()));
    }

    @Test
    void refusesOtherRows() {
        onRanks(2, mesh -> {
            Problem problem = new Problem(mesh, 30, Precision.F64);
            LoopOperator a = problem.operator();
            String sums = assertThrows(IllegalArgumentException.class,
                    () -> new ConjugateGradient(a, null, mesh.backend())).getMessage();
            assertTrue(sums.contains("whose sums are one rank's"), sums);
            sums = assertThrows(IllegalArgumentException.class,
                    () -> KrylovMethod.GMRES.prepare(a, null, mesh.backend(), Map.of())).getMessage();
            assertTrue(sums.contains("whose sums are one rank's"), sums);
            AssemblyPattern pattern = problem.pattern();
            String words = assertThrows(IllegalStateException.class, pattern::rowOffsets).getMessage();
            assertTrue(words.contains("none of which has all"), words);
            assertThrows(IllegalArgumentException.class, () -> AssembledSystem.of(pattern, problem.b));
            Dat values = problem.assembled(pattern);
            try (AssembledSystem system = AssembledSystem.of(pattern, values)) {
                String stack = assertThrows(IllegalArgumentException.class,
                        () -> system.solver(SolverConfig.of("s-step", "ssor"))).getMessage();
                assertTrue(stack.contains("preconditioner ssor"), stack);
            }
            words = assertThrows(IllegalStateException.class,
                    () -> AssembledMatrices.copy(pattern, values)).getMessage();
            assertTrue(words.contains("AssembledSystem"), words);
            return null;
        });
    }
}
