package org.trellis.bench.prediction;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.HaloStatistics;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.mesh.partition.Partition;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.PartitionedCase;

/** Halos that are found on one machine, against those that ranks find. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PartHalosTest {
    /** What a plan receives of each neighbour, ring by ring. */
    private record Found(HaloStatistics statistics, int[] sources, List<int[]> received) {}

    private static List<Found> onRanks(PartitionedCase problem, int rings) {
        return ThreadRanks.run(problem.partition().parts(), communicator -> {
            PartitionedMatrix matrix =
                    PartitionedMatrix.scatter(communicator, 0, problem.matrix(), problem.partition());
            try (HaloPlan plan = HaloPlan.of(matrix, rings)) {
                return new Found(plan.statistics(),
                        plan.receives().stream().mapToInt(list -> list.rank()).toArray(),
                        plan.receives().stream().map(list -> list.counts()).toList());
            }
        });
    }

    @Test
    void haveTheNumbersOfPlansOnRanks() {
        for (int parts : new int[]{1, 2, 5}) {
            for (PartitionedCase problem : PartitionedCase.all(parts, Precision.F64)) {
                for (int rings : new int[]{1, 4}) {
                    PartHalos halos = PartHalos.of(problem.matrix(), problem.partition(), rings);
                    List<Found> expected = onRanks(problem, rings);
                    for (int part = 0; part < parts; part++) {
                        assertEquals(expected.get(part).statistics, halos.statistics(part), problem::toString);
                        assertArrayEquals(expected.get(part).sources, halos.parts().get(part).sources(),
                                problem::toString);
                        assertArrayEquals(expected.get(part).received.toArray(),
                                halos.parts().get(part).received(), problem::toString);
                    }
                }
            }
        }
    }

    /** A line of six, cut in the middle: each ring is one element, whose row has three entries. */
    @Test
    void ofALineByHand() {
        int[] offsets = {0, 2, 5, 8, 11, 14, 16};
        int[] columns = {0, 1, 0, 1, 2, 1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5};
        CsrMatrix line = CsrMatrix.of(6, 6, offsets, columns, new double[columns.length]);
        PartHalos halos = PartHalos.of(line, new Partition(new int[]{0, 0, 0, 1, 1, 1}, 2), 3);
        PartHalos.Part first = halos.parts().getFirst();
        assertEquals(3, first.ownedRows());
        assertEquals(2, first.interiorRows());
        assertEquals(8, first.ownedNonZeros());
        assertEquals(5, first.interiorNonZeros());
        assertArrayEquals(new int[]{1, 1, 1}, first.ringRows());
        assertArrayEquals(new long[]{3, 3}, first.ringNonZeros());
        assertEquals(3, first.received(0, 3));
        assertEquals(6, first.nonZerosOfRings(2));
        assertEquals(16, halos.globalNonZeros());
        assertThrows(IllegalArgumentException.class,
                () -> PartHalos.of(line, new Partition(new int[5], 1), 1));
        assertThrows(IllegalArgumentException.class,
                () -> PartHalos.of(line, new Partition(new int[6], 1), 0));
    }
}
