package org.trellis.cuda.sparse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

class CudaConstraintsTest {
    private static final SpmvParameters CSR = SpmvParameters.of(SpmvFamily.CSR).withBlockSize(128);
    private static final SpmvParameters SELL =
            Chunked.parameters(SpmvFamily.SELL, new ChunkShape(2, 2), 1, 128, 32);

    private final CsrMatrix small = CsrMatrix.identity(10, Precision.F64);

    private static Optional<String> objection(CsrMatrix matrix, SpmvParameters parameters) {
        return CudaConstraints.objection(new MatrixView(matrix), parameters, matrix.precision());
    }

    private void refused(String reason, SpmvParameters parameters) {
        String actual = objection(small, parameters).orElse("accepts " + parameters);
        assertTrue(actual.contains(reason), actual);
    }

    @Test
    void saysWhatIsWrongAndWhatWouldWork() {
        refused("simd is true, expected false", CSR.withSimd(true));
        refused("blockSize is 0, expected a multiple of 32", CSR.withBlockSize(0));
        refused("blockSize is 100, expected a multiple of 32", CSR.withBlockSize(100));
        refused("blockSize is 2048, expected a multiple of 32 from 32 to 1024", CSR.withBlockSize(2048));
        refused("chunkRows is 32 and sortingWindow 1, expected 0 and 0", CSR.withChunks(32, 1));
        refused("family is coo, expected csr", SpmvParameters.of(SpmvFamily.COO).withBlockSize(128));
        refused("cooperatingThreads is 2, expected 1", CudaRule.tiles(128, 4, 32).withCooperatingThreads(2));
        refused("bytes of shared memory, expected at most 49152", CudaRule.tiles(1024, 8, 32));
        refused("non-zeros of a thread) is 64, expected at most 32", CudaRule.tiles(32, 64, 32));
        refused("rows of a thread) is 3, expected 1, 2 or 4", SELL.withRowsPerGroup(3));
        refused("chunkRows is 31, expected 32: 32 / cooperatingThreads * rowsPerGroup", SELL.withChunks(31, 1));
        refused("sortingWindow is 0, expected at least 1", SELL.withChunks(32, 0));
        refused("indexBits is 32, expected 16 for family sell-runs",
                Chunked.parameters(SpmvFamily.SELL_RUNS, new ChunkShape(1, 1), 1, 128, 32));
    }

    @Test
    void refusesTooMuchPaddingAndAcceptsItSorted() {
        CsrMatrix skewed = AwkwardMatrices.random(40_000, 3_000, row -> row % 200 == 0 ? 2_000 : 3, Precision.F32,
                TestSeed.random("padding"));
        SpmvParameters unsorted = Chunked.parameters(SpmvFamily.SELL, new ChunkShape(1, 4), 1, 128, 32);
        String reason = objection(skewed, unsorted).orElse("accepts it");
        assertTrue(reason.contains("entries with padding") && reason.contains("larger sortingWindow"), reason);
        assertEquals(Optional.empty(), objection(skewed, unsorted.withChunks(128, 40_000)));
    }

    @Test
    void refusesRowsThatDoNotFitTheRecordOfAChunk() {
        CsrMatrix wide = AwkwardMatrices.random(2, 70_000, row -> 70_000, Precision.F32, TestSeed.random("wide"));
        SpmvParameters one = Chunked.parameters(SpmvFamily.SELL_RUNS, new ChunkShape(1, 1), 1, 128, 16);
        assertTrue(objection(wide, one).orElse("").contains("rows of up to 70000 non-zeros, expected at most 65535"));
        SpmvParameters two = Chunked.parameters(SpmvFamily.SELL_RUNS, new ChunkShape(32, 1), 1, 128, 16);
        assertEquals(Optional.empty(), objection(wide, two));
    }

    @Test
    void candidatesDoNotRepeatAndHoldBothRules() {
        for (Map.Entry<String, CsrMatrix> each : AwkwardMatrices.all(Precision.F64, TestSeed.random("candidates"))
                .entrySet()) {
            MatrixView view = new MatrixView(each.getValue());
            SpmvParameters rule = CudaRule.parameters(view.profile(), Precision.F64);
            List<SpmvParameters> all = new ArrayList<>(CudaParameterSpace.candidates(view.profile(), rule));
            assertEquals(all.size(), new HashSet<>(all).size(), each.getKey());
            assertTrue(all.contains(rule), each.getKey());
            assertTrue(all.contains(FixedCsrHeuristic.parameters(view.profile().rows(), view.profile().nonZeros())));
            assertTrue(CudaConstraints.objection(view, rule, Precision.F64).isEmpty(), each.getKey() + ": " + rule);
            assertTrue(all.size() < 250, each.getKey() + ": " + all.size() + " candidates");
        }
    }
}
