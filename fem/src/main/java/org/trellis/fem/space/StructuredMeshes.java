package org.trellis.fem.space;

import java.util.function.UnaryOperator;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.fem.element.ElementShape;

/** Meshes of boxes, for tests and experiments. */
public final class StructuredMeshes {
    /** Of the six tetrahedra of a cube, which all have its diagonal from corner 0 to corner 6 (Kuhn, Freudenthal). */
    private static final int[][] TETRAHEDRA =
            {{0, 1, 2, 6}, {0, 2, 3, 6}, {0, 3, 7, 6}, {0, 7, 4, 6}, {0, 4, 5, 6}, {0, 5, 1, 6}};

    private static final int PER_TASK = 1 << 12;

    private StructuredMeshes() {}

    /**
     * Makes a mesh of the unit square or cube.
     *
     * @param shape of the cells; squares are cut into two triangles, cubes into six tetrahedra
     * @param n     cells in each direction, before they are cut
     * @param move  moves the vertices; is given an array of its own, by several threads at once
     * @return the mesh, the first coordinate running fastest
     * @throws IllegalArgumentException if n is below 1, or cells are inverted after the move
     */
    public static CellMesh unit(ElementShape shape, int n, UnaryOperator<double[]> move) {
        return box(shape, shape.dimension() == 2 ? new int[]{n, n} : new int[]{n, n, n}, move);
    }

    /**
     * Makes a mesh of the unit square or cube with different numbers of cells in each direction.
     *
     * @param shape of the cells; squares are cut into two triangles, cubes into six tetrahedra
     * @param n     cells in each direction, before they are cut
     * @param move  moves the vertices, for example to another box; is given an array of its own, by several
     *              threads at once
     * @return the mesh, the first coordinate running fastest
     * @throws IllegalArgumentException if a number is below 1, or cells are inverted after the move
     */
    public static CellMesh box(ElementShape shape, int[] n, UnaryOperator<double[]> move) {
        int dimension = shape.dimension();
        Checks.length("number of directions", n.length, dimension);
        int[][] pieces = pieces(shape);
        int perCube = pieces.length * shape.corners();
        long cubes = 1;
        long points = 1;
        for (int cells : n) {
            cubes *= Checks.positive("number of cells in a direction", cells);
            points *= cells + 1L;
            // Checked in each direction, before the next product may overflow and anything is allocated.
            Checks.arrayLength("corners of all cells of a mesh", cubes * perCube);
            Checks.arrayLength("coordinates of a mesh", points * dimension);
        }
        double[] x = new double[(int) points * dimension];
        ParallelRanges.strips((int) points, PER_TASK, (from, to) -> {
            for (int v = from; v < to; v++) {
                double[] at = new double[dimension];
                int rest = v;
                for (int d = 0; d < dimension; d++) {
                    at[d] = (double) (rest % (n[d] + 1)) / n[d];
                    rest /= n[d] + 1;
                }
                System.arraycopy(move.apply(at), 0, x, v * dimension, dimension);
            }
        });
        int[] cells = new int[(int) cubes * perCube];
        ElementShape tensor = dimension == 2 ? ElementShape.QUADRILATERAL : ElementShape.HEXAHEDRON;
        ParallelRanges.strips((int) cubes, PER_TASK, (from, to) -> {
            int[] corners = new int[tensor.corners()];
            for (int cube = from; cube < to; cube++) {
                corners(tensor, cube, n, corners);
                int at = cube * perCube;
                for (int[] piece : pieces) {
                    for (int corner : piece) {
                        cells[at++] = corners[corner];
                    }
                }
            }
        });
        return CellMesh.of(shape, x, cells);
    }

    /** Numbers the corners of a square or cube. */
    private static void corners(ElementShape tensor, int cube, int[] n, int... corners) {
        for (int c = 0; c < corners.length; c++) {
            corners[c] = 0;
            int stride = 1;
            int rest = cube;
            for (int d = 0; d < n.length; d++) {
                corners[c] += stride * (rest % n[d] + tensor.corner(c, d));
                rest /= n[d];
                stride *= n[d] + 1;
            }
        }
    }

    private static int[][] pieces(ElementShape shape) {
        return switch (shape) {
            case TRIANGLE -> new int[][]{{0, 1, 2}, {0, 2, 3}};
            case TETRAHEDRON -> TETRAHEDRA;
            case QUADRILATERAL -> new int[][]{{0, 1, 2, 3}};
            case HEXAHEDRON -> new int[][]{{0, 1, 2, 3, 4, 5, 6, 7}};
        };
    }

    /**
     * Moves a point of the unit square or cube, the boundary along itself: a smooth distortion for tests of
     * convergence.
     *
     * @param point two or three coordinates
     * @return the new place, a new array
     */
    public static double[] distorted(double[] point) {
        double x = point[0];
        double y = point[1];
        if (point.length == 2) {
            return new double[]{x + 0.08 * Math.sin(2 * Math.PI * x) * Math.sin(Math.PI * y),
                y + 0.06 * Math.sin(Math.PI * x) * Math.sin(2 * Math.PI * y)};
        }
        double z = point[2];
        double sx = Math.sin(Math.PI * x);
        double sy = Math.sin(Math.PI * y);
        double sz = Math.sin(Math.PI * z);
        return new double[]{x + 0.06 * Math.sin(2 * Math.PI * x) * sy * sz,
            y + 0.05 * sx * Math.sin(2 * Math.PI * y) * sz, z + 0.04 * sx * sy * Math.sin(2 * Math.PI * z)};
    }
}
