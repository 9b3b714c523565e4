package org.trellis.convert.smile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.solve.Preconditioner;
import org.trellis.solve.direct.FactorisationException;
import org.trellis.solve.multigrid.NamedPreconditioners;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.systems.Solvers;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;
import smile.math.blas.Transpose;
import smile.math.matrix.BiconjugateGradient;
import smile.math.matrix.LinearSolver;
import smile.math.matrix.PageRank;
import smile.math.matrix.SparseMatrix;

final class SmileSolverTest {
    /** The matrix and the right-hand side of Smile's test of biconjugate gradients. */
    private static final double[][] A = {{0.9000, 0.4000, 0}, {0.4000, 0.5000, 0.3000}, {0, 0.3000, 0.8000}};
    private static final double[] B = {0.5, 0.5, 0.5};

    private static CsrMatrix example() {
        return DenseBlocks.fromRows(A, Precision.F64);
    }

    @Test
    void solvesSmilesExample() {
        double[] expected = new double[3];
        BiconjugateGradient.solve(new SparseMatrix(A, 1e-8), B, expected);
        try (SmileSolver direct = new SmileSolver(Solvers::direct, new SparseMatrix(A, 1e-8));
                SmileSolver iterative = new SmileSolver(
                        a -> Solvers.cg(a).backend("reference"), example())) {
            for (LinearSolver solver : new LinearSolver[]{direct, iterative}) {
                double[] x = new double[3];
                assertSame(x, solver.solve(B, x));
                assertArrayEquals(expected, x, 1e-7);
            }
        }
        assertThrows(FactorisationException.class, () -> new SmileSolver(Solvers::direct,
                DenseBlocks.fromRows(new double[][]{{1, 1}, {1, 1}}, Precision.F64)));
    }

    @Test
    void smilesMethodsTakeTheOperatorAndAPreconditioner() {
        double[] expected = new double[3];
        BiconjugateGradient.solve(new SparseMatrix(A, 1e-8), B, expected);
        double[] x = new double[3];
        BiconjugateGradient.solve(new SmileOperator(example()), B, x);
        assertArrayEquals(expected, x, 1e-9);
        try (Backend backend = Backends.open("reference", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(example());
                Preconditioner exact =
                        NamedPreconditioners.of("ic0", example(), product, backend, Map.of()).orElseThrow()) {
            double[] conditioned = new double[3];
            BiconjugateGradient.solve(new SmileOperator(example()), B, conditioned,
                    SmileSolver.preconditioner(exact), 1e-10, 1, 30);
            assertArrayEquals(expected, conditioned, 1e-7);
        }
    }

    /** Three pages of which the third is linked by both others. */
    @Test
    void ranksPages() {
        double[][] links = {{0, 0.5, 0.5}, {0.5, 0, 0.5}, {0.5, 0.5, 0}};
        double[] expected = PageRank.of(new SparseMatrix(links, 1e-8));
        assertArrayEquals(expected, PageRank.of(new SmileOperator(DenseBlocks.fromRows(links, Precision.F64))), 1e-12);
    }

    @Test
    void productsAreSmiles() {
        AwkwardMatrices.all(Precision.F64, TestSeed.random("Smile products")).forEach((name, matrix) -> {
            if (matrix.rows() == 0 || matrix.columns() == 0) {
                return;
            }
            SparseMatrix expected = SmileConverter.toSmile(matrix);
            SmileOperator operator = new SmileOperator(matrix);
            double[] x = TestSeed.random("x").doubles(matrix.columns(), -1, 1).toArray();
            double[] y = TestSeed.random("y").doubles(matrix.rows(), -1, 1).toArray();
            assertArrayEquals(expected.mv(x), operator.mv(x), 1e-10, name);
            assertArrayEquals(expected.tv(y), operator.tv(y), 1e-10, name);
            double[] updated = y.clone();
            operator.mv(Transpose.NO_TRANSPOSE, 2, x, -1, updated);
            double[] work = new double[x.length + y.length];
            System.arraycopy(x, 0, work, 0, x.length);
            operator.mv(work, 0, x.length);
            for (int i = 0; i < y.length; i++) {
                assertEquals(2 * work[x.length + i] - y[i], updated[i], 1e-10, name);
            }
            operator.tv(work, x.length, 0);
            assertEquals(matrix.nonZeros(), operator.size());
        });
        SmileOperator operator = new SmileOperator(example());
        assertEquals(0.4, operator.get(0, 1));
        assertEquals(2.2, operator.trace(), 1e-15);
        assertTrue(assertThrows(UnsupportedOperationException.class, () -> operator.set(0, 0, 1)).getMessage()
                .contains("immutable"));
        assertThrows(IllegalArgumentException.class, () -> new SmileOperator(example().toPrecision(Precision.F32)));
    }
}
