package org.trellis.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class ConjugateGradientTest {
    private final Backend reference = Backends.open("reference", Configuration.load());

    @AfterEach
    void close() {
        reference.close();
    }

    private static CsrMatrix dense(int size, double... values) {
        int[] offsets = new int[size + 1];
        int[] columns = new int[size * size];
        for (int k = 0; k < columns.length; k++) {
            columns[k] = k % size;
            offsets[k / size + 1] = k + 1;
        }
        return CsrMatrix.of(size, size, offsets, columns, values);
    }

    private SolveReport solve(Backend backend, CsrMatrix matrix, boolean jacobi, HostVector b, HostVector x,
            StoppingCriteria criteria) {
        try (SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix);
                Preconditioner preconditioner = jacobi ? JacobiPreconditioner.of(matrix, backend) : null;
                ConjugateGradient solver = new ConjugateGradient(operator, preconditioner, backend);
                DenseVector right = backend.vector(matrix.precision(), matrix.rows());
                DenseVector solution = backend.vector(matrix.precision(), matrix.rows())) {
            right.copyFrom(b);
            solution.copyFrom(x);
            SolveReport report = solver.solve(right, solution, criteria, ProgressListener.NONE);
            solution.copyTo(x);
            return report;
        }
    }

    @Test
    void stepsAsWorkedOutByHand() {
        // A = [[4, 1], [1, 3]], b = (1, 2), x0 = (2, 1): the textbook example with x = (1/11, 7/11)
        HostVector x = HostVector.of(2.0, 1);
        SolveReport report = solve(reference, dense(2, 4, 1, 1, 3), false, HostVector.of(1.0, 2), x,
                StoppingCriteria.relative(1e-12, 10));
        assertEquals(SolveStatus.CONVERGED, report.status());
        assertEquals(2, report.iterations());
        assertArrayEquals(new double[]{1.0 / 11, 7.0 / 11}, x.doubles(), 1e-14);
        assertEquals(Math.sqrt(73), report.residualHistory().get(0), 1e-14);
        assertEquals(0.8001937042442401, report.residualHistory().get(1), 1e-14);
        assertEquals(Math.sqrt(5), report.rightHandSideNorm(), 1e-15);
    }

    @Test
    void stopsAtTheIterationLimit() {
        HostVector x = HostVector.of(2.0, 1);
        SolveReport report = solve(reference, dense(2, 4, 1, 1, 3), false, HostVector.of(1.0, 2), x,
                StoppingCriteria.relative(1e-12, 1));
        assertEquals(SolveStatus.ITERATION_LIMIT, report.status());
        assertEquals(1, report.iterations());
        assertEquals(2, report.residualHistory().size());
        assertEquals(report.finalResidual(), report.trueResidual(), 1e-14);
        assertFalse(report.converged());
    }

    @Test
    void doesNothingForAnExactGuess() {
        HostVector x = HostVector.of(0.0, 0);
        SolveReport report = solve(reference, dense(2, 4, 1, 1, 3), true, HostVector.of(0.0, 0), x,
                StoppingCriteria.relative(1e-12, 10));
        assertEquals(SolveStatus.CONVERGED, report.status());
        assertEquals(0, report.iterations());
    }

    @Test
    void absoluteToleranceCountsToo() {
        SolveReport report = solve(reference, dense(2, 4, 1, 1, 3), false, HostVector.of(1.0, 2),
                HostVector.of(2.0, 1), new StoppingCriteria(0, 1, 10, 1e5));
        assertEquals(SolveStatus.CONVERGED, report.status());
        assertEquals(1, report.iterations());
    }

    @Test
    void breaksDownOnAnIndefiniteMatrix() {
        SolveReport report = solve(reference, dense(2, 1, 0, 0, -1), false, HostVector.of(1.0, 2),
                HostVector.of(0.0, 0), StoppingCriteria.relative(1e-12, 10));
        assertEquals(SolveStatus.BREAKDOWN, report.status());
        assertEquals("in iteration 1 p^T A p is -3.0: the matrix is not positive definite", report.detail());
        SolveReport jacobi = solve(reference, dense(2, 1, 0, 0, -1), true, HostVector.of(1.0, 2),
                HostVector.of(0.0, 0), StoppingCriteria.relative(1e-12, 10));
        assertEquals("in iteration 1 r^T M^-1 r is -3.0: the preconditioner is not positive definite",
                jacobi.detail());
    }

    @Test
    void seesDivergence() {
        SolveReport report = solve(reference, dense(2, 1, 0, 0, Double.NaN), false, HostVector.of(1.0, 2),
                HostVector.of(1.0, 0), StoppingCriteria.relative(1e-12, 10));
        assertEquals(SolveStatus.DIVERGED, report.status());
        // skew perturbation: p^T A p stays positive while the residual grows
        SolveReport growing = solve(reference, dense(2, 1, 1000, -1000, 1), false, HostVector.of(1.0, 2),
                HostVector.of(0.0, 0), new StoppingCriteria(1e-12, 0, 10, 10));
        assertEquals(SolveStatus.DIVERGED, growing.status());
    }

    @Test
    void solvesOnEveryBackendInBothPrecisions() {
        SplittableRandom random = TestSeed.random("solvesOnEveryBackend");
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = positiveDefinite(precision, random);
            HostVector exact = HostVector.of(precision, matrix.rows(), i -> random.nextDouble(-1, 1));
            HostVector b = HostVector.zeros(precision, matrix.rows());
            try (SpmvOperator operator = reference.kernels(SparseKernels.class).prepare(matrix)) {
                operator.multiply(exact, b);
            }
            double tolerance = precision == Precision.F64 ? 1e-12 : 1e-5;
            for (Backend backend : available()) {
                try (backend) {
                    for (boolean jacobi : new boolean[]{false, true}) {
                        HostVector x = HostVector.zeros(precision, matrix.rows());
                        SolveReport report = solve(backend, matrix, jacobi, b, x,
                                StoppingCriteria.relative(tolerance, 500));
                        String context = backend + ", Jacobi " + jacobi + ", seed " + TestSeed.value() + ": " + report;
                        assertTrue(report.converged(), context);
                        assertTrue(report.trueResidual() <= 20 * tolerance * report.rightHandSideNorm(), context);
                    }
                }
            }
        }
    }

    private static List<Backend> available() {
        List<Backend> open = new ArrayList<>();
        for (BackendProvider provider : Backends.providers()) {
            if (provider.probe().available()) {
                open.add(provider.open(Configuration.load()));
            }
        }
        return open;
    }

    /** A random symmetric matrix made diagonally dominant. */
    private static CsrMatrix positiveDefinite(Precision precision, SplittableRandom random) {
        CsrMatrix symmetric = AwkwardMatrices.symmetrised(AwkwardMatrices.stencil(17, 19, precision, random));
        double[] sums = new double[symmetric.rows()];
        symmetric.forEachEntry((i, j, a) -> sums[i] += i == j ? 0 : Math.abs(a));
        return symmetric.mapValues((i, j, a) -> i == j ? sums[i] + 0.5 + i % 3 : a);
    }

    @Test
    void refusesWhatItCannotSolve() {
        CsrMatrix wide = CsrMatrix.of(1, 2, new int[]{0, 1}, new int[]{0}, new double[]{1});
        try (SpmvOperator operator = reference.kernels(SparseKernels.class).prepare(wide)) {
            IllegalArgumentException e = assertThrows(IllegalArgumentException.class,
                    () -> new ConjugateGradient(operator, null, reference));
            assertTrue(e.getMessage().endsWith("expected a square matrix"), e.getMessage());
        }
        IllegalArgumentException zero = assertThrows(IllegalArgumentException.class,
                () -> JacobiPreconditioner.of(dense(2, 1, 0, 0, 0), reference));
        assertTrue(zero.getMessage().contains("diagonal element of row 1 is 0.0"), zero.getMessage());
        assertThrows(IllegalArgumentException.class,
                () -> solve(reference, dense(1, 1), false, HostVector.of(1.0), HostVector.of(0.0),
                        StoppingCriteria.relative(-1, 5)));
        assertThrows(IllegalArgumentException.class, () -> StoppingCriteria.relative(Double.NaN, 5));
        assertThrows(IllegalArgumentException.class, () -> StoppingCriteria.relative(0, -1));
        assertThrows(IllegalArgumentException.class, () -> new StoppingCriteria(0, 0, 1, 1));
    }
}
