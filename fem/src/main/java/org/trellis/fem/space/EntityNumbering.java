package org.trellis.fem.space;

import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.fem.element.ElementShape;

/** Numbers of the edges and faces of a mesh: those of equal corners are one. */
final class EntityNumbering {
    private static final int CELLS_PER_TASK = 1 << 12;

    private final int[] edges;
    private final int edgeCount;

    /**
     * Numbers the edges, in the order of their corners.
     *
     * @param shape    of the cells
     * @param cells    the corners of each cell
     * @param vertices their number
     */
    EntityNumbering(ElementShape shape, int[] cells, int vertices) {
        int corners = shape.corners();
        int count = cells.length / corners;
        int perCell = shape.edges();
        int[][] ends = new int[perCell][];
        for (int e = 0; e < perCell; e++) {
            ends[e] = shape.edge(e);
        }
        int[] first = new int[Checks.arrayLength("edges of cells", (long) count * perCell)];
        int[] second = new int[first.length];
        ParallelRanges.strips(count, CELLS_PER_TASK, (from, to) -> {
            for (int cell = from; cell < to; cell++) {
                for (int e = 0; e < perCell; e++) {
                    int a = cells[cell * corners + ends[e][0]];
                    int b = cells[cell * corners + ends[e][1]];
                    first[cell * perCell + e] = Math.min(a, b);
                    second[cell * perCell + e] = Math.max(a, b);
                }
            }
        });
        PairNumbering pairs = new PairNumbering(vertices, first, second);
        edges = pairs.numbers();
        edgeCount = pairs.count();
    }

    int edgeCount() {
        return edgeCount;
    }

    /** Returns the number of each edge of each cell, those of the first cell first. */
    int[] edges() {
        return edges;
    }

    /** Numbers the faces of a mesh in space: a face is known by two of its edges, or one and the third corner. */
    Faces faces(ElementShape shape, int... cells) {
        int corners = shape.corners();
        int count = cells.length / corners;
        int perCell = shape.faces();
        int[][] faces = new int[perCell][];
        for (int f = 0; f < perCell; f++) {
            faces[f] = shape.face(f);
        }
        int[][] edgeOf = new int[corners][corners];
        for (int e = 0; e < shape.edges(); e++) {
            int[] ends = shape.edge(e);
            edgeOf[ends[0]][ends[1]] = e;
            edgeOf[ends[1]][ends[0]] = e;
        }
        int[] first = new int[Checks.arrayLength("faces of cells", (long) count * perCell)];
        int[] second = new int[first.length];
        ParallelRanges.strips(count, CELLS_PER_TASK, (from, to) -> {
            for (int cell = from; cell < to; cell++) {
                for (int f = 0; f < perCell; f++) {
                    int[] face = faces[f];
                    int turn = turn(cells, cell * corners, face);
                    int least = face[turn >> 1];
                    int next = face[((turn >> 1) + 1) % face.length];
                    int last = face[((turn >> 1) + face.length - 1) % face.length];
                    int near = (turn & 1) == 0 ? next : last;
                    int far = (turn & 1) == 0 ? last : next;
                    int at = cell * perCell + f;
                    first[at] = edges[cell * shape.edges() + edgeOf[least][near]];
                    second[at] = face.length == 3
                            ? cells[cell * corners + far]
                            : edges[cell * shape.edges() + edgeOf[far][face[((turn >> 1) + 2) % face.length]]];
                }
            }
        });
        PairNumbering pairs = new PairNumbering(edgeCount, first, second);
        return new Faces(pairs.count(), pairs.numbers());
    }

    /**
     * Says how a face lies in a cell.
     *
     * @param cells the corners of all cells
     * @param cell  where those of the cell begin
     * @param face  the corners of the face, in turn
     * @return twice the place of the corner with the smallest number, and 1 more if of its neighbours the one before it
     *         has the smaller number
     */
    static int turn(int[] cells, int cell, int... face) {
        int least = 0;
        for (int k = 1; k < face.length; k++) {
            least = cells[cell + face[k]] < cells[cell + face[least]] ? k : least;
        }
        int next = face[(least + 1) % face.length];
        int last = face[(least + face.length - 1) % face.length];
        return 2 * least + (cells[cell + last] < cells[cell + next] ? 1 : 0);
    }

    /**
     * Numbers of faces.
     *
     * @param count  how many there are
     * @param ofCell the number of each face of each cell, those of the first cell first
     */
    record Faces(int count, int[] ofCell) {}
}
