package org.trellis.distributed.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.mesh.AssemblyPattern;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.matrix.LoopOperator;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.assembled.AssembledSystem;
import org.trellis.solve.krylov.SolverConfig;

/** The programs of {@link RankedSystemTest} on devices, one of which two ranks may share, and one with a host. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
abstract class DeviceSystemContract {
    private static final int NODES = 120;
    private static final StoppingCriteria CRITERIA = StoppingCriteria.relative(1e-9, 300);

    /** Opens the backend of a rank, or skips the test. */
    @MustBeClosed
    protected abstract Backend open(int rank);

    private void assertAsOne(Function<Mesh, double[]> program) {
        try (Backend backend = open(0)) {
            assertNotNull(backend); // or skips
        }
        double[] expected = RankedSystemTest.alone(program);
        List<double[]> all = ThreadRanks.run(2, communicator -> {
            try (Backend backend = open(communicator.rank()); Mesh mesh = DistributedMesh.on(backend, communicator)) {
                return program.apply(mesh);
            }
        });
        for (double[] found : all) {
            assertEquals(expected[NODES], found[NODES], 1, "iterations");
            for (int i = 0; i < NODES; i++) {
                assertEquals(expected[i], found[i], 1e-6, "element " + i);
            }
        }
    }

    @Test
    void solvesWithoutAMatrix() {
        assertAsOne(mesh -> {
            RankedSystemTest.Problem problem = new RankedSystemTest.Problem(mesh, NODES, Precision.F64);
            LoopOperator a = problem.operator();
            try (ConjugateGradient cg = new ConjugateGradient(a, null, mesh.solverBackend())) {
                return problem.solve(cg, CRITERIA);
            }
        });
    }

    @Test
    void solvesAnAssembledSystem() {
        assertAsOne(mesh -> {
            RankedSystemTest.Problem problem = new RankedSystemTest.Problem(mesh, NODES, Precision.F64);
            AssemblyPattern pattern = problem.pattern();
            try (AssembledSystem system = AssembledSystem.of(pattern, problem.assembled(pattern));
                    LinearSolver solver = system.solver(SolverConfig.of("cg", "jacobi"))) {
                return problem.solve(solver, CRITERIA);
            }
        });
    }
}
