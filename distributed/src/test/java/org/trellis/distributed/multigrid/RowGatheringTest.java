package org.trellis.distributed.multigrid;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.distributed.partitioned.RowBlock;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.PartitionedCase;

/** Rows come together on the first rank and are dealt out again, in pieces of any size. */
class RowGatheringTest {
    /** Pieces of single rows, of a few, and of all. */
    @ParameterizedTest
    @CsvSource({"1, 1, F64", "2, 1, F32", "3, 7, F64", "4, 40, F32", "5, 100000, F64"})
    void rowsComeBackAsTheyWere(int ranks, int entries, Precision precision) {
        for (PartitionedCase problem : PartitionedCase.all(ranks, precision)) {
            CsrMatrix matrix = problem.matrix();
            List<RowBlock> dealt = ThreadRanks.run(ranks, communicator -> {
                PartitionedMatrix own = PartitionedMatrix.scatter(communicator, 0, matrix, problem.partition());
                RowGathering gathering = new RowGathering(communicator, entries);
                CsrMatrix whole = gathering.gather(own.rows(), matrix.rows());
                long[] indices = own.rows().indices();
                if (communicator.rank() == 0) {
                    RankHierarchyTest.assertSame(matrix, whole, problem.name());
                } else {
                    assertNull(whole, problem.name());
                }
                int[][] owned = GatheredLevels.owned(own);
                RowBlock back = gathering.scatter(whole, owned, indices, precision);
                assertArrayEquals(own.rows().offsets(), back.offsets(), problem.name());
                assertArrayEquals(own.rows().columns(), back.columns(), problem.name());
                return back;
            });
            RankHierarchyTest.assertSame(matrix, RankHierarchyTest.whole(dealt, matrix.rows()), problem.name());
            assertEquals(ranks, dealt.size());
        }
    }
}
