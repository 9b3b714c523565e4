package org.trellis.matrices.generate;

import org.trellis.common.Checks;

/**
 * Stokes flow in a box with walls that do not slip, by marker and cell: velocities on the faces of unit cells,
 * pressures
 * in their centres. A symmetric indefinite saddle point
 *
 * <pre>
 *   ( A   Bᵀ )      A = −ν∇² for each velocity, positive definite
 *   ( B   −C )      Bᵀ the gradient of the pressure, C the compressibility times the identity
 * </pre>
 *
 * <p>Unknowns are numbered velocity by velocity, x first, then pressures. Velocities on walls are 0 and no unknowns.
 * Without compressibility the matrix is singular: constant pressures have no effect.
 *
 * @see <a href="https://doi.org/10.1063/1.1761178">F. Harlow, J. Welch, Numerical calculation of time-dependent viscous
 *      incompressible flow of fluid with free surface, Physics of Fluids 8, 1965</a>
 */
public final class StokesFlow implements RowSource {
    private final int dimensions;
    private final Grid cells;
    private final double viscosity;
    private final double compressibility;
    /** The faces that are normal to each axis and not on a wall. */
    private final Grid[] faces;
    /** Where the unknowns of each velocity begin, and then the pressures. */
    private final int[] starts;

    private StokesFlow(int dimensions, Grid cells, double viscosity, double compressibility) {
        requireNumber("viscosity", viscosity, viscosity > 0);
        requireNumber("compressibility", compressibility, compressibility >= 0);
        this.dimensions = dimensions;
        this.cells = cells;
        this.viscosity = viscosity;
        this.compressibility = compressibility;
        this.faces = new Grid[dimensions];
        this.starts = new int[dimensions + 1];
        long unknowns = cells.size();
        for (int axis = 0; axis < dimensions; axis++) {
            requireTwo(axis);
            faces[axis] = new Grid(cells.nx() - (axis == 0 ? 1 : 0), cells.ny() - (axis == 1 ? 1 : 0),
                    cells.nz() - (axis == 2 ? 1 : 0));
            unknowns += faces[axis].size();
            starts[axis + 1] = Checks.arrayLength("velocities of Stokes flow", unknowns - cells.size());
        }
        Checks.arrayLength("unknowns of Stokes flow", unknowns + 1);
    }

    private static void requireNumber(String name, double value, boolean inRange) {
        if (!inRange || Double.isInfinite(value)) {
            throw new IllegalArgumentException("stokes: " + name + " is " + value + ", expected a finite number "
                    + (name.equals("viscosity") ? "above 0" : "of at least 0"));
        }
    }

    private void requireTwo(int axis) {
        int size = size(cells, axis);
        if (size < 2) {
            throw new IllegalArgumentException(
                    "stokes: " + size + " cells along axis " + axis + ", expected at least 2");
        }
    }

    /**
     * Makes the two-dimensional matrix.
     *
     * @param nx              cells in x, at least 2
     * @param ny              cells in y, at least 2
     * @param viscosity       ν, above 0
     * @param compressibility of the fluid, 0 for none
     * @return a matrix of {@code (nx − 1)·ny + nx·(ny − 1) + nx·ny} rows
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public static StokesFlow of2d(int nx, int ny, double viscosity, double compressibility) {
        return new StokesFlow(2, new Grid(nx, ny, 1), viscosity, compressibility);
    }

    /**
     * Makes the three-dimensional matrix.
     *
     * @param nx              cells in x, at least 2
     * @param ny              cells in y, at least 2
     * @param nz              cells in z, at least 2
     * @param viscosity       ν, above 0
     * @param compressibility of the fluid, 0 for none
     * @return a matrix of as many rows as there are inner faces and cells
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public static StokesFlow of3d(int nx, int ny, int nz, double viscosity, double compressibility) {
        return new StokesFlow(3, new Grid(nx, ny, nz), viscosity, compressibility);
    }

    /**
     * Returns the number of velocities.
     *
     * @return the first row of the pressures
     */
    public int velocities() {
        return starts[dimensions];
    }

    @Override
    public int rows() {
        return velocities() + cells.size();
    }

    @Override
    public int columns() {
        return rows();
    }

    @Override
    public long leastNonZeros() {
        long sum = compressibility == 0 ? 0 : cells.size();
        for (Grid grid : faces) {
            // The diagonal, and two pressures, which know the velocity in turn.
            sum += 5L * grid.size() + 2 * (grid.overlap(1, 0, 0) + grid.overlap(0, 1, 0) + grid.overlap(0, 0, 1));
        }
        return sum;
    }

    @Override
    public int length(int row) {
        RowBuffer buffer = new RowBuffer();
        fill(row, buffer);
        return buffer.size();
    }

    @Override
    public void fill(int row, RowBuffer buffer) {
        int axis = 0;
        while (axis < dimensions && row >= starts[axis + 1]) {
            axis++;
        }
        if (axis < dimensions) {
            fillVelocity(axis, row - starts[axis], buffer);
        } else {
            fillPressure(row - velocities(), buffer);
        }
    }

    private void fillVelocity(int axis, int face, RowBuffer buffer) {
        Grid grid = faces[axis];
        int[] place = place(grid, face);
        double diagonal = 0;
        for (int other = 0; other < dimensions; other++) {
            boolean tangential = other != axis;
            diagonal += place[other] > 0 ? 1 : toWall(tangential);
            diagonal += place[other] < size(grid, other) - 1 ? 1 : toWall(tangential);
        }
        for (int other = dimensions - 1; other >= 0; other--) {
            if (place[other] > 0) {
                buffer.add(starts[axis] + face - stride(grid, other), -viscosity);
            }
        }
        buffer.add(starts[axis] + face, viscosity * diagonal);
        for (int other = 0; other < dimensions; other++) {
            if (place[other] < size(grid, other) - 1) {
                buffer.add(starts[axis] + face + stride(grid, other), -viscosity);
            }
        }
        int before = velocities() + cells.point(place[0], place[1], place[2]);
        buffer.add(before, -1);
        buffer.add(before + stride(cells, axis), 1);
    }

    /** A wall beside a face is half a cell away, where the velocity beyond it is minus the own one. */
    private static int toWall(boolean tangential) {
        return tangential ? 2 : 1;
    }

    private void fillPressure(int cell, RowBuffer buffer) {
        int[] place = place(cells, cell);
        for (int axis = 0; axis < dimensions; axis++) {
            Grid grid = faces[axis];
            int after = grid.point(place[0], place[1], place[2]);
            if (place[axis] > 0) {
                buffer.add(starts[axis] + after - stride(grid, axis), 1);
            }
            if (place[axis] < size(grid, axis)) {
                buffer.add(starts[axis] + after, -1);
            }
        }
        if (compressibility > 0) {
            buffer.add(velocities() + cell, -compressibility);
        }
    }

    private static int[] place(Grid grid, int point) {
        return new int[]{grid.x(point), grid.y(point), grid.z(point)};
    }

    private static int size(Grid grid, int axis) {
        return axis == 0 ? grid.nx() : axis == 1 ? grid.ny() : grid.nz();
    }

    private static int stride(Grid grid, int axis) {
        return axis == 0 ? 1 : axis == 1 ? grid.nx() : grid.nx() * grid.ny();
    }
}
