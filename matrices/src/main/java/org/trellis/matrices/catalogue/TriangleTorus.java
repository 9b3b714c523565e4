package org.trellis.matrices.catalogue;

import java.util.Arrays;
import org.trellis.matrices.generate.RowBuffer;
import org.trellis.matrices.generate.RowSource;

/** Each triangle of a torus, itself and its three neighbours: squares cut in two, numbered line by line. */
final class TriangleTorus implements RowSource {
    private final int nx;
    private final int ny;
    private final SurrogateValues values;

    TriangleTorus(int nx, int ny, SurrogateValues values) {
        this.nx = nx;
        this.ny = ny;
        this.values = values;
    }

    @Override
    public int rows() {
        return 2 * nx * ny;
    }

    @Override
    public int columns() {
        return rows();
    }

    @Override
    public int length(int row) {
        return 4;
    }

    @Override
    public void fill(int row, RowBuffer buffer) {
        int upper = row % 2;
        int x = row / 2 % nx;
        int y = row / 2 / nx;
        int side = upper == 0 ? -1 : 1;
        int[] columns = {row, row ^ 1, triangle(x + side, y, 1 - upper), triangle(x, y + side, 1 - upper)};
        Arrays.sort(columns);
        values.fill(row, columns, buffer);
    }

    private int triangle(int x, int y, int upper) {
        return 2 * (Math.floorMod(y, ny) * nx + Math.floorMod(x, nx)) + upper;
    }
}
