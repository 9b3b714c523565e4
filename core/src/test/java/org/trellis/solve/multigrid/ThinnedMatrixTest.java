package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.algebra.MatrixGraphs;
import org.trellis.sparse.algebra.MatrixProduct;
import org.trellis.testing.TestSeed;

/** Coarse matrices that are thinned out. */
final class ThinnedMatrixTest {
    private static CsrMatrix of(double[]... rows) {
        return DenseBlocks.fromRows(rows, Precision.F64).filter((i, j, value) -> value != 0);
    }

    /** A weak edge goes where a strong path is beside it, and stays where it is all there is. */
    @Test
    void leavesOutWhatHasAPathBesideIt() {
        CsrMatrix a = of(new double[]{21, -10, -1, 0}, new double[]{-10, 22, -10, -1}, new double[]{-1, -10, 12, 0},
                new double[]{0, -1, 0, 2});
        CsrMatrix thin = ThinnedMatrix.of(a, NearNullSpace.constants(4, 1), 0.2);
        CsrMatrix expected = of(new double[]{20, -10, 0, 0}, new double[]{-10, 22, -10, -1},
                new double[]{0, -10, 11, 0}, new double[]{0, -1, 0, 2});
        assertTrue(expected.sameAs(thin), thin::toText);
        assertTrue(a.sameAs(ThinnedMatrix.of(a, NearNullSpace.constants(4, 1), 0.05)));
        assertTrue(expected.sameAs(ThinnedMatrix.again(expected, a, NearNullSpace.constants(4, 1))));
    }

    @Test
    void productsWithTheNearNullSpaceStay() {
        SplittableRandom random = TestSeed.random("productsWithTheNearNullSpaceStay");
        CsrMatrix grid = Grids.square(20).mapValues((row, column, value) -> row == column
                ? 6 * value
                : value * (1 + (row + column) % 7));
        CsrMatrix a = MatrixProduct.multiply(grid, grid);
        double[] x = random.doubles(a.rows(), 0.5, 2).toArray();
        x[17] = 0;
        NearNullSpace space = NearNullSpace.given(1, x);
        CsrMatrix thin = ThinnedMatrix.of(a, space, 0.5);
        thin.requireValid();
        assertTrue(thin.nonZeros() < a.nonZeros());
        assertEquals(a.rowLength(17), thin.rowLength(17));
        assertTrue(MatrixGraphs.firstAsymmetry(thin, 0).isEmpty(), "seed " + TestSeed.value());
        HostVector before = a.multiply(HostVector.of(x));
        HostVector after = thin.multiply(HostVector.of(x));
        for (int row = 0; row < a.rows(); row++) {
            assertEquals(before.get(row), after.get(row), 1e-9, "row " + row + ", seed " + TestSeed.value());
        }
        assertTrue(ThinnedMatrix.again(thin, a, space).closeTo(thin, 1e-12, 0));
    }

    /** A checkerboard of coefficients: fewer entries, and a refresh makes what a set-up makes. */
    @Test
    void hierarchiesAreThinnedOut() {
        CsrMatrix a = jumps();
        Hierarchy thin = Hierarchy.of(a, null, MultigridOptions.parse(Map.of("coarse-rows", "10")).coarsening());
        Hierarchy whole = Hierarchy.of(a, null,
                MultigridOptions.parse(Map.of("coarse-rows", "10", "truncation", "0")).coarsening());
        assertTrue(thin.operatorComplexity() < whole.operatorComplexity(), thin + ", " + whole);
        Hierarchy again = thin.refreshed(a);
        assertEquals(thin.size(), again.size());
        for (int l = 0; l < thin.size(); l++) {
            assertTrue(thin.level(l).matrix().closeTo(again.level(l).matrix(), 1e-12, 1e-9), "level " + l);
        }
        Hierarchy twice = thin.refreshed(a.scaled(2));
        assertFalse(twice.level(1).matrix().sameAs(thin.level(1).matrix()));
    }

    /** A Laplacian whose edges weigh 1 or 10⁶ by squares of three nodes. */
    private static CsrMatrix jumps() {
        int n = 24;
        CsrMatrix couplings = Grids.square(n).filter((i, j, value) -> i != j)
                .mapValues((i, j, value) -> -Math.sqrt(weight(i, n) * weight(j, n)));
        double[] sums = new double[n * n];
        couplings.forEachEntry((i, j, value) -> sums[i] -= value);
        return couplings.plus(CsrMatrix.identity(n * n, Precision.F64)
                .mapValues((i, j, value) -> sums[i] + weight(i, n) * 1e-3));
    }

    private static double weight(int node, int n) {
        return (node % n / 3 + node / n / 3) % 2 == 0 ? 1 : 1e6;
    }

    @Test
    void refusesTruncationWhereThereIsNone() {
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> MultigridOptions.parse(Map.of("coarsening", "aggregation", "truncation", "0.1"))).getMessage()
                .contains("truncation"));
        MultigridOptions there = MultigridOptions.parse(Map.of("setup", "backend", "truncation", "0.1"));
        assertEquals(SetupLocation.BACKEND, there.setup());
        assertTrue(there.coarsening().parallel());
        assertEquals(0.1, there.coarsening().truncation());
        assertEquals(0, MultigridOptions.parse(Map.of("setup", "backend")).coarsening().truncation());
        assertEquals(SetupLocation.AUTOMATIC,
                MultigridOptions.parse(Map.of("aggregates", "mis2", "truncation", "0.1")).setup());
        assertEquals(SetupLocation.AUTOMATIC,
                MultigridOptions.parse(Map.of("coarsening", "classical", "truncation", "0.1")).setup());
        assertEquals(SetupLocation.HOST, MultigridOptions.parse(Map.of("truncation", "0.1")).setup());
        assertEquals(0, MultigridOptions.parse(Map.of("aggregates", "mis2")).coarsening().truncation());
    }
}
