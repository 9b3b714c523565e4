package org.trellis.distributed.partitioned;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ParallelPartitioner;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.mesh.order.Graph;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.PartitionedCase;

/** The graph of a matrix that no rank has whole, beside that of the whole. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LocalGraphTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void sharesMakeTheGraphOfTheWhole(int ranks) {
        for (PartitionedCase one : PartitionedCase.all(ranks, Precision.F64)) {
            CsrMatrix whole = one.matrix();
            // Each rank's rows and its share of the graph, whose vertices are numbered rank by rank.
            List<long[]> rows = ThreadRanks.run(ranks,
                    communicator -> scattered(communicator, one).rows().indices());
            List<LocalGraph> shares = ThreadRanks.run(ranks,
                    communicator -> LocalGraph.of(scattered(communicator, one)));
            int[] rowOf = rows.stream().flatMapToInt(own -> Arrays.stream(own).mapToInt(row -> (int) row)).toArray();
            int[] numberOf = new int[rowOf.length];
            for (int number = 0; number < rowOf.length; number++) {
                numberOf[rowOf[number]] = number;
            }
            Graph graph = MatrixGraph.of(whole);
            int number = 0;
            for (LocalGraph share : shares) {
                for (int v = 0; v + 1 < share.offsets().length; v++, number++) {
                    int row = rowOf[number];
                    int[] expected = Arrays.stream(graph.neighbours(), graph.offsets()[row], graph.offsets()[row + 1])
                            .map(neighbour -> numberOf[neighbour]).sorted().toArray();
                    assertArrayEquals(expected, Arrays.copyOfRange(share.neighbours(), share.offsets()[v],
                            share.offsets()[v + 1]), () -> one.name() + ", row " + row);
                }
            }
        }
    }

    private static PartitionedMatrix scattered(Communicator communicator,
            PartitionedCase one) {
        return PartitionedMatrix.scatter(communicator, 0, one.matrix(), one.partition());
    }

    @Test
    void ptScotchWantsProcesses() {
        PartitionedCase one = PartitionedCase.all(2, Precision.F64).getFirst();
        ThreadRanks.run(2, communicator -> {
            PartitionedMatrix matrix = scattered(communicator, one);
            return assertThrows(BackendUnavailableException.class,
                    () -> matrix.repartition(ParallelPartitioner.PTSCOTCH, 1.05));
        });
    }
}
