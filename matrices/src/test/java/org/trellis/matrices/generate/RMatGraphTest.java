package org.trellis.matrices.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.matrices.generate.RMatGraph.Options;
import org.trellis.matrices.generate.RMatGraph.Quadrants;
import org.trellis.sparse.CsrMatrix;

class RMatGraphTest {
    private static CsrMatrix make(int scale, Quadrants quadrants, Options options) {
        return new RMatGraph(scale, 8, quadrants, options, 3).generate(Precision.F64);
    }

    private static double sum(CsrMatrix matrix) {
        double[] sum = new double[1];
        matrix.forEachEntry((i, j, value) -> sum[0] += value);
        return sum[0];
    }

    @Test
    void everyEdgeIsCounted() {
        CsrMatrix graph = make(10, Quadrants.GRAPH500, new Options(false, true, true, true));
        assertEquals(1024, graph.rows());
        assertEquals(8 * 1024, sum(graph));
        assertTrue(graph.nonZeros() < 8 * 1024, "some are repeated");
        CsrMatrix once = make(10, Quadrants.GRAPH500, new Options(false, false, true, true));
        assertEquals(graph.nonZeros(), once.nonZeros());
        assertEquals((double) once.nonZeros(), sum(once));
    }

    @Test
    void certainQuadrantsGiveOnePlace() {
        Options plain = new Options(false, true, true, false);
        CsrMatrix corner = make(4, new Quadrants(1, 0, 0), plain);
        assertEquals(1, corner.nonZeros());
        assertEquals(128, corner.get(0, 0));
        assertEquals(128, make(4, new Quadrants(0, 1, 0), plain).get(0, 15));
        assertEquals(128, make(4, new Quadrants(0, 0, 1), plain).get(15, 0));
        assertEquals(128, make(4, new Quadrants(0, 0, 0), plain).get(15, 15));
        assertEquals(0, make(4, new Quadrants(1, 0, 0), new Options(false, true, false, false)).nonZeros(), "no loops");
    }

    @Test
    void quadrantsHaveTheirShares() {
        CsrMatrix graph = make(14, new Quadrants(0.5, 0.25, 0.15), new Options(false, true, true, false));
        double[] share = new double[4];
        graph.forEachEntry((i, j, value) -> share[(i >> 13) * 2 + (j >> 13)] += value / (8 << 14));
        assertEquals(0.5, share[0], 0.01);
        assertEquals(0.25, share[1], 0.01);
        assertEquals(0.15, share[2], 0.01);
        assertEquals(0.1, share[3], 0.01);
    }

    @Test
    void symmetricGraphsAreSymmetric() {
        CsrMatrix graph = make(9, Quadrants.GRAPH500, new Options(true, true, true, true));
        assertTrue(Dense.isSymmetric(graph));
        assertFalse(Dense.isSymmetric(make(9, Quadrants.GRAPH500, new Options(false, true, true, true))));
    }

    @Test
    void rowsAreSkewed() {
        CsrMatrix graph = make(12, Quadrants.GRAPH500, new Options(true, false, false, true));
        assertTrue(graph.statistics().maximumRowLength() > 10 * graph.statistics().meanRowLength());
        assertEquals(0, graph.statistics().diagonalEntries());
    }

    @Test
    void smallestGraphsWork() {
        assertEquals(1, make(0, Quadrants.GRAPH500, new Options(false, false, true, true)).nonZeros());
        assertEquals(0, new RMatGraph(3, 0, Quadrants.GRAPH500, new Options(true, true, true, true), 1)
                .generate(Precision.F32).nonZeros());
    }

    @Test
    void wrongParametersAreNamed() {
        Options options = new Options(true, true, true, true);
        StencilsTest.assertMessage("scale is 31", () -> new RMatGraph(31, 1, Quadrants.GRAPH500, options, 1));
        StencilsTest.assertMessage("edgeFactor is 1.0E9", () -> new RMatGraph(9, 1e9, Quadrants.GRAPH500, options, 1));
        StencilsTest.assertMessage("a, b, c are 0.5, 0.5, 0.5", () -> new Quadrants(0.5, 0.5, 0.5));
    }
}
