package org.trellis.examples.poisson;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.mesh.Mesh;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.multigrid.CycleOptions;
import org.trellis.solve.multigrid.CycleShape;
import org.trellis.testing.TestLength;

/** The example over ranks: the same program, iterations and solution as on one. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class PoissonRanksTest {
    private static final String MESH = "square:n=6,shake=0.2";

    /** What has become of a solution. */
    private record Found(String variant, int iterations, double[] solution, PoissonProblem.Errors errors) {}

    private static List<Found> solve(Mesh mesh, PoissonSolver.Settings settings) {
        List<Found> found = new ArrayList<>();
        try (PoissonSolver solver =
                new PoissonSolver(mesh, PoissonProblem.Meshes.of(PlaneInput.generated(MESH), 2), settings)) {
            solver.solve(ProgressListener.NONE, run -> {
                assertTrue(run.report().converged(), run.variant() + ": " + run.report());
                found.add(new Found(run.variant(), run.report().iterations(), solver.problem().solution().toArray(),
                        run.errors()));
            });
        }
        return found;
    }

    private static PoissonSolver.Settings settings(PoissonVariants.Kind kind, String preconditioner, String cycle,
            Precision precision) {
        CycleShape shape = cycle.startsWith("alone") ? CycleShape.V : CycleShape.of(cycle.toLowerCase(Locale.ROOT));
        PoissonVariants.Geometric geometric =
                new PoissonVariants.Geometric(new Smoothing(Smoothing.Kind.CHEBYSHEV, 2, 5),
                        new CycleOptions(shape, 1, 1, true), cycle.startsWith("alone"));
        return new PoissonSolver.Settings(List.of(kind), preconditioner, 3, geometric, List.of(1.0, 30.0),
                StoppingCriteria.relative(precision == Precision.F64 ? 1e-10 : 1e-5, 500), precision, false);
    }

    /**
     * Contrasts change the coefficients, so that matrices and multigrid are given other values, too. Iterations are the
     * same within one, but for three: without a preconditioner, the last of some two hundred depend on how sums are
     * rounded; IC(0) over ranks is that of each rank's own rows and columns, and a Schwarz method solves with those and
     * one ring, which converge more slowly.
     */
    @ParameterizedTest
    @CsvSource({"MATRIX_FREE, none, V, F64, 0", "MATRIX_FREE, jacobi, V, F64, 0", "MATRIX_FREE, chebyshev, V, F64, 0",
        "MATRIX_FREE, chebyshev, V, F32, 0", "ASSEMBLED, none, V, F64, 0.02", "ASSEMBLED, jacobi, V, F64, 0",
        "ASSEMBLED, chebyshev, V, F64, 0", "ASSEMBLED, amg, V, F64, 0", "ASSEMBLED, ssor, V, F64, 0",
        "ASSEMBLED, ic0, V, F64, 0.5", "ASSEMBLED, schwarz, V, F64, 1", "MULTIGRID, , V, F64, 0",
        "MULTIGRID, , W, F64, 0", "MULTIGRID, , F, F64, 0",
        "MULTIGRID, , K, F64, 0", "MULTIGRID, , alone, F64, 0", "MULTIGRID, , V, F32, 0"})
    void ranksSolveAsOne(PoissonVariants.Kind kind, String preconditioner, String cycle, Precision precision,
            double more) {
        PoissonSolver.Settings settings = settings(kind, preconditioner, cycle, precision);
        List<Found> expected = alone(settings);
        double tolerance = precision == Precision.F64 ? 1e-7 : 2e-3;
        for (int ranks : TestLength.isLong() ? new int[]{1, 2, 3, 4} : new int[]{3}) {
            List<List<Found>> all = ThreadRanks.run(ranks, communicator -> {
                try (Backend backend = Backends.open("threads", Configuration.load());
                        Mesh mesh = DistributedMesh.on(backend, communicator)) {
                    return solve(mesh, settings);
                }
            });
            for (List<Found> found : all) {
                assertEquals(expected.size(), found.size());
                for (int i = 0; i < found.size(); i++) {
                    Found one = expected.get(i);
                    assertEquals(one.iterations(), found.get(i).iterations(), Math.max(1, more * one.iterations()),
                            one.variant() + " on " + ranks + " ranks");
                    assertArrayEquals(one.solution(), found.get(i).solution(), tolerance, one.variant());
                    assertEquals(one.errors().mean(), found.get(i).errors().mean(), tolerance);
                }
            }
        }
    }

    private static List<Found> alone(PoissonSolver.Settings settings) {
        try (Backend backend = Backends.open("threads", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            return solve(mesh, settings);
        }
    }
}
