package org.trellis.matrices.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.SharedData;
import org.trellis.memory.HostVector;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.SolveStatus;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;

/** Iteration counts beside those of PETSc for the same systems, and honest failure on those that nothing solves. */
class KrylovCountsTest {
    private static final Set<String> DEFINITE = Set.of("poisson2d:nx=64", "file:gr_30_30.mtx",
            "file:pyamg_airfoil.mtx", "file:pyamg_bar.mtx.gz", "file:wathen_30_30.mtx.gz", "file:1138_bus.mtx");
    /** Where BiCGStab needs hundreds of iterations, its counts differ by more than is compared here. */
    private static final Set<String> UNSYMMETRIC = Set.of("file:add32.mtx.gz", "file:pyamg_recirc_flow.mtx",
            "file:cage5.mtx", "file:arc130.mtx");
    private static final Backend BACKEND = Backends.open("threads", Configuration.load());

    @AfterAll
    static void close() {
        BACKEND.close();
    }

    private static SolveReport solve(SolverConfig stack, CsrMatrix matrix, HostVector b) {
        try (SpmvOperator product = BACKEND.kernels(SparseKernels.class).prepare(matrix);
                LinearSolver solver = stack.prepare(matrix, product, BACKEND)) {
            return solver.solve(b, HostVector.zeros(Precision.F64, matrix.columns()), stack.criteria());
        }
    }

    private static SolverConfig stack(String method, Map<String, String> options, String preconditioner,
            double tolerance, int most) {
        return new SolverConfig(method, options, preconditioner, Map.of(), StoppingCriteria.relative(tolerance, most),
                false, false);
    }

    private static void compare(ReferenceRow row, SolverConfig stack, double share) throws IOException {
        CsrMatrix matrix = row.matrix();
        SolveReport report = solve(stack, matrix, ReferenceRow.rightHandSide(matrix));
        for (int k = 0; k < 2; k++) {
            double limit = Math.pow(10, -6 - 2 * k) * report.rightHandSideNorm();
            int reached = 0;
            List<Double> history = report.residualHistory();
            while (reached < history.size() && history.get(reached) > limit) {
                reached++;
            }
            assertEquals(row.at()[k], reached, Math.max(1, share * row.at()[k]),
                    row + ", " + stack + ", to " + limit + ": " + report);
        }
    }

    @Test
    void conjugateGradientsTakeAsManyIterations() throws IOException {
        int compared = 0;
        for (ReferenceRow row : ReferenceRow.of("spd-petsc-hypre.csv")) {
            if (DEFINITE.contains(row.problem()) && (row.method().equals("CG") || row.method().equals("CG+Jacobi"))) {
                String preconditioner = row.method().equals("CG") ? "none" : "jacobi";
                compare(row, stack("cg", Map.of(), preconditioner, 1e-8, 5000), 0.02);
                compare(row, stack("fcg", Map.of(), preconditioner, 1e-8, 5000), 0.02);
                compared++;
            }
        }
        assertEquals(2 * DEFINITE.size(), compared);
    }

    @Test
    void methodsForUnsymmetricMatricesTakeAsManyIterations() throws IOException {
        int compared = 0;
        for (ReferenceRow row : ReferenceRow.of("unsymmetric-petsc.csv")) {
            String preconditioner = row.method().endsWith("+none right")
                    ? "none"
                    : row.method().endsWith("+Jacobi right") ? "jacobi" : "";
            if (!UNSYMMETRIC.contains(row.problem()) || preconditioner.isEmpty()) {
                continue;
            }
            if (row.method().startsWith("GMRES(")) {
                String restart = row.method().substring("GMRES(".length(), row.method().indexOf(')'));
                compare(row, stack("gmres", Map.of("restart", restart), preconditioner, 1e-8, 3000), 0.1);
                compare(row, stack("fgmres", Map.of("restart", restart), preconditioner, 1e-8, 3000), 0.1);
                compared++;
            } else if (row.method().startsWith("BiCGStab")) {
                compare(row, stack("bicgstab", Map.of(), preconditioner, 1e-8, 3000), 0.1);
                compared++;
            }
        }
        assertEquals(6 * UNSYMMETRIC.size(), compared);
    }

    private static CsrMatrix file(String name) throws IOException {
        return MatrixFiles.read(SharedData.folder("matrices").resolve(name));
    }

    @Test
    void recurredResidualsThatLieDoNotCountAsConverged() throws IOException {
        for (String name : new String[]{"Pd.mtx", "BentPipe2D100.mtx.gz"}) {
            CsrMatrix matrix = file(name);
            SolveReport report = solve(stack("bicgstab", Map.of(), "none", 1e-10, 1000), matrix,
                    ReferenceRow.rightHandSide(matrix));
            assertEquals(report.relativeResidual() <= 1e-10, report.converged(), name + ": " + report);
        }
    }

    @Test
    void failsHonestly() throws IOException {
        CsrMatrix orani = file("orani678.mtx.gz");
        SolveReport report = solve(stack("gmres", Map.of(), "none", 1e-8, 2000), orani,
                ReferenceRow.rightHandSide(orani));
        assertEquals(SolveStatus.STAGNATED, report.status(), report::toString);
        assertTrue(report.detail().contains("has not reduced the residual"), report::detail);
        CsrMatrix ex6 = file("ex6.mtx.gz");
        HostVector b = ReferenceRow.rightHandSide(ex6);
        SolveReport idr = solve(stack("bicgstab", Map.of(), "none", 1e-8, 300), ex6, b);
        assertFalse(idr.converged(), idr::toString);
        String message = assertThrows(RuntimeException.class,
                () -> solve(stack("gmres", Map.of(), "jacobi", 1e-8, 300), ex6, b)).getMessage();
        assertTrue(message.contains("row 24"), message);
    }

    @Test
    void incompleteFactorsLeadToASolutionWherePetscFindsOne() throws IOException {
        CsrMatrix ex6 = file("ex6.mtx.gz");
        SolveReport report = solve(stack("gmres", Map.of("restart", "100"), "ilu0", 1e-8, 300), ex6,
                ReferenceRow.rightHandSide(ex6));
        assertTrue(report.converged(), report::toString);
        assertEquals(92, report.iterations(), 9, report::toString);
    }
}
