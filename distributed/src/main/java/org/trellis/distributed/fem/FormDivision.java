package org.trellis.distributed.fem;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.Packet;
import org.trellis.distributed.communicate.ParallelPartitioner;
import org.trellis.fem.Constraints;
import org.trellis.fem.space.CellMesh;
import org.trellis.fem.space.FunctionSpace;
import org.trellis.mesh.order.Graph;
import org.trellis.mesh.partition.Partitioner;

/**
 * Which rank has which unknowns: a node belongs to the least of the ranks of its cells, and a rank runs all cells that
 * have a node of its own. Every rank knows the whole division, so nothing is said about it in messages.
 */
final class FormDivision {
    private final FunctionSpace space;
    private final int fields;
    private final int ranks;
    private final int[] owners;
    /** Numbers of the free unknowns, -1 for fixed ones. */
    private final int[] free;
    private final int freeCount;
    /** Whether all free unknowns of a node's cells belong to the rank of the node. */
    private final boolean[] interior;
    /** The division whose cells ranks run, or null if those that touch their nodes. */
    private final FormDivision like;

    FormDivision(Constraints constraints, int ranks, int... rankOfCell) {
        this(constraints, ranks, null, rankOfCell);
    }

    /**
     * Divides unknowns.
     *
     * @param like has the cells that ranks run, of a higher degree on the same mesh; null for those that touch nodes
     */
    FormDivision(Constraints constraints, int ranks, FormDivision like, int... rankOfCell) {
        this.like = like;
        this.space = constraints.space();
        this.fields = constraints.fields();
        this.ranks = ranks;
        Checks.length("ranks of cells", rankOfCell.length, space.mesh().cells());
        this.owners = new int[space.nodes()];
        Arrays.fill(owners, ranks);
        int n = space.element().nodes();
        for (int k = 0; k < space.cellNodes().length; k++) {
            int node = space.cellNodes()[k];
            owners[node] = Math.min(owners[node], Checks.index("rank of cell " + k / n, rankOfCell[k / n], ranks));
        }
        this.free = new int[space.nodes() * fields];
        int count = 0;
        for (int u = 0; u < free.length; u++) {
            free[u] = constraints.isFixed(u) ? -1 : count++;
        }
        this.freeCount = count;
        this.interior = new boolean[space.nodes()];
        Arrays.fill(interior, true);
        for (int cell = 0; cell < space.mesh().cells(); cell++) {
            refuseInterior(cell * n, n);
        }
    }

    /** Marks the nodes of a cell that has free unknowns of several ranks. */
    private void refuseInterior(int first, int n) {
        int least = ranks;
        int most = -1;
        for (int k = first; k < first + n; k++) {
            int node = space.cellNodes()[k];
            if (isFree(node)) {
                least = Math.min(least, owners[node]);
                most = Math.max(most, owners[node]);
            }
        }
        for (int k = first; k < first + n && least < most; k++) {
            interior[space.cellNodes()[k]] = false;
        }
    }

    private boolean isFree(int node) {
        boolean some = false;
        for (int a = 0; a < fields; a++) {
            some |= free[node * fields + a] >= 0;
        }
        return some;
    }

    /**
     * Divides cells; on rank 0, which tells the others.
     *
     * @param partitioner divides the graph of cells that share corners, or null for consecutive cells
     */
    static int[] divide(Communicator communicator, CellMesh mesh, Partitioner partitioner, double tolerance) {
        int ranks = communicator.size();
        if (partitioner == null || ranks == 1) {
            return IntStream.range(0, mesh.cells()).map(cell -> (int) ((long) cell * ranks / mesh.cells())).toArray();
        }
        byte[] message = {};
        if (communicator.rank() == 0) {
            Graph graph = Graph.ofElements(mesh.cellVertices(), mesh.shape().corners(), mesh.vertices());
            int[] parts = partitioner.partition(graph, ranks, tolerance).partOf();
            message = new byte[parts.length * Integer.BYTES];
            ByteBuffer.wrap(message).asIntBuffer().put(parts);
        }
        int[] parts = new int[mesh.cells()];
        ByteBuffer.wrap(communicator.broadcast(0, message)).asIntBuffer().get(parts);
        return parts;
    }

    /** Divides cells on all ranks, each of which brings the vertices of consecutive cells. */
    static int[] divide(Communicator communicator, CellMesh mesh, ParallelPartitioner partitioner, double tolerance) {
        Graph graph = Graph.ofElements(mesh.cellVertices(), mesh.shape().corners(), mesh.vertices());
        int first = (int) ((long) mesh.cells() * communicator.rank() / communicator.size());
        int end = (int) ((long) mesh.cells() * (communicator.rank() + 1) / communicator.size());
        int from = graph.offsets()[first];
        int[] offsets = Arrays.stream(graph.offsets(), first, end + 1).map(offset -> offset - from).toArray();
        int[] neighbours = Arrays.copyOfRange(graph.neighbours(), from, graph.offsets()[end]);
        int[] own = partitioner.partition(communicator, offsets, neighbours, communicator.size(), tolerance);
        Packet packet = new Packet();
        Arrays.stream(own).forEach(packet::put);
        byte[][] messages = new byte[communicator.size()][];
        Arrays.fill(messages, packet.toBytes());
        int[] parts = new int[mesh.cells()];
        int cell = 0;
        for (byte[] message : communicator.exchange(messages)) {
            for (Packet read = Packet.of(message); read.hasMore();) {
                parts[cell++] = read.getInt();
            }
        }
        return parts;
    }

    /** Returns the cells that a rank runs, rising. */
    int[] cells(int rank) {
        if (like != null) {
            return like.cells(rank);
        }
        int n = space.element().nodes();
        return IntStream.range(0, space.mesh().cells())
                .filter(cell -> IntStream.range(cell * n, cell * n + n)
                        .anyMatch(k -> owners[space.cellNodes()[k]] == rank))
                .toArray();
    }

    /**
     * Returns the free unknowns that a rank owns: first those whose cells have unknowns of this rank only, then the
     * others, both rising. That is the order of rows in a partitioned matrix.
     */
    int[] owned(int rank) {
        IntStream inside = IntStream.range(0, free.length).filter(u -> isOwned(u, rank) && interior[u / fields]);
        IntStream outside = IntStream.range(0, free.length).filter(u -> isOwned(u, rank) && !interior[u / fields]);
        return IntStream.concat(inside, outside).toArray();
    }

    private boolean isOwned(int unknown, int rank) {
        return free[unknown] >= 0 && owners[unknown / fields] == rank;
    }

    /** Returns the number of an unknown among all free ones, as one rank has it; -1 if it is fixed. */
    int number(int unknown) {
        return free[unknown];
    }

    /** Returns the free unknowns of one rank that another one's cells have, rising. */
    int[] needed(int owner, int by) {
        if (owner == by) {
            return new int[0];
        }
        int n = space.element().nodes();
        BitSet found = new BitSet();
        for (int cell : cells(by)) {
            for (int k = cell * n; k < cell * n + n; k++) {
                int node = space.cellNodes()[k];
                for (int a = 0; owners[node] == owner && a < fields; a++) {
                    if (free[node * fields + a] >= 0) {
                        found.set(node * fields + a);
                    }
                }
            }
        }
        return found.stream().toArray();
    }

    int ranks() {
        return ranks;
    }

    int freeCount() {
        return freeCount;
    }
}
