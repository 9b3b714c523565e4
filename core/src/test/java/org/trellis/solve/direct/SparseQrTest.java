package org.trellis.solve.direct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.MatrixProduct;
import org.trellis.sparse.algebra.Stacking;
import org.trellis.testing.TestSeed;

final class SparseQrTest {
    private static final int STRUCTURES = 600;

    private static CsrMatrix sparse(double[][] a, int columns) {
        int[] offsets = new int[a.length + 1];
        for (int i = 0; i < a.length; i++) {
            offsets[i + 1] = offsets[i] + (int) Arrays.stream(a[i]).filter(value -> value != 0).count();
        }
        int[] indices = new int[offsets[a.length]];
        double[] values = new double[offsets[a.length]];
        int at = 0;
        for (double[] row : a) {
            for (int j = 0; j < columns; j++) {
                if (row[j] != 0) {
                    indices[at] = j;
                    values[at++] = row[j];
                }
            }
        }
        return CsrMatrix.of(a.length, columns, offsets, indices, values);
    }

    /** Any shape: empty rows and columns, repeated columns, dense rows, blocks, no entries at all. */
    private static double[][] structure(int m, int n, SplittableRandom random) {
        double[][] a = new double[m][n];
        int each = random.nextInt(0, 5);
        for (double[] row : a) {
            for (int k = 0; k < each && n > 0; k++) {
                row[random.nextInt(n)] = random.nextInt(1, 9) * (random.nextBoolean() ? 0.25 : -0.5);
            }
        }
        if (n > 0 && m > 0) {
            if (random.nextInt(4) == 0) {
                Arrays.setAll(a[random.nextInt(m)], j -> random.nextInt(1, 5));
            }
            if (random.nextInt(3) == 0) {
                int from = random.nextInt(n);
                int to = random.nextInt(n);
                double factor = random.nextInt(0, 3);
                Arrays.stream(a).forEach(row -> row[to] = factor * row[from]);
            }
            if (random.nextInt(4) == 0) {
                a[random.nextInt(m)] = new double[n];
            }
            if (random.nextInt(4) == 0) {
                a[random.nextInt(m)] = a[random.nextInt(m)].clone();
            }
            if (random.nextInt(5) == 0) {
                Arrays.stream(a).forEach(row -> Arrays.setAll(row, j -> random.nextDouble(-1, 1)));
            }
        }
        return a;
    }

    private static double norm(double[] v) {
        return Math.sqrt(Arrays.stream(v).map(e -> e * e).sum());
    }

    private static double[] residual(double[][] a, double[] x, double[] b) {
        double[] r = b.clone();
        for (int i = 0; i < r.length; i++) {
            for (int j = 0; j < x.length; j++) {
                r[i] -= a[i][j] * x[j];
            }
        }
        return r;
    }

    @Test
    void aMatrixOfTwoColumnsAsByHand() {
        SparseQr qr = SparseQr.of(sparse(new double[][]{{3, 0}, {4, 5}}, 2), QrOptions.defaults()
                .with(QrOptions.Order.NATURAL));
        assertEquals(2, qr.rank());
        assertEquals(5, Math.abs(qr.r().get(0, 0)), 1e-14);
        assertEquals(4, Math.abs(qr.r().get(0, 1)), 1e-14);
        assertEquals(3, Math.abs(qr.r().get(1, 1)), 1e-14);
        assertEquals(3.0 / 5, qr.diagonalRatio(), 1e-14);
        // The mean minimises the distance to three numbers.
        double[] x = new double[1];
        SparseQr.of(sparse(new double[][]{{1}, {1}, {1}}, 1)).solver().solve(new double[]{1, 2, 6}, x);
        assertEquals(3, x[0], 1e-14);
    }

    @Test
    void randomShapesAgainstSingularValues() {
        long seed = TestSeed.value();
        SplittableRandom random = new SplittableRandom(seed);
        for (int structure = 0; structure < STRUCTURES; structure++) {
            int m = random.nextInt(0, 16);
            int n = random.nextInt(0, 16);
            double[][] a = structure(m, n, random);
            String what = "seed " + seed + ", structure " + structure + ", " + m + " x " + n;
            QrOptions options = QrOptions.defaults();
            if (random.nextInt(3) == 0) {
                options = options.with(random.nextBoolean()
                        ? QrOptions.Order.NATURAL
                        : QrOptions.Order.NESTED_DISSECTION);
            } else if (random.nextInt(3) == 0) {
                options = options.with(Permutation.random(n, random));
            }
            DenseSvd svd = new DenseSvd(a, n);
            CsrMatrix matrix = sparse(a, n);
            double[] b = random.doubles(m, -1, 1).toArray();
            SparseQr qr = SparseQr.of(matrix, options);
            double bound = 1e-11 / svd.reciprocalCondition();
            assertEquals(svd.rank(), qr.rank(), what);
            double[] x = new double[n];
            qr.solver().solve(b, x);
            double[] least = svd.solve(b, n);
            double expected = norm(residual(a, least, b));
            assertEquals(expected, norm(residual(a, x, b)), bound, what);
            assertTrue(IntStream.range(0, n).filter(j -> x[j] != 0).count() <= qr.rank(), what);
            double[] y = new double[n];
            MinimumNorm minimum = MinimumNorm.of(matrix, options.with(QrOptions.Order.AUTOMATIC));
            minimum.solve(b, y);
            assertEquals(svd.rank(), minimum.rank(), what);
            assertArrayEquals(least, y, bound * (1 + norm(least)), what);
            checkFactors(qr, a, n, random, what);
        }
    }

    private static void checkFactors(SparseQr qr, double[][] a, int n, SplittableRandom random, String what) {
        int m = a.length;
        CsrMatrix r = qr.r();
        assertEquals(qr.rank(), r.rows(), what);
        r.forEachEntry((i, j, value) -> assertTrue(j >= i, what));
        assertTrue(qr.nonZeros() <= qr.analysis().predicted().nonZeros(), what);
        QrSolver solver = qr.solver();
        int[] at = qr.columnPermutation().toArray();
        for (int j = 0; j < n; j++) {
            double[] column = new double[m];
            for (int i = 0; i < qr.rank(); i++) {
                column[i] = r.get(i, at[j]);
            }
            solver.applyQ(column);
            for (int i = 0; i < m; i++) {
                assertEquals(a[i][j], column[i], 1e-13 * (1 + norm(column)) + qr.dropped(), what);
            }
        }
        double[] v = random.doubles(m, -1, 1).toArray();
        double[] turned = v.clone();
        solver.applyQTransposed(turned);
        assertEquals(norm(v), norm(turned), 1e-14 * (1 + m), what);
        solver.applyQ(turned);
        assertArrayEquals(v, turned, 1e-14 * (1 + m), what);
    }

    /** Tall, with fronts of several panels and more than one chunk of columns. */
    private static CsrMatrix tall(int width) {
        CsrMatrix grid = TestSystems.grid(width, width, Precision.F64);
        CsrMatrix noise = grid.mapValues((i, j, value) -> 1.0 / (1 + (i * 31L + j * 17L) % 13));
        return MatrixProduct.multiply(grid, noise).plus(noise);
    }

    @Test
    void largerProblemsSatisfyTheNormalEquations() {
        long seed = TestSeed.value();
        SplittableRandom random = new SplittableRandom(seed);
        CsrMatrix square = tall(30);
        CsrMatrix a = Stacking.vertical(List.of(square, TestSystems.grid(30, 30,
                Precision.F64)));
        for (QrOptions.Order order : new QrOptions.Order[]{QrOptions.Order.AUTOMATIC,
            QrOptions.Order.NESTED_DISSECTION}) {
            SparseQr qr = SparseQr.of(a, QrOptions.defaults().with(order));
            assertEquals(a.columns(), qr.rank());
            int count = 7;
            double[] b = random.doubles((long) count * a.rows(), -1, 1).toArray();
            double[] all = new double[count * a.columns()];
            QrSolver solver = qr.solver();
            solver.solve(b, all, count);
            for (int r = 0; r < count; r++) {
                double[] own = Arrays.copyOfRange(b, r * a.rows(), (r + 1) * a.rows());
                double[] x = new double[a.columns()];
                solver.solve(own, x);
                assertArrayEquals(x, Arrays.copyOfRange(all, r * x.length, (r + 1) * x.length), 1e-12 * norm(x),
                        "seed " + seed);
                double[] residual = own.clone();
                a.forEachEntry((i, j, value) -> residual[i] -= value * x[j]);
                double[] gradient = a.transpose().multiply(residual);
                assertTrue(norm(gradient) <= 1e-13 * norm(own) * 100, "gradient " + norm(gradient));
                double[] transposed = new double[a.rows()];
                solver.solveTransposed(x, transposed);
                assertArrayEquals(x, a.transpose().multiply(transposed), 1e-11 * norm(x), "seed " + seed);
            }
        }
    }

    @Test
    void refinementGainsDigitsOfIllConditionedProblems() {
        // x = 1 solves exactly; a large residual orthogonal to the columns is what makes it hard.
        double small = 0x1p-20;
        double[][] a = {{1, 1}, {small, 0}, {0, small}, {0, 0}};
        double[] b = {2, small, small, 0};
        double[] across = {-small, 1, 1, 5};
        for (int i = 0; i < b.length; i++) {
            b[i] += across[i];
        }
        CsrMatrix matrix = sparse(a, 2);
        SparseQr qr = SparseQr.of(matrix);
        double[] x = new double[2];
        qr.solver().solve(b, x);
        double before = Math.max(Math.abs(x[0] - 1), Math.abs(x[1] - 1));
        QrSolver.Refined refined = qr.solver().refine(matrix, b, x);
        double after = Math.max(Math.abs(x[0] - 1), Math.abs(x[1] - 1));
        assertTrue(before > 1e-12, "the case is to be a hard one: " + before);
        assertTrue(after < 0.01 * before, before + " to " + after);
        assertTrue(refined.steps() > 0 && refined.gradientNorm() < 1e-15, refined.toString());
        assertEquals(norm(across), refined.residualNorm(), 1e-12);
    }

    @Test
    void theSameStructureServesOtherValues() {
        CsrMatrix a = tall(12);
        QrAnalysis analysis = QrAnalysis.of(a, QrOptions.defaults());
        CsrMatrix other = a.mapValues((i, j, value) -> value * (1 + 0.1 * Math.sin(i + 2.0 * j)));
        double[] b = new double[a.rows()];
        Arrays.setAll(b, i -> Math.cos(i));
        for (CsrMatrix matrix : new CsrMatrix[]{a, other}) {
            double[] x = new double[a.columns()];
            analysis.factorise(matrix).solver().solve(b, x);
            assertTrue(TestSystems.backwardError(matrix, x, b) < 1e-13);
        }
        CsrMatrix moved = a.permute(Permutation.random(a.rows(), new SplittableRandom(1)),
                Permutation.identity(a.columns()));
        assertTrue(assertThrows(IllegalArgumentException.class, () -> analysis.factorise(moved)).getMessage()
                .contains("structure"));
        assertThrows(IllegalArgumentException.class, () -> analysis.factorise(a.submatrix(0, 5, 0, 5)));
    }

    @Test
    void limitsAndBadInputAreNamed() {
        CsrMatrix a = tall(30);
        FactorisationException memory = assertThrows(FactorisationException.class,
                () -> SparseQr.of(a, QrOptions.defaults().with(new FactorLimits(100_000, 1e9))));
        assertEquals(FactorisationException.Reason.MEMORY, memory.reason());
        FactorisationException time = assertThrows(FactorisationException.class,
                () -> SparseQr.of(a, QrOptions.defaults().with(new FactorLimits(1L << 40, 1e-9))));
        assertEquals(FactorisationException.Reason.TIME, time.reason());
        CsrMatrix wrong = a.mapValues((i, j, value) -> i == 3 && j == 3 ? Double.NaN : value);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> SparseQr.of(wrong)).getMessage()
                .contains("(3, 3) is NaN"));
        assertThrows(IllegalArgumentException.class, () -> QrOptions.defaults().withTolerance(-2));
        assertThrows(IllegalArgumentException.class,
                () -> SparseQr.of(a, QrOptions.defaults().with(Permutation.identity(3))));
        SparseQr qr = SparseQr.of(a);
        assertThrows(IllegalArgumentException.class, () -> qr.solver().solve(new double[3], new double[a.columns()]));
    }

    @Test
    void numbersOfAnySizeAreFactorised() {
        for (double scale : new double[]{1e-200, 1e200}) {
            CsrMatrix a = sparse(new double[][]{{scale, 2 * scale}, {3 * scale, scale}, {scale, scale}}, 2);
            double[] x = new double[2];
            SparseQr.of(a).solver().solve(new double[]{3 * scale, 4 * scale, 2 * scale}, x);
            assertArrayEquals(new double[]{1, 1}, x, 1e-14);
        }
    }

    @Test
    void aToleranceDecidesOnDependentColumns() {
        CsrMatrix a = sparse(new double[][]{{1, 1}, {0, 1e-3}, {0, 0}}, 2);
        QrOptions natural = QrOptions.defaults().with(QrOptions.Order.NATURAL);
        assertEquals(2, SparseQr.of(a, natural).rank());
        SparseQr cut = SparseQr.of(a, natural.withTolerance(1e-2));
        assertEquals(1, cut.rank());
        assertEquals(1e-3, cut.dropped(), 1e-15);
    }

    /** Differences along the edges of a square grid, and a part of each unknown. */
    private static CsrMatrix differences(int side) {
        int n = side * side;
        int rows = 2 * side * (side - 1) + n;
        int[] offsets = new int[rows + 1];
        int[] indices = new int[2 * rows];
        double[] values = new double[2 * rows];
        int row = 0;
        int at = 0;
        for (int v = 0; v < n; v++) {
            for (int other : new int[]{v, v % side + 1 < side ? v + 1 : -1, v + side < n ? v + side : -1}) {
                if (other >= 0) {
                    indices[at] = v;
                    values[at++] = other == v ? 0.125 : 1;
                    if (other != v) {
                        indices[at] = other;
                        values[at++] = -1 - 0.001 * (row % 7);
                    }
                    offsets[++row] = at;
                }
            }
        }
        return CsrMatrix.of(rows, n, offsets, Arrays.copyOf(indices, at), Arrays.copyOf(values, at));
    }

    @Test
    void subtreesOfThreadsMakeTheSameBits() {
        CsrMatrix matrix = differences(48);
        QrAnalysis analysis = QrAnalysis.of(matrix, QrOptions.defaults());
        assertTrue(analysis.subtrees().root().length > 2, analysis.predicted().toString());
        QrFactors[] together = new QrAssembly(analysis, matrix, 0, analysis.subtrees()).run();
        QrFactors[] oneByOne = new QrAssembly(analysis, matrix, 0, Subtrees.none(together.length)).run();
        for (int s = 0; s < together.length; s++) {
            assertArrayEquals(oneByOne[s].slots(), together[s].slots());
            assertArrayEquals(oneByOne[s].tau(), together[s].tau());
            for (int k = 0; k < oneByOne[s].r().length; k++) {
                assertArrayEquals(oneByOne[s].r()[k], together[s].r()[k]);
            }
        }
    }

    @Test
    void otherValuesAreFactorisedInPlaceAndSolversFollow() {
        SplittableRandom random = TestSeed.random("otherValuesAreFactorisedInPlaceAndSolversFollow");
        for (int round = 0; round < 40; round++) {
            int m = random.nextInt(1, 25);
            int n = random.nextInt(1, 25);
            CsrMatrix first = sparse(structure(m, n, random), n);
            int lost = random.nextInt(n);
            CsrMatrix second = first.mapValues((i, j, value) -> j == lost ? 0 : value * random.nextDouble(0.5, 2));
            SparseQr qr = SparseQr.of(first);
            QrSolver solver = qr.solver();
            for (CsrMatrix next : List.of(second, first, second)) {
                qr.refactorise(next);
                SparseQr fresh = SparseQr.of(next);
                double[] b = random.doubles(3L * m, -1, 1).toArray();
                double[] expected = new double[3 * n];
                double[] found = new double[3 * n];
                fresh.solver().solve(b, expected, 3);
                solver.solve(b, found, 3);
                assertArrayEquals(expected, found, () -> "seed " + TestSeed.value());
                double[] expectedOfTranspose = new double[m];
                double[] foundOfTranspose = new double[m];
                fresh.solver().solveTransposed(Arrays.copyOf(b, n), expectedOfTranspose);
                solver.solveTransposed(Arrays.copyOf(b, n), foundOfTranspose);
                assertArrayEquals(expectedOfTranspose, foundOfTranspose, () -> "seed " + TestSeed.value());
                assertEquals(fresh.rank(), qr.rank());
                assertEquals(fresh.dropped(), qr.dropped());
                assertEquals(fresh.columnPermutation(), qr.columnPermutation());
            }
        }
    }

    @Test
    void valuesOfAnotherStructureAreRefused() {
        double[][] a = {{1, 2, 0}, {0, 3, 0}, {0, 0, 4}, {0, 0, 1}};
        SparseQr qr = SparseQr.of(sparse(a, 3));
        QrSolver solver = qr.solver();
        double[] x = new double[3];
        CsrMatrix smaller = sparse(new double[][]{{1, 2, 0}}, 3);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> qr.refactorise(smaller)).getMessage()
                .contains("expected the same structure"));
        CsrMatrix infinite = sparse(a, 3).mapValues((i, j, value) -> value == 3 ? Double.POSITIVE_INFINITY : value);
        assertTrue(assertThrows(IllegalArgumentException.class, () -> qr.refactorise(infinite)).getMessage()
                .contains("entry (1, 1) is Infinity"));
        solver.solve(new double[]{3, 3, 4, 1}, x);
        assertArrayEquals(new double[]{1, 1, 1}, x, 1e-15);
        CsrMatrix moved = sparse(new double[][]{{1, 2, 0}, {0, 0, 3}, {0, 0, 4}, {1, 0, 0}}, 3);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> qr.refactorise(moved));
        assertTrue(refused.getMessage().contains("row 3, column 0"), refused.getMessage());
        Arrays.fill(x, 0);
        solver.solve(new double[]{3, 3, 4, 1}, x);
        assertArrayEquals(new double[]{1, 1, 1}, x, 1e-15);
    }
}
