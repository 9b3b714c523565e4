package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** Multigrid by its name in solver stacks. */
final class NamedPreconditionersTest {
    private static SolverConfig stack(String method, Map<String, String> options) {
        return new SolverConfig(method, Map.of(), "amg", options, StoppingCriteria.relative(1e-8, 200), false, false);
    }

    private static SolveReport solve(SolverConfig stack) {
        CsrMatrix a = Grids.square(40);
        HostVector b = a.multiply(Grids.vector(Precision.F64, a.rows(), i -> ((7919L * i + 13) % 1009) / 1009.0));
        HostVector x = HostVector.zeros(Precision.F64, a.rows());
        try (Backend backend = Backends.open("threads", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(a);
                LinearSolver solver = stack.prepare(a, product, backend)) {
            return solver.solve(b, x, stack.criteria(), IterationObserver.NONE);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"cg | v | 16", "fcg | k | 16", "gmres | v | 16", "richardson | v | 60"})
    void methodsTakeMultigrid(String method, String cycle, int most) {
        SolveReport report = solve(stack(method, Map.of("cycle", cycle, "coarse-rows", "20")));
        assertTrue(report.converged() && report.iterations() <= most, report.toString());
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertTrue(NamedPreconditioners.names().contains("amg") && NamedPreconditioners.names().contains("ssor"));
        assertTrue(NamedPreconditioners.optionsOf("amg").contains("block-size"));
        assertEquals(List.of("omega", "sweeps"), NamedPreconditioners.optionsOf("jacobi"));
        assertThrows(IllegalArgumentException.class, () -> NamedPreconditioners.optionsOf("magic"));
        assertThrows(IllegalArgumentException.class, () -> stack("cg", Map.of("colour", "red")));
        assertThrows(IllegalArgumentException.class, () -> solve(stack("cg", Map.of("cycle", "x"))));
        assertThrows(IllegalArgumentException.class, () -> solve(stack("cg", Map.of("block-size", "7"))));
        // A K-cycle is another operator each time, which plain conjugate gradients cannot take.
        assertThrows(IllegalArgumentException.class,
                () -> solve(stack("cg", Map.of("cycle", "k", "coarse-rows", "20"))));
    }
}
