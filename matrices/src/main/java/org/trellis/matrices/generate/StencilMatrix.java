package org.trellis.matrices.generate;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The matrix of one stencil on a grid, with the neighbours beyond the boundary left out: homogeneous Dirichlet
 * conditions one step outside the grid.
 */
final class StencilMatrix implements RowSource {
    private final Grid grid;
    private final int dimensions;
    /** Steps and weight of each point, in the order of the columns. */
    private final int[] dx;
    private final int[] dy;
    private final int[] dz;
    private final int[] distance;
    private final double[] weights;

    /**
     * Creates a matrix.
     *
     * @param grid       the points
     * @param dimensions 2 or 3
     * @param cube       27 weights, x fastest, the centre at 13; where it is 0 there is no entry
     */
    StencilMatrix(Grid grid, int dimensions, double[] cube) {
        this.grid = grid;
        this.dimensions = dimensions;
        int[] used = IntStream.range(0, cube.length).filter(i -> cube[i] != 0).toArray();
        this.dx = Arrays.stream(used).map(i -> i % 3 - 1).toArray();
        this.dy = Arrays.stream(used).map(i -> i / 3 % 3 - 1).toArray();
        this.dz = Arrays.stream(used).map(i -> i / 9 - 1).toArray();
        this.distance = new int[used.length];
        Arrays.setAll(distance, k -> (dz[k] * grid.ny() + dy[k]) * grid.nx() + dx[k]);
        this.weights = Arrays.stream(used).mapToDouble(i -> cube[i]).toArray();
    }

    @Override
    public int rows() {
        return grid.size();
    }

    @Override
    public int columns() {
        return grid.size();
    }

    @Override
    public long leastNonZeros() {
        long sum = 0;
        for (int k = 0; k < weights.length; k++) {
            sum += grid.overlap(dx[k], dy[k], dz[k]);
        }
        return sum;
    }

    @Override
    public int length(int row) {
        int x = grid.x(row);
        int y = grid.y(row);
        int z = grid.z(row);
        if (grid.interior(x, y, z, dimensions)) {
            return weights.length;
        }
        int length = 0;
        for (int k = 0; k < weights.length; k++) {
            length += grid.contains(x + dx[k], y + dy[k], z + dz[k]) ? 1 : 0;
        }
        return length;
    }

    @Override
    public void fill(int row, RowBuffer buffer) {
        int x = grid.x(row);
        int y = grid.y(row);
        int z = grid.z(row);
        boolean interior = grid.interior(x, y, z, dimensions);
        for (int k = 0; k < weights.length; k++) {
            if (interior || grid.contains(x + dx[k], y + dy[k], z + dz[k])) {
                buffer.add(row + distance[k], weights[k]);
            }
        }
    }
}
