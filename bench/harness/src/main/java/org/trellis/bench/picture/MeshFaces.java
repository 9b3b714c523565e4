package org.trellis.bench.picture;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.MeshData;

/**
 * The polygons and segments of a mesh that can be drawn: its plane cells, or of cells that fill space the faces that
 * only one cell has; where there are neither, its lines. Nodes between corners are left out.
 */
final class MeshFaces {
    private static final int[][] TETRAHEDRON = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    private static final int[][] HEXAHEDRON = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6},
        {3, 0, 4, 7}};
    private static final int[][] WEDGE = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}};
    private static final int[][] PYRAMID = {{0, 3, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}};

    private int[] nodes = new int[64];
    private int[] offsets = new int[16];
    private int[] cells = new int[16];
    private int count;
    private long drawnCells;

    private MeshFaces() {}

    static MeshFaces of(MeshData mesh) {
        MeshFaces faces = new MeshFaces();
        int dimension = mesh.blocks().stream().mapToInt(block -> block.shape().dimension()).max().orElse(0);
        Map<String, int[]> open = new HashMap<>();
        for (CellBlock block : mesh.blocks()) {
            faces.drawnCells += block.shape().dimension() == dimension ? block.cells() : 0;
            for (int i = 0; i < block.cells() && block.shape().dimension() == dimension; i++) {
                int from = i * block.nodesPerCell();
                if (dimension == 3) {
                    toggle(open, block, from, block.numbers()[i]);
                } else if (dimension > 0) {
                    faces.add(block.nodes(), from, from + corners(block), block.numbers()[i]);
                }
            }
        }
        // The first number is the cell's.
        open.values().forEach(face -> faces.add(face, 1, face.length, face[0]));
        return faces;
    }

    private static int corners(CellBlock block) {
        return block.shape().isFixed() ? block.shape().leastNodes() : block.nodesPerCell();
    }

    /** Puts faces down that were not there, and takes away those that a neighbour put there. */
    private static void toggle(Map<String, int[]> open, CellBlock block, int from, int cell) {
        int[][] patterns = switch (block.shape()) {
            case CellShape.TETRAHEDRON -> TETRAHEDRON;
            case CellShape.HEXAHEDRON -> HEXAHEDRON;
            case CellShape.WEDGE -> WEDGE;
            default -> PYRAMID;
        };
        for (int[] pattern : patterns) {
            int[] face = new int[pattern.length + 1];
            for (int k = 0; k < pattern.length; k++) {
                face[k + 1] = block.nodes()[from + pattern[k]];
            }
            int[] sorted = Arrays.copyOfRange(face, 1, face.length);
            Arrays.sort(sorted);
            face[0] = cell;
            String key = Arrays.toString(sorted);
            if (open.remove(key) == null) {
                open.put(key, face);
            }
        }
    }

    private void add(int[] from, int start, int end, int cell) {
        if (count + 1 == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * offsets.length);
            cells = Arrays.copyOf(cells, 2 * cells.length);
        }
        int at = offsets[count];
        if (at + end - start > nodes.length) {
            nodes = Arrays.copyOf(nodes, 2 * (at + end - start));
        }
        System.arraycopy(from, start, nodes, at, end - start);
        cells[count++] = cell;
        offsets[count] = at + end - start;
    }

    int count() {
        return count;
    }

    /** The cells of the mesh's own dimension: lines on the boundary of a plane mesh do not count. */
    long drawnCells() {
        return drawnCells;
    }

    int cell(int face) {
        return cells[face];
    }

    int size(int face) {
        return offsets[face + 1] - offsets[face];
    }

    int node(int face, int k) {
        return nodes[offsets[face] + k];
    }
}
