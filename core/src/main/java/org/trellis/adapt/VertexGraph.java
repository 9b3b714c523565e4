package org.trellis.adapt;

import java.util.Arrays;

/**
 * The neighbours of each vertex, as they are until the topology changes, and sets of vertices without an edge between
 * them.
 */
final class VertexGraph {
    private static final int GRAIN = 256;
    /** Vertices of a block of the colouring. */
    private static final int BLOCK = 2048;
    private static final int NONE = -1;

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
     * class and then of the second, which have sets of their own. Vertices without neighbours are in none.
     *
     * <p>A colour is the least that no neighbour of a lower number and the same class has. Only one colouring is like
     * that everywhere, so it may be found in any order: blocks of vertices are coloured at once, and then again where a
     * neighbour in another block has changed, until none has.
     *
     * @param second whether a vertex is of the second class
     * @return the vertices of each set, in ascending order
     */
    int[][] sets(boolean[] second) {
        int[] colours = new int[vertices];
        Arrays.fill(colours, NONE);
        boolean[] due = new boolean[vertices];
        Arrays.fill(due, true);
        boolean[] next = new boolean[vertices];
        int blocks = Math.ceilDiv(vertices, BLOCK);
        boolean[] changed = new boolean[blocks];
        boolean again = true;
        while (again) {
            boolean[] now = due;
            boolean[] later = next;
            team.run(blocks, 1, () -> colours, (from, to, all) -> {
                for (int block = from; block < to; block++) {
                    changed[block] = colourBlock(block, second, all, now, later);
                }
            });
            again = false;
            for (boolean one : changed) {
                again |= one;
            }
            due = later;
            next = now;
        }
        int[] counts = {0, 0};
        for (int v = 0; v < vertices; v++) {
            int kind = second[v] ? 1 : 0;
            counts[kind] = Math.max(counts[kind], colours[v] + 1);
        }
        return sets(colours, second, counts);
    }

    /** Colours those of a block that are due; returns whether a vertex of another block has to look again. */
    private boolean colourBlock(int block, boolean[] second, int[] colours, boolean[] due, boolean[] next) {
        int end = Math.min(vertices, (block + 1) * BLOCK);
        boolean elsewhere = false;
        for (int v = block * BLOCK; v < end; v++) {
            if (due[v]) {
                due[v] = false;
                int colour = leastFree(v, second, colours);
                if (colour != colours[v]) {
                    colours[v] = colour;
                    for (int i = offsets[v]; i < offsets[v + 1]; i++) {
                        int other = neighbours[i];
                        if (other > v && other < end) {
                            due[other] = true;
                        } else if (other >= end) {
                            next[other] = true;
                            elsewhere = true;
                        }
                    }
                }
            }
        }
        return elsewhere;
    }

    private int leastFree(int vertex, boolean[] second, int[] colours) {
        long taken = 0;
        for (int i = offsets[vertex]; i < offsets[vertex + 1]; i++) {
            int other = neighbours[i];
            if (other < vertex && second[other] == second[vertex] && colours[other] >= 0) {
                taken |= 1L << colours[other];
            }
        }
        int colour = offsets[vertex] == offsets[vertex + 1] ? NONE : Long.numberOfTrailingZeros(~taken);
        if (colour >= Long.SIZE - 1) {
            throw new IllegalStateException("vertex " + vertex + " has neighbours of 63 colours, expected fewer");
        }
        return colour;
    }

    private int[][] sets(int[] colours, boolean[] second, int[] counts) {
        int[][] sets = new int[counts[0] + counts[1]][];
        int[] sizes = new int[sets.length];
        for (int v = 0; v < vertices; v++) {
            if (colours[v] >= 0) {
                colours[v] += second[v] ? counts[0] : 0;
                sizes[colours[v]]++;
            }
        }
        for (int c = 0; c < sets.length; c++) {
            sets[c] = new int[sizes[c]];
        }
        for (int v = vertices - 1; v >= 0; v--) {
            if (colours[v] >= 0) {
                sets[colours[v]][--sizes[colours[v]]] = v;
            }
        }
        return sets;
    }
}
