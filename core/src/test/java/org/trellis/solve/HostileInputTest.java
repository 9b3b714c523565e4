package org.trellis.solve;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.Precision;
import org.trellis.solve.direct.LuAnalysis;
import org.trellis.solve.direct.LuOptions;
import org.trellis.solve.direct.SparseCholesky;
import org.trellis.solve.direct.SparseLdlt;
import org.trellis.solve.direct.SparseLu;
import org.trellis.solve.direct.SparseQr;
import org.trellis.solve.eigen.Eigenvalues;
import org.trellis.solve.eigen.SingularValues;
import org.trellis.solve.eigen.UnsymmetricEigenvalues;
import org.trellis.sparse.BsrMatrix;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DiaMatrix;
import org.trellis.sparse.DokMatrix;
import org.trellis.systems.Solution;
import org.trellis.systems.Solvers;
import org.trellis.systems.SystemSolver;
import org.trellis.testing.TestSeed;

/**
 * What is no number, of any scale, empty, singular or of the wrong length: a solution that solves, or a sentence; never
 * a NaN that is called one.
 */
class HostileInputTest {
    /** A solver of square systems. */
    private interface Method {
        /** Returns a solution. */
        double[] solve(CsrMatrix a, double... b);
    }

    private static Map<String, Method> solvers() {
        Map<String, Method> all = new LinkedHashMap<>();
        for (LuOptions.Kernel kernel : LuOptions.Kernel.values()) {
            if (kernel != LuOptions.Kernel.FLOAT_SUPERNODES) {
                all.put("lu " + kernel, (a, b) -> SparseLu.of(a, LuOptions.defaults().with(kernel)).solve(b));
            }
        }
        all.put("cholesky", (a, b) -> SparseCholesky.of(a).solve(b));
        all.put("ldlt", (a, b) -> SparseLdlt.of(a).solve(b));
        all.put("qr", (a, b) -> {
            double[] x = new double[a.columns()];
            SparseQr.of(a).solver().solve(b, x);
            return x;
        });
        for (String method : List.of("auto", "direct", "cg", "minres", "gmres", "bicgstab", "lsqr")) {
            all.put("system " + method, (a, b) -> {
                try (SystemSolver solver = solver(method, a)) {
                    Solution solution = solver.tolerance(1e-9).solve(b);
                    if (!solution.report().converged()) {
                        throw new IllegalArgumentException(solution.report().toString());
                    }
                    return solution.vector().toDoubleArray();
                }
            });
        }
        return all;
    }

    private static SystemSolver solver(String method, CsrMatrix a) {
        return switch (method) {
            case "auto" -> Solvers.auto(a);
            case "direct" -> Solvers.direct(a);
            case "cg" -> Solvers.cg(a);
            case "minres" -> Solvers.minres(a);
            case "gmres" -> Solvers.gmres(a);
            case "bicgstab" -> Solvers.bicgstab(a);
            default -> Solvers.lsqr(a);
        };
    }

    private static CsrMatrix tridiagonal(int n, double scale) {
        CsrBuilder builder = new CsrBuilder(n, Precision.F64, n);
        for (int row = 0; row < n; row++) {
            if (row > 0) {
                builder.add(row - 1, -scale);
            }
            builder.add(row, 2.5 * scale);
            if (row + 1 < n) {
                builder.add(row + 1, -scale);
            }
            builder.endRow();
        }
        return builder.build();
    }

    /** Puts a value into both places of a pair, so that the matrix stays symmetric. */
    private static CsrMatrix with(CsrMatrix matrix, int i, int j, double odd) {
        return matrix.mapValues((row, column, value) -> (row == i && column == j) || (row == j && column == i)
                ? odd
                : value);
    }

    private static double[] ones(int n) {
        double[] ones = new double[n];
        Arrays.fill(ones, 1);
        return ones;
    }

    private Stream<DynamicTest> each(Consumer<Map.Entry<String, Method>> check) {
        return solvers().entrySet().stream().map(one -> DynamicTest.dynamicTest(one.getKey(), () -> check.accept(one)));
    }

    private static void refused(String name, Runnable task) {
        RuntimeException thrown = assertThrows(RuntimeException.class, task::run, name);
        String text = String.valueOf(thrown.getMessage());
        assertTrue(thrown instanceof IllegalArgumentException || thrown.getClass().getName().startsWith("org.trellis."),
                name + ": " + thrown);
        assertTrue(text.length() > 20, name + ": " + text);
    }

    @TestFactory
    Stream<DynamicTest> entriesThatAreNoNumbersAreRefused() {
        return each(one -> {
            for (double odd : new double[]{Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
                for (int[] place : new int[][]{{0, 0}, {3, 4}, {7, 7}}) {
                    CsrMatrix matrix = with(tridiagonal(8, 1), place[0], place[1], odd);
                    refused(one.getKey() + " with " + odd + " at " + Arrays.toString(place),
                            () -> one.getValue().solve(matrix, ones(8)));
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> rightHandSidesThatAreNoNumbersAreRefusedBySystems() {
        return each(one -> {
            if (one.getKey().startsWith("system")) {
                for (double odd : new double[]{Double.NaN, Double.POSITIVE_INFINITY}) {
                    double[] b = ones(8);
                    b[3] = odd;
                    IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class,
                            () -> one.getValue().solve(tridiagonal(8, 1), b), one.getKey());
                    assertTrue(thrown.getMessage().contains("row 3") && thrown.getMessage().contains("finite number"),
                            one.getKey() + ": " + thrown.getMessage());
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> scalesDoNotMatter() {
        return each(one -> {
            double[] expected = SparseCholesky.of(tridiagonal(8, 1)).solve(ones(8));
            for (double scale : new double[]{1e-160, 1e-300, 1e160, 1e300}) {
                double[] b = DoubleStream.of(ones(8)).map(value -> value * scale).toArray();
                double[] x = one.getValue().solve(tridiagonal(8, scale), b);
                assertArrayEquals(expected, x, 1e-7, one.getKey() + " at " + scale);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> smallSystemsAreSolved() {
        return each(one -> {
            assertArrayEquals(new double[]{0.4}, one.getValue().solve(tridiagonal(1, 1), ones(1)), 1e-9, one.getKey());
            if (!one.getKey().startsWith("system")) {
                assertEquals(0, one.getValue().solve(tridiagonal(0, 1), new double[0]).length, one.getKey());
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> singularMatricesAreNotSolved() {
        CsrMatrix zero = CsrMatrix.of(2, 2, new int[]{0, 1, 2}, new int[]{0, 1}, new double[]{1, 0});
        CsrMatrix empty = CsrMatrix.of(2, 2, new int[]{0, 1, 1}, new int[]{0}, new double[]{1});
        CsrMatrix twice = CsrMatrix.of(2, 2, new int[]{0, 2, 4}, new int[]{0, 1, 0, 1}, new double[]{1, 1, 1, 1});
        return each(one -> {
            for (CsrMatrix matrix : List.of(zero, empty, twice)) {
                if (!List.of("qr", "system lsqr").contains(one.getKey())) { // which solve the least squares
                    refused(one.getKey() + " of " + matrix, () -> one.getValue().solve(matrix, new double[]{1, 2}));
                }
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> wrongLengthsAreNamed() {
        return each(one -> {
            for (int length : new int[]{0, 7, 9}) {
                IllegalArgumentException thrown = assertThrows(IllegalArgumentException.class,
                        () -> one.getValue().solve(tridiagonal(8, 1), ones(length)), one.getKey());
                assertTrue(thrown.getMessage().contains("" + length) && thrown.getMessage().contains("8"),
                        one.getKey() + ": " + thrown.getMessage());
            }
        });
    }

    @Test
    void otherValuesThatAreNoNumbersAreRefused() {
        CsrMatrix good = tridiagonal(8, 1);
        CsrMatrix bad = with(good, 2, 3, Double.NaN);
        SparseLu lu = SparseLu.of(good);
        refused("LU again", () -> lu.refactorise(bad));
        refused("LU's analysis", () -> LuAnalysis.of(bad, LuOptions.defaults()));
        SparseCholesky cholesky = SparseCholesky.of(good);
        refused("Cholesky again", () -> cholesky.refactorise(bad));
        SparseLdlt ldlt = SparseLdlt.of(good);
        refused("LDLT again", () -> ldlt.refactorise(bad));
        // what is broken by that is good again with good values
        lu.refactorise(good);
        cholesky.refactorise(good);
        ldlt.refactorise(good);
        double[] expected = SparseLu.of(good).solve(ones(8));
        assertArrayEquals(expected, lu.solve(ones(8)), 1e-14);
        assertArrayEquals(expected, cholesky.solve(ones(8)), 1e-14);
        assertArrayEquals(expected, ldlt.solve(ones(8)), 1e-14);
    }

    @ParameterizedTest
    @ValueSource(doubles = {1e-300, 1e-160, 1, 1e160, 1e300})
    void eigenvaluesScaleWithTheMatrix(double scale) {
        CsrMatrix one = tridiagonal(30, 1);
        CsrMatrix scaled = tridiagonal(30, scale);
        double largest = Eigenvalues.largest(one, 1).values()[0];
        assertEquals(largest, Eigenvalues.largest(scaled, 1).values()[0] / scale, 1e-9);
        assertEquals(Eigenvalues.nearest(one, 1, 0).values()[0],
                Eigenvalues.nearest(scaled, 1, 0).values()[0] / scale, 1e-9);
        assertEquals(largest, UnsymmetricEigenvalues.of(scaled).count(1).largestMagnitude().find().real()[0] / scale,
                1e-9);
        assertEquals(largest, SingularValues.largest(scaled, 1).values()[0] / scale, 1e-9);
        assertEquals(largest, Eigenvalues.of(scaled).count(1).largest().lobpcg().find().values()[0] / scale, 1e-6);
    }

    @ParameterizedTest
    @ValueSource(doubles = {Double.NaN, Double.POSITIVE_INFINITY})
    void eigenvaluesOfNoNumbersAreRefused(double odd) {
        CsrMatrix matrix = with(tridiagonal(30, 1), 4, 5, odd);
        refused("symmetric", () -> Eigenvalues.largest(matrix, 1));
        refused("shifted", () -> Eigenvalues.nearest(matrix, 1, 0.5));
        refused("unsymmetric", () -> UnsymmetricEigenvalues.of(matrix).count(1).largestMagnitude().find());
        refused("singular values", () -> SingularValues.largest(matrix, 1));
        refused("count", () -> Eigenvalues.below(matrix, 1));
        double[] start = ones(30);
        start[3] = odd;
        refused("start", () -> Eigenvalues.of(tridiagonal(30, 1)).count(1).largest().start(start).find());
        refused("unsymmetric start",
                () -> UnsymmetricEigenvalues.of(tridiagonal(30, 1)).count(1).largestMagnitude().start(start).find());
        assertEquals(Eigenvalues.largest(tridiagonal(30, 1), 1).values()[0],
                Eigenvalues.of(tridiagonal(30, 1)).count(1).largest().start(new double[30]).find().values()[0], 1e-9,
                "begun with zeros");
        refused("shift", () -> Eigenvalues.nearest(tridiagonal(30, 1), 1, odd));
    }

    /** Other forms keep every value as it is, of matrices of any shape. */
    @Test
    void otherFormsKeepWhatIsThere() {
        SplittableRandom random = TestSeed.random("hostile forms");
        List<CsrMatrix> matrices = new ArrayList<>(List.of(
                CsrMatrix.of(0, 0, new int[]{0}, new int[0], new double[0]),
                CsrMatrix.of(0, 3, new int[]{0}, new int[0], new double[0]),
                CsrMatrix.of(3, 0, new int[]{0, 0, 0, 0}, new int[0], new double[0]),
                CsrMatrix.of(1, 1, new int[]{0, 1}, new int[]{0}, new double[]{Double.NaN}),
                CsrMatrix.of(2, 5, new int[]{0, 2, 2}, new int[]{0, 4}, new double[]{1e-310, -1e308})));
        for (int i = 0; i < 30; i++) {
            int rows = random.nextInt(1, 20);
            int columns = random.nextInt(1, 20);
            CsrBuilder builder = new CsrBuilder(columns, Precision.F64, rows);
            for (int row = 0; row < rows; row++) {
                for (int column = 0; column < columns; column++) {
                    if (random.nextInt(4) == 0) {
                        builder.add(column, random.nextInt(9) == 0 ? Double.POSITIVE_INFINITY : random.nextDouble());
                    }
                }
                builder.endRow();
            }
            matrices.add(builder.build());
        }
        for (CsrMatrix matrix : matrices) {
            String what = matrix + ", seed " + TestSeed.value();
            assertSame(matrix, DokMatrix.from(matrix).toCsr(Precision.F64), what);
            assertSame(matrix, DiaMatrix.from(matrix).toCsr(), what);
            for (int height : new int[]{1, 2, 3}) {
                if (matrix.rows() % height == 0 && matrix.columns() % 2 == 0) {
                    assertSame(matrix, BsrMatrix.from(matrix, height, 2).toCsr(), what);
                }
            }
        }
        refused("blocks of 0", () -> BsrMatrix.from(tridiagonal(4, 1), 0, 1));
        refused("blocks of -1", () -> BsrMatrix.from(tridiagonal(4, 1), 1, -1));
        refused("blocks that do not fit", () -> BsrMatrix.from(tridiagonal(4, 1), 3, 2));
        refused("keys below 0", () -> new DokMatrix(-1, 2));
        DokMatrix keys = new DokMatrix(2, 2);
        assertThrows(IndexOutOfBoundsException.class, () -> keys.set(2, 0, 1));
        assertThrows(IndexOutOfBoundsException.class, () -> keys.add(0, -1, 1));
    }

    /** Entries but zeros, which forms may drop or fill in. */
    private static void assertSame(CsrMatrix expected, CsrMatrix actual, String what) {
        assertEquals(expected.rows(), actual.rows(), what);
        assertEquals(expected.columns(), actual.columns(), what);
        assertEquals(entries(expected), entries(actual), what);
    }

    private static List<String> entries(CsrMatrix matrix) {
        List<String> found = new ArrayList<>();
        matrix.forEachEntry((row, column, value) -> {
            if (value != 0) {
                found.add(row + " " + column + " " + value);
            }
        });
        return found;
    }

    @Test
    void closedSolversArePreparedAgain() {
        double[] expected = SparseCholesky.of(tridiagonal(8, 1)).solve(ones(8));
        SystemSolver solver = Solvers.cg(tridiagonal(8, 1)).tolerance(1e-12);
        assertArrayEquals(expected, solver.solve(ones(8)).vector().toDoubleArray(), 1e-10);
        solver.close();
        solver.close();
        assertArrayEquals(expected, solver.solve(ones(8)).vector().toDoubleArray(), 1e-10);
        refused("values", () -> solver.update(new double[3]));
        solver.close();
    }
}
