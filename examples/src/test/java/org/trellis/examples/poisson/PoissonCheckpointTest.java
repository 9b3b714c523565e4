package org.trellis.examples.poisson;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Dat;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshCheckpoints;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.checkpoint.CheckpointAnalysis;
import org.trellis.mesh.checkpoint.CheckpointInterval;
import org.trellis.mesh.checkpoint.CheckpointPolicy;
import org.trellis.mesh.checkpoint.Checkpoints;
import org.trellis.mesh.checkpoint.DryRun;
import org.trellis.mesh.matrix.LoopOperator;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.KrylovMethod;
import org.trellis.solve.multigrid.CycleOptions;
import org.trellis.solve.multigrid.CycleShape;
import org.trellis.testing.TestSeed;

/** Solvers on a mesh with checkpoints: ended at any iteration and started again, they end with the same bits. */
class PoissonCheckpointTest {
    private static final String MESH = "disc:rings=3";
    private static final int RESTARTS = 2;

    @TempDir
    private Path folder;

    /** The program has been ended. */
    private static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    private static PoissonSolver.Settings settings(PoissonVariants.Kind kind, String preconditioner, CycleShape shape,
            boolean alone) {
        PoissonVariants.Geometric geometric =
                new PoissonVariants.Geometric(new Smoothing(Smoothing.Kind.CHEBYSHEV, 2, 5),
                        new CycleOptions(shape, 1, 1, true), alone);
        return new PoissonSolver.Settings(List.of(kind), preconditioner, 3, geometric, List.of(1.0, 30.0),
                StoppingCriteria.relative(1e-10, 500), Precision.F64, false);
    }

    /** What a run has come to: the bits of everything that it says. */
    private static List<double[]> solve(String name, MeshCheckpoints checkpoints, PoissonSolver.Settings settings,
            ProgressListener progress) {
        List<double[]> results = new ArrayList<>();
        MeshOptions options = MeshOptions.of(Configuration.load());
        try (Backend backend = Backends.open(name, Configuration.load());
                Mesh mesh = Mesh.on(backend, checkpoints == null ? options : options.withCheckpoints(checkpoints));
                PoissonSolver solver = new PoissonSolver(mesh,
                        PoissonProblem.Meshes.of(PlaneInput.generated(MESH), 1), settings)) {
            solver.solve(progress, run -> {
                assertTrue(run.report().converged(), run.report()::toString);
                results.add(run.report().residualHistory().stream().mapToDouble(Double::doubleValue).toArray());
                results.add(new double[]{run.errors().mean(), run.errors().largest(), run.iterationSeconds().size()});
                results.add(solver.problem().solution().toArray());
            });
        }
        return results;
    }

    private static void same(List<double[]> expected, List<double[]> actual) {
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++) {
            assertArrayEquals(expected.get(i), actual.get(i), "result " + i);
        }
    }

    /** Ends the program at a random iteration, again and again, until it may end by itself. */
    @ParameterizedTest
    @CsvSource({"MATRIX_FREE, none, V, false, threads", "MATRIX_FREE, chebyshev, V, false, reference",
        "ASSEMBLED, jacobi, V, false, simd", "ASSEMBLED, ssor, V, false, threads", "ASSEMBLED, amg, V, false, cpu",
        "MULTIGRID, , V, false, threads", "MULTIGRID, , V, true, reference", "MULTIGRID, , K, false, threads"})
    void restartsEndWithTheSameBits(PoissonVariants.Kind kind, String preconditioner, CycleShape shape, boolean alone,
            String backend) throws IOException {
        SplittableRandom random = TestSeed.random("poissonCheckpoints " + kind + preconditioner + shape + alone);
        PoissonSolver.Settings settings = settings(kind, preconditioner, shape, alone);
        int[] all = {0};
        List<double[]> expected = solve(backend, null, settings, (what, done, most) -> all[0]++);
        Path file = folder.resolve("state");
        int restarts = 0;
        for (int start = 0; start <= RESTARTS; start++) {
            Checkpoints checkpoints = Checkpoints.to(file)
                    .withInterval(CheckpointInterval.iterations(1 + random.nextInt(3)))
                    .withPolicy(random.nextBoolean() ? CheckpointPolicy.local() : CheckpointPolicy.speculative());
            boolean again = Files.exists(file);
            Checkpoints own = again ? checkpoints.withRestart(file) : checkpoints;
            restarts += again ? 1 : 0;
            int last = all[0]; // the first start comes far, so that there is a checkpoint
            int[] left = {start == RESTARTS ? Integer.MAX_VALUE : start == 0 ? last : 1 + random.nextInt(last)};
            ProgressListener ending = (what, done, most) -> {
                if (--left[0] == 0) {
                    throw new Ended();
                }
            };
            if (start == RESTARTS) {
                same(expected, solve(backend, own, settings, ending));
            } else {
                assertThrows(Ended.class, () -> solve(backend, own, settings, ending));
            }
        }
        assertTrue(restarts > 0, "no start from a checkpoint, seed " + TestSeed.value());
    }

    static Stream<PoissonTest.Where> everywhere() {
        return PoissonTest.everywhere();
    }

    /** Each variant on each backend, devices among them, in both precisions: ended once near the end. */
    @ParameterizedTest
    @MethodSource("everywhere")
    void restartsOnEveryBackend(PoissonTest.Where where) {
        for (PoissonVariants.Kind kind : PoissonVariants.Kind.values()) {
            PoissonSolver.Settings usual = settings(kind, null, CycleShape.V, false);
            PoissonSolver.Settings settings = new PoissonSolver.Settings(usual.kinds(), null, 3, usual.geometric(),
                    List.of(1.0), StoppingCriteria.relative(where.precision() == Precision.F64 ? 1e-8 : 1e-4, 100),
                    where.precision(), false);
            int[] all = {0};
            List<double[]> expected = solve(where.backend(), null, settings, (what, done, most) -> all[0]++);
            Path file = folder.resolve("state of " + kind);
            Checkpoints checkpoints = Checkpoints.to(file).withInterval(CheckpointInterval.iterations(1));
            assertThrows(Ended.class, () -> solve(where.backend(), checkpoints, settings, (what, done, most) -> {
                if (--all[0] == 0) {
                    throw new Ended();
                }
            }));
            Checkpoints again = checkpoints.withRestart(file);
            same(expected, solve(where.backend(), again, settings, ProgressListener.NONE));
            assertTrue(again.startedFrom().isPresent(), kind + " on " + where);
        }
    }

    private static void refused(String expected, Executable work) {
        IllegalStateException e = assertThrows(IllegalStateException.class, work);
        assertTrue(e.getMessage().contains(expected), e::getMessage);
    }

    /** What checkpoints would not see is refused when it is done, not after a crash. */
    @Test
    void whatIsNotSeenIsRefused() {
        MeshOptions options = MeshOptions.of(Configuration.load())
                .withCheckpoints(Checkpoints.to(folder.resolve("state")));
        try (Backend backend = Backends.open("threads", Configuration.load()); Mesh mesh = Mesh.on(backend, options)) {
            PoissonProblem problem = new PoissonProblem(mesh,
                    PoissonProblem.Meshes.of(PlaneInput.generated(MESH), 0), false, Precision.F64);
            problem.contrast(1);
            LoopOperator a = problem.finest().operator();
            DenseVector b = problem.rightHandSide().vector();
            DenseVector x = problem.solution().vector();
            StoppingCriteria criteria = StoppingCriteria.relative(1e-8, 100);
            try (LinearSolver gmres = KrylovMethod.GMRES.prepare(a, null, backend, Map.of());
                    LinearSolver cg = KrylovMethod.CG.prepare(a, null, backend, Map.of());
                    DenseVector own = backend.vector(Precision.F64, x.length())) {
                refused("gmres", () -> gmres.solve(b, x, criteria));
                refused("two vectors of dats of that mesh", () -> cg.solve(b, own, criteria));
                refused("outside of a solver's steps", () -> cg.solve(own, own, criteria));
                refused("work with a vector", () -> a.apply(b, x));
                assertTrue(cg.solve(b, x, criteria).converged());
                Dat left = mesh.dats().stream().filter(dat -> dat.name().equals("result of level 0")).findFirst()
                        .orElseThrow();
                refused("which loops within a solver's step have left", left::toArray);
                left.fill(0);
                assertEquals(0, left.toArray()[0]);
            }
        }
    }

    /** Before an iteration of conjugate gradients without a matrix: x, r and p, and what its loops read. */
    @Test
    void unitsOfAnIteration() {
        DryRun dry = new DryRun();
        solve("threads", dry, settings(PoissonVariants.Kind.MATRIX_FREE, "none", CycleShape.V, false),
                ProgressListener.NONE);
        CheckpointAnalysis analysis = dry.analysis();
        CheckpointAnalysis.Row row = analysis.rows().stream()
                .filter(one -> one.use().name().startsWith("cg: iteration of slot")).findFirst().orElseThrow();
        assertTrue(row.saved().containsAll(List.of("cg: residual", "cg: direction", "cg: solution")), row::toString);
        assertTrue(analysis.periodic(), analysis::toString);
        assertEquals(2, analysis.rows().size());
        assertTrue(!row.saved().contains("cg: product"), row::toString);
    }
}
