package org.trellis.matrices.mesh;

import java.util.LinkedHashMap;
import java.util.Map;

/** The cell types of VTK by their numbers. */
final class VtkCells {
    /** Four corners by rows instead of in turn. */
    private static final int PIXEL = 8;
    /** Eight corners by rows instead of in turn. */
    private static final int VOXEL = 11;
    private static final int VARIABLE = 0;
    private static final int FIRST_LAGRANGE = 68;
    private static final CellShape[] LAGRANGE = {CellShape.LINE, CellShape.TRIANGLE, CellShape.QUADRILATERAL,
        CellShape.TETRAHEDRON, CellShape.HEXAHEDRON, CellShape.WEDGE, CellShape.PYRAMID};
    private static final Map<Integer, Type> TYPES = new LinkedHashMap<>();

    /**
     * A cell type.
     *
     * @param shape the shape
     * @param nodes number of nodes, 0 if that differs from cell to cell
     */
    record Type(CellShape shape, int nodes) {

        /** Whether a cell of this type may have so many nodes. */
        boolean allows(int count) {
            return nodes == VARIABLE ? count >= shape.leastNodes() : count == nodes;
        }
    }

    static {
        add(1, CellShape.VERTEX, 1);
        add(2, CellShape.POINTS, VARIABLE);
        add(3, CellShape.LINE, 2);
        add(4, CellShape.POLYLINE, VARIABLE);
        add(5, CellShape.TRIANGLE, 3);
        add(7, CellShape.POLYGON, VARIABLE);
        add(9, CellShape.QUADRILATERAL, 4);
        add(PIXEL, CellShape.QUADRILATERAL, 4);
        add(10, CellShape.TETRAHEDRON, 4);
        add(12, CellShape.HEXAHEDRON, 8);
        add(VOXEL, CellShape.HEXAHEDRON, 8);
        add(13, CellShape.WEDGE, 6);
        add(14, CellShape.PYRAMID, 5);
        add(21, CellShape.LINE, 3);
        add(22, CellShape.TRIANGLE, 6);
        add(23, CellShape.QUADRILATERAL, 8);
        add(24, CellShape.TETRAHEDRON, 10);
        add(25, CellShape.HEXAHEDRON, 20);
        add(26, CellShape.WEDGE, 15);
        add(27, CellShape.PYRAMID, 13);
        add(28, CellShape.QUADRILATERAL, 9);
        add(29, CellShape.HEXAHEDRON, 27);
        add(30, CellShape.QUADRILATERAL, 6);
        add(31, CellShape.WEDGE, 12);
        add(32, CellShape.WEDGE, 18);
        add(33, CellShape.HEXAHEDRON, 24);
        add(34, CellShape.TRIANGLE, 7);
        add(35, CellShape.LINE, 4);
        add(37, CellShape.PYRAMID, 19);
        for (int i = 0; i < LAGRANGE.length; i++) {
            add(FIRST_LAGRANGE + i, LAGRANGE[i], VARIABLE);
        }
    }

    private VtkCells() {}

    private static void add(int code, CellShape shape, int nodes) {
        TYPES.put(code, new Type(shape, nodes));
    }

    /** Returns a type, null if cells of that number are not supported. */
    static Type type(int code) {
        return TYPES.get(code);
    }

    /** Puts the corners of a pixel or voxel in turn. */
    static void arrange(int code, int[] nodes, int from) {
        if (code == PIXEL || code == VOXEL) {
            swap(nodes, from + 2);
        }
        if (code == VOXEL) {
            swap(nodes, from + 6);
        }
    }

    private static void swap(int[] nodes, int at) {
        int kept = nodes[at];
        nodes[at] = nodes[at + 1];
        nodes[at + 1] = kept;
    }

    /** Returns the number of the type of the cells of a block. */
    static int code(CellBlock block) {
        int variable = -1;
        for (Map.Entry<Integer, Type> entry : TYPES.entrySet()) {
            Type type = entry.getValue();
            if (type.shape == block.shape() && type.nodes == block.nodesPerCell()) {
                return entry.getKey();
            }
            if (type.shape == block.shape() && type.nodes == VARIABLE) {
                variable = entry.getKey();
            }
        }
        if (variable < 0) {
            throw new IllegalArgumentException("VTK has no cell type for " + block);
        }
        return variable;
    }
}
