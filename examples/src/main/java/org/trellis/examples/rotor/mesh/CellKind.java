package org.trellis.examples.rotor.mesh;

import java.util.Arrays;
import org.trellis.matrices.mesh.CellShape;

/**
 * The cells of a hybrid mesh. Corners are numbered as in VTK, but for prisms, whose first triangle is seen
 * anticlockwise from the second one here.
 */
public enum CellKind {
    /** Four triangles; the first is seen anticlockwise from the last corner. */
    TETRAHEDRON(CellShape.TETRAHEDRON, new int[][]{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}),
    /** A quadrilateral, seen anticlockwise from the apex, and the apex. */
    PYRAMID(CellShape.PYRAMID, new int[][]{{0, 3, 2, 1}, {0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}}),
    /** A triangle and the opposite one. */
    PRISM(CellShape.WEDGE, new int[][]{{0, 2, 1}, {3, 4, 5}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}),
    /** A quadrilateral, seen anticlockwise from the opposite one, and that. */
    HEXAHEDRON(CellShape.HEXAHEDRON, new int[][]{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6},
        {3, 0, 4, 7}});

    private final CellShape shape;
    private final int[][] faces;

    CellKind(CellShape shape, int[][] faces) {
        this.shape = shape;
        this.faces = faces;
    }

    /**
     * Returns the number of corners.
     *
     * @return 4 to 8
     */
    public int corners() {
        return shape.leastNodes();
    }

    /**
     * Returns the shape in files.
     *
     * @return the shape
     */
    public CellShape shape() {
        return shape;
    }

    /**
     * Returns the corners of each face, anticlockwise as seen from outside.
     *
     * @return a copy, a row of three or four corners for each face
     */
    public int[][] faces() {
        return Arrays.stream(faces).map(int[]::clone).toArray(int[][]::new);
    }
}
