package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** A hierarchy that a backend sets up has the bits of the one that the host sets up. */
public abstract class BackendSetupContract {
    private static final CoarseningOptions SMOOTHED =
            CoarseningOptions.of(Coarsening.SMOOTHED_AGGREGATION).parallel(true).limits(10, 25);
    private static final CoarseningOptions CLASSICAL = CoarseningOptions.of(Coarsening.CLASSICAL).limits(10, 25);

    /**
     * Opens the backend under test.
     *
     * @return a backend that the test closes
     */
    @MustBeClosed
    protected abstract Backend openBackend();

    /**
     * Says whether kernels take long, so that a part of the cases has to do.
     *
     * @return false unless overridden
     */
    protected boolean isSlow() {
        return false;
    }

    /**
     * Returns how often the host has waited for numbers of the backend that was opened last.
     *
     * @return a number that grows; empty, if waits are not counted, unless overridden
     */
    protected OptionalLong waits() {
        return OptionalLong.empty();
    }

    /** In known structures there is little to wait for. */
    @Test
    void refreshesHardlyWait() {
        CsrMatrix square = Grids.square(13);
        for (CoarseningOptions options : List.of(SMOOTHED, CLASSICAL)) {
            try (Backend backend = openBackend();
                    DeviceSetup setup = new DeviceSetup(options, backend, Precision.F64)) {
                Assumptions.assumeTrue(waits().isPresent(), "waits are not counted");
                long before = waits().orElseThrow();
                Hierarchy made = setup.run(square, null);
                long between = waits().orElseThrow();
                Hierarchy refreshed = made.refreshed(square.scaled(2));
                long after = waits().orElseThrow();
                made.closeLevels();
                refreshed.closeLevels();
                assertTrue(4 * (after - between) <= 3 * (between - before),
                        options.coarsening() + ": " + (between - before) + " and then " + (after - between));
            }
        }
    }

    /** Reduction is set up on the host, and its cycles, whose R is not Pᵀ, run on the backend. */
    @Test
    void runsCyclesOfReduction() {
        CsrMatrix wind = Grids.square(11).mapValues((i, j, value) -> i == j ? value + 16 : j < i ? value - 8 : value);
        HostVector b = Grids.vector(Precision.F64, wind.rows(), i -> Math.sin(3.0 * i));
        for (String smoother : List.of("fc-jacobi", "fc-gauss-seidel")) {
            Map<String, String> options = Map.of("coarsening", "air", "coarse-rows", "10", "smoother", smoother);
            HostVector expected = HostVector.zeros(Precision.F64, wind.rows());
            HostVector found = HostVector.zeros(Precision.F64, wind.rows());
            try (Backend host = Backends.open("reference", Configuration.load());
                    Backend backend = openBackend();
                    Multigrid here = Multigrid.of(wind, null, options, host);
                    Multigrid there = Multigrid.of(wind, null, options, backend);
                    DenseVector r = backend.vector(Precision.F64, wind.rows());
                    DenseVector z = backend.vector(Precision.F64, wind.rows())) {
                assertTrue(there.hierarchy().size() > 2);
                here.apply(b, expected);
                r.copyFrom(b);
                there.apply(r, z);
                z.copyTo(found);
                assertArrayEquals(expected.doubles(), found.doubles(), 1e-13, smoother);
                UnsupportedKernelException refused = assertThrows(UnsupportedKernelException.class,
                        () -> Hierarchy.onBackend(wind, null, CoarseningOptions.of(Coarsening.AIR), backend));
                assertTrue(refused.getMessage().contains("setup=host works"), refused.getMessage());
            }
        }
    }

    private static void assertSame(String what, CsrMatrix expected, CsrMatrix found) {
        found.requireValid();
        assertTrue(expected.sameAs(found), () -> what + ", seed " + TestSeed.value() + ": expected\n"
                + expected.toText() + "found\n" + found.toText());
    }

    private static void assertSame(String context, Hierarchy expected, Hierarchy found) {
        assertEquals(expected.strength(), found.strength(), context);
        assertEquals(expected.remarks(), found.remarks(), context);
        for (int l = 0; l < Math.min(expected.size(), found.size()); l++) {
            String level = context + ", level " + l;
            int at = l;
            assertSame(level, expected.level(l).matrix(), found.level(l).matrix());
            expected.aggregates(l).ifPresent(of -> assertArrayEquals(of, found.aggregates(at).orElseThrow(), level));
            assertEquals(expected.radius(l), found.radius(l), level);
            expected.level(l).prolongation().ifPresent(p -> {
                assertSame(level + ", P", p, found.level(at).prolongation().orElseThrow());
                assertSame(level + ", R", expected.level(at).restriction().orElseThrow(),
                        found.level(at).restriction().orElseThrow());
            });
        }
        assertEquals(expected.size(), found.size(), context);
    }

    /** Compares a set-up and a refresh. */
    private void compare(String name, CsrMatrix matrix, NearNullSpace space, CoarseningOptions options) {
        try (Backend backend = openBackend();
                DeviceSetup setup = new DeviceSetup(options, backend, matrix.precision())) {
            Hierarchy host = Hierarchy.of(matrix, space, options);
            Hierarchy there = setup.run(matrix, space);
            assertSame(name, host, there);
            if (isSlow() && !name.startsWith("square") && !name.startsWith("rigid")) {
                there.closeLevels();
                return;
            }
            CsrMatrix other = matrix.mapValues((row, column, value) -> row == column ? 1.5 * value : 0.9 * value);
            Hierarchy refreshed = there.refreshed(other);
            assertSame(name + ", refreshed", host.refreshed(other), refreshed);
            refreshed.closeLevels();
            there.closeLevels();
        }
    }

    @Test
    void poisson() {
        for (Precision precision : Precision.values()) {
            if (!isSlow() || precision == Precision.F64) {
                compare("square, " + precision, Grids.square(13).toPrecision(precision), null, SMOOTHED);
            }
        }
        compare("cube", Grids.cube(5), null, SMOOTHED.theta(0.05));
    }

    /** One node couples to a clique each of many aggregates, so that its row of the prolongator is very long. */
    @Test
    void rowsOfManyAggregates() {
        int cliques = 140;
        int size = 18;
        CsrBuilder builder = new CsrBuilder(1 + cliques * size, Precision.F64, 0);
        builder.add(0, cliques + 0.1);
        for (int i = 0; i < cliques; i++) {
            builder.add(1 + i * size, -1);
        }
        builder.endRow();
        for (int i = 0; i < cliques; i++) {
            for (int row = 0; row < size; row++) {
                if (row == 0) {
                    builder.add(0, -1);
                }
                for (int column = 0; column < size; column++) {
                    builder.add(1 + i * size + column, column == row ? size + 0.1 * row : -1);
                }
                builder.endRow();
            }
        }
        CsrMatrix matrix = builder.build();
        Hierarchy host = Hierarchy.of(matrix, null, SMOOTHED);
        assertTrue(host.level(0).prolongation().orElseThrow().rowLength(0) > 128, "a longer row was to be tested");
        compare("star", matrix, null, SMOOTHED);
    }

    @Test
    void plainAggregation() {
        compare("settled rows", Grids.square(13).mapValues((row, column, value) -> row == column && row % 5 == 0
                ? 1e3
                : value), null, SMOOTHED.strength(StrengthOptions.of(StrengthMeasure.SIGNED)));
        compare("plain", Grids.square(12), null,
                CoarseningOptions.of(Coarsening.AGGREGATION).parallel(true).limits(20, 3));
    }

    /** Couplings along one direction only are strong, and one-sided ones where a coefficient jumps. */
    @Test
    void signedStrength() {
        CsrMatrix square = Grids.square(12);
        compare("anisotropic", square.mapValues((row, column, value) -> row == column
                ? 2.002
                : Math.abs(row - column) == 1 ? -0.001 : -1), null, SMOOTHED);
        UnaryOperator<CsrMatrix> jump = a -> a.mapValues((row, column, value) -> {
            double size = Math.max(row % 12, column % 12) < 6 ? 1e6 : 1;
            return row == column ? 4 * (row % 12 < 7 ? 1e6 : 1) : -size;
        });
        compare("jump", jump.apply(square), null, SMOOTHED);
    }

    /** Entries of coarse matrices with a stronger path beside them go to the diagonal. */
    @Test
    void thinnedLevels() {
        CsrMatrix cube = Grids.cube(isSlow() ? 6 : 9);
        int side = isSlow() ? 6 : 9;
        CsrMatrix jumps = jumps(cube, row -> row % side < side / 2 && row / side % side > side / 3 ? 1e6 : 1);
        CoarseningOptions thinned = new CoarseningOptions(Coarsening.SMOOTHED_AGGREGATION, true,
                new StrengthOptions(StrengthMeasure.SIGNED, 0.3), CoarseningOptions.Smoothing.usual(),
                CoarseningOptions.Classical.usual(), 0.5, 10,
                25);
        Hierarchy whole = Hierarchy.of(jumps, null, thinned.truncation(0));
        Hierarchy some = Hierarchy.of(jumps, null, thinned);
        assertTrue(some.level(1).matrix().nonZeros() < whole.level(1).matrix().nonZeros(), "nothing to thin out");
        compare("square of jumps", jumps, null, thinned);
        if (!isSlow()) {
            compare("square of jumps, floats", jumps.toPrecision(Precision.F32), null, thinned);
        }
    }

    /** A graph Laplacian whose edges have the mean of two coefficients as weight, and a little more on the diagonal. */
    private static CsrMatrix jumps(CsrMatrix pattern, IntToDoubleFunction coefficient) {
        double[] sums = new double[pattern.rows()];
        pattern.forEachEntry((row, column, value) -> sums[row] += row == column
                ? 0.01
                : 2 / (1 / coefficient.applyAsDouble(row) + 1 / coefficient.applyAsDouble(column)));
        return pattern.mapValues((row, column, value) -> row == column
                ? sums[row]
                : -2 / (1 / coefficient.applyAsDouble(row) + 1 / coefficient.applyAsDouble(column)));
    }

    @Test
    void classicalCoarsening() {
        CsrMatrix square = Grids.square(13);
        compare("square, classical", square, null, CLASSICAL);
        compare("jumps, classical", jumps(square, row -> row % 13 < 5 ? 1e6 : 1), null, CLASSICAL);
        compare("square, truncated", Grids.cube(5), null, new CoarseningOptions(Coarsening.CLASSICAL, false,
                CLASSICAL.strength(), CoarseningOptions.Smoothing.usual(),
                new CoarseningOptions.Classical(CoarseningOptions.SplittingMethod.PMIS, 0, 2, 1,
                        CoarseningOptions.Reduction.usual()),
                0.2, 10, 25));
        if (!isSlow()) {
            compare("floats, classical", square.toPrecision(Precision.F32), null, CLASSICAL);
        }
    }

    /** Rows of positive couplings, of none, and of negative diagonals; and nodes of two unknowns. */
    @Test
    void classicalCoarseningOfAwkwardMatrices() {
        SplittableRandom random = TestSeed.random("classicalCoarseningOfAwkwardMatrices");
        int rows = isSlow() ? 90 : 400;
        CsrMatrix awkward = AwkwardMatrices.random(rows, rows, row -> row % 7, Precision.F64, random)
                .plus(CsrMatrix.identity(rows, Precision.F64).scaled(3))
                .mapValues((row, column, value) -> row % 11 == 3 ? -value : value);
        compare("square without symmetry, classical", awkward, null, CLASSICAL.theta(0.4));
        compare("square of nodes, classical", elastic(isSlow() ? 5 : 11),
                NearNullSpace.constants(elastic(isSlow() ? 5 : 11).rows(), 2), CLASSICAL);
        compare("nothing coupled, classical", CsrMatrix.identity(30, Precision.F64), null, CLASSICAL);
    }

    /** A vector with zeros leaves columns empty, and a pattern that is not symmetric is made so. */
    @Test
    void givenVectorsAndUnsymmetricMatrices() {
        SplittableRandom random = TestSeed.random("givenVectorsAndUnsymmetricMatrices");
        double[] vector = random.doubles(169, 0.5, 2).toArray();
        Arrays.fill(vector, 0, 50, 0);
        compare("vector", Grids.square(13), NearNullSpace.given(1, vector), SMOOTHED);
        CsrMatrix unsymmetric = AwkwardMatrices.random(150, 150, row -> 1 + row % 3, Precision.F64, random)
                .plus(CsrMatrix.identity(150, Precision.F64).scaled(4));
        compare("unsymmetric", unsymmetric, null, SMOOTHED);
    }

    /** Nodes of several unknowns: constants, rigid body motions, and vectors that depend on others in an aggregate. */
    @Test
    void nodesOfSeveralUnknowns() {
        CsrMatrix elastic = elastic(isSlow() ? 7 : 11);
        int nodes = elastic.rows() / 2;
        int side = (int) Math.round(Math.sqrt(nodes));
        double[] places = new double[elastic.rows()];
        for (int node = 0; node < nodes; node++) {
            int line = node / side;
            places[2 * node] = node % side;
            places[2 * node + 1] = line;
        }
        compare("rigid body", elastic, NearNullSpace.rigidBody(places, 2), SMOOTHED);
        compare("square of constants", elastic, NearNullSpace.constants(elastic.rows(), 2), SMOOTHED.theta(0.1));
        if (!isSlow()) {
            compare("floats", elastic.toPrecision(Precision.F32), NearNullSpace.rigidBody(places, 2), SMOOTHED);
            compare("plain blocks", elastic, NearNullSpace.rigidBody(places, 2),
                    CoarseningOptions.of(Coarsening.AGGREGATION).parallel(true).limits(20, 3));
        }
    }

    /** Several vectors of a scalar problem make nodes of several unknowns on the next level, also with signs. */
    @Test
    void severalVectors() {
        CsrMatrix square = Grids.square(12);
        double[] ones = new double[square.rows()];
        double[] slope = new double[square.rows()];
        Arrays.fill(ones, 1);
        Arrays.setAll(slope, row -> row % 12);
        compare("two vectors", square, NearNullSpace.given(1, ones, slope), SMOOTHED);
        compare("two vectors, signed", square.mapValues((row, column, value) -> row == column
                ? 2.002
                : Math.abs(row - column) == 1 ? -0.001 : -1), NearNullSpace.given(1, ones, slope), SMOOTHED);
    }

    /** Springs along edges and diagonals of a square, two displacements a node, and a soft bed. */
    private static CsrMatrix elastic(int side) {
        double[][] dense = new double[2 * side * side][2 * side * side];
        for (int node = 0; node < side * side; node++) {
            for (int[] to : new int[][]{{1, 0}, {0, 1}, {1, 1}, {1, -1}}) {
                int x = node % side + to[0];
                int y = node / side + to[1];
                if (x < side && y >= 0 && y < side) {
                    spring(dense, 2 * node, 2 * (y * side + x), to);
                }
            }
            dense[2 * node][2 * node] += 1e-3;
            dense[2 * node + 1][2 * node + 1] += 1e-3;
        }
        return DenseBlocks.fromRows(dense, Precision.F64).filter((i, j, value) -> value != 0 || i / 2 == j / 2);
    }

    private static void spring(double[][] dense, int a, int b, int[] along) {
        double square = along[0] * along[0] + along[1] * along[1];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                double stiffness = along[i] * along[j] / square;
                dense[a + i][a + j] += stiffness;
                dense[b + i][b + j] += stiffness;
                dense[a + i][b + j] -= stiffness;
                dense[b + i][a + j] -= stiffness;
            }
        }
    }

    @Test
    void tinyAndRefused() {
        compare("diagonal", CsrMatrix.identity(30, Precision.F64), null, SMOOTHED);
        compare("one row", CsrMatrix.identity(1, Precision.F64), null, SMOOTHED);
        try (Backend backend = openBackend(); DeviceSetup setup = new DeviceSetup(SMOOTHED, backend, Precision.F64)) {
            CsrMatrix infinite = CsrMatrix.identity(3, Precision.F64)
                    .mapValues((row, column, value) -> row == 1 ? Double.NaN : value);
            assertTrue(assertThrows(IllegalArgumentException.class, () -> setup.run(infinite, null)).getMessage()
                    .contains("row 1"));
        }
    }
}
