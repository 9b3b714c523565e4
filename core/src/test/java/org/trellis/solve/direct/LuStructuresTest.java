package org.trellis.solve.direct;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Permutation;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

/** Random structures against elimination on dense matrices. */
final class LuStructuresTest {
    private static final int STRUCTURES = TestLength.cases(400, 1000);

    /** Shapes that have their own paths through analysis and kernels. */
    private enum Shape {
        SPARSE, EMPTY_ROWS, DENSE_ROW, DENSE_COLUMN, PERMUTED_TRIANGULAR, DISCONNECTED, ARROW, FULL, PERMUTATION
    }

    private static double[][] structure(Shape shape, int n, SplittableRandom random) {
        double[][] a = new double[n][n];
        int each = random.nextInt(0, 4);
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < each; k++) {
                a[i][random.nextInt(n)] = value(random);
            }
        }
        int[] p = Permutation.random(n, random).toArray();
        if (shape != Shape.EMPTY_ROWS && random.nextInt(8) > 0) {
            for (int i = 0; i < n; i++) {
                a[i][p[i]] = value(random);
            }
        }
        int chosen = random.nextInt(n);
        switch (shape) {
            case DENSE_ROW -> Arrays.setAll(a[chosen], j -> value(random));
            case DENSE_COLUMN -> Arrays.stream(a).forEach(row -> row[chosen] = value(random));
            case FULL -> Arrays.stream(a).forEach(row -> Arrays.setAll(row, j -> value(random)));
            case EMPTY_ROWS -> a[chosen] = new double[n];
            case PERMUTED_TRIANGULAR -> {
                for (int i = 0; i < n; i++) {
                    a[i] = new double[n];
                    for (int k = 0; k <= i; k++) {
                        a[i][p[k]] = k == i || random.nextInt(3) == 0 ? value(random) : 0;
                    }
                }
            }
            case DISCONNECTED -> {
                for (int i = 0; i < n; i++) {
                    for (int j = 0; j < n; j++) {
                        a[i][j] = i / 3 == j / 3 ? value(random) : 0;
                    }
                }
            }
            case ARROW -> {
                for (int i = 0; i < n; i++) {
                    a[0][i] = value(random);
                    a[i][0] = value(random);
                    a[i][i] = value(random);
                }
            }
            case PERMUTATION -> {
                for (int i = 0; i < n; i++) {
                    a[i] = new double[n];
                    a[i][p[i]] = value(random);
                }
            }
            default -> {}
        }
        return a;
    }

    private static double value(SplittableRandom random) {
        return Math.scalb(random.nextDouble(0.5, 1) * (random.nextBoolean() ? 1 : -1), random.nextInt(-3, 4));
    }

    /** The greatest matching by the simplest search. */
    private static int structuralRank(double[][] a) {
        int[] columnOfRow = new int[a.length];
        Arrays.fill(columnOfRow, -1);
        int rank = 0;
        for (int j = 0; j < a.length; j++) {
            rank += assign(a, j, columnOfRow, new boolean[a.length]) ? 1 : 0;
        }
        return rank;
    }

    private static boolean assign(double[][] a, int column, int[] columnOfRow, boolean[] seen) {
        for (int i = 0; i < a.length; i++) {
            if (a[i][column] != 0 && !seen[i]) {
                seen[i] = true;
                if (columnOfRow[i] < 0 || assign(a, columnOfRow[i], columnOfRow, seen)) {
                    columnOfRow[i] = column;
                    return true;
                }
            }
        }
        return false;
    }

    /** Elimination with partial pivoting; returns the determinant and overwrites b by the solution. */
    private static double eliminate(double[][] matrix, double[] b) {
        double[][] a = Arrays.stream(matrix).map(double[]::clone).toArray(double[][]::new);
        int n = a.length;
        double determinant = 1;
        for (int k = 0; k < n; k++) {
            int pivot = k;
            for (int i = k + 1; i < n; i++) {
                pivot = Math.abs(a[i][k]) > Math.abs(a[pivot][k]) ? i : pivot;
            }
            double[] row = a[pivot];
            a[pivot] = a[k];
            a[k] = row;
            double right = b[pivot];
            b[pivot] = b[k];
            b[k] = right;
            determinant *= pivot == k ? row[k] : -row[k];
            for (int i = k + 1; i < n; i++) {
                double factor = a[i][k] / row[k];
                for (int j = k; j < n; j++) {
                    a[i][j] -= factor * row[j];
                }
                b[i] -= factor * right;
            }
        }
        for (int k = n - 1; k >= 0; k--) {
            for (int j = k + 1; j < n; j++) {
                b[k] -= a[k][j] * b[j];
            }
            b[k] /= a[k][k];
        }
        return determinant;
    }

    @Test
    void solvesRandomStructures() {
        SplittableRandom random = TestSeed.random("LU solvesRandomStructures");
        int singular = 0;
        for (int trial = 0; trial < STRUCTURES; trial++) {
            Shape shape = Shape.values()[trial % Shape.values().length];
            int n = trial % 50 == 0 ? 1 : random.nextInt(1, 26);
            double[][] a = structure(shape, n, random);
            CsrMatrix matrix = DenseBlocks.fromRows(a, Precision.F64);
            String context = "trial " + trial + ", " + shape + ", " + n + " rows, seed " + TestSeed.value();
            int rank = structuralRank(a);
            assertEquals(rank, LuAnalysis.structuralRank(matrix), context);
            LuOptions options = options(random);
            if (rank < n) {
                FactorisationException refused =
                        assertThrows(FactorisationException.class, () -> SparseLu.of(matrix, options), context);
                assertTrue(refused.getMessage().contains("structural rank is " + rank + " of " + n), context);
                singular++;
                continue;
            }
            double[] b = random.doubles(n, -1, 1).toArray();
            double[] expected = b.clone();
            double determinant = eliminate(a, expected);
            boolean regular = Math.abs(determinant) > 0 && Arrays.stream(expected).allMatch(Double::isFinite);
            if (regular) {
                check(matrix, options, b, determinant, random, context);
            }
        }
        assertTrue(singular > STRUCTURES / 20 && singular < STRUCTURES / 2, "singular structures: " + singular);
    }

    private static LuOptions options(SplittableRandom random) {
        LuOptions.Order[] orders = LuOptions.Order.values();
        LuOptions.Order order = orders[random.nextInt(orders.length)];
        LuOptions.Kernel kernel = List.of(LuOptions.Kernel.AUTOMATIC, LuOptions.Kernel.COLUMNS,
                LuOptions.Kernel.SUPERNODES).get(random.nextInt(3));
        return LuOptions.defaults().with(kernel)
                .with(order == LuOptions.Order.GIVEN ? LuOptions.Order.AUTOMATIC : order)
                .with(random.nextBoolean() ? LuOptions.Matching.PRODUCT : LuOptions.Matching.TRANSVERSAL)
                .withBlocks(random.nextInt(4) > 0).withPivotTolerance(random.nextBoolean() ? 1 : 0.1);
    }

    private static void check(CsrMatrix matrix, LuOptions options, double[] b, double determinant,
            SplittableRandom random, String context) {
        int n = b.length;
        SparseLu lu = SparseLu.of(matrix, options);
        double bound = 10 * Math.max(n, 4) * 0x1p-53 * 8;
        LuSolver solver = lu.solver();
        double[] x = new double[n];
        Refinement.Result reached = solver.refine(matrix, b, x);
        assertTrue(reached.backwardError() <= 10 * n * 0x1p-53, context + ": refined to " + reached);
        double plain = TestSystems.backwardError(matrix, lu.solve(b), b);
        assertTrue(plain < bound, context + ": " + plain + ", expected less than " + bound);
        double transposed = TestSystems.backwardError(matrix.transpose(), lu.solveTransposed(b), b);
        assertTrue(transposed < bound, context + ": transposed " + transposed + ", expected less than " + bound);
        double[] squares = new double[n];
        matrix.forEachEntry((i, j, v) -> squares[i] += v * v);
        double hadamard = Math.sqrt(Arrays.stream(squares).reduce(1, (p, q) -> p * q));
        assertEquals(determinant, lu.determinant().toDouble(), 1e-12 * hadamard, context);
        int count = random.nextInt(0, 7);
        double[] several = random.doubles((long) count * n, -1, 1).toArray();
        double[] solved = several.clone();
        solver.solve(solved, count);
        for (int r = 0; r < count; r++) {
            double[] one = Arrays.copyOfRange(several, r * n, (r + 1) * n);
            solver.solve(one);
            assertArrayEquals(one, Arrays.copyOfRange(solved, r * n, (r + 1) * n), context);
        }
        checkSparse(solver, random, n, context);
        checkFactors(matrix, lu, context);
        CsrMatrix other = matrix.mapValues((i, j, v) -> v * (1 + 0.01 * ((i + 3 * j) % 7)));
        if (lu.refactorise(other) < SparseLu.RELIABLE_GROWTH) {
            assertTrue(solver.refine(other, b, x).backwardError() <= 10 * n * 0x1p-53, context + ", other values");
        }
    }

    /** Solves for right-hand sides of few elements twice, so that work space must be left clean. */
    private static void checkSparse(LuSolver solver, SplittableRandom random, int n, String context) {
        for (int repetition = 0; repetition < 2; repetition++) {
            int[] pattern = Permutation.random(n, random).toArray();
            int count = random.nextInt(Math.min(n, 3) + 1);
            double[] x = new double[n];
            for (int i = 0; i < count; i++) {
                x[pattern[i]] = value(random);
            }
            double[] expected = x.clone();
            solver.solve(expected);
            boolean[] reached = new boolean[n];
            int found = solver.solveSparse(x, pattern, count);
            for (int i = 0; i < found; i++) {
                assertTrue(!reached[pattern[i]], context + ", column " + pattern[i] + " twice");
                reached[pattern[i]] = true;
            }
            double greatest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
            for (int j = 0; j < n; j++) {
                assertEquals(expected[j], x[j], 1e-6 * greatest, context + ", column " + j);
                assertTrue(x[j] == 0 || reached[j], context + ", column " + j + " beyond the pattern");
            }
        }
    }

    /** Compares L U + F with P R A C Q, element by element. */
    private static void checkFactors(CsrMatrix matrix, SparseLu lu, String context) {
        int n = matrix.rows();
        double[][] product = new double[n][n];
        double[][] size = new double[n][n];
        double[][] upper = new double[n][n];
        lu.upper().forEachEntry((i, j, v) -> upper[i][j] = v);
        lu.aboveBlocks().forEachEntry((i, j, v) -> product[i][j] += v);
        lu.lower().forEachEntry((i, k, v) -> {
            assertTrue(k <= i, context);
            for (int j = k; j < n; j++) {
                product[i][j] += v * upper[k][j];
                size[i][j] += Math.abs(v * upper[k][j]);
            }
        });
        double[] rowScale = lu.rowScale();
        double[] columnScale = lu.columnScale();
        matrix.forEachEntry((i, j, v) -> product[lu.rowPermutation().newIndex(i)][lu.columnPermutation().newIndex(j)] -=
                rowScale[i] * v * columnScale[j]);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                assertTrue(Math.abs(product[i][j]) <= n * 0x1p-52 * size[i][j],
                        context + ", factors at " + i + ", " + j);
            }
        }
        assertEquals(lu.lower().nonZeros() + lu.upper().nonZeros() + lu.aboveBlocks().nonZeros() - n, lu.nonZeros(),
                context);
    }
}
