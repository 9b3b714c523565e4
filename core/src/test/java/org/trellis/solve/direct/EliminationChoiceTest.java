package org.trellis.solve.direct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.TestSeed;

/** Orders of elimination, built in and by libraries, and the choice among them. */
final class EliminationChoiceTest {
    private static CsrMatrix shuffledGrid(int width) {
        CsrMatrix grid = TestSystems.grid(width, width, Precision.F64);
        Permutation shuffled = Permutation.random(grid.rows(), new SplittableRandom(TestSeed.value()));
        return grid.permute(shuffled, shuffled);
    }

    private static SymbolicCholesky counted(CsrMatrix a, Permutation order) {
        return SymbolicCholesky.sized(a, order.inverse().toArray());
    }

    @Test
    void allOrdersServeAllFactorisations() {
        CsrMatrix a = shuffledGrid(24);
        double[] b = new double[a.rows()];
        Arrays.setAll(b, i -> Math.sin(i));
        double least = counted(a, FillReduction.MINIMUM_DEGREE.order(a)).operations();
        for (FillReduction order : FillReduction.values()) {
            if (!order.isAvailable()) {
                assertThrows(BackendUnavailableException.class, () -> order.order(a));
                continue;
            }
            Permutation permutation = order.order(a);
            SymmetricAnalysis analysis = SymmetricAnalysis.of(a, permutation, FactorLimits.ofHeap());
            assertTrue(TestSystems.backwardError(a, analysis.cholesky(a).solve(b), b) < 1e-14, order.name());
            if (order.compareTo(FillReduction.MINIMUM_DEGREE) >= 0) {
                double operations = counted(a, permutation).operations();
                assertTrue(operations < 2.5 * least, order + ": " + operations + " to " + least);
            }
        }
        for (LuOptions.Order order : new LuOptions.Order[]{LuOptions.Order.METIS, LuOptions.Order.SCOTCH}) {
            if (FillReduction.valueOf(order.name()).isAvailable()) {
                SparseLu lu = SparseLu.of(a, LuOptions.defaults().with(order));
                assertTrue(TestSystems.backwardError(a, lu.solve(b), b) < 1e-14, order.name());
                SparseQr qr = SparseQr.of(a, QrOptions.defaults().with(QrOptions.Order.valueOf(order.name())));
                double[] x = new double[b.length];
                qr.solver().solve(b, x);
                assertTrue(TestSystems.backwardError(a, x, b) < 1e-14, order.name());
            }
        }
    }

    @Test
    void aDiagonalMatrixAndNoMatrixAreOrdered() {
        for (int n : new int[]{0, 1, 7}) {
            CsrMatrix a = CsrMatrix.identity(n, Precision.F64);
            for (FillReduction order : FillReduction.values()) {
                if (order.isAvailable()) {
                    assertEquals(n, order.order(a).size(), order.name());
                }
            }
        }
    }

    @Test
    void theChoiceHasTheFewestOperationsAndReportsAll() {
        CsrMatrix small = shuffledGrid(10);
        EliminationChoice quick = EliminationChoice.of(small, FactorLimits.ofHeap());
        assertEquals(FillReduction.MINIMUM_DEGREE, quick.order());
        assertEquals(1, quick.remarks().size());
        CsrMatrix large = shuffledGrid(230);
        EliminationChoice choice = EliminationChoice.of(large, FactorLimits.ofHeap());
        long tried = Stream.of(FillReduction.MINIMUM_DEGREE, FillReduction.NESTED_DISSECTION, FillReduction.METIS,
                FillReduction.SCOTCH).filter(FillReduction::isAvailable).count();
        assertEquals(tried, choice.remarks().size(), choice.remarks()::toString);
        assertEquals(counted(large, choice.permutation()).operations(), choice.size().operations());
        assertTrue(
                choice.size().operations() <= counted(large, FillReduction.MINIMUM_DEGREE.order(large)).operations());
        assertThrows(IllegalArgumentException.class,
                () -> SymmetricAnalysis.of(large, Permutation.identity(3), FactorLimits.ofHeap()));
    }
}
