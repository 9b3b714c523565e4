package org.trellis.solve.eigen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

/** Forms are checked by multiplying them out. */
final class RealSchurTest {
    private static double[][] copy(double[][] a) {
        return Arrays.stream(a).map(double[]::clone).toArray(double[][]::new);
    }

    private static double[][] random(int n, SplittableRandom random) {
        double[][] a = new double[n][n];
        for (double[] row : a) {
            Arrays.setAll(row, j -> random.nextDouble(-1, 1));
        }
        return a;
    }

    private static double norm(double[][] a) {
        return Arrays.stream(a).flatMapToDouble(Arrays::stream).map(x -> x * x).sum();
    }

    private static void check(double[][] a, RealSchur schur, String context) {
        int n = a.length;
        double[][] t = schur.t();
        double[][] q = schur.q();
        double size = Math.sqrt(norm(a));
        double tolerance = 1e-13 * Math.max(1, n) * size;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                double product = 0;
                double orthogonal = 0;
                for (int k = 0; k < n; k++) {
                    orthogonal += q[k][i] * q[k][j];
                    for (int l = 0; l < n; l++) {
                        product += q[i][k] * t[k][l] * q[j][l];
                    }
                }
                assertEquals(a[i][j], product, tolerance, context + " at " + i + ", " + j);
                assertEquals(i == j ? 1 : 0, orthogonal, 1e-13 * Math.max(10, n), context);
                assertTrue(i <= j + 1 || t[i][j] == 0, context + ": below the blocks at " + i + ", " + j);
            }
            assertTrue(i == 0 || i + 1 >= n || t[i][i - 1] == 0 || t[i + 1][i] == 0, context + ": three rows at " + i);
            assertTrue(!schur.isPair(i) || schur.imaginary(i) > 0, context + ": a real pair at " + i);
        }
        for (int k = 0; k < n; k++) {
            vector(schur, k, size, context);
        }
    }

    private static void vector(RealSchur schur, int k, double size, String context) {
        int n = schur.size();
        double[][] y = schur.vector(k);
        double re = schur.real(k);
        double im = Math.abs(schur.imaginary(k));
        double square = 0;
        double residual = 0;
        for (int i = 0; i < n; i++) {
            double first = -re * y[0][i] + im * y[1][i];
            double second = -re * y[1][i] - im * y[0][i];
            for (int j = 0; j < n; j++) {
                first += schur.t()[i][j] * y[0][j];
                second += schur.t()[i][j] * y[1][j];
            }
            residual = Math.max(residual, Math.hypot(first, second));
            square += y[0][i] * y[0][i] + y[1][i] * y[1][i];
        }
        assertEquals(1, square, 1e-12, context);
        assertTrue(residual <= 1e-12 * n * size, context + ": vector " + k + " has the residual " + residual);
    }

    private static void checkOrders(double[][] a, String context) {
        RealSchur schur = new RealSchur(copy(a));
        check(a, schur, context);
        for (Side side : Side.values()) {
            RealSchur ordered = new RealSchur(copy(a));
            ordered.order(side::rank, a.length);
            check(a, ordered, context + ", " + side);
            double[] before = ranks(schur, side);
            double[] after = ranks(ordered, side);
            double size = Math.sqrt(norm(a));
            double[] sorted = before.clone();
            Arrays.sort(sorted);
            for (int k = 0; k < a.length; k++) {
                assertEquals(sorted[a.length - 1 - k], after[k], 1e-6 * size, context + ", " + side + ", " + k);
            }
        }
    }

    private static double[] ranks(RealSchur schur, Side side) {
        double[] ranks = new double[schur.size()];
        Arrays.setAll(ranks, k -> side.rank(schur.real(k), schur.imaginary(k)));
        return ranks;
    }

    @Test
    void randomMatrices() {
        SplittableRandom random = TestSeed.random("randomMatrices");
        for (int n : new int[]{0, 1, 2, 2, 3, 3, 4, 5, 7, 12, 25}) {
            for (int turn = 0; turn < 6; turn++) {
                checkOrders(random(n, random), n + " rows, seed " + TestSeed.value());
            }
        }
        checkOrders(random(60, random), "60 rows, seed " + TestSeed.value());
    }

    /** What a contraction leaves and steps extend: blocks of a Schur form, one full row, and Hessenberg form behind. */
    @Test
    void contractedDecompositions() {
        SplittableRandom random = TestSeed.random("contractedDecompositions");
        for (int turn = 0; turn < 30; turn++) {
            int n = random.nextInt(1, 40);
            int kept = random.nextInt(n);
            double[][] a = random(n, random);
            for (int i = 0; i < n; i++) {
                int first = i == kept ? 0 : i < kept && random.nextBoolean() ? i : i - 1;
                Arrays.fill(a[i], 0, Math.max(0, first), 0);
            }
            checkOrders(a, n + " rows, " + kept + " kept, seed " + TestSeed.value());
        }
    }

    /** Eigenvalues of [0 −1; 1 0] are ±i, of [1 2; 2 1] are 3 and −1. */
    @Test
    void agreesWithAHand() {
        RealSchur turn = new RealSchur(new double[][]{{0, -1}, {1, 0}});
        assertEquals(0, turn.real(0), 1e-16);
        assertEquals(1, turn.imaginary(0), 1e-16);
        assertEquals(-1, turn.imaginary(1), 1e-16);
        RealSchur real = new RealSchur(new double[][]{{1, 2}, {2, 1}});
        real.order(Side.LEFT::rank, 2);
        assertEquals(-1, real.real(0), 1e-14);
        assertEquals(3, real.real(1), 1e-14);
    }

    /** Cyclic shifts, which stop the iteration without exceptional shifts; nilpotent and zero matrices; companions. */
    @Test
    void awkwardMatrices() {
        for (int n : new int[]{3, 4, 8, 17}) {
            double[][] cyclic = new double[n][n];
            double[][] nilpotent = new double[n][n];
            double[][] companion = new double[n][n];
            double[][] graded = new double[n][n];
            for (int i = 0; i < n; i++) {
                cyclic[i][(i + 1) % n] = 1;
                if (i + 1 < n) {
                    nilpotent[i][i + 1] = 1;
                    companion[i + 1][i] = 1;
                }
                companion[0][i] = i % 3 - 1.0;
                for (int j = 0; j < n; j++) {
                    graded[i][j] = Math.pow(10, -(i + j)) * (1 + i * j % 3);
                }
            }
            checkOrders(cyclic, "cyclic " + n);
            check(nilpotent, new RealSchur(copy(nilpotent)), "nilpotent " + n);
            check(transposed(nilpotent), new RealSchur(transposed(nilpotent)), "nilpotent, lower " + n);
            check(companion, new RealSchur(copy(companion)), "companion " + n);
            check(graded, new RealSchur(copy(graded)), "graded " + n);
            check(new double[n][n], new RealSchur(new double[n][n]), "zeros " + n);
        }
        double[][] same = {{1, 2, 3, 4}, {-2, 1, 5, 6}, {0, 0, 1, 2}, {0, 0, -2, 1}};
        check(same, new RealSchur(copy(same)), "a pair twice");
    }

    private static double[][] transposed(double[][] a) {
        double[][] result = new double[a.length][a.length];
        for (int i = 0; i < a.length; i++) {
            for (int j = 0; j < a.length; j++) {
                result[j][i] = a[i][j];
            }
        }
        return result;
    }

    @Test
    void refusesWhatIsNoNumber() {
        assertThrows(ArithmeticException.class, () -> new RealSchur(new double[][]{{Double.NaN}}));
    }

    private static double condition(double[][] a) {
        RealSchur schur = new RealSchur(a);
        return schur.condition(0, schur.vector(0));
    }

    /** Of [1 3; 0 5] the vectors (1, 0) and (4, −3) / 5, of [0 −4; 1 0] (2i, 1) / √5 and (1, 2i) / √5. */
    @Test
    void conditionsAreThoseByHand() {
        assertEquals(1.25, condition(new double[][]{{1, 3}, {0, 5}}), 1e-14);
        assertEquals(1.25, condition(new double[][]{{0, -4}, {1, 0}}), 1e-14);
        assertEquals(1, condition(new double[][]{{0, -2}, {2, 0}}), 1e-14);
        assertEquals(1, condition(new double[][]{{2, 1}, {1, 2}}), 1e-14);
        assertTrue(condition(new double[][]{{1, 1}, {0, 1}}) > 1e7);
    }

    /** An eigenvalue moves by at most its condition times a small perturbation, to first order. */
    @Test
    void eigenvaluesMoveByTheirConditions() {
        SplittableRandom random = TestSeed.random("eigenvaluesMoveByTheirConditions");
        for (int n : new int[]{3, 8, 20}) {
            double[][] a = random(n, random);
            double[][] e = random(n, random);
            double size = 1e-7 / Math.sqrt(norm(e));
            double[][] moved = copy(a);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < n; j++) {
                    moved[i][j] += size * e[i][j];
                }
            }
            RealSchur schur = new RealSchur(copy(a));
            RealSchur other = new RealSchur(moved);
            for (int k = 0; k < n; k++) {
                double least = Double.POSITIVE_INFINITY;
                for (int i = 0; i < n; i++) {
                    least = Math.min(least, Math.hypot(schur.real(k) - other.real(i),
                            schur.imaginary(k) - other.imaginary(i)));
                }
                double condition = schur.condition(k, schur.vector(k));
                assertTrue(condition >= 1 && least <= 1.01e-7 * condition, n + " rows, eigenvalue " + k + " moves by "
                        + least + ", condition " + condition + ", seed " + TestSeed.value());
            }
        }
    }
}
