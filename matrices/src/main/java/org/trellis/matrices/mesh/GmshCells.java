package org.trellis.matrices.mesh;

import java.util.LinkedHashMap;
import java.util.Map;

/** The element types of Gmsh by their numbers, and the order of their nodes. */
final class GmshCells {
    private static final Map<Integer, Type> TYPES = new LinkedHashMap<>();
    /** For each node in the order of VTK, its place in that of Gmsh; only where they differ. */
    private static final Map<Integer, int[]> ORDERS = Map.of(
            11, new int[]{0, 1, 2, 3, 4, 5, 6, 7, 9, 8},
            17, new int[]{0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15},
            12, new int[]{0, 1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 9, 16, 18, 19, 17, 10, 12, 14, 15, 22, 23, 21, 24, 20, 25,
                26},
            18, new int[]{0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11},
            13, new int[]{0, 1, 2, 3, 4, 5, 6, 9, 7, 12, 14, 13, 8, 10, 11, 15, 17, 16},
            19, new int[]{0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12},
            14, new int[]{0, 1, 2, 3, 4, 5, 8, 10, 6, 7, 9, 11, 12, 13});

    /**
     * An element type.
     *
     * @param code  its number
     * @param shape the shape
     * @param nodes number of nodes
     */
    record Type(int code, CellShape shape, int nodes) {}

    static {
        add(CellShape.VERTEX, 15, 1);
        add(CellShape.LINE, 1, 2, 8, 3, 26, 4, 27, 5, 28, 6);
        add(CellShape.TRIANGLE, 2, 3, 9, 6, 21, 10, 20, 9, 23, 15, 22, 12, 25, 21, 24, 15);
        add(CellShape.QUADRILATERAL, 3, 4, 16, 8, 10, 9, 36, 16, 39, 12, 37, 25, 38, 36);
        add(CellShape.TETRAHEDRON, 4, 4, 11, 10, 29, 20, 30, 35, 31, 56);
        add(CellShape.HEXAHEDRON, 5, 8, 17, 20, 12, 27, 92, 64, 93, 125);
        add(CellShape.WEDGE, 6, 6, 18, 15, 13, 18, 90, 40, 91, 75);
        add(CellShape.PYRAMID, 7, 5, 19, 13, 14, 14, 118, 30, 119, 55);
    }

    private GmshCells() {}

    private static void add(CellShape shape, int... codesAndNodes) {
        for (int i = 0; i < codesAndNodes.length; i += 2) {
            TYPES.put(codesAndNodes[i], new Type(codesAndNodes[i], shape, codesAndNodes[i + 1]));
        }
    }

    /** Returns a type, null if there is none of that number here. */
    static Type type(int code) {
        return TYPES.get(code);
    }

    /** Returns the type of the cells of a block. */
    static Type type(CellBlock block) {
        return TYPES.values().stream()
                .filter(type -> type.shape == block.shape() && type.nodes == block.nodesPerCell()).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Gmsh has no element type for " + block));
    }

    /** Puts nodes from the order of Gmsh into that of VTK. */
    static int[] fromGmsh(Type type, int[] nodes) {
        int[] order = ORDERS.get(type.code);
        if (order == null) {
            return nodes;
        }
        int[] result = new int[nodes.length];
        for (int i = 0; i < order.length; i++) {
            result[i] = nodes[order[i]];
        }
        return result;
    }

    /** Puts nodes from the order of VTK into that of Gmsh. */
    static int[] toGmsh(Type type, int[] nodes) {
        int[] order = ORDERS.get(type.code);
        if (order == null) {
            return nodes;
        }
        int[] result = new int[nodes.length];
        for (int i = 0; i < order.length; i++) {
            result[order[i]] = nodes[i];
        }
        return result;
    }
}
