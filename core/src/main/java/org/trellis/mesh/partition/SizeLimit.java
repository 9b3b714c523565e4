package org.trellis.mesh.partition;

import java.util.Arrays;
import org.trellis.mesh.order.Graph;

/** Takes from parts that are too large what is too much: to neighbours with room, or else to further parts. */
final class SizeLimit {
    private final Graph graph;
    private final int[] partOf;
    private final int limit;
    private int[] sizes;
    private int parts;
    private final int[] connection;
    private final int[] touched;

    SizeLimit(Graph graph, Partition partition, int limit) {
        this.graph = graph;
        this.limit = limit;
        partOf = partition.partOf().clone();
        sizes = partition.sizes();
        parts = partition.parts();
        connection = new int[parts];
        touched = new int[parts];
    }

    Partition enforced() {
        for (int v = 0; v < partOf.length; v++) {
            if (sizes[partOf[v]] > limit) {
                int to = neighbourWithRoom(v);
                if (to >= 0) {
                    move(v, to);
                }
            }
        }
        int overflow = -1;
        for (int v = 0; v < partOf.length; v++) {
            if (sizes[partOf[v]] > limit) {
                if (overflow < 0 || sizes[overflow] == limit) {
                    overflow = parts++;
                    sizes = Arrays.copyOf(sizes, parts);
                }
                move(v, overflow);
            }
        }
        return new Partition(partOf, parts);
    }

    private void move(int vertex, int to) {
        sizes[partOf[vertex]]--;
        sizes[to]++;
        partOf[vertex] = to;
    }

    private int neighbourWithRoom(int vertex) {
        int count = 0;
        for (int i = graph.offsets()[vertex]; i < graph.offsets()[vertex + 1]; i++) {
            int part = partOf[graph.neighbours()[i]];
            if (connection[part]++ == 0) {
                touched[count++] = part;
            }
        }
        int best = -1;
        for (int i = 0; i < count; i++) {
            int part = touched[i];
            if (sizes[part] < limit && (best < 0 || connection[part] > connection[best])) {
                best = part;
            }
        }
        while (count > 0) {
            connection[touched[--count]] = 0;
        }
        return best;
    }
}
