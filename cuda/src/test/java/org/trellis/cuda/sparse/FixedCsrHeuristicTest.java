package org.trellis.cuda.sparse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;

/** Cases worked out by hand from section 4.5.1 of the thesis. */
class FixedCsrHeuristicTest {
    /**
     * Rows and non-zeros are those of table 4.1. For atmosmodd: the root of 6.94 is 2.63, so 4 threads; 1270432 rows
     * with 4 threads are 5081728 threads, 39701 blocks of 128; 26 rows a group leave 1527 blocks, 27 would leave 1471.
     */
    @ParameterizedTest
    @CsvSource({"1270432, 8814880, 4, 26, 1527", // atmosmodd
        "1505785, 27130349, 8, 62, 1518", // cage14
        "62451, 4007383, 16, 5, 1562", // cant: the root of 64.17 is more than 8
        "206500, 1273389, 4, 4, 1614", // mac_econ_fwd500
        "81920, 327680, 4, 1, 2560", // shallow_water1: the root of 4 is 2, and larger than it is 4
        "72000, 28715634, 32, 12, 1500", // nd24k
        "1000005, 3105536, 2, 10, 1563", // webbase-1M
        "100, 100, 2, 1, 2", // one entry a row: larger than 1 is 2
        "100, 99, 1, 1, 1"})
    void followsTheThesis(int rows, long nonZeros, int cooperating, int rowsPerGroup, long blocks) {
        SpmvParameters parameters = FixedCsrHeuristic.parameters(rows, nonZeros);
        assertEquals(SpmvFamily.CSR, parameters.family());
        assertEquals(128, parameters.blockSize());
        assertEquals(cooperating, parameters.cooperatingThreads());
        assertEquals(rowsPerGroup, parameters.rowsPerGroup());
        assertEquals(blocks, FixedCsrHeuristic.gridSize(rows, parameters));
    }

    @Test
    void hasAtLeast1500BlocksWhereThereAreThatMany() {
        for (int rows = 1; rows < 3_000_000; rows = rows * 5 / 4 + 1) {
            for (int length : new int[]{1, 3, 17, 500}) {
                SpmvParameters parameters = FixedCsrHeuristic.parameters(rows, (long) rows * length);
                long blocks = FixedCsrHeuristic.gridSize(rows, parameters);
                assertTrue(blocks >= 1500 || parameters.rowsPerGroup() == 1, rows + " rows: " + parameters);
                assertTrue(
                        FixedCsrHeuristic.gridSize(rows,
                                parameters.withRowsPerGroup(parameters.rowsPerGroup() + 1)) < 1500,
                        rows + " rows: fewer rows a group than could be, " + parameters);
            }
        }
    }

    @Test
    void takesEmptyMatrices() {
        assertEquals(1, FixedCsrHeuristic.parameters(0, 0).cooperatingThreads());
        assertEquals(1, FixedCsrHeuristic.parameters(5, 0).cooperatingThreads());
        assertEquals(0, FixedCsrHeuristic.gridSize(0, FixedCsrHeuristic.parameters(0, 0)));
    }
}
