package org.trellis.examples.tsunami;

import java.util.Arrays;
import org.trellis.examples.tsunami.TriangleMesh.Bounds;

/** Rectangles cut into squares, and each square into two triangles; the diagonals alternate like a chequered board. */
final class Rectangles {
    private static final int CORNERS_OF_SQUARE = 2 * TriangleMesh.CORNERS;

    private Rectangles() {}

    /**
     * Makes a mesh of 2 nx ny triangles on a flat bed at z = 0.
     *
     * @param bounds the rectangle
     * @param nx     squares along x
     * @param ny     squares along y
     * @param ends   the kind of the edges on the left and on the right end; the others are walls
     * @return the mesh
     */
    static TriangleMesh of(Bounds bounds, int nx, int ny, int ends) {
        long triangles = 2L * nx * ny;
        if (TriangleMesh.CORNERS * triangles > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(nx + " x " + ny + " squares are " + triangles
                    + " triangles, expected at most " + Integer.MAX_VALUE / TriangleMesh.CORNERS);
        }
        double[] coordinates = new double[2 * (nx + 1) * (ny + 1)];
        for (int j = 0; j <= ny; j++) {
            for (int i = 0; i <= nx; i++) {
                int node = i + (nx + 1) * j;
                coordinates[2 * node] = bounds.left() + bounds.width() * i / nx;
                coordinates[2 * node + 1] = bounds.bottom() + bounds.height() * j / ny;
            }
        }
        int marked = ends == ShallowWater.WALL ? 0 : 2 * ny;
        int[] boundaryNodes = new int[2 * marked];
        int[] kinds = new int[marked];
        Arrays.fill(kinds, ends);
        for (int edge = 0; edge < marked; edge++) {
            int node = (nx + 1) * (edge / 2) + (edge % 2 == 0 ? 0 : nx);
            boundaryNodes[2 * edge] = node;
            boundaryNodes[2 * edge + 1] = node + nx + 1;
        }
        return new TriangleMesh(coordinates, new double[(nx + 1) * (ny + 1)], triangles(nx, ny), boundaryNodes, kinds);
    }

    private static int[] triangles(int nx, int ny) {
        int[] triangles = new int[CORNERS_OF_SQUARE * nx * ny];
        int at = 0;
        for (int j = 0; j < ny; j++) {
            for (int i = 0; i < nx; i++) {
                int a = i + (nx + 1) * j;
                int b = a + 1;
                int c = b + nx + 1;
                int d = a + nx + 1;
                int[] both = (i + j) % 2 == 0 ? new int[]{a, b, c, a, c, d} : new int[]{a, b, d, b, c, d};
                System.arraycopy(both, 0, triangles, at, CORNERS_OF_SQUARE);
                at += CORNERS_OF_SQUARE;
            }
        }
        return triangles;
    }
}
