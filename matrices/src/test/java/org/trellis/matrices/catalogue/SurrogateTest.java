package org.trellis.matrices.catalogue;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.common.Precision;
import org.trellis.matrices.catalogue.ThesisMatrix.Origin;
import org.trellis.matrices.generate.RowSource;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.MatrixStatistics;
import org.trellis.testing.TestLength;

class SurrogateTest {
    /** Matrices above this size are made whole only on demand; their row lengths are checked always. */
    private static final long SMALL = 3_000_000;
    private static final boolean ALL = Boolean.getBoolean("trellis.test.surrogates");

    static Stream<String> names() {
        return ThesisMatrix.all().stream().map(ThesisMatrix::name);
    }

    @Test
    void thereAreFortyFourOfWhichFifteenHaveAPublishedDeviation() {
        assertEquals(44, ThesisMatrix.all().size());
        assertEquals(44, names().distinct().count());
        List<ThesisMatrix> published = ThesisMatrix.all().stream()
                .filter(m -> m.deviationOrigin() == Origin.PUBLISHED).toList();
        assertEquals(15, published.size());
        assertTrue(ThesisMatrix.all().subList(0, 15).containsAll(published), "Table 4.1 comes first");
        assertEquals(14.05, ThesisMatrix.named("cant").deviation());
        assertEquals(11_524_432, ThesisMatrix.named("pwtk").nonZeros(), "without its 109992 explicit zeros");
        assertEquals(109_992, ThesisMatrix.named("pwtk").explicitZeros());
        assertEquals("qcd5_4", ThesisMatrix.named("conf5_4-8x8-05").name());
        String message = assertThrows(IllegalArgumentException.class, () -> ThesisMatrix.named("cnat")).getMessage();
        assertTrue(message.contains("near matches: cant"), message);
    }

    @ParameterizedTest
    @MethodSource("names")
    void printedMeansAreThoseOfTheFullMatrixOrOfOneTriangle(String name) {
        ThesisMatrix facts = ThesisMatrix.named(name);
        assertFalse(facts.deviationNote().isEmpty());
        if (facts.thesisMean().isPresent()) {
            double printed = facts.thesisMean().getAsDouble();
            double triangle = (facts.nonZeros() + facts.diagonal()) / 2.0 / facts.rows();
            boolean half = name.equals("F1") || name.equals("pdb1HYS");
            // Printed to one decimal, cut rather than rounded, or to a whole number.
            assertEquals(printed, half ? triangle : facts.mean(), printed > 100 ? 1 : 0.13);
        }
    }

    /** Those that are made for a test too, and all at night. */
    static Stream<String> counted() {
        return names().filter(name -> TestLength.isLong() || ThesisMatrix.named(name).nonZeros() <= SMALL);
    }

    @ParameterizedTest
    @MethodSource("counted")
    void rowLengthsAreThoseOfTheFacts(String name) {
        ThesisMatrix facts = ThesisMatrix.named(name);
        RowSource rows = Surrogate.of(facts).rowSource();
        assertEquals(facts.rows(), rows.rows());
        assertEquals(facts.columns(), rows.columns());
        long sum = 0;
        double squares = 0;
        for (int row = 0; row < rows.rows(); row++) {
            int length = rows.length(row);
            sum += length;
            squares += (length - facts.mean()) * (length - facts.mean());
        }
        assertEquals(facts.nonZeros(), sum);
        double deviation = Math.sqrt(squares / facts.rows());
        // The published 0.24 of atmosmodd is 0.245 with one more digit.
        double rounding = facts.deviationOrigin() == Origin.PUBLISHED ? 0.005 : 0.0005;
        assertEquals(facts.deviation(), deviation, Surrogate.DEVIATION_TOLERANCE * facts.deviation() + rounding);
    }

    @ParameterizedTest
    @MethodSource("names")
    void matricesHaveTheStructureOfTheFacts(String name) {
        ThesisMatrix facts = ThesisMatrix.named(name);
        assumeTrue(ALL || facts.nonZeros() <= SMALL,
                "large; made with -Dtrellis.test.surrogates=true");
        CsrMatrix matrix = Surrogate.of(facts).generate(Precision.F32);
        MatrixStatistics found = matrix.statistics();
        assertEquals(facts.rows(), found.rows());
        assertEquals(facts.columns(), found.columns());
        assertEquals(facts.nonZeros(), found.nonZeros());
        assertEquals(0, found.explicitZeros());
        if (facts.patternSymmetry() == 1) {
            assertTrue(found.patternSymmetric());
            assertEquals(facts.diagonal(), found.diagonalEntries());
        }
        if (facts.symmetric()) {
            assertTrue(found.symmetric());
        }
        if (facts.bandwidth() < facts.rows() / 20 && facts.patternSymmetry() == 1) {
            assertTrue(found.upperBandwidth() <= facts.bandwidth(), found.upperBandwidth() + " is wide");
        }
        if (facts.positiveDefinite()) {
            assertDominant(matrix);
        }
    }

    /** Strict diagonal dominance, which implies that the symmetric matrix is positive definite. */
    private static void assertDominant(CsrMatrix matrix) {
        double[] surplus = new double[matrix.rows()];
        matrix.forEachEntry((i, j, value) -> surplus[i] += i == j ? value : -Math.abs(value));
        boolean grid = Arrays.stream(surplus).anyMatch(s -> s == 0);
        for (double s : surplus) {
            // Rows inside a stencil's grid have no surplus; the rows at its border make the matrix definite.
            assertTrue(grid ? s >= 0 : s > 0.9, "surplus " + s);
        }
    }

    @Test
    void longRowsOfDc1AreThoseOfTheThesis() {
        int[] lengths = Surrogate.of(ThesisMatrix.named("dc1")).generate(Precision.F32).rowLengths();
        int first = 0;
        while (lengths[first] < 1000) {
            first++;
        }
        assertEquals(114_200, lengths[first]);
        assertEquals(47_190, lengths[first + 1], "the two are neighbours");
        assertEquals(2, Arrays.stream(lengths).filter(l -> l > 1000).count());
    }

    @Test
    void unknownsOfANodeShareTheirColumns() {
        CsrMatrix matrix = Surrogate.of(ThesisMatrix.named("cant")).generate(Precision.F32);
        int shared = 0;
        for (int node = 0; node < 20_000; node++) {
            shared += Arrays.equals(columns(matrix, 3 * node), columns(matrix, 3 * node + 1)) ? 1 : 0;
        }
        assertTrue(shared >= 19_998, "only the node with dropped couplings differs: " + shared);
    }

    private static int[] columns(CsrMatrix matrix, int row) {
        int[] offsets = matrix.onlySegment().rowOffsets();
        return Arrays.copyOfRange(matrix.onlySegment().columnIndices(), offsets[row], offsets[row + 1]);
    }

    @Test
    void surrogatesAreAlwaysTheSameAndLabelled() {
        Surrogate surrogate = Surrogate.of(ThesisMatrix.named("scircuit"));
        CsrMatrix once = surrogate.generate(Precision.F64);
        assertTrue(once.sameAs(Surrogate.of(ThesisMatrix.named("scircuit")).generate(Precision.F64)));
        assertTrue(once.toPrecision(Precision.F32).sameAs(surrogate.generate(Precision.F32)));
        assertEquals("surrogate:scircuit", surrogate.name());
        assertNotEquals(once.get(0, 0), 0);
    }

    @Test
    void histogramsAreExactOnTinyRanges() {
        assertArrayEquals(new int[]{2, 2, 2}, LengthHistogram.fit(3, 6, 0, 1, 3, false));
        assertArrayEquals(new int[]{1, 1, 3, 3}, LengthHistogram.fit(4, 8, 1, 1, 3, false));
        assertArrayEquals(new int[]{5}, LengthHistogram.fit(1, 5, 0, 1, 9, true));
        int[] skewed = LengthHistogram.fit(10_000, 31_000, 25, 1, 2000, true);
        assertEquals(31_000, Arrays.stream(skewed).sum());
        assertEquals(25, Math.sqrt(Arrays.stream(skewed).mapToDouble(l -> (l - 3.1) * (l - 3.1)).sum() / 10_000), 0.2);
        assertThrows(IllegalArgumentException.class, () -> LengthHistogram.fit(3, 10, 1, 1, 3, false));
    }

    @Test
    void latticeStepsStartNearby() {
        int[] steps = LatticeSteps.make(1000, 3, 1000, 13, false);
        assertArrayEquals(new int[]{1, 10, 100}, Arrays.copyOf(steps, 3));
        assertEquals(0, LatticeSteps.make(1000, 2, 1000, 9, true)[0]);
        assertEquals(40, Arrays.stream(LatticeSteps.make(1000, 3, 20, 40, true)).distinct().count());
    }
}
