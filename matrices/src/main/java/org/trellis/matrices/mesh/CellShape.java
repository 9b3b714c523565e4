package org.trellis.matrices.mesh;

/** The shape of a cell, whatever the number of nodes on it. */
public enum CellShape {
    /** A point. */
    VERTEX(0, 1),
    /** A segment, straight or curved. */
    LINE(1, 2),
    /** A triangle. */
    TRIANGLE(2, 3),
    /** A quadrilateral, its corners in turn. */
    QUADRILATERAL(2, 4),
    /** A tetrahedron. */
    TETRAHEDRON(3, 4),
    /** A hexahedron: a quadrilateral, then the opposite one. */
    HEXAHEDRON(3, 8),
    /** A wedge: a triangle, then the opposite one. */
    WEDGE(3, 6),
    /** A pyramid: a quadrilateral, then the apex. */
    PYRAMID(3, 5),
    /** A polygon of straight sides, its corners in turn. */
    POLYGON(2, 3),
    /** A chain of segments. */
    POLYLINE(1, 2),
    /** Several points. */
    POINTS(0, 1);

    private final int dimension;
    private final int leastNodes;

    CellShape(int dimension, int leastNodes) {
        this.dimension = dimension;
        this.leastNodes = leastNodes;
    }

    /**
     * Returns the dimension.
     *
     * @return 0 to 3
     */
    public int dimension() {
        return dimension;
    }

    /**
     * Returns the number of nodes that a cell of this shape has at least: its corners.
     *
     * @return at least 1
     */
    public int leastNodes() {
        return leastNodes;
    }

    /**
     * Says whether the number of corners is fixed, so that further nodes lie on edges, faces or inside.
     *
     * @return false for polygons, polylines and sets of points
     */
    public boolean isFixed() {
        return this != POLYGON && this != POLYLINE && this != POINTS;
    }
}
