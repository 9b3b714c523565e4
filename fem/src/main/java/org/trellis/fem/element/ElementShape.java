package org.trellis.fem.element;

/**
 * The shape of a cell. Corners are numbered as mesh files do: those of a quadrilateral in turn, those of a hexahedron
 * as two quadrilaterals one above the other. Reference cells are the unit square and cube, and the triangle and
 * tetrahedron between the origin and the unit vectors.
 */
public enum ElementShape {
    /** A triangle. */
    TRIANGLE(2, new int[][]{{0, 0}, {1, 0}, {0, 1}}, new int[][]{{0, 1}, {1, 2}, {2, 0}}, new int[][]{{0, 1, 2}}),
    /** A quadrilateral. */
    QUADRILATERAL(2, new int[][]{{0, 0}, {1, 0}, {1, 1}, {0, 1}}, new int[][]{{0, 1}, {1, 2}, {2, 3}, {3, 0}},
            new int[][]{{0, 1, 2, 3}}),
    /** A tetrahedron. */
    TETRAHEDRON(3, new int[][]{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
            new int[][]{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}},
            new int[][]{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}),
    /** A hexahedron. */
    HEXAHEDRON(3,
            new int[][]{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}},
            new int[][]{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4}, {0, 4}, {1, 5}, {2, 6}, {3, 7}},
            new int[][]{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}});

    private final int dimension;
    private final int[][] corners;
    private final int[][] edges;
    private final int[][] faces;

    ElementShape(int dimension, int[][] corners, int[][] edges, int[][] faces) {
        this.dimension = dimension;
        this.corners = corners;
        this.edges = edges;
        this.faces = faces;
    }

    /**
     * Returns the dimension.
     *
     * @return 2 or 3
     */
    public int dimension() {
        return dimension;
    }

    /**
     * Returns the number of corners.
     *
     * @return 3, 4 or 8
     */
    public int corners() {
        return corners.length;
    }

    /**
     * Returns a coordinate of a corner of the reference cell.
     *
     * @param corner    which corner
     * @param direction which coordinate
     * @return 0 or 1
     */
    public int corner(int corner, int direction) {
        return corners[corner][direction];
    }

    /**
     * Returns the number of edges.
     *
     * @return 3 to 12
     */
    public int edges() {
        return edges.length;
    }

    /**
     * Returns the corners of an edge.
     *
     * @param edge which edge
     * @return two corners, a copy
     */
    public int[] edge(int edge) {
        return edges[edge].clone();
    }

    /**
     * Returns the number of faces, which in the plane is one, the cell itself.
     *
     * @return 1, 4 or 6
     */
    public int faces() {
        return faces.length;
    }

    /**
     * Returns the corners of a face, in turn.
     *
     * @param face which face
     * @return three or four corners, a copy
     */
    public int[] face(int face) {
        return faces[face].clone();
    }

    /**
     * Returns the number of facets: edges in the plane, faces in space.
     *
     * @return 3 to 6
     */
    public int facets() {
        return dimension == 2 ? edges.length : faces.length;
    }

    /**
     * Returns the corners of a facet. Seen from outside of the cell, those of a face run counterclockwise; an edge has
     * the cell on its left.
     *
     * @param facet which facet
     * @return two to four corners, a copy
     */
    public int[] facet(int facet) {
        return dimension == 2 ? edge(facet) : face(facet);
    }

    /**
     * Says whether the cell is a square or a cube, so that bases are products of those of an interval.
     *
     * @return true for quadrilaterals and hexahedra
     */
    public boolean isTensor() {
        return this == QUADRILATERAL || this == HEXAHEDRON;
    }
}
