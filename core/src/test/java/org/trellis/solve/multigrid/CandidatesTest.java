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
import org.junit.jupiter.api.function.Executable;
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
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.algebra.KroneckerProduct;
import org.trellis.testing.DenseReference;
import org.trellis.testing.TestSeed;

/** Near null spaces that sweeps make better, and such as are found by sweeps and cycles. */
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
        try (Backend backend = Backends.open("threads", Configuration.load());
                Multigrid multigrid = Multigrid.of(a, space, options, backend)) {
            assertTrue(multigrid.symmetric());
            return iterations(a, multigrid, backend);
        }
    }

    private static int iterations(CsrMatrix a, Multigrid multigrid, Backend backend) {
        try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(a);
                ConjugateGradient solver = new ConjugateGradient(product, multigrid, backend)) {
            HostVector b = HostVector.of(a.precision(), a.rows(), i -> ((7919L * i + 13) % 1009) / 1009.0 - 0.3);
            HostVector x = HostVector.zeros(a.precision(), a.rows());
            boolean wide = a.precision() == Precision.F64;
            SolveReport report = solver.solve(b, x, StoppingCriteria.relative(wide ? 1e-8 : 2e-3, 500),
                    ProgressListener.NONE);
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

    /** Springs along edges and diagonals of a grid that is held at the left, two displacements a node. */
    private static CsrMatrix springs(int width, int height) {
        int nodes = width * height;
        double[][] dense = new double[2 * nodes][2 * nodes];
        for (int node = 0; node < nodes; node++) {
            for (int[] along : new int[][]{{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
                int x = node % width + along[0];
                int y = Math.floorDiv(node, width) + along[1];
                int other = x < width && y >= 0 && y < height ? y * width + x : -1;
                if (other >= 0 || (x == 1 && along[0] == 1)) {
                    stiffness(dense, node, other, along);
                }
            }
            if (node % width == 0) {
                stiffness(dense, node, -1, new int[]{1, 1});
                stiffness(dense, node, -1, new int[]{1, -1});
            }
        }
        return DenseBlocks.fromRows(dense, Precision.F64).filter((i, j, value) -> value != 0 || i / 2 == j / 2);
    }

    /** Adds a spring between two nodes, or to a wall. */
    private static void stiffness(double[][] dense, int node, int other, int[] along) {
        double square = along[0] * along[0] + along[1] * along[1];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                double part = along[i] * along[j] / square;
                dense[2 * node + i][2 * node + j] += part;
                if (other >= 0) {
                    dense[2 * other + i][2 * other + j] += part;
                    dense[2 * node + i][2 * other + j] -= part;
                    dense[2 * other + i][2 * node + j] -= part;
                }
            }
        }
    }

    private static MultigridOptions parsed(Map<String, String> options) {
        return MultigridOptions.parse(options);
    }

    /** One vector is found in the place of constants, which a rescaling has made wrong. */
    @ParameterizedTest
    @EnumSource
    void findsTheVectorOfRescaledMatrices(Precision precision) {
        CsrMatrix a = rescaled(Grids.square(70), TestSeed.random("findsTheVectorOfRescaledMatrices"))
                .toPrecision(precision);
        Map<String, String> options = new LinkedHashMap<>(Map.of("theta", "0", "coarse-rows", "30"));
        int before = iterations(a, null, options);
        options.put("adaptive-candidates", "1");
        int after = iterations(a, null, options);
        assertTrue(2.5 * after < before, "seed " + TestSeed.value() + ": " + before + " and " + after);
    }

    /** A rotation is found beside translations without coordinates: as good as rigid body motions, or nearly. */
    @Test
    void findsRotationsWithoutCoordinates() {
        int width = 40;
        int height = 8;
        CsrMatrix a = springs(width, height);
        double[] coordinates = new double[a.rows()];
        for (int node = 0; node < width * height; node++) {
            coordinates[2 * node] = node % width;
            coordinates[2 * node + 1] = Math.floorDiv(node, width);
        }
        Map<String, String> options = new LinkedHashMap<>(Map.of("coarse-rows", "20"));
        NearNullSpace translations = NearNullSpace.constants(a.rows(), 2);
        int constants = iterations(a, translations, options);
        int rigid = iterations(a, NearNullSpace.rigidBody(coordinates, 2), options);
        Map<String, String> adaptive = new LinkedHashMap<>(options);
        adaptive.put("adaptive-candidates", "2");
        int extended = iterations(a, translations, adaptive);
        String found = "constants " + constants + ", rigid body " + rigid + ", two more " + extended;
        assertTrue(2 * extended < constants && extended <= 1.5 * rigid, found);
        adaptive.put("adaptive-candidates", "4");
        adaptive.put("block-size", "2");
        try (Backend backend = Backends.open("threads", Configuration.load());
                Multigrid unknown = NamedPreconditioners.multigrid(a, adaptive, null, backend,
                        backend.kernels(SparseKernels.class)::prepare)) {
            assertEquals(0, unknown.hierarchy().level(1).matrix().rows() % 4);
            assertTrue(2 * iterations(a, unknown, backend) < constants, found);
        }
    }

    /** The same bits each time; given vectors come first; where a cycle solves, no further vector is found. */
    @Test
    void searchesEndAndAreRepeated() {
        CsrMatrix a = rescaled(Grids.square(21), TestSeed.random("searchesEndAndAreRepeated"));
        MultigridOptions options = parsed(Map.of("theta", "0", "coarse-rows", "20"));
        MultigridOptions solving = parsed(Map.of("coarse-rows", "1000"));
        NearNullSpace constants = NearNullSpace.constants(a.rows(), 1);
        try (Backend backend = Backends.open("threads", Configuration.load())) {
            NearNullSpace once = NearNullSpace.adaptive(a, 1, 2, options, backend);
            NearNullSpace twice = NearNullSpace.adaptive(a, 1, 2, options, backend);
            assertEquals(2, once.count());
            for (int v = 0; v < 2; v++) {
                assertArrayEquals(vector(once, v), vector(twice, v), "vector " + v);
                double square = 0;
                for (double element : vector(once, v)) {
                    square += element * element;
                }
                assertEquals(1, square, 1e-12);
            }
            NearNullSpace extended = constants.extended(a, 1, options, backend);
            assertEquals(2, extended.count());
            assertArrayEquals(vector(constants, 0), vector(extended, 0));
            assertEquals(1, constants.extended(a, 3, solving, backend).count());
            assertEquals(1, NearNullSpace.adaptive(a, 3, 5, solving, backend).count());
        }
    }

    @Test
    void refusesSearchesThatMeanNothing() {
        CsrMatrix a = Grids.square(6);
        CsrMatrix diverging = CsrMatrix.of(2, 2, new int[]{0, 2, 4}, new int[]{0, 1, 0, 1},
                new double[]{1e-150, 1, 1, 1e-150});
        MultigridOptions usual = parsed(Map.of());
        MultigridOptions classical = parsed(Map.of("coarsening", "classical"));
        try (Backend backend = Backends.open("reference", Configuration.load())) {
            refused("coarsening=classical", () -> NearNullSpace.adaptive(a, 1, 1, classical, backend));
            refused("number of vectors to find", () -> NearNullSpace.adaptive(a, 1, 0, usual, backend));
            refused("multiple of the 5 unknowns", () -> NearNullSpace.adaptive(a, 5, 1, usual, backend));
            refused("length of the near null space",
                    () -> NearNullSpace.constants(9, 1).extended(a, 1, usual, backend));
            refused("expected a matrix for which these converge",
                    () -> NearNullSpace.adaptive(diverging, 1, 1, usual, backend));
        }
    }

    private static void refused(String expected, Executable call) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, call);
        assertTrue(refused.getMessage().contains(expected), refused.getMessage());
    }

    @Test
    void divergingSweepsAreRefused() {
        CsrMatrix a = CsrMatrix.of(2, 2, new int[]{0, 2, 4}, new int[]{0, 1, 0, 1}, new double[]{1e-150, 1, 1, 1e-150});
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> CandidateSweeps.of(a, NearNullSpace.constants(2, 1), 2));
        assertTrue(refused.getMessage().contains("improve-candidates=2: vector 0"), refused.getMessage());
    }
}
