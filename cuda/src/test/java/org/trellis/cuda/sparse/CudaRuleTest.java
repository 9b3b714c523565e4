package org.trellis.cuda.sparse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.common.Precision;

class CudaRuleTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        // rows | non-zeros | longest | precision | parameters
        "325557 | 3216152 | 2716 | F64 | csr-balanced rowsPerGroup=4 blockSize=512",
        "46500 | 139498 | 46500 | F32 | csr-balanced rowsPerGroup=2 blockSize=512",
        "4884 | 290378 | 81 | F64 | csr cooperatingThreads=16 blockSize=128",
        "156317 | 2118662 | 44 | F64 | csr cooperatingThreads=4 blockSize=128",
        "62032 | 243088 | 4 | F32 | csr blockSize=128",
        "4000000 | 19992000 | 5 | F64 | "
                + "sell-runs rowsPerGroup=2 blockSize=128 chunkRows=64 sortingWindow=1 indexBits=16",
        "4000000 | 19992000 | 5 | F32 | "
                + "sell-runs rowsPerGroup=4 blockSize=128 chunkRows=128 sortingWindow=1 indexBits=16",
        "41472 | 3087000 | 81 | F64 | "
                + "sell-runs cooperatingThreads=2 blockSize=128 chunkRows=16 sortingWindow=1 indexBits=16",
        "180600 | 3236392 | 18 | F64 | "
                + "sell-runs rowsPerGroup=2 blockSize=128 chunkRows=64 sortingWindow=1 indexBits=16",
        "157464 | 3866688 | 43 | F64 | "
                + "sell-runs rowsPerGroup=2 blockSize=128 chunkRows=64 sortingWindow=1 indexBits=16",
        "120000 | 5025744 | 102 | F64 | "
                + "sell-runs blockSize=128 chunkRows=32 sortingWindow=1024 indexBits=16",
        "47740 | 851368 | 18 | F64 | "
                + "sell-runs blockSize=128 chunkRows=32 sortingWindow=1 indexBits=16",
        "2000000 | 40000000 | 400 | F64 | "
                + "sell-runs blockSize=128 chunkRows=32 sortingWindow=1024 indexBits=16"})
    void proposes(int rows, long nonZeros, int longest, Precision precision, String expected) {
        assertEquals(expected,
                CudaRule.parameters(new RowProfile(rows, rows, nonZeros, longest), precision).toString());
    }

    @Test
    void takesEmptyMatrices() {
        assertEquals("csr blockSize=128", CudaRule.parameters(new RowProfile(0, 0, 0, 0), Precision.F64).toString());
        assertEquals("csr blockSize=128", CudaRule.parameters(new RowProfile(9, 9, 0, 0), Precision.F32).toString());
    }

    @Test
    void powersAreNearestOnALogarithmicScale() {
        assertEquals(1, CudaRule.nearestPower(0));
        assertEquals(1, CudaRule.nearestPower(1.41));
        assertEquals(2, CudaRule.nearestPower(1.42));
        assertEquals(4, CudaRule.nearestPower(4.9));
        assertEquals(32, CudaRule.nearestPower(1e9));
        assertTrue(CudaRule.nearestPower(22.6) == 16 && CudaRule.nearestPower(22.7) == 32);
    }
}
