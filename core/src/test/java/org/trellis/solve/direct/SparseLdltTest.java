package org.trellis.solve.direct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.algebra.Stacking;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

final class SparseLdltTest {
    private enum Shape {
        RANDOM, SADDLE_POINT, KKT, NO_DIAGONAL, FULL, BADLY_SCALED, SHIFTED_GRID
    }

    private static CsrMatrix dense(double[][] rows) {
        return DenseBlocks.fromRows(rows, Precision.F64);
    }

    private static CsrMatrix symmetric(int n, int rowLength, SplittableRandom random) {
        CsrMatrix half = AwkwardMatrices.random(n, n, row -> random.nextInt(Math.min(n, rowLength) + 1), Precision.F64,
                random);
        return half.plus(half.transpose());
    }

    /** A matching of rows in pairs makes it regular with great probability, whatever else there is. */
    private static CsrMatrix system(Shape shape, int n, SplittableRandom random) {
        int m = n / 3;
        return switch (shape) {
            case RANDOM -> symmetric(n, 4, random)
                    .plus(CsrMatrix.identity(n, Precision.F64).mapValues(v -> random.nextDouble(-3, 3)));
            case SADDLE_POINT -> saddle(TestSystems.definite(n, 3, Precision.F64, random),
                    rectangular(m, n, random), CsrMatrix.identity(m, Precision.F64).scaled(0).dropSmall(0));
            case KKT -> saddle(CsrMatrix.identity(n, Precision.F64).mapValues(v -> Math.scalb(1.0, random.nextInt(-20,
                    20))), rectangular(m, n, random), CsrMatrix.identity(m, Precision.F64).scaled(-1e-8));
            case NO_DIAGONAL -> {
                CsrMatrix b = TestSystems.general(n, 3, random);
                yield Stacking.blocks(new CsrMatrix[][]{{CsrMatrix.identity(n, Precision.F64).scaled(0), b},
                    {b.transpose(), CsrMatrix.identity(n, Precision.F64).scaled(0)}}).dropSmall(0);
            }
            case FULL -> symmetric(n, n, random);
            case BADLY_SCALED -> {
                double[] scale = random.doubles(n, -40, 40).map(Math::rint).toArray();
                yield symmetric(n, 4, random).plus(CsrMatrix.identity(n, Precision.F64))
                        .mapValues((i, j, v) -> Math.scalb(v, (int) (scale[i] + scale[j])));
            }
            case SHIFTED_GRID -> {
                CsrMatrix grid = TestSystems.grid(1 + n / 5, 7, Precision.F64);
                yield grid.plus(CsrMatrix.identity(grid.rows(), Precision.F64).scaled(-random.nextDouble(1, 7)));
            }
        };
    }

    private static CsrMatrix rectangular(int rows, int columns, SplittableRandom random) {
        CsrMatrix noise = AwkwardMatrices.random(rows, columns, row -> random.nextInt(3), Precision.F64, random);
        CsrMatrix full = CsrMatrix.identity(columns, Precision.F64).scaled(2);
        return rows == 0 ? noise : noise.plus(full.selectRows(Arrays.copyOf(identity(columns), rows)));
    }

    private static int[] identity(int n) {
        int[] result = new int[n];
        Arrays.setAll(result, i -> i);
        return result;
    }

    private static CsrMatrix saddle(CsrMatrix a, CsrMatrix b, CsrMatrix c) {
        return b.rows() == 0 ? a : Stacking.blocks(new CsrMatrix[][]{{a, b.transpose()}, {b, c}});
    }

    /** Solutions, determinant and inertia against dense elimination and the signs of its leading minors. */
    @Test
    void agreesWithDenseElimination() {
        SplittableRandom random = TestSeed.random("agreesWithDenseElimination");
        long delays = 0;
        int pairs = 0;
        int tested = 0;
        for (int trial = 0; trial < TestLength.cases(140, 280); trial++) {
            Shape shape = Shape.values()[trial % Shape.values().length];
            CsrMatrix system = system(shape, random.nextInt(1, trial % 10 != 9 ? 30 : 100), random);
            Permutation shuffled = Permutation.random(system.rows(), random);
            CsrMatrix a = system.permute(shuffled, shuffled)
                    .toPrecision(trial % 3 == 0 && shape != Shape.BADLY_SCALED ? Precision.F32 : Precision.F64);
            String context = "trial " + trial + ", " + shape + ", " + a + ", seed " + TestSeed.value();
            DenseReference reference = new DenseReference(a);
            if (!(reference.reciprocal >= 1e-12)) {
                continue;
            }
            tested++;
            for (FillReduction order : FillReduction.values()) {
                SparseLdlt factors = SparseLdlt.of(a, order);
                double[] b = random.doubles(a.rows(), -1, 1).toArray();
                double error = TestSystems.backwardError(a, factors.solve(b), b);
                assertTrue(error < 1e-13, context + ", " + order + ": backward error " + error);
                assertEquals(reference.negative, factors.inertia().negative(), context + ", " + order);
                assertEquals(a.rows(), factors.inertia().positive() + factors.inertia().negative(), context);
                Determinant determinant = factors.determinant();
                assertEquals(reference.logOfDeterminant, determinant.logOfSize(), 1e-6, context);
                assertEquals(factors.inertia().negative() % 2 == 1, determinant.mantissa() < 0, context);
                delays += factors.delays();
                pairs += factors.pivotsOfTwo();
            }
        }
        assertTrue(delays > 50 && pairs > 50, delays + " delays and " + pairs + " pivots of two are tested");
        assertTrue(tested > 100, tested + " regular matrices");
    }

    /** The dense elimination with the greatest pivot of the whole matrix, of order one or two. */
    private static final class DenseReference {
        private int negative;
        private double logOfDeterminant;
        private double reciprocal = 1;

        DenseReference(CsrMatrix matrix) {
            int n = matrix.rows();
            double[][] a = new double[n][n];
            double[] scale = new double[n];
            matrix.forEachEntry((i, j, v) -> scale[i] = Math.max(scale[i], Math.abs(v)));
            matrix.forEachEntry((i, j, v) -> a[i][j] = v / Math.sqrt(scale[i]) / Math.sqrt(scale[j]));
            for (double s : scale) {
                logOfDeterminant += Math.log(s);
            }
            boolean[] done = new boolean[n];
            int left = n;
            while (left > 0) {
                int p = -1;
                int q = -1;
                for (int i = 0; i < n; i++) {
                    for (int j = 0; j <= i; j++) {
                        if (!done[i] && !done[j] && (p < 0 || weight(a, i, j) > weight(a, p, q))) {
                            p = i;
                            q = j;
                        }
                    }
                }
                left -= eliminate(a, done, p, q);
            }
        }

        /** Prefers the diagonal a little, so that a pivot of two is clearly indefinite. */
        private static double weight(double[][] a, int i, int j) {
            return Math.abs(a[i][j]) * (i == j ? 1.6 : 1);
        }

        private int eliminate(double[][] a, boolean[] done, int p, int q) {
            double determinant = p == q ? a[p][p] : a[p][p] * a[q][q] - a[p][q] * a[p][q];
            double size = p == q ? Math.abs(determinant) : Math.sqrt(Math.abs(determinant));
            reciprocal = Math.min(reciprocal, size);
            logOfDeterminant += Math.log(Math.abs(determinant));
            negative += determinant < 0 ? 1 : 0;
            done[p] = true;
            done[q] = true;
            for (int i = 0; i < a.length; i++) {
                for (int j = 0; j < a.length && !done[i]; j++) {
                    if (!done[j]) {
                        a[i][j] -= p == q
                                ? a[i][p] * a[p][j] / determinant
                                : (a[i][p] * (a[q][q] * a[p][j] - a[p][q] * a[q][j])
                                        + a[i][q] * (a[p][p] * a[q][j] - a[p][q] * a[p][j])) / determinant;
                    }
                }
            }
            return p == q ? 1 : 2;
        }
    }

    @Test
    void solvesByHand() {
        SparseLdlt swap = SparseLdlt.of(dense(new double[][]{{0, 2}, {2, 0}}));
        assertArrayEquals(new double[]{3, 1}, swap.solve(new double[]{2, 6}), 1e-15);
        assertEquals(new SparseLdlt.Inertia(1, 1), swap.inertia());
        assertEquals(-4, swap.determinant().toDouble());
        assertEquals(1, swap.pivotsOfTwo());
        assertEquals(3, swap.nonZeros());
        SparseLdlt negative = SparseLdlt.of(dense(new double[][]{{-4, 1}, {1, -3}}));
        assertEquals(new SparseLdlt.Inertia(0, 2), negative.inertia());
        assertEquals(11, negative.determinant().toDouble(), 1e-13);
        SparseLdlt empty = SparseLdlt.of(CsrMatrix.identity(0, Precision.F64));
        assertArrayEquals(new double[0], empty.solve(new double[0]));
        assertEquals(1, empty.determinant().toDouble());
        HostVector x = SparseLdlt.of(TestSystems.line(3, Precision.F32)).solve(HostVector.of(1.0f, 1, 1));
        assertEquals(Precision.F32, x.precision());
        assertEquals(1.5, x.get(0), 1e-6);
    }

    /** Columns of zero diagonals that only rows above can make regular: they wait, wave by wave. */
    @Test
    void delaysPivotsToParents() {
        int n = 40;
        CsrMatrix zero = CsrMatrix.identity(n, Precision.F64).scaled(0).dropSmall(0);
        CsrMatrix a = Stacking.blocks(new CsrMatrix[][]{{zero, TestSystems.line(n, Precision.F64)},
            {TestSystems.line(n, Precision.F64), zero}});
        SparseLdlt factors = SparseLdlt.of(a, FillReduction.NATURAL);
        assertTrue(factors.delays() > 0, factors.toString());
        assertEquals(new SparseLdlt.Inertia(n, n), factors.inertia());
        double[] b = TestSeed.random("delaysPivotsToParents").doubles(2L * n, -1, 1).toArray();
        assertTrue(TestSystems.backwardError(a, factors.solve(b), b) < 1e-14);
    }

    /** Panels, windows without a pivot that are doubled, and what is left of either. */
    @Test
    void solvesLargeFronts() {
        SplittableRandom random = TestSeed.random("solvesLargeFronts");
        for (int n : new int[]{47, 48, 49, 97, 100, 230}) {
            CsrMatrix full = symmetric(n, n, random);
            CsrMatrix b = DenseBlocks.fromRowMajor(n, n, random.doubles((long) n * n, -1, 1).toArray(), Precision.F64);
            CsrMatrix zero = CsrMatrix.identity(n, Precision.F64).scaled(0).dropSmall(0);
            CsrMatrix pairs = Stacking.blocks(new CsrMatrix[][]{{zero, b}, {b.transpose(), zero}});
            for (CsrMatrix a : new CsrMatrix[]{full, pairs}) {
                SparseLdlt factors = SparseLdlt.of(a, FillReduction.NATURAL);
                double[] right = random.doubles(a.rows(), -1, 1).toArray();
                double error = TestSystems.backwardError(a, factors.solve(right), right);
                assertTrue(error < 1e-13, a + ", seed " + TestSeed.value() + ": " + error);
            }
            assertEquals(new SparseLdlt.Inertia(n, n), SparseLdlt.of(pairs).inertia(), "seed " + TestSeed.value());
        }
    }

    @Test
    void refactorisesAndSolvesSeveral() {
        SplittableRandom random = TestSeed.random("refactorisesAndSolvesSeveral");
        CsrMatrix a = system(Shape.SADDLE_POINT, 60, random);
        SymmetricAnalysis analysis = SymmetricAnalysis.of(a, FillReduction.MINIMUM_DEGREE, FactorLimits.ofHeap());
        SparseLdlt factors = analysis.indefinite(a);
        CsrMatrix other = a.mapValues((i, j, v) -> v * (1 + 0.25 * Math.cos(i + j)));
        factors.refactorise(other);
        SymmetricSolver solver = factors.solver();
        for (int count = 0; count < 10; count++) {
            double[] b = random.doubles((long) count * a.rows(), -1, 1).toArray();
            double[] x = b.clone();
            solver.solve(x, count);
            for (int r = 0; r < count; r++) {
                double error = TestSystems.backwardError(other, part(x, r, a.rows()), part(b, r, a.rows()));
                assertTrue(error < 1e-14, count + " right-hand sides, seed " + TestSeed.value() + ": " + error);
            }
        }
        double[] b = random.doubles(a.rows(), -1, 1).toArray();
        assertTrue(solver.refine(other, b, new double[a.rows()]).backwardError() < 1e-15, "seed " + TestSeed.value());
        assertThrows(IllegalArgumentException.class,
                () -> factors.refactorise(TestSystems.line(a.rows(), Precision.F64)));
        assertThrows(FactorisationException.class, () -> factors.refactorise(a.mapValues(v -> 0.0)));
        assertThrows(IllegalStateException.class, () -> solver.solve(new double[a.rows()]));
        assertThrows(IllegalStateException.class, factors::inertia);
        factors.refactorise(other);
        solver.solve(b);
    }

    private static double[] part(double[] x, int r, int n) {
        return Arrays.copyOfRange(x, r * n, (r + 1) * n);
    }

    @Test
    void estimatesTheCondition() {
        CsrMatrix a = dense(new double[][]{{1, 0, 0}, {0, -1e-3, 0}, {0, 0, 1e4}});
        assertEquals(1e-7, SparseLdlt.of(a).reciprocalCondition(a), 1e-13);
    }

    @Test
    void namesWhatIsSingular() {
        FactorisationException failure = assertThrows(FactorisationException.class, () -> SparseLdlt.of(dense(
                new double[][]{{1, 2, 0}, {2, 4, 0}, {0, 0, 3}}), FillReduction.NATURAL));
        assertEquals(1, failure.row());
        assertTrue(failure.getMessage().startsWith("LDLᵀ factorisation: row and column 1 depend"),
                failure.getMessage());
        CsrMatrix empty = dense(new double[][]{{1, 0}, {0, 2}}).mapValues((i, j, v) -> i == 1 ? 0 : v);
        assertEquals(1, assertThrows(FactorisationException.class, () -> SparseLdlt.of(empty)).row());
        CsrMatrix neumann = TestSystems.line(50, Precision.F64).mapValues((i, j, v) -> i == j && i % 49 == 0 ? 1 : v);
        assertThrows(FactorisationException.class, () -> SparseLdlt.of(neumann));
        // Nearly singular but not to rounding: solved where every pivot may be as small as it is.
        CsrMatrix near = dense(new double[][]{{1, 1}, {1, 1 + 0x1p-50}});
        assertThrows(FactorisationException.class, () -> SparseLdlt.of(near));
        double[] x = SymmetricAnalysis.of(near, FillReduction.NATURAL, FactorLimits.ofHeap()).indefinite(near, 0.1, 0)
                .solve(new double[]{2, 2 + 0x1p-50});
        assertArrayEquals(new double[]{1, 1}, x);
        for (double[][] bad : new double[][][]{{{1, 2}, {0, 1}}, {{1, Double.NaN}, {Double.NaN, 1}},
            {{Double.POSITIVE_INFINITY}}, {{1, 2}}}) {
            assertThrows(IllegalArgumentException.class, () -> SparseLdlt.of(dense(bad)));
        }
    }

    @Test
    void keepsLimits() {
        CsrMatrix grid = TestSystems.grid(40, 40, Precision.F64);
        SymmetricAnalysis analysis = SymmetricAnalysis.of(grid, FillReduction.MINIMUM_DEGREE,
                new FactorLimits(50_000, Double.POSITIVE_INFINITY));
        assertEquals(FactorisationException.Reason.MEMORY,
                assertThrows(FactorisationException.class, () -> analysis.indefinite(grid)).reason());
        assertEquals(FactorisationException.Reason.MEMORY,
                assertThrows(FactorisationException.class, () -> analysis.cholesky(grid)).reason());
        assertEquals(FactorisationException.Reason.TIME, assertThrows(FactorisationException.class,
                () -> SymmetricAnalysis.of(grid, FillReduction.NATURAL, FactorLimits.ofHeap().within(1e-9))).reason());
        assertThrows(IllegalArgumentException.class, () -> analysis.indefinite(grid, 0.6, 0));
        assertThrows(IllegalArgumentException.class, () -> analysis.indefinite(grid, 0.1, -1));
    }

    @Test
    void threadsDoNotChangeBits() {
        CsrMatrix a = symmetric(500, 500, TestSeed.random("threadsDoNotChangeBits"));
        double[] b = new double[500];
        Arrays.fill(b, 1);
        assertArrayEquals(SparseLdlt.of(a).solve(b), SparseLdlt.of(a).solve(b));
    }
}
