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
            int vertices = Checks.arrayLength("graph of the whole matrix", matrix.globalRows());
            Graph graph = MatrixGraph.of(vertices, end -> forEachEdge(gathered, end));
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

    private static void forEachEdge(byte[][] messages, MatrixGraph.End consumer) {
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
}
