package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.solve.smooth.LanczosRadius;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.sparse.algebra.KroneckerProduct;
import org.trellis.sparse.algebra.MatrixProduct;
import org.trellis.testing.DenseReference;
import org.trellis.testing.TestSeed;

/** Hierarchies by hand on a line, and their properties on others. */
final class HierarchyTest {
    private static CoarseningOptions options(Coarsening kind, int coarseRows) {
        return CoarseningOptions.of(kind).limits(coarseRows, 20);
    }

    private static void assertClose(double[][] expected, CsrMatrix actual) {
        DenseReference.assertElements(expected, actual.columns(), actual, 1e-12, "by hand");
    }

    /** Six points: the first takes its neighbour, the next free one with free neighbours is the fourth. */
    @Test
    void aggregatesOfALine() {
        Hierarchy hierarchy = Hierarchy.of(Grids.line(6), null, options(Coarsening.AGGREGATION, 3));
        assertArrayEquals(new int[]{0, 0, 1, 1, 1, 1}, hierarchy.aggregates(0).orElseThrow());
        double a = 1 / Math.sqrt(2);
        double b = 0.5;
        assertClose(new double[][]{{a, 0}, {a, 0}, {0, b}, {0, b}, {0, b}, {0, b}},
                hierarchy.level(0).prolongation().orElseThrow());
        // Within an aggregate the sum of a path is 2 for each end that is cut, less the coupling that stays.
        assertClose(new double[][]{{1, -a * b}, {-a * b, 0.5}}, hierarchy.level(1).matrix());
    }

    /** ρ(D⁻¹A) of five points is 1 + cos(π/6), of which 24 bits count; P = (I − 4/3 / ρ D⁻¹A) T. */
    @Test
    void smoothedProlongatorOfALine() {
        Hierarchy hierarchy = Hierarchy.of(Grids.line(5), null, options(Coarsening.SMOOTHED_AGGREGATION, 2));
        assertArrayEquals(new int[]{0, 0, 1, 1, 1}, hierarchy.aggregates(0).orElseThrow());
        double omega = 4.0 / 3 / LanczosRadius.rounded(1 + Math.cos(Math.PI / 6)) / 2;
        double a = 1 / Math.sqrt(2);
        double b = 1 / Math.sqrt(3);
        double[][] p = {{a - omega * a, 0}, {a - omega * a, omega * b}, {omega * a, b - omega * b}, {0, b},
            {0, b - omega * b}};
        assertClose(p, hierarchy.level(0).prolongation().orElseThrow());
        double[][] dense = DenseReference.of(Grids.line(5));
        double[][] ap = DenseReference.product(dense, p, 2);
        double[][] transposed = {new double[5], new double[5]};
        for (int i = 0; i < 5; i++) {
            transposed[0][i] = p[i][0];
            transposed[1][i] = p[i][1];
        }
        assertClose(DenseReference.product(transposed, ap, 2), hierarchy.level(1).matrix());
    }

    /** Every other point of a long line stays, and the others take the mean of their neighbours. */
    @Test
    void classicalInterpolationReproducesConstants() {
        Hierarchy hierarchy = Hierarchy.of(Grids.freeLine(40), null, options(Coarsening.CLASSICAL, 20));
        CsrMatrix p = hierarchy.level(0).prolongation().orElseThrow();
        double[] ones = new double[p.columns()];
        Arrays.fill(ones, 1);
        for (double value : p.multiply(ones)) {
            assertEquals(1, value, 1e-12);
        }
        for (int row = 0; row < p.rows(); row++) {
            assertTrue(p.rowLength(row) >= 1 && p.rowLength(row) <= 2, "row " + row);
        }
    }

    /** A coarse space holds the near null space exactly. */
    @ParameterizedTest
    @EnumSource(names = {"AGGREGATION", "SMOOTHED_AGGREGATION"})
    void nearNullSpaceIsReproduced(Coarsening kind) {
        int n = 12;
        double[] coordinates = new double[2 * n * n];
        for (int i = 0; i < n * n; i++) {
            coordinates[2 * i] = i % n;
            coordinates[2 * i + 1] = Math.floorDiv(i, n);
        }
        NearNullSpace space = NearNullSpace.rigidBody(coordinates, 2);
        CsrMatrix a = KroneckerProduct.of(Grids.square(n),
                CsrMatrix.identity(2, Precision.F64));
        CsrMatrix strong = AggregationSetup.strong(a, space, StrengthOptions.of(StrengthMeasure.SYMMETRIC));
        assertEquals(n * n, strong.rows());
        TentativeProlongator tentative = TentativeProlongator.of(Aggregates.greedy(strong), space, Precision.F64);
        for (int v = 0; v < space.count(); v++) {
            int vector = v;
            double[] coarse = new double[tentative.coarse().rows()];
            Arrays.setAll(coarse, i -> tentative.coarse().get(vector, i));
            double[] fine = tentative.matrix().multiply(coarse);
            for (int row = 0; row < fine.length; row++) {
                assertEquals(space.get(v, row), fine[row], 1e-11, "vector " + v + ", row " + row);
            }
        }
        Hierarchy hierarchy = Hierarchy.of(a, space, options(kind, 30));
        assertTrue(hierarchy.size() >= 2);
        assertEquals(0, hierarchy.level(1).matrix().rows() % 3);
    }

    /** Of one vector and nodes of one unknown: a part of it for each aggregate, of length 1, without its zeros. */
    @Test
    void oneVectorIsDividedIntoUnitParts() {
        SplittableRandom random = TestSeed.random("oneVectorIsDividedIntoUnitParts");
        CsrMatrix a = Grids.square(23);
        double[] vector = random.doubles(a.rows(), -2, 2).toArray();
        Aggregates aggregates = Aggregates.greedy(a);
        for (int node = 0; node < vector.length; node++) {
            vector[node] = node % 11 == 3 || aggregates.of(node) == 5 ? 0 : vector[node];
        }
        for (Precision precision : Precision.values()) {
            TentativeProlongator made =
                    TentativeProlongator.of(aggregates, NearNullSpace.given(1, vector), precision);
            double[] squares = new double[aggregates.count()];
            for (int node = 0; node < vector.length; node++) {
                squares[aggregates.of(node)] += vector[node] * vector[node];
            }
            for (int aggregate = 0; aggregate < squares.length; aggregate++) {
                assertEquals(Math.sqrt(squares[aggregate]), made.coarse().get(0, aggregate));
            }
            for (int node = 0; node < vector.length; node++) {
                double expected = vector[node] == 0 ? 0 : vector[node] / Math.sqrt(squares[aggregates.of(node)]);
                assertEquals(vector[node] == 0 ? 0 : 1, made.matrix().rowLength(node));
                assertEquals(precision == Precision.F64 ? expected : (float) expected,
                        made.matrix().get(node, aggregates.of(node)), "seed " + TestSeed.value());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void refreshedIsSetUpAnew(Coarsening kind) {
        SplittableRandom random = TestSeed.random("refreshedIsSetUpAnew");
        CsrMatrix a = Grids.square(23);
        double[] scale = random.doubles(a.rows(), 0.9, 1.1).toArray();
        CsrMatrix other = a.mapValues((i, j, value) -> value * scale[i] * scale[j]);
        CoarseningOptions options = options(kind, 10);
        Hierarchy before = Hierarchy.of(a, null, options);
        assertTrue(before.size() > 2);
        Hierarchy same = before.refreshed(a);
        for (int l = 0; l < before.size(); l++) {
            assertTrue(before.level(l).matrix().sameAs(same.level(l).matrix()), "level " + l);
        }
        Hierarchy after = before.refreshed(other);
        CsrMatrix p = after.level(0).prolongation().orElseThrow();
        CsrMatrix r = after.level(0).restriction().orElseThrow();
        assertTrue(kind == Coarsening.AIR || r.sameAs(p.transpose()));
        CsrMatrix triple = MatrixProduct.triple(r, other, p);
        assertTrue(triple.closeTo(after.level(1).matrix(), 1e-10, 1e-12), "seed " + TestSeed.value());
    }

    /** The same on one thread and on several. */
    @ParameterizedTest
    @EnumSource
    void threadsDoNotShow(Coarsening kind) throws Exception {
        CsrMatrix a = Grids.square(70);
        CoarseningOptions options = options(kind, 20).parallel(kind != Coarsening.CLASSICAL);
        Hierarchy here = Hierarchy.of(a, null, options);
        try (ForkJoinPool one = new ForkJoinPool(1); ForkJoinPool five = new ForkJoinPool(5)) {
            for (ForkJoinPool pool : List.of(one, five)) {
                Hierarchy there = pool.submit(() -> Hierarchy.of(a, null, options)).get();
                assertEquals(here.size(), there.size());
                for (int l = 0; l < here.size(); l++) {
                    assertTrue(here.level(l).matrix().sameAs(there.level(l).matrix()), "level " + l);
                }
            }
        }
    }

    @Test
    void independentSetsCoverTheGrid() {
        CsrMatrix a = Grids.square(31);
        Aggregates aggregates = Aggregates.independentSet(a);
        int[] sizes = new int[aggregates.count()];
        for (int node = 0; node < a.rows(); node++) {
            sizes[aggregates.of(node)]++;
        }
        assertTrue(Arrays.stream(sizes).min().orElseThrow() >= 3, Arrays.toString(sizes));
        assertTrue(aggregates.count() < a.rows() / 4);
    }

    @Test
    void awkwardMatricesHaveOneLevel() {
        for (Coarsening kind : Coarsening.values()) {
            CsrMatrix empty = CsrMatrix.identity(0, Precision.F64);
            assertEquals(1, Hierarchy.of(empty, null, options(kind, 0)).size());
            Hierarchy diagonal = Hierarchy.of(CsrMatrix.identity(50, Precision.F64), null, options(kind, 0));
            assertEquals(1, diagonal.size());
            assertEquals(List.of(), diagonal.remarks());
            assertEquals(1, diagonal.operatorComplexity());
        }
    }

    /** A node that is coupled to nothing is in no aggregate; one with too few unknowns leaves an empty column. */
    @Test
    void lonelyUnknownsAreKeptApart() {
        CsrBuilder builder = new CsrBuilder(7, Precision.F64, 20);
        for (int i = 0; i < 6; i++) {
            if (i > 0) {
                builder.add(i - 1, -1);
            }
            builder.add(i, 2);
            if (i < 5) {
                builder.add(i + 1, -1);
            }
            builder.endRow();
        }
        CsrMatrix a = builder.add(6, 5).endRow().build();
        Hierarchy hierarchy = Hierarchy.of(a, null, options(Coarsening.SMOOTHED_AGGREGATION, 3));
        assertEquals(-1, hierarchy.aggregates(0).orElseThrow()[6]);
        assertEquals(0, hierarchy.level(0).prolongation().orElseThrow().rowLength(6));
        NearNullSpace twice = NearNullSpace.given(1, new double[]{1, 1, 1, 1, 1, 1, 1},
                new double[]{2, 2, 2, 2, 2, 2, 2});
        CsrMatrix coarse = Hierarchy.of(a, twice, options(Coarsening.AGGREGATION, 3)).level(1).matrix();
        assertEquals(1, coarse.get(1, 1));
        assertEquals(1, coarse.rowLength(1));
    }

    @Test
    void lostCouplingsAreSaid() {
        Hierarchy hierarchy =
                Hierarchy.of(Grids.cube(9), null, options(Coarsening.SMOOTHED_AGGREGATION, 5).theta(0.25));
        assertEquals(1, hierarchy.size());
        assertTrue(hierarchy.remarks().getFirst().contains("729 of 729 nodes have no strong coupling"),
                hierarchy.remarks().toString());
        assertTrue(hierarchy.remarks().getLast().contains("is the last"), hierarchy.remarks().toString());
    }

    @Test
    void refusesWhatDoesNotFit() {
        CsrMatrix a = Grids.line(6);
        CoarseningOptions options = options(Coarsening.SMOOTHED_AGGREGATION, 2);
        assertThrows(IllegalArgumentException.class,
                () -> Hierarchy.of(DenseBlocks.fromRows(new double[][]{{1, 2}}, Precision.F64), null, options));
        assertThrows(IllegalArgumentException.class, () -> Hierarchy.of(a, NearNullSpace.constants(4, 1), options));
        assertThrows(IllegalArgumentException.class,
                () -> Hierarchy.of(a.mapValues((i, j, value) -> i == 2 ? Double.NaN : value), null, options));
        assertThrows(IllegalArgumentException.class, () -> Hierarchy.of(a, null, options).refreshed(Grids.line(7)));
        CsrMatrix infinite = a.mapValues((row, column, value) -> row == 1 ? Double.POSITIVE_INFINITY : value);
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> Hierarchy.of(a, null, options).refreshed(infinite));
        assertTrue(refused.getMessage().contains("expected a finite number"), refused.getMessage());
        assertThrows(IllegalArgumentException.class, () -> Hierarchy.given(List.of()));
        Hierarchy given = Hierarchy.given(List.of(
                HierarchyLevel.of(Grids.line(7), Grids.interpolation(3), Grids.interpolation(3).transpose()),
                HierarchyLevel.coarsest(Grids.line(3))));
        assertThrows(UnsupportedOperationException.class, () -> given.refreshed(Grids.line(7)));
        assertThrows(IllegalArgumentException.class, () -> CoarseningOptions.of(Coarsening.CLASSICAL).theta(1));
    }
}
