package org.trellis.matrices.generate;

import org.trellis.common.Checks;

/**
 * A box of points numbered with x fastest, then y, then z.
 *
 * @param nx points in x
 * @param ny points in y
 * @param nz points in z, 1 in two dimensions
 */
record Grid(int nx, int ny, int nz) {
    Grid {
        Checks.positive("nx", nx);
        Checks.positive("ny", ny);
        Checks.positive("nz", nz);
        long layer = (long) nx * ny;
        if (layer > Integer.MAX_VALUE - 8L || layer * nz > Integer.MAX_VALUE - 8L) {
            throw new IllegalArgumentException("grid of " + nx + " x " + ny + " x " + nz + " has more than "
                    + (Integer.MAX_VALUE - 8) + " points, expected no more");
        }
    }

    int size() {
        return nx * ny * nz;
    }

    int x(int point) {
        return point % nx;
    }

    int y(int point) {
        return point / nx % ny;
    }

    int z(int point) {
        return point / nx / ny;
    }

    int point(int x, int y, int z) {
        return (z * ny + y) * nx + x;
    }

    boolean contains(int x, int y, int z) {
        return x >= 0 && x < nx && y >= 0 && y < ny && z >= 0 && z < nz;
    }

    /** Returns how many points have a neighbour of the grid at a distance. */
    long overlap(int dx, int dy, int dz) {
        return Math.max(0, (long) nx - Math.abs(dx)) * Math.max(0, ny - Math.abs(dy)) * Math.max(0, nz - Math.abs(dz));
    }

    /** Whether all neighbours that differ by at most 1 in each of the first {@code dimensions} exist. */
    boolean interior(int x, int y, int z, int dimensions) {
        return x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && (dimensions == 2 || (z > 0 && z < nz - 1));
    }
}
