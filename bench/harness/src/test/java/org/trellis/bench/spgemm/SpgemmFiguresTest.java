package org.trellis.bench.spgemm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.bench.measure.TimedMatrixProduct;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.SpgemmDocument;
import org.trellis.bench.report.SpgemmRow;
import org.trellis.common.ProgressListener;
import org.trellis.sparse.CsrMatrix;

/** Each figure about products of matrices beside one that was worked out by hand. */
class SpgemmFiguresTest {
    /** Rows (1 2) and (0 3). */
    private static final CsrMatrix TRIANGLE =
            CsrMatrix.of(2, 2, new int[]{0, 2, 3}, new int[]{0, 1, 1}, new double[]{1, 2, 3});

    /** A product that takes as long as is said. */
    private record Fake(CsrMatrix result, double seconds) implements TimedMatrixProduct {
        @Override
        public void run() {
            // The result is there.
        }

        @Override
        public void close() {
            // There is nothing to release.
        }
    }

    private static CsrMatrix triangle(double diagonal, double above, double last) {
        return CsrMatrix.of(2, 2, new int[]{0, 2, 3}, new int[]{0, 1, 1}, new double[]{diagonal, above, last});
    }

    private static double[][] entries(CsrMatrix matrix) {
        double[][] dense = new double[matrix.rows()][matrix.columns()];
        matrix.forEachEntry((row, column, value) -> dense[row][column] = value);
        return dense;
    }

    /** (1 2; 0 3)² = (1 8; 0 9): row 0 needs rows of 2 and 1 entries, row 1 one of 1. */
    @Test
    void countsTermsOfASquare() {
        Problem square = Problem.Kind.SQUARE.of(TRIANGLE);
        assertEquals(2 + 1 + 1, square.terms());
        assertArrayEquals(new double[][]{{1, 8}, {0, 9}}, entries(square.multiply()));
    }

    /** A matrix that is not square is multiplied by its transpose: (1 2) (1 2)ᵀ = 5 by two terms. */
    @Test
    void countsTermsOfARow() {
        Problem row = Problem.Kind.SQUARE.of(CsrMatrix.of(1, 2, new int[]{0, 2}, new int[]{0, 1}, new double[]{1, 2}));
        assertEquals(2, row.terms());
        assertArrayEquals(new double[][]{{5}}, entries(row.multiply()));
    }

    /** (1 1) ((1 2; 0 3) (1 1)ᵀ) = (1 1) (3 3)ᵀ = 6: three terms for the right product, two for the left. */
    @Test
    void countsTermsOfThreeFactors() {
        CsrMatrix row = CsrMatrix.of(1, 2, new int[]{0, 2}, new int[]{0, 1}, new double[]{1, 1});
        Problem coarse = new Problem(List.of(row, TRIANGLE, row.transpose()));
        assertEquals(3 + 2, coarse.terms());
        assertArrayEquals(new double[][]{{6}}, entries(coarse.multiply()));
    }

    /** The greatest element is 4, so that a difference of 1 is an error of 0.25; who is first is exact. */
    @Test
    void comparesWithTheFirst() {
        List<SpgemmRow> rows = rows();
        assertEquals(List.of(0.0, 0.25, 0.5), rows.stream().map(SpgemmRow::largestError).toList());
        assertTrue(rows.get(1).sameStructure());
        assertFalse(rows.get(2).sameStructure(), "an entry more");
        assertEquals(List.of(3L, 3L, 4L), rows.stream().map(SpgemmRow::nonZeros).toList());
        rows.forEach(row -> assertEquals(5, row.samples().length, "rounds where no time is asked for"));
    }

    /** Four million terms are eight million operations: in 2 ms they are 4 GFLOP/s. */
    @Test
    void reckonsOperationsASecond() throws Exception {
        SpgemmDocument document = new SpgemmDocument();
        document.add("triangle", "square", "f64", 4_000_000, rows());
        JsonNode root = new ObjectMapper().readTree(document.toJson(Provenance.of("trellis spgemm"), Map.of()));
        JsonNode records = root.get("records");
        double[] rates = {4, 8, 2};
        double[] medians = {2e-3, 1e-3, 4e-3};
        for (int i = 0; i < rates.length; i++) {
            assertEquals(rates[i], records.get(i).get("gigaFlops").asDouble(), 1e-12);
            assertEquals(medians[i], records.get(i).get("medianSeconds").asDouble());
            assertEquals(medians[i], records.get(i).get("minSeconds").asDouble());
            assertEquals(4_000_000, records.get(i).get("terms").asLong());
        }
    }

    private static List<SpgemmRow> rows() {
        CsrMatrix full = CsrMatrix.of(2, 2, new int[]{0, 2, 4}, new int[]{0, 1, 0, 1}, new double[]{1, 2, 2, 4});
        return new SpgemmBenchmark(0, ProgressListener.NONE).run(List.of(
                new SpgemmBenchmark.Contender("first", 1, new Fake(triangle(1, 2, 4), 2e-3)),
                new SpgemmBenchmark.Contender("off by one", 1, new Fake(triangle(1, 3, 4), 1e-3)),
                new SpgemmBenchmark.Contender("an entry more", 1, new Fake(full, 4e-3))));
    }
}
