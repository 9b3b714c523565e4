package org.trellis.matrices.solve;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.solve.multigrid.CoarseningOptions;
import org.trellis.solve.multigrid.Hierarchy;
import org.trellis.solve.multigrid.MultigridOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/**
 * Reduction on convection and diffusion: iterations beside those that PyAMG 5.3.0's {@code air_solver} takes with
 * flexible GMRES on the same system, and few entries more or fewer; and hardly more on finer grids.
 */
final class ReductionCountsTest {
    private static CsrMatrix generate(String spec, Precision precision) {
        return MatrixSpec.parse(spec).generate(precision, ProgressListener.NONE);
    }

    private static Map<String, String> options(String text) {
        Map<String, String> options = new HashMap<>(Map.of("coarsening", "air", "coarse-rows", "20"));
        for (String option : text == null ? new String[0] : text.split(" ")) {
            options.put(option.substring(0, option.indexOf('=')), option.substring(option.indexOf('=') + 1));
        }
        return options;
    }

    private static int iterations(CsrMatrix a, String method, Map<String, String> options) {
        double tolerance = a.precision() == Precision.F64 ? 1e-8 : 1e-3;
        String preconditioner = method.equals("multigrid") ? "none" : "amg";
        SolverConfig stack = new SolverConfig(method, method.equals("multigrid") ? options : Map.of(), preconditioner,
                method.equals("multigrid") ? Map.of() : options, StoppingCriteria.relative(tolerance, 100), false,
                false);
        HostVector b = HostVector.of(a.precision(), a.rows(), i -> ((7919L * i + 13) % 1009) / 1009.0);
        try (Backend backend = Backends.open("threads", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(a);
                LinearSolver solver = stack.prepare(a, product, backend)) {
            SolveReport report = solver.solve(b, HostVector.zeros(a.precision(), a.rows()), stack.criteria());
            assertTrue(report.converged(), report.toString());
            return report.iterations();
        }
    }

    private static double complexity(CsrMatrix a, Map<String, String> options) {
        CoarseningOptions coarsening = MultigridOptions.parse(options).coarsening();
        return Hierarchy.of(a, null, coarsening).operatorComplexity();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
        "convection2d:nx=64,epsilon=1e-4 | 6 | 4.2 | -",
        "convection2d:nx=128,epsilon=1e-4 | 7 | 4.5 | -",
        "convection2d:nx=128,epsilon=1e-4,wind=constant | 5 | 3.2 | -",
        "convection2d:nx=128,epsilon=1e-2 | 10 | 6.3 | -",
        "convection2d:nx=128,epsilon=1e-2 | 10 | 6.3 | prolongation=extended",
        "convection3d:nx=20,epsilon=1e-4 | 7 | 5 | -",
        "convection3d:nx=20,epsilon=1e-4,wind=constant | 6 | 6 | -"})
    void takesAboutAsManyIterationsAsPyamg(String spec, int pyamg, double complexity, String more) {
        CsrMatrix a = generate(spec, Precision.F64);
        int found = iterations(a, "gmres", options(more));
        assertTrue(found <= pyamg + 3, spec + ": " + found + " iterations");
        double entries = complexity(a, options(more));
        assertTrue(entries <= complexity, spec + ": operator complexity " + entries);
        int stabilised = iterations(a, "bicgstab", options(more));
        assertTrue(stabilised <= found, spec + ": " + stabilised + " iterations of bicgstab");
    }

    @ParameterizedTest
    @ValueSource(strings = {"convection2d:epsilon=1e-4,wind=constant", "convection2d:epsilon=1e-4",
        "convection2d:epsilon=1e-3,wind=shear", "convection2d:epsilon=1e-2,scheme=exponential"})
    void hardlyGrowsWithTheGrid(String spec) {
        int coarse = iterations(generate(spec + ",nx=32", Precision.F64), "gmres", options(null));
        int fine = iterations(generate(spec + ",nx=128", Precision.F64), "gmres", options(null));
        assertTrue(fine <= coarse + 4, spec + ": " + coarse + " and " + fine);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fc-jacobi", "fc-gauss-seidel", "fc-jacobi,f-sweeps=3,omega=0.9"})
    void smoothersWorkInBothPrecisions(String smoother) {
        for (Precision precision : Precision.values()) {
            CsrMatrix a = generate("convection2d:nx=47,ny=61,epsilon=1e-4", precision);
            int found = iterations(a, "gmres", options("smoother=" + smoother));
            assertTrue(found <= 12, smoother + " in " + precision + ": " + found);
        }
    }
}
