package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.DenseReference;

/** Strong couplings by hand, and what is made of weak ones. */
final class StrengthTest {
    private static CsrMatrix sparse(double[][] dense) {
        CsrBuilder builder = new CsrBuilder(dense.length, Precision.F64, 16);
        for (double[] row : dense) {
            for (int column = 0; column < row.length; column++) {
                if (row[column] != 0) {
                    builder.add(column, row[column]);
                }
            }
            builder.endRow();
        }
        return builder.build();
    }

    /** A chain whose couplings fall from left to right, so that each is strong for the node on its right only. */
    private static CsrMatrix chain() {
        return sparse(new double[][]{{8.5, -8, 0, 0}, {-8, 10, -2, 0}, {0, -2, 2.5, -0.5}, {0, 0, -0.5, 1}});
    }

    @Test
    void comparesWithTheGreatestOfTheRow() {
        CsrMatrix a = chain();
        // The greatest of the rows are 8, 8, 2 and 0.5: the middle coupling is 2 of 4, the last one 0.5 of 1.
        assertArrayEquals(new int[]{2, 2, 1, 1}, Strength.signed(a, 0.6).rowLengths());
        assertArrayEquals(new int[]{2, 3, 3, 2}, Strength.signed(a, 0.5).rowLengths());
        assertArrayEquals(new int[]{2, 3, 3, 2}, Strength.signed(a.scaled(-1), 0.5).rowLengths());
        assertArrayEquals(new int[]{2, 2, 2, 2}, Strength.oneSided(a, 0.3).rowLengths());
        assertArrayEquals(new int[]{2, 3, 3, 2}, Strength.oneSided(a, 0.25).rowLengths());
        assertEquals(4.0 / 6, Strength.weakShare(a, 0.6), 1e-15);
        assertEquals(0, Strength.weakShare(a, 0.5));
    }

    @Test
    void positiveCouplingsAreWeak() {
        CsrMatrix a = sparse(new double[][]{{4, -1, 1}, {-1, 4, 0}, {1, 0, 4}});
        assertArrayEquals(new int[]{2, 2, 1}, Strength.signed(a, 0.1).rowLengths());
        assertEquals(0.5, Strength.weakShare(a, 0.1));
    }

    /** The second row's coupling is 0.09 and 0.11 of its diagonal; a positive one does not count. */
    @Test
    void rowsThatSweepsSolveHaveNoStrongCouplings() {
        for (double sign : new double[]{1, -1}) {
            CsrMatrix settled = sparse(new double[][]{{1, -0.9, 0}, {-0.9, 10, 5}, {0, 5, 8}}).scaled(sign);
            assertArrayEquals(new int[]{1, 1, 1}, Strength.signed(settled, 0.1).rowLengths());
            assertArrayEquals(new int[]{2, 1, 1}, Strength.oneSided(settled, 0.1).rowLengths());
            assertEquals(0.5, Strength.weakShare(settled, 0.1));
            CsrMatrix coupled = sparse(new double[][]{{1, -1.1, 0}, {-1.1, 10, 5}, {0, 5, 8}}).scaled(sign);
            assertArrayEquals(new int[]{2, 2, 1}, Strength.signed(coupled, 0.1).rowLengths());
        }
    }

    @Test
    void weakCouplingsGoToTheDiagonal() {
        NearNullSpace space = NearNullSpace.given(1, new double[]{1, 2, 1, 4});
        CsrMatrix filtered = new FilteredMatrix(Strength.oneSided(chain(), 0.3), space).of(chain());
        // A times the vector is -7.5, 10, -3.5 and 3.5, of which negative ones count as 0: row 1 is (10 + 8) / 2.
        DenseReference.assertElements(new double[][]{{16, -8, 0, 0}, {-8, 9, 0, 0}, {0, -2, 4, 0}, {0, 0, -0.5, 1}}, 4,
                filtered, 1e-15, "by hand");
    }

    @Test
    void nodesThatDependOnOthersJoinThem() {
        CsrMatrix a = chain();
        Aggregates alone = Aggregates.greedy(Strength.signed(a, 0.6));
        assertArrayEquals(new int[]{0, 0, Aggregates.NONE, Aggregates.NONE}, of(alone));
        // The third depends on the second; the last one's neighbour was in no aggregate itself.
        assertArrayEquals(new int[]{0, 0, 0, Aggregates.NONE}, of(alone.joined(Strength.oneSided(a, 0.6))));
    }

    private static int[] of(Aggregates aggregates) {
        int[] of = new int[aggregates.nodes()];
        Arrays.setAll(of, aggregates::of);
        return of;
    }

    @Test
    void findsOutWhetherAllCouplingsCount() {
        CoarseningOptions automatic = CoarseningOptions.of(Coarsening.SMOOTHED_AGGREGATION).limits(10, 20);
        assertEquals(StrengthOptions.of(StrengthMeasure.SYMMETRIC),
                Hierarchy.of(Grids.square(12), null, automatic).strength().orElseThrow());
        CsrMatrix stretched = Grids.square(12).mapValues((row, column, value) -> row == column
                ? 2.02
                : Math.abs(row - column) == 1 ? -1 : -0.01);
        Hierarchy lines = Hierarchy.of(stretched, null, automatic);
        assertEquals("signed, theta=0.3", lines.strength().orElseThrow().toString());
        int[] aggregates = lines.aggregates(0).orElseThrow();
        for (int node = 1; node < aggregates.length; node++) {
            assertTrue(node / 12 == (node - 1) / 12 || aggregates[node] != aggregates[node - 1], "node " + node);
            assertTrue(node < 12 || aggregates[node] != aggregates[node - 12], "node " + node);
        }
        assertEquals(StrengthMeasure.SYMMETRIC, Hierarchy.of(stretched, null, automatic.theta(0.1)).strength()
                .orElseThrow().measure());
    }

    @Test
    void refusesWhatMeansNothing() {
        refused("with strength=automatic and theta=0.1", Map.of("strength", "automatic", "theta", "0.1"));
        refused("strength 'odd', expected one of automatic, symmetric, signed", Map.of("strength", "odd"));
        refused("by classical has no option 'strength'", Map.of("strength", "signed", "coarsening", "classical"));
        assertEquals(new StrengthOptions(StrengthMeasure.SIGNED, 0.3),
                MultigridOptions.parse(Map.of("strength", "signed")).coarsening().strength());
        CoarseningOptions signed = CoarseningOptions.of(Coarsening.AGGREGATION)
                .strength(StrengthOptions.of(StrengthMeasure.SIGNED));
        NearNullSpace pairs = NearNullSpace.constants(16, 2);
        String message = assertThrows(IllegalArgumentException.class,
                () -> Hierarchy.of(Grids.square(4), pairs, signed)).getMessage();
        assertTrue(message.contains("for nodes of 2 unknowns, expected strength=symmetric"), message);
    }

    private static void refused(String expected, Map<String, String> options) {
        String message = assertThrows(IllegalArgumentException.class, () -> MultigridOptions.parse(options))
                .getMessage();
        assertTrue(message.contains(expected), message);
    }
}
