package org.trellis.fem.space;

import java.util.Arrays;
import org.trellis.fem.element.ElementShape;

/** Numbers of the edges and faces of a mesh, by sorting: equal corners make equal keys. */
final class EntityNumbering {
    private final int[] edges;
    private final int edgeCount;

    /**
     * Numbers the edges.
     *
     * @param shape    of the cells
     * @param cells    the corners of each cell
     * @param vertices their number
     */
    EntityNumbering(ElementShape shape, int[] cells, int vertices) {
        int corners = shape.corners();
        int count = cells.length / corners;
        long[] keys = new long[count * shape.edges()];
        int at = 0;
        for (int cell = 0; cell < count; cell++) {
            for (int e = 0; e < shape.edges(); e++) {
                int[] ends = shape.edge(e);
                keys[at++] = key(cells[cell * corners + ends[0]], cells[cell * corners + ends[1]], vertices);
            }
        }
        long[] distinct = distinct(keys);
        edges = places(keys, distinct);
        edgeCount = distinct.length;
    }

    private static long key(int a, int b, long base) {
        return Math.min(a, b) * base + Math.max(a, b);
    }

    private static long[] distinct(long[] keys) {
        long[] sorted = keys.clone();
        Arrays.parallelSort(sorted);
        int count = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[count - 1]) {
                sorted[count++] = sorted[i];
            }
        }
        return Arrays.copyOf(sorted, count);
    }

    private static int[] places(long[] keys, long[] distinct) {
        int[] places = new int[keys.length];
        Arrays.parallelSetAll(places, i -> Arrays.binarySearch(distinct, keys[i]));
        return places;
    }

    int edgeCount() {
        return edgeCount;
    }

    /** Returns the number of each edge of each cell, those of the first cell first. */
    int[] edges() {
        return edges;
    }

    /** Numbers the faces of a mesh in space: a face is known by two of its edges, or one and the third corner. */
    Faces faces(ElementShape shape, int[] cells, int vertices) {
        int corners = shape.corners();
        int count = cells.length / corners;
        long[] keys = new long[count * shape.faces()];
        int[][] edgeOf = new int[corners][corners];
        for (int e = 0; e < shape.edges(); e++) {
            int[] ends = shape.edge(e);
            edgeOf[ends[0]][ends[1]] = e;
            edgeOf[ends[1]][ends[0]] = e;
        }
        int at = 0;
        for (int cell = 0; cell < count; cell++) {
            for (int f = 0; f < shape.faces(); f++) {
                int[] face = shape.face(f);
                int least = 0;
                for (int k = 1; k < face.length; k++) {
                    least = cells[cell * corners + face[k]] < cells[cell * corners + face[least]] ? k : least;
                }
                int next = face[(least + 1) % face.length];
                int last = face[(least + face.length - 1) % face.length];
                boolean swap = cells[cell * corners + last] < cells[cell * corners + next];
                int near = swap ? last : next;
                int far = swap ? next : last;
                int first = edges[cell * shape.edges() + edgeOf[face[least]][near]];
                if (face.length == 3) {
                    keys[at++] = (long) first * vertices + cells[cell * corners + far];
                } else {
                    int opposite = face[(least + 2) % face.length];
                    keys[at++] = (long) first * edgeCount
                            + edges[cell * shape.edges() + edgeOf[far][opposite]];
                }
            }
        }
        long[] distinct = distinct(keys);
        return new Faces(distinct.length, places(keys, distinct));
    }

    /**
     * Numbers of faces.
     *
     * @param count  how many there are
     * @param ofCell the number of each face of each cell, those of the first cell first
     */
    record Faces(int count, int[] ofCell) {}
}
