package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.memory.HostVector;
import org.trellis.solve.ConjugateGradient;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.KroneckerProduct;
import org.trellis.testing.DenseReference;
import org.trellis.testing.TestSeed;

/** Near null spaces that sweeps make better. */
final class CandidatesTest {
    private static double[] vector(NearNullSpace space, int number) {
        double[] vector = new double[space.rows()];
        for (int row = 0; row < vector.length; row++) {
            vector[row] = space.get(number, row);
        }
        return vector;
    }

    /** Returns a matrix whose rows and columns were multiplied by random numbers from 1/10 to 10. */
    private static CsrMatrix rescaled(CsrMatrix a, SplittableRandom random) {
        double[] scale = random.doubles(a.rows(), -1, 1).map(power -> Math.pow(10, power)).toArray();
        return a.mapValues((i, j, value) -> value * scale[i] * scale[j]);
    }

    private static int iterations(CsrMatrix a, NearNullSpace space, Map<String, String> options) {
        Precision precision = a.precision();
        HostVector b = HostVector.of(precision, a.rows(), i -> ((7919L * i + 13) % 1009) / 1009.0 - 0.3);
        HostVector x = HostVector.zeros(precision, a.rows());
        try (Backend backend = Backends.open("threads", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(a);
                Multigrid multigrid = Multigrid.of(a, space, options, backend);
                ConjugateGradient solver = new ConjugateGradient(product, multigrid, backend)) {
            assertTrue(multigrid.symmetric());
            SolveReport report = solver.solve(b, x,
                    StoppingCriteria.relative(precision == Precision.F64 ? 1e-8 : 2e-3, 500), ProgressListener.NONE);
            assertTrue(report.converged(), report.toString());
            return report.iterations();
        }
    }

    /** One sweep over (1, 1, 1) with the matrix (−1, 2, −1): ½, ¾, ⅜ forward; ⁷⁄₁₆ and ⁷⁄₃₂ backward. */
    @Test
    void aSweepByHand() {
        NearNullSpace swept = CandidateSweeps.of(Grids.line(3), NearNullSpace.constants(3, 1), 1);
        double greatest = 7.0 / 16;
        assertArrayEquals(new double[]{7.0 / 32 / greatest, 1, 3.0 / 8 / greatest}, vector(swept, 0), 1e-15);
        NearNullSpace same = NearNullSpace.constants(3, 1);
        assertSame(same, CandidateSweeps.of(Grids.line(3), same, 0));
    }

    /** Rows without a diagonal element keep what they have, as rows do whose sweeps others do not reach. */
    @Test
    void rowsWithoutDiagonalStay() {
        CsrMatrix a = CsrMatrix.of(3, 3, new int[]{0, 1, 2, 2}, new int[]{1, 1}, new double[]{1, 4});
        NearNullSpace swept = CandidateSweeps.of(a, NearNullSpace.constants(3, 1), 3);
        assertArrayEquals(new double[]{1, 0, 1}, vector(swept, 0));
    }

    /** On random sizes of several vectors: what dense sweeps make of each, and less energy than before. */
    @ParameterizedTest
    @EnumSource
    void sweepsAreThoseOfDenseMatrices(Precision precision) {
        SplittableRandom random = TestSeed.random("sweepsAreThoseOfDenseMatrices");
        for (int n : new int[]{0, 1, 2, 3, 3 + random.nextInt(15)}) {
            CsrMatrix a = rescaled(Grids.square(n), random).toPrecision(precision);
            double[][] dense = DenseReference.of(a);
            double[][] given = new double[1 + random.nextInt(3)][];
            for (int v = 0; v < given.length; v++) {
                given[v] = random.doubles(a.rows(), -1, 1).toArray();
            }
            int sweeps = 1 + random.nextInt(4);
            NearNullSpace swept = CandidateSweeps.of(a, NearNullSpace.given(1, given), sweeps);
            for (int v = 0; v < given.length; v++) {
                double[] expected = given[v].clone();
                for (int sweep = 0; sweep < sweeps; sweep++) {
                    for (int k = 0; k < 2 * expected.length; k++) {
                        int row = Math.min(k, 2 * expected.length - 1 - k);
                        double sum = 0;
                        for (int j = 0; j < expected.length; j++) {
                            sum += dense[row][j] * expected[j];
                        }
                        expected[row] -= sum / dense[row][row];
                    }
                }
                double greatest = CandidateSweeps.greatest(expected);
                double factor = greatest == 0 ? 1 : CandidateSweeps.greatest(given[v]) / greatest;
                for (int row = 0; row < expected.length; row++) {
                    assertEquals(factor * expected[row], swept.get(v, row), 1e-12,
                            "seed " + TestSeed.value() + ", n=" + n + ", vector " + v + ", row " + row);
                }
            }
        }
    }

    /** Constants are far from what sweeps leave of a matrix that was rescaled; a few sweeps find that. */
    @ParameterizedTest
    @EnumSource
    void fewerIterationsWhereConstantsAreWrong(Precision precision) {
        CsrMatrix a = rescaled(Grids.square(70), TestSeed.random("fewerIterationsWhereConstantsAreWrong"))
                .toPrecision(precision);
        Map<String, String> options = new LinkedHashMap<>(Map.of("theta", "0", "coarse-rows", "30"));
        int before = iterations(a, null, options);
        options.put("improve-candidates", "4");
        int after = iterations(a, null, options);
        assertTrue(2 * after < before, "seed " + TestSeed.value() + ": " + before + " and " + after);
    }

    /** Given vectors of nodes are improved as well, and the finest prolongator holds what came of them. */
    @Test
    void givenVectorsOfNodesAreImproved() {
        SplittableRandom random = TestSeed.random("givenVectorsOfNodesAreImproved");
        CsrMatrix nodes = CsrMatrix.of(2, 2, new int[]{0, 2, 4}, new int[]{0, 1, 0, 1}, new double[]{2, 0.5, 0.5, 1});
        CsrMatrix a = rescaled(KroneckerProduct.of(Grids.square(35), nodes), random);
        NearNullSpace given = NearNullSpace.constants(a.rows(), 2);
        Map<String, String> options = new LinkedHashMap<>(Map.of("coarse-rows", "30"));
        int before = iterations(a, given, options);
        options.put("improve-candidates", "3");
        int after = iterations(a, given, options);
        assertTrue(2 * after < before, "seed " + TestSeed.value() + ": " + before + " and " + after);
    }

    /** Other values in the same structure: the vectors stay, and the same values make the same levels. */
    @Test
    void refreshKeepsTheVectors() {
        CsrMatrix a = rescaled(Grids.square(23), TestSeed.random("refreshKeepsTheVectors"));
        CoarseningOptions options = CoarseningOptions.of(Coarsening.SMOOTHED_AGGREGATION).theta(0).limits(10, 25)
                .smoothing(new CoarseningOptions.Smoothing(4.0 / 3, 2));
        Hierarchy before = Hierarchy.of(a, null, options);
        assertTrue(before.size() > 2);
        Hierarchy same = before.refreshed(a);
        for (int l = 0; l < before.size(); l++) {
            assertTrue(before.level(l).matrix().sameAs(same.level(l).matrix()), "level " + l);
        }
    }

    @Test
    void divergingSweepsAreRefused() {
        CsrMatrix a = CsrMatrix.of(2, 2, new int[]{0, 2, 4}, new int[]{0, 1, 0, 1}, new double[]{1e-150, 1, 1, 1e-150});
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> CandidateSweeps.of(a, NearNullSpace.constants(2, 1), 2));
        assertTrue(refused.getMessage().contains("improve-candidates=2: vector 0"), refused.getMessage());
    }
}
