package org.trellis.fem.file;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.NodeFamily;

/**
 * Where the nodes of cells of degree 2 and 3 lie in the reference cell, in the order in which mesh data have them: that
 * of VTK for degree 2, that of Gmsh for degree 3 (Gmsh reference manual, section on node ordering: corners, the inside
 * of edges from their first corner on, of faces beginning near their first corner, of the volume).
 */
final class CurvedCells {
    private static final int[][] TRIANGLE = {{0, 1}, {1, 2}, {2, 0}};
    private static final int[][] QUADRILATERAL = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    private static final int[][] TETRAHEDRON_2 = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    private static final int[][] HEXAHEDRON_2 = {{0, 1}, {1, 2}, {2, 3}, {3, 0}, {4, 5}, {5, 6}, {6, 7}, {7, 4},
        {0, 4}, {1, 5}, {2, 6}, {3, 7}, {0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4}, {3, 7, 6, 2}, {0, 3, 2, 1},
        {4, 5, 6, 7}};
    private static final int[][] TETRAHEDRON_3 = {{0, 1}, {1, 2}, {2, 0}, {3, 0}, {3, 2}, {3, 1}, {0, 2, 1},
        {0, 1, 3}, {0, 3, 2}, {3, 1, 2}};
    private static final int[][] HEXAHEDRON_3 = {{0, 1}, {0, 3}, {0, 4}, {1, 2}, {1, 5}, {2, 3}, {2, 6}, {3, 7},
        {4, 5}, {4, 7}, {5, 6}, {6, 7}, {0, 3, 2, 1}, {0, 1, 5, 4}, {0, 4, 7, 3}, {1, 2, 6, 5}, {2, 3, 7, 6},
        {4, 5, 6, 7}};
    private static final int CUBIC = 3;

    private CurvedCells() {}

    /**
     * Finds the degree of cells by their number of nodes.
     *
     * @param shape of the cells
     * @param nodes of a cell
     * @return 1, 2 or 3; 0 if cells of none of these have as many
     */
    static int degree(ElementShape shape, int nodes) {
        for (int degree = 1; degree <= CUBIC; degree++) {
            if (element(shape, degree).nodes() == nodes) {
                return degree;
            }
        }
        return 0;
    }

    /** Returns the element of the map of cells of a degree. */
    static LagrangeElement element(ElementShape shape, int degree) {
        return LagrangeElement.of(shape, degree, NodeFamily.EQUISPACED);
    }

    /**
     * Sorts the nodes of cells.
     *
     * @param element of the map, of degree 2 or 3
     * @param cells   nodes of all cells, in the order of mesh data
     * @return the same in the order of the element's nodes
     */
    static int[] sorted(LagrangeElement element, int... cells) {
        int dimension = element.shape().dimension();
        List<int[]> places = places(element.shape(), element.degree());
        int n = element.nodes();
        int[] from = new int[n];
        for (int i = 0; i < n; i++) {
            int[] wanted = new int[dimension];
            for (int d = 0; d < dimension; d++) {
                wanted[d] = element.lattice(i, d);
            }
            for (int k = 0; k < n; k++) {
                from[i] = Arrays.equals(places.get(k), wanted) ? k : from[i];
            }
        }
        int[] sorted = new int[cells.length];
        Arrays.setAll(sorted, k -> cells[k - k % n + from[k % n]]);
        return sorted;
    }

    /** Returns where nodes lie, in steps from the origin. */
    static List<int[]> places(ElementShape shape, int degree) {
        int[][] parts = switch (shape) {
            case TRIANGLE -> TRIANGLE;
            case QUADRILATERAL -> QUADRILATERAL;
            case TETRAHEDRON -> degree == CUBIC ? TETRAHEDRON_3 : TETRAHEDRON_2;
            case HEXAHEDRON -> degree == CUBIC ? HEXAHEDRON_3 : HEXAHEDRON_2;
        };
        List<int[]> places = new ArrayList<>();
        int[] all = new int[shape.corners()];
        for (int c = 0; c < all.length; c++) {
            all[c] = c;
            places.add(inside(shape, degree, c));
        }
        for (int[] part : parts) {
            add(shape, degree, part, places);
        }
        boolean filled = shape == ElementShape.TETRAHEDRON || (shape == ElementShape.TRIANGLE && degree < CUBIC);
        if (!filled) {
            add(shape, degree, all, places);
        }
        return places;
    }

    /** The nodes inside of an edge, a face or a cell that some corners make. */
    private static void add(ElementShape shape, int degree, int[] corners, List<int[]> places) {
        if (degree < CUBIC) {
            places.add(inside(shape, degree, corners));
        } else if (corners.length == CUBIC) {
            places.add(inside(shape, degree, corners));
        } else {
            for (int near = 0; near < corners.length; near++) {
                places.add(nearCorner(shape, corners, near));
            }
        }
    }

    /** The mean of some corners. */
    private static int[] inside(ElementShape shape, int degree, int... corners) {
        int[] place = new int[shape.dimension()];
        for (int d = 0; d < place.length; d++) {
            for (int corner : corners) {
                place[d] += shape.corner(corner, d);
            }
            place[d] = place[d] * degree / corners.length;
        }
        return place;
    }

    /** Of degree 3: the node a third of the way from a corner to the others of an edge, a quadrilateral or a cube. */
    private static int[] nearCorner(ElementShape shape, int[] corners, int near) {
        int[] place = new int[shape.dimension()];
        for (int d = 0; d < place.length; d++) {
            int least = Integer.MAX_VALUE;
            int most = 0;
            for (int corner : corners) {
                least = Math.min(least, shape.corner(corner, d));
                most = Math.max(most, shape.corner(corner, d));
            }
            int own = shape.corner(corners[near], d);
            place[d] = least == most ? CUBIC * own : own == least ? 1 : 2;
        }
        return place;
    }
}
