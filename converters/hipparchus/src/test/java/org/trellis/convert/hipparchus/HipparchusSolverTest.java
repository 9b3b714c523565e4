package org.trellis.convert.hipparchus;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hipparchus.exception.LocalizedCoreFormats;
import org.hipparchus.exception.MathIllegalArgumentException;
import org.hipparchus.exception.MathIllegalStateException;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.ConjugateGradient;
import org.hipparchus.linear.DecompositionSolver;
import org.hipparchus.linear.IterativeLinearSolverEvent;
import org.hipparchus.linear.JacobiPreconditioner;
import org.hipparchus.linear.LUDecomposition;
import org.hipparchus.linear.MatrixUtils;
import org.hipparchus.linear.PreconditionedIterativeLinearSolver;
import org.hipparchus.linear.RealLinearOperator;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.linear.SymmLQ;
import org.hipparchus.util.IterationEvent;
import org.hipparchus.util.IterationListener;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.krylov.KrylovMethod;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.KroneckerProduct;
import org.trellis.sparse.algebra.Stacking;
import org.trellis.systems.Solvers;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

final class HipparchusSolverTest {
    private static final int SIZE = 24;

    /** Poisson's equation on a square. */
    private static CsrMatrix laplacian() {
        CsrMatrix line = CsrMatrix.identity(SIZE, Precision.F64).scaled(2);
        CsrMatrix next = CsrMatrix.identity(SIZE - 1, Precision.F64).scaled(-1);
        CsrMatrix side = Stacking.blocks(new CsrMatrix[][]{
            {CsrMatrix.of(SIZE - 1, 1, new int[SIZE], new int[0], new double[0]), next},
            {CsrMatrix.of(1, 1, new int[2], new int[0], new double[0]), null}});
        CsrMatrix one = line.plus(side).plus(side.transpose());
        CsrMatrix identity = CsrMatrix.identity(SIZE, Precision.F64);
        return KroneckerProduct.of(one, identity)
                .plus(KroneckerProduct.of(identity, one));
    }

    private static RealVector vector(int n) {
        return new ArrayRealVector(TestSeed.random("vector").doubles(n, -1, 1).toArray(), false);
    }

    // The user manual has this example of linear systems.
    @Test
    void solvesTheManualsExample() {
        RealMatrix coefficients = MatrixUtils.createRealMatrix(new double[][]{{2, 3, -2}, {-1, 7, 6}, {4, -3, -5}});
        try (HipparchusSolver solver = new HipparchusSolver(Solvers::direct, coefficients)) {
            RealVector constants = new ArrayRealVector(new double[]{1, -2, 1}, false);
            DecompositionSolver expected = new LUDecomposition(coefficients).getSolver();
            assertArrayEquals(expected.solve(constants).toArray(), solver.solve(constants).toArray(), 1e-12);
            assertEquals(0, expected.getInverse().subtract(solver.getInverse()).getNorm1(), 1e-12);
            assertTrue(solver.isNonSingular());
            assertThrows(MathIllegalArgumentException.class, () -> solver.solve(new ArrayRealVector(2)));
        }
        RealMatrix singular = MatrixUtils.createRealMatrix(new double[][]{{1, 2}, {2, 4}});
        try (HipparchusSolver solver = new HipparchusSolver(Solvers::direct, singular)) {
            assertFalse(solver.isNonSingular());
            assertEquals(LocalizedCoreFormats.SINGULAR_MATRIX, assertThrows(MathIllegalArgumentException.class,
                    () -> solver.solve(new ArrayRealVector(2))).getSpecifier());
        }
    }

    @Test
    void productsAreThoseOfTheMatrix() {
        AwkwardMatrices.all(Precision.F64, TestSeed.random("Hipparchus products")).forEach((name, matrix) -> {
            if (matrix.rows() == 0 || matrix.columns() == 0) {
                return;
            }
            HipparchusOperator operator = HipparchusOperator.of(matrix);
            RealMatrix expected = HipparchusConverter.toHipparchus(matrix);
            RealVector x = vector(matrix.columns());
            RealVector y = vector(matrix.rows());
            assertArrayEquals(expected.operate(x).toArray(), operator.operate(x).toArray(), 1e-10, name);
            assertArrayEquals(expected.preMultiply(y).toArray(), operator.operateTranspose(y).toArray(), 1e-10, name);
            assertTrue(operator.isTransposable());
            assertThrows(MathIllegalArgumentException.class, () -> operator.operate(new ArrayRealVector(x.append(1))));
        });
    }

    @Test
    void methodsStandInForConjugateGradients() {
        HipparchusOperator a = HipparchusOperator.of(laplacian());
        RealVector b = vector(a.getRowDimension());
        RealVector expected = new ConjugateGradient(1000, 1e-12, true).solve(a, b);
        JacobiPreconditioner jacobi = JacobiPreconditioner.create(HipparchusConverter.toHipparchus(laplacian()));
        for (KrylovMethod method : List.of(KrylovMethod.CG, KrylovMethod.MINRES, KrylovMethod.GMRES,
                KrylovMethod.BICGSTAB, KrylovMethod.IDR)) {
            PreconditionedIterativeLinearSolver solver =
                    new HipparchusIterativeSolver(method, Map.of(), 1000, 1e-12);
            assertArrayEquals(expected.toArray(), solver.solve(a, b).toArray(), 1e-8, method.label());
            assertArrayEquals(expected.toArray(), solver.solve(a, jacobi, b).toArray(), 1e-8, method.label());
            assertTrue(solver.getIterationManager().getIterations() > 10);
        }
    }

    @Test
    void listenersAndLimitsAreThoseOfHipparchus() {
        HipparchusOperator a = HipparchusOperator.of(laplacian());
        RealVector b = vector(a.getRowDimension());
        HipparchusIterativeSolver solver = new HipparchusIterativeSolver(KrylovMethod.CG, Map.of(), 5, 1e-12);
        List<Double> norms = new ArrayList<>();
        List<String> phases = new ArrayList<>();
        solver.getIterationManager().addIterationListener(new IterationListener() {
            @Override
            public void initializationPerformed(IterationEvent e) {
                phases.add("begin");
            }

            @Override
            public void iterationStarted(IterationEvent e) {
                phases.add("start");
            }

            @Override
            public void iterationPerformed(IterationEvent e) {
                norms.add(((IterativeLinearSolverEvent) e).getNormOfResidual());
            }

            @Override
            public void terminationPerformed(IterationEvent e) {
                phases.add("end");
            }
        });
        assertEquals(LocalizedCoreFormats.MAX_COUNT_EXCEEDED,
                assertThrows(MathIllegalStateException.class, () -> solver.solve(a, b)).getSpecifier());
        assertEquals(5, norms.size());
        assertEquals(List.of("begin", "end"), phases);
    }

    @Test
    void multigridPreconditionsConjugateGradientsOfHipparchus() {
        CsrMatrix matrix = laplacian();
        RealVector b = vector(matrix.rows());
        ConjugateGradient plain = new ConjugateGradient(1000, 1e-10, false);
        RealVector expected = plain.solve(HipparchusOperator.of(matrix), b);
        ConjugateGradient conditioned = new ConjugateGradient(1000, 1e-10, false);
        try (Backend backend = Backends.open("reference", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                Preconditioner amg = NamedPreconditioners.of("amg", matrix, product, backend, Map.of()).orElseThrow()) {
            RealVector x = conditioned.solve(HipparchusOperator.of(matrix), HipparchusOperator.of(amg), b);
            assertArrayEquals(expected.toArray(), x.toArray(), 1e-7);
            assertThrows(UnsupportedOperationException.class, () -> HipparchusOperator.of(amg).operateTranspose(b));
        }
        int few = conditioned.getIterationManager().getIterations();
        assertTrue(few * 2 < plain.getIterationManager().getIterations(), few + " iterations with multigrid");
    }

    @Test
    void stacksSolveToo() {
        CsrMatrix matrix = laplacian();
        RealVector b = vector(matrix.rows());
        try (HipparchusSolver direct = new HipparchusSolver(Solvers::direct, matrix);
                HipparchusSolver iterative = new HipparchusSolver(
                        a -> Solvers.cg(a).multigrid().backend("reference"), matrix)) {
            assertArrayEquals(direct.solve(b).toArray(), iterative.solve(b).toArray(), 1e-5);
        }
    }

    /** The inverse of Hilbert's matrix, whose elements are integers: an operator that is no matrix, as users write. */
    private static RealLinearOperator inverseHilbert(int n) {
        return new RealLinearOperator() {
            @Override
            public int getRowDimension() {
                return n;
            }

            @Override
            public int getColumnDimension() {
                return n;
            }

            @Override
            public RealVector operate(RealVector x) {
                RealVector y = new ArrayRealVector(n);
                for (int i = 1; i <= n; i++) {
                    for (int j = 1; j <= n; j++) {
                        y.addToEntry(i - 1, element(i, j) * x.getEntry(j - 1));
                    }
                }
                return y;
            }

            private double element(int i, int j) {
                double middle = binomial(i + j - 2, i - 1);
                return ((i + j) % 2 == 0 ? 1 : -1) * (i + j - 1) * binomial(n + i - 1, n - j)
                        * binomial(n + j - 1, n - i)
                        * middle * middle;
            }
        };
    }

    private static double binomial(int n, int k) {
        double product = 1;
        for (int i = 1; i <= k; i++) {
            product = product * (n - k + i) / i;
        }
        return product;
    }

    /** Columns of Hilbert's matrix from its inverse, from nothing and from a first guess. */
    @Test
    void findsHilbertsMatrixFromItsInverse() {
        int n = 5;
        RealLinearOperator a = inverseHilbert(n);
        ConjugateGradient theirs = new ConjugateGradient(100, 1e-10, true);
        for (KrylovMethod method : List.of(KrylovMethod.CG, KrylovMethod.MINRES, KrylovMethod.GMRES)) {
            HipparchusIterativeSolver solver = new HipparchusIterativeSolver(method, Map.of(), 100, 1e-9);
            for (int j = 0; j < n; j++) {
                RealVector b = new ArrayRealVector(n);
                b.setEntry(j, 1);
                double[] expected = new double[n];
                for (int i = 0; i < n; i++) {
                    expected[i] = 1.0 / (i + j + 1);
                }
                assertArrayEquals(expected, theirs.solve(a, b).toArray(), 1e-8);
                assertArrayEquals(expected, solver.solve(a, b).toArray(), 1e-8, method.label());
                RealVector guess = new ArrayRealVector(n, 1);
                assertArrayEquals(expected, solver.solve(a, b, guess).toArray(), 1e-8, method.label());
                assertArrayEquals(new ArrayRealVector(n, 1).toArray(), guess.toArray());
                assertSame(guess, solver.solveInPlace(a, null, b, guess));
                assertArrayEquals(expected, guess.toArray(), 1e-8, method.label());
            }
        }
        assertThrows(MathIllegalArgumentException.class,
                () -> new HipparchusIterativeSolver(KrylovMethod.CG, Map.of(), 100, 1e-9)
                        .solve(a, new ArrayRealVector(n + 1)));
    }

    /** Symmetric and indefinite: a diagonal with a shift, as tests of SYMMLQ have. */
    @Test
    void minimalResidualsStandInForSymmLq() {
        int n = 60;
        double[] diagonal = new double[n];
        for (int i = 0; i < n; i++) {
            diagonal[i] = (i + 1) * 1.1 / n - 0.25;
        }
        HipparchusOperator a = HipparchusOperator.of(CsrMatrix.diagonals(n, n, Precision.F64, new int[1], diagonal));
        RealVector expected = vector(n);
        RealVector b = a.operate(expected);
        assertArrayEquals(expected.toArray(), new SymmLQ(4 * n, 1e-13, true).solve(a, b).toArray(), 1e-6);
        HipparchusIterativeSolver minres = new HipparchusIterativeSolver(KrylovMethod.MINRES, Map.of(), 4 * n, 1e-11);
        assertArrayEquals(expected.toArray(), minres.solve(a, b).toArray(), 1e-6);
        // Conjugate gradients meet a direction without curvature at once.
        RealVector ones = new ArrayRealVector(2, 1);
        HipparchusOperator saddle =
                HipparchusOperator.of(CsrMatrix.diagonals(2, 2, Precision.F64, new int[1], new double[]{1, -1}));
        HipparchusIterativeSolver cg = new HipparchusIterativeSolver(KrylovMethod.CG, Map.of(), 10, 1e-9);
        assertThrows(MathIllegalStateException.class, () -> cg.solve(saddle, ones));
    }
}
