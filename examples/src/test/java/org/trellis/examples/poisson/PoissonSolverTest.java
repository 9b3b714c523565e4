package org.trellis.examples.poisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.backend.Backend;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.CycleOptions;
import org.trellis.solve.multigrid.CycleShape;

/** All variants of solving, on every backend that there is: one answer, and errors that fall as they should. */
final class PoissonSolverTest {
    private static final PoissonVariants.Geometric V_CYCLE = new PoissonVariants.Geometric(
            new Smoothing(Smoothing.Kind.CHEBYSHEV, 2, 5), CycleOptions.V11, false);

    private static PoissonSolver.Settings settings(Precision precision, PoissonVariants.Geometric geometric,
            double... contrasts) {
        List<Double> all = new ArrayList<>();
        for (double contrast : contrasts) {
            all.add(contrast);
        }
        double tolerance = precision == Precision.F64 ? 1e-10 : 1e-5;
        return new PoissonSolver.Settings(List.of(PoissonVariants.Kind.values()), null, 6, geometric, all,
                StoppingCriteria.relative(tolerance, 500), precision, false);
    }

    private static List<PoissonRun> solve(PoissonTest.Where where, String mesh, int times,
            PoissonSolver.Settings settings) {
        List<PoissonRun> runs = new ArrayList<>();
        try (Backend backend = where.open();
                Mesh declared = Mesh.on(backend, MeshOptions.of(Configuration.load()).withCheckPlans(true));
                PoissonSolver solver = new PoissonSolver(declared,
                        PoissonProblem.Meshes.of(PlaneInput.generated(mesh), times), settings)) {
            solver.solve(ProgressListener.NONE, runs::add);
        }
        return runs;
    }

    static java.util.stream.Stream<PoissonTest.Where> everywhere() {
        return PoissonTest.everywhere();
    }

    /** Three variants and three coefficients, of which the later ones refill what the first has made. */
    @ParameterizedTest
    @MethodSource("everywhere")
    void allWaysAgree(PoissonTest.Where where) {
        boolean exact = where.precision() == Precision.F64;
        List<PoissonRun> runs = solve(where, "square:n=4,shake=0.3", 2, settings(where.precision(), V_CYCLE, 1, 50, 1));
        assertEquals(9, runs.size());
        for (PoissonRun run : runs) {
            assertTrue(run.report().converged(), () -> run.variant() + ": " + run.report());
            assertTrue(run.apart() < (exact ? 1e-8 : 2e-3), () -> run.variant() + " is apart " + run.apart());
            assertTrue(run.errors().largest() < 0.06, () -> run.variant() + ": " + run.errors());
        }
        // The coefficient of the beginning gives the solution of the beginning.
        for (int variant = 0; variant < 3; variant++) {
            assertEquals(runs.get(variant).errors().mean(), runs.get(6 + variant).errors().mean(),
                    exact ? 1e-9 : 1e-4, runs.get(variant).variant());
        }
    }

    /** The report's iterations are those of every backend. */
    @Test
    void iterationsAreThoseOfTheReference() {
        Map<String, Integer> iterations = new HashMap<>();
        PoissonTest.everywhere().filter(where -> where.precision() == Precision.F64).forEach(where -> {
            for (PoissonRun run : solve(where, "disc:rings=2", 2, settings(Precision.F64, V_CYCLE, 10))) {
                int expected = iterations.computeIfAbsent(run.variant(), name -> run.report().iterations());
                assertEquals(expected, run.report().iterations(), 1, () -> run.variant() + " on " + where);
            }
        });
        assertEquals(3, iterations.size());
    }

    /** Errors fall by four with each refinement, and multigrid's iterations stay what they are. */
    @ParameterizedTest
    @CsvSource({"disc:rings=3, CHEBYSHEV, V, 9", "disc:rings=3, JACOBI, V, 14", "disc:rings=2, CHEBYSHEV, W, 9",
        "'square:n=4,shake=0.2', CHEBYSHEV, F, 12"})
    void convergence(String mesh, String smoother, String shape, String most) {
        convergence(mesh, smoother, CycleShape.valueOf(shape), Integer.parseInt(most));
    }

    private static void convergence(String mesh, String smoother, CycleShape shape, int most) {
        PoissonTest.Where where = new PoissonTest.Where("threads", Precision.F64);
        PoissonVariants.Geometric geometric =
                new PoissonVariants.Geometric(new Smoothing(Smoothing.Kind.valueOf(smoother), 2, 5),
                        new CycleOptions(shape, 1, 1, true), false);
        PoissonSolver.Settings settings =
                new PoissonSolver.Settings(List.of(PoissonVariants.Kind.MULTIGRID), null, 6, geometric,
                        List.of(1.0), StoppingCriteria.relative(1e-8, 100), Precision.F64, false);
        double before = 0;
        for (int times = 2; times <= 4; times++) {
            PoissonRun run = solve(where, mesh, times, settings).getFirst();
            assertTrue(run.report().converged(), run.report()::toString);
            assertTrue(run.report().iterations() <= most, run.report()::toString);
            double order = Math.log(before / run.errors().mean()) / Math.log(2);
            assertTrue(times == 2 || (order > 1.9 && order < 2.1), "order " + order);
            before = run.errors().mean();
        }
    }

    /** Cycles alone, and K-cycles before flexible conjugate gradients. */
    @Test
    void cyclesAlone() {
        PoissonTest.Where where = new PoissonTest.Where("threads", Precision.F64);
        for (CycleShape shape : List.of(CycleShape.V, CycleShape.K)) {
            PoissonVariants.Geometric geometric =
                    new PoissonVariants.Geometric(V_CYCLE.smoothing(), new CycleOptions(shape, 1, 1, true),
                            shape == CycleShape.V);
            List<PoissonRun> runs = solve(where, "disc:rings=2", 3, settings(Precision.F64, geometric, 1));
            PoissonRun run = runs.getLast();
            assertTrue(run.report().converged(), run.report()::toString);
            assertTrue(run.report().iterations() <= 20, run.report()::toString);
            assertEquals(shape == CycleShape.V ? "richardson(1.0)" : "fcg", run.report().method());
            assertTrue(run.apart() < 1e-8, run::toString);
        }
    }
}
