package org.trellis.adapt;

import java.util.Arrays;
import org.trellis.mesh.order.FirstFit;

/**
 * The neighbours of each vertex, as they are until the topology changes, and sets of vertices without an edge between
 * them.
 */
final class VertexGraph {
    private static final int GRAIN = 256;

    private final int vertices;
    private final Team team;
    /** Where the neighbours of each vertex start in {@link #neighbours}. */
    final int[] offsets;
    final int[] neighbours;

    VertexGraph(CavityMesh mesh, Team team) {
        this.team = team;
        vertices = mesh.vertices;
        offsets = new int[vertices + 1];
        int[][] lists = new int[Math.ceilDiv(vertices, GRAIN)][];
        mesh.freeScratch();
        team.run(lists.length, 1, () -> new Cavity(mesh), (from, to, cavity) -> {
            for (int piece = from; piece < to; piece++) {
                lists[piece] = list(cavity, piece * GRAIN, Math.min(vertices, (piece + 1) * GRAIN));
            }
        });
        for (int v = 0; v < vertices; v++) {
            offsets[v + 1] += offsets[v];
        }
        neighbours = new int[offsets[vertices]];
        for (int piece = 0; piece < lists.length; piece++) {
            System.arraycopy(lists[piece], 0, neighbours, offsets[piece * GRAIN], lists[piece].length);
        }
    }

    /** Lists the neighbours of some vertices, and writes how many each has. */
    private int[] list(Cavity cavity, int from, int to) {
        int[] list = new int[8 * (to - from)];
        int filled = 0;
        for (int v = from; v < to; v++) {
            cavity.collectNeighbours(v);
            if (filled + cavity.vertexCount > list.length) {
                list = Arrays.copyOf(list, 2 * list.length + cavity.vertexCount);
            }
            System.arraycopy(cavity.vertices, 0, list, filled, cavity.vertexCount);
            filled += cavity.vertexCount;
            offsets[v + 1] = cavity.vertexCount;
        }
        return Arrays.copyOf(list, filled);
    }

    /**
     * Cuts the vertices into sets: the colours of a first-fit colouring in the order of numbers, of those of the first
     * class and then of the second, which have sets of their own ({@link FirstFit}). Vertices without neighbours are
     * in none.
     *
     * @param second whether a vertex is of the second class
     * @return the vertices of each set, in ascending order
     */
    int[][] sets(boolean[] second) {
        int[] classes = new int[vertices];
        Arrays.setAll(classes, v -> offsets[v] == offsets[v + 1] ? FirstFit.NONE : second[v] ? 1 : 0);
        int[] colours = FirstFit.colours(offsets, neighbours, classes,
                (count, task) -> team.run(count, 1, () -> task, (from, to, same) -> same.run(from, to)));
        int[] sizes = new int[Arrays.stream(colours).max().orElse(FirstFit.NONE) + 1];
        for (int colour : colours) {
            if (colour >= 0) {
                sizes[colour]++;
            }
        }
        int[][] sets = new int[sizes.length][];
        Arrays.setAll(sets, colour -> new int[sizes[colour]]);
        for (int v = vertices - 1; v >= 0; v--) {
            if (colours[v] >= 0) {
                sets[colours[v]][--sizes[colours[v]]] = v;
            }
        }
        return sets;
    }
}
