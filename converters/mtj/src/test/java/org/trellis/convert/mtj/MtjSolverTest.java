package org.trellis.convert.mtj;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import no.uib.cipr.matrix.DenseVector;
import no.uib.cipr.matrix.Vector;
import no.uib.cipr.matrix.sparse.AbstractIterativeSolver;
import no.uib.cipr.matrix.sparse.BiCGstab;
import no.uib.cipr.matrix.sparse.CG;
import no.uib.cipr.matrix.sparse.CGS;
import no.uib.cipr.matrix.sparse.CompRowMatrix;
import no.uib.cipr.matrix.sparse.DefaultIterationMonitor;
import no.uib.cipr.matrix.sparse.DiagonalPreconditioner;
import no.uib.cipr.matrix.sparse.FlexCompRowMatrix;
import no.uib.cipr.matrix.sparse.GMRES;
import no.uib.cipr.matrix.sparse.IterativeSolver;
import no.uib.cipr.matrix.sparse.IterativeSolverNotConvergedException;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.KrylovMethod;
import org.trellis.sparse.CsrBuilder;
import org.trellis.testing.TestSeed;

final class MtjSolverTest {
    private static final StoppingCriteria TIGHT = StoppingCriteria.relative(1e-11, 2000);

    /** The Laplacian of a line of points, and a share of the identity. */
    private static CompRowMatrix line(int n) {
        return tridiagonal(n, -1, 2.001, -1);
    }

    /** Upwind convection along a line of points, with diffusion and a share of the identity. */
    private static CompRowMatrix flow(int n) {
        return tridiagonal(n, -1.5, 2.51, -1);
    }

    private static CompRowMatrix tridiagonal(int n, double below, double diagonal, double above) {
        CsrBuilder builder = new CsrBuilder(n, Precision.F64, 3L * n);
        for (int i = 0; i < n; i++) {
            if (i > 0) {
                builder.add(i - 1, below);
            }
            builder.add(i, diagonal);
            if (i < n - 1) {
                builder.add(i + 1, above);
            }
            builder.endRow();
        }
        return MtjConverter.toMtj(builder.build());
    }

    private static DenseVector random(int n, String purpose) {
        SplittableRandom random = TestSeed.random(purpose);
        return new DenseVector(random.doubles(n, -1, 1).toArray(), false);
    }

    /** As MTJ's own tests do: a solver, a preconditioner, A x = b with a known x. */
    private static double[] solved(IterativeSolver solver, CompRowMatrix a, Vector b)
            throws IterativeSolverNotConvergedException {
        return ((DenseVector) solver.solve(a, b, new DenseVector(a.numColumns()))).getData();
    }

    @Test
    void methodsStandInForMtjs() throws IterativeSolverNotConvergedException {
        CompRowMatrix a = line(200);
        DenseVector expected = random(200, "expected");
        Vector b = a.mult(expected, new DenseVector(200));
        for (KrylovMethod method : List.of(KrylovMethod.CG, KrylovMethod.MINRES, KrylovMethod.BICGSTAB,
                KrylovMethod.GMRES, KrylovMethod.IDR)) {
            Map<String, String> options = method == KrylovMethod.GMRES ? Map.of("restart", "200") : Map.of();
            MtjSolver solver = new MtjSolver(method, options, TIGHT);
            assertArrayEquals(expected.getData(), solved(solver, a, b), 1e-6, method.label());
            DiagonalPreconditioner diagonal = new DiagonalPreconditioner(200);
            diagonal.setMatrix(a);
            solver.setPreconditioner(diagonal);
            assertArrayEquals(expected.getData(), solved(solver, a, b), 1e-6, method.label());
            assertTrue(solver.getIterationMonitor().iterations() > 5);
        }
    }

    @Test
    void takesAnyMatrix() throws IterativeSolverNotConvergedException {
        FlexCompRowMatrix a = new FlexCompRowMatrix(3, 3);
        double[][] elements = {{4, 1, 0}, {2, 5, 1}, {0, 1, 6}};
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                a.set(i, j, elements[i][j]);
            }
        }
        Vector b = new DenseVector(new double[]{6, 15, 20}, false);
        Vector x = new MtjSolver(KrylovMethod.GMRES, Map.of(), TIGHT).solve(a, b, new DenseVector(3));
        assertArrayEquals(new double[]{1, 2, 3}, ((DenseVector) x).getData(), 1e-9);
        Vector least = new MtjSolver(KrylovMethod.LSQR, Map.of(), TIGHT).solve(a, b, new DenseVector(3));
        assertArrayEquals(new double[]{1, 2, 3}, ((DenseVector) least).getData(), 1e-8);
    }

    @Test
    void preconditionsMtjsMethods() throws IterativeSolverNotConvergedException {
        CompRowMatrix a = line(500);
        DenseVector expected = random(500, "preconditioned");
        Vector b = a.mult(expected, new DenseVector(500));
        CG plain = new CG(b);
        plain.setIterationMonitor(new DefaultIterationMonitor(10_000, 1e-11, 0, 1e5));
        solved(plain, a, b);
        for (String name : List.of("amg", "ssor", "jacobi")) {
            try (MtjPreconditioner preconditioner = new MtjPreconditioner(name, Map.of())) {
                assertThrows(IllegalStateException.class, () -> preconditioner.apply(b, b.copy()));
                preconditioner.setMatrix(a);
                CG cg = new CG(b);
                cg.setIterationMonitor(new DefaultIterationMonitor(10_000, 1e-11, 0, 1e5));
                cg.setPreconditioner(preconditioner);
                assertArrayEquals(expected.getData(), solved(cg, a, b), 1e-6, name);
                if (name.equals("amg")) {
                    assertTrue(cg.getIterationMonitor().iterations() < plain.getIterationMonitor().iterations() / 3,
                            cg.getIterationMonitor().iterations() + " iterations with multigrid");
                }
                Vector there = preconditioner.apply(b, new DenseVector(500));
                assertEquals(0, there.add(-1, preconditioner.transApply(b, new DenseVector(500)))
                        .norm(Vector.Norm.Infinity));
            }
        }
    }

    /** As MTJ's tests of its methods for unsymmetric matrices do, whose GMRES calls LAPACK. */
    @Test
    void preconditionsMtjsMethodsForUnsymmetricMatrices() throws IterativeSolverNotConvergedException {
        CompRowMatrix a = flow(300);
        DenseVector expected = random(300, "unsymmetric");
        Vector b = a.mult(expected, new DenseVector(300));
        Map<String, Map<String, String>> preconditioners = Map.of("ilu0", Map.of(), "jacobi", Map.of(), "amg",
                Map.of("smoother", "l1-jacobi"));
        for (AbstractIterativeSolver method : List.of(new BiCGstab(b), new CGS(b), new GMRES(b, 200))) {
            for (Map.Entry<String, Map<String, String>> stack : preconditioners.entrySet()) {
                try (MtjPreconditioner preconditioner = new MtjPreconditioner(stack.getKey(), stack.getValue())) {
                    preconditioner.setMatrix(a);
                    method.setPreconditioner(preconditioner);
                    method.setIterationMonitor(new DefaultIterationMonitor(10_000, 1e-11, 0, 1e5));
                    assertArrayEquals(expected.getData(), solved(method, a, b), 1e-6,
                            () -> method.getClass().getSimpleName() + " with " + stack);
                    if (stack.getKey().equals("ilu0")) {
                        assertTrue(method.getIterationMonitor().iterations() <= 3, "exact factors of three diagonals");
                    }
                }
            }
        }
        MtjSolver own = new MtjSolver(KrylovMethod.GMRES, Map.of("restart", "200"), TIGHT);
        assertArrayEquals(expected.getData(), solved(own, a, b), 1e-6);
    }

    @Test
    void endsAsMtjDoes() {
        CompRowMatrix a = line(200);
        Vector b = random(200, "ends");
        MtjSolver few = new MtjSolver(KrylovMethod.CG, Map.of(), StoppingCriteria.relative(1e-11, 3));
        assertThrows(IterativeSolverNotConvergedException.class, () -> few.solve(a, b, new DenseVector(200)));
        MtjSolver monitored = new MtjSolver(KrylovMethod.CG, Map.of(), TIGHT);
        monitored.setIterationMonitor(new DefaultIterationMonitor(5, 1e-12, 0, 1e5));
        IterativeSolverNotConvergedException stopped = assertThrows(IterativeSolverNotConvergedException.class,
                () -> monitored.solve(a, b, new DenseVector(200)));
        assertEquals(5, stopped.getIterations(), 1);
        assertThrows(IllegalArgumentException.class, () -> new MtjPreconditioner("none", Map.of()));
        assertThrows(IllegalArgumentException.class, () -> new MtjPreconditioner("magic", Map.of()));
        try (MtjPreconditioner preconditioner = new MtjPreconditioner("ic0", Map.of())) {
            assertThrows(IllegalArgumentException.class, () -> preconditioner.setMatrix(new FlexCompRowMatrix(2, 2)));
        }
    }
}
