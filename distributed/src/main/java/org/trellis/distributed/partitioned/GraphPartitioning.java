package org.trellis.distributed.partitioned;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.partition.Partitioner;

/** Runs a partitioner of one process on the graph of a matrix that is spread over ranks. */
final class GraphPartitioning {
    private GraphPartitioning() {}

    /** Returns the new owner of each row of this rank, in local order. */
    static int[] newOwners(PartitionedMatrix matrix, Partitioner partitioner, double tolerance) {
        Communicator communicator = matrix.communicator();
        RowBlock rows = matrix.rows();
        Packet own = new Packet();
        for (int row = 0; row < rows.rows(); row++) {
            int from = rows.offsets()[row];
            int count = rows.offsets()[row + 1] - from;
            own.put(rows.indices()[row]).put(count).put(rows.columns(), from, count);
        }
        byte[][] gathered = communicator.gather(0, own.toBytes());
        byte[][] answers = new byte[communicator.size()][];
        if (communicator.rank() == 0) {
            Graph graph = graph(gathered, Checks.arrayLength("graph of the whole matrix", matrix.globalRows()));
            int[] partOf = partitioner.partition(graph, communicator.size(), tolerance).partOf();
            for (int rank = 0; rank < answers.length; rank++) {
                answers[rank] = answer(Packet.of(gathered[rank]), partOf);
            }
        }
        Packet answer = Packet.of(communicator.exchange(answers)[0]);
        int[] owners = new int[rows.rows()];
        Arrays.setAll(owners, i -> answer.getInt());
        return owners;
    }

    private static byte[] answer(Packet rows, int[] partOf) {
        Packet answer = new Packet();
        while (rows.hasMore()) {
            answer.put(partOf[(int) rows.getLong()]);
            skip(rows);
        }
        return answer.toBytes();
    }

    private static void skip(Packet rows) {
        int count = rows.getInt();
        for (int k = 0; k < count; k++) {
            rows.getLong();
        }
    }

    /** Makes the graph of A + Aᵀ without its diagonal. */
    private static Graph graph(byte[][] messages, int vertices) {
        int[] degrees = new int[vertices + 1];
        forEachEdge(messages, (row, column) -> {
            degrees[row + 1]++;
            degrees[column + 1]++;
        });
        long ends = 0;
        for (int v = 0; v < vertices; v++) {
            ends += degrees[v + 1];
            degrees[v + 1] = Checks.arrayLength("graph of the whole matrix", ends);
        }
        int[] neighbours = new int[(int) ends];
        int[] at = degrees.clone();
        forEachEdge(messages, (row, column) -> {
            neighbours[at[row]++] = column;
            neighbours[at[column]++] = row;
        });
        return withoutRepetition(degrees, neighbours);
    }

    private static Graph withoutRepetition(int[] offsets, int[] neighbours) {
        int[] kept = new int[offsets.length];
        int count = 0;
        for (int v = 0; v + 1 < offsets.length; v++) {
            Arrays.sort(neighbours, offsets[v], offsets[v + 1]);
            int begin = count;
            for (int k = offsets[v]; k < offsets[v + 1]; k++) {
                if (count == begin || neighbours[count - 1] != neighbours[k]) {
                    neighbours[count++] = neighbours[k];
                }
            }
            kept[v + 1] = count;
        }
        return new Graph(kept, Arrays.copyOf(neighbours, count));
    }

    private static void forEachEdge(byte[][] messages, EdgeConsumer consumer) {
        for (byte[] message : messages) {
            Packet rows = Packet.of(message);
            while (rows.hasMore()) {
                int row = (int) rows.getLong();
                int count = rows.getInt();
                for (int k = 0; k < count; k++) {
                    int column = (int) rows.getLong();
                    if (column != row) {
                        consumer.accept(row, column);
                    }
                }
            }
        }
    }

    /** Is told both ends. */
    private interface EdgeConsumer {
        void accept(int row, int column);
    }
}
