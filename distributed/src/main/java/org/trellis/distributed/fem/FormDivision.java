package org.trellis.distributed.fem;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.trellis.common.Checks;
import org.trellis.distributed.communicate.Communicator;
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

    FormDivision(Constraints constraints, int ranks, int... rankOfCell) {
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

    /** Returns the cells that a rank runs, rising. */
    int[] cells(int rank) {
        int n = space.element().nodes();
        return IntStream.range(0, space.mesh().cells())
                .filter(cell -> IntStream.range(cell * n, cell * n + n)
                        .anyMatch(k -> owners[space.cellNodes()[k]] == rank))
                .toArray();
    }

    /** Returns the free unknowns that a rank owns, rising. */
    int[] owned(int rank) {
        return IntStream.range(0, free.length).filter(u -> free[u] >= 0 && owners[u / fields] == rank).toArray();
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
