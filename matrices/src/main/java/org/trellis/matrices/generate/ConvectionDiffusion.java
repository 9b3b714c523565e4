package org.trellis.matrices.generate;

import java.util.Arrays;

/**
 * Convection and diffusion −∇·(ε∇u) + ∇·(wu) with a wind w: cell-centred finite volumes on the unit square or cube with
 * grid lines that may be stretched or perturbed, homogeneous Dirichlet conditions. 5 or 7 points, not symmetric where
 * there is wind. Each row is the sum of the fluxes out of a cell, so it is not divided by its volume.
 *
 * <p>A flux through the face of area A between cells P and Q, whose centres are d apart, is made of D = εA/d and F =
 * w·nA
 * (S. Patankar, Numerical Heat Transfer and Fluid Flow, 1980, chapter 5). A boundary is half a cell away.
 */
public final class ConvectionDiffusion implements RowSource {
    /** Winds, in coordinates X = 2x − 1 and Y = 2y − 1. All are free of divergence, also in discrete form. */
    public enum Wind {
        /** Along an angle. */
        CONSTANT,
        /** (2Y(1 − X²), −2X(1 − Y²), 0), which turns about the centre and does not cross the boundary. */
        VORTEX,
        /** (Y, 0, 0). */
        SHEAR,
        /** No wind: diffusion alone, symmetric. */
        NONE
    }

    /** How convection is discretised. */
    public enum Scheme {
        /** From the cell that the wind comes from: an M-matrix, of first order. */
        UPWIND,
        /** From the mean of both cells: of second order, with positive off-diagonal elements where F > 2D. */
        CENTRAL,
        /** Exact for constant flux in one dimension (Scharfetter and Gummel, 1969): an M-matrix. */
        EXPONENTIAL
    }

    /**
     * The flow.
     *
     * @param wind      its field
     * @param degrees   of a constant wind, anticlockwise from the x axis; not used otherwise
     * @param elevation of a constant wind in three dimensions, degrees towards z; not used otherwise
     * @param epsilon   ε, greater than 0; the wind's greatest speed is about 1, or 2 for the vortex
     * @param scheme    how it is discretised
     */
    public record Flow(Wind wind, double degrees, double elevation, double epsilon, Scheme scheme) {
        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if a number is out of its range; names it
         */
        public Flow {
            if (!(epsilon > 0) || Double.isInfinite(epsilon)) {
                throw new IllegalArgumentException(
                        "convection: epsilon is " + epsilon + ", expected a finite number above 0");
            }
            if (!Double.isFinite(degrees) || !Double.isFinite(elevation)) {
                throw new IllegalArgumentException("convection: angle is " + degrees + " and elevation " + elevation
                        + ", expected finite numbers");
            }
        }

        /** The component of the wind along an axis at a point of the unit cube. */
        double component(int axis, double x, double y) {
            double bigX = 2 * x - 1;
            double bigY = 2 * y - 1;
            return switch (wind) {
                case NONE -> 0;
                case SHEAR -> axis == 0 ? bigY : 0;
                case VORTEX -> axis == 0 ? 2 * bigY * (1 - bigX * bigX) : axis == 1 ? -2 * bigX * (1 - bigY * bigY) : 0;
                case CONSTANT -> direction(axis);
            };
        }

        private double direction(int axis) {
            double up = StrictMath.toRadians(elevation);
            double around = StrictMath.toRadians(degrees);
            return switch (axis) {
                case 0 -> StrictMath.cos(around) * StrictMath.cos(up);
                case 1 -> StrictMath.sin(around) * StrictMath.cos(up);
                default -> StrictMath.sin(up);
            };
        }

        /** What multiplies the own element in the flux out of a cell: {@code out(D, F)} out of it. */
        double own(double diffusion, double flux) {
            return switch (scheme) {
                case UPWIND -> diffusion + Math.max(flux, 0);
                case CENTRAL -> diffusion + flux / 2;
                case EXPONENTIAL -> diffusion * bernoulli(-flux / diffusion);
            };
        }

        /** At a boundary the central scheme has the value there, which is 0. */
        double atBoundary(double diffusion, double flux) {
            return scheme == Scheme.CENTRAL ? diffusion : own(diffusion, flux);
        }

        private static double bernoulli(double x) {
            return Math.abs(x) < 1e-12 ? 1 - x / 2 : x / StrictMath.expm1(x);
        }
    }

    /** Steps to the neighbours of a cell, in the order of their columns. */
    private static final int[] AXES = {2, 1, 0, -1, 0, 1, 2};
    private static final int CENTRE = 3;

    private final Grid grid;
    private final int dimensions;
    private final Flow flow;
    private final double[][] widths;
    private final double[][] centres;

    private ConvectionDiffusion(Grid grid, int dimensions, GridLines lines, Flow flow) {
        this.grid = grid;
        this.dimensions = dimensions;
        this.flow = flow;
        this.widths = new double[][]{lines.widths(0, grid.nx()), lines.widths(1, grid.ny()),
            dimensions == 3 ? lines.widths(2, grid.nz()) : new double[]{1}};
        this.centres = Arrays.stream(widths).map(ConvectionDiffusion::centres).toArray(double[][]::new);
    }

    private static double[] centres(double[] widths) {
        double[] centres = new double[widths.length];
        double left = 0;
        for (int i = 0; i < centres.length; i++) {
            centres[i] = left + widths[i] / 2;
            left += widths[i];
        }
        return centres;
    }

    /**
     * Makes the two-dimensional matrix.
     *
     * @param nx    cells in x, at least 1
     * @param ny    cells in y, at least 1
     * @param lines the grid
     * @param flow  wind and diffusion
     * @return a matrix of {@code nx·ny} rows, 5n − 2(nx + ny) non-zeros
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public static ConvectionDiffusion of2d(int nx, int ny, GridLines lines, Flow flow) {
        return new ConvectionDiffusion(new Grid(nx, ny, 1), 2, lines, flow);
    }

    /**
     * Makes the three-dimensional matrix.
     *
     * @param nx    cells in x, at least 1
     * @param ny    cells in y, at least 1
     * @param nz    cells in z, at least 1
     * @param lines the grid
     * @param flow  wind and diffusion
     * @return a matrix of {@code nx·ny·nz} rows, 7n − 2(nx·ny + ny·nz + nx·nz) non-zeros
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public static ConvectionDiffusion of3d(int nx, int ny, int nz, GridLines lines, Flow flow) {
        return new ConvectionDiffusion(new Grid(nx, ny, nz), 3, lines, flow);
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
        return grid.size() + 2 * (grid.overlap(1, 0, 0) + grid.overlap(0, 1, 0) + grid.overlap(0, 0, 1));
    }

    @Override
    public int length(int row) {
        int length = 1;
        for (int k = 0; k < AXES.length; k++) {
            length += k != CENTRE && neighbour(row, k) >= 0 ? 1 : 0;
        }
        return length;
    }

    /** The cell on one side, -1 beyond the boundary. */
    private int neighbour(int cell, int k) {
        int step = k < CENTRE ? -1 : 1;
        int axis = AXES[k];
        int x = grid.x(cell) + (axis == 0 ? step : 0);
        int y = grid.y(cell) + (axis == 1 ? step : 0);
        int z = grid.z(cell) + (axis == 2 ? step : 0);
        return grid.contains(x, y, z) ? grid.point(x, y, z) : -1;
    }

    @Override
    public void fill(int row, RowBuffer buffer) {
        int[] place = {grid.x(row), grid.y(row), grid.z(row)};
        double diagonal = 0;
        int diagonalIndex = 0;
        for (int k = 0; k < AXES.length; k++) {
            if (k == CENTRE) {
                diagonalIndex = buffer.size();
                buffer.add(row, 0);
                continue;
            }
            int axis = AXES[k];
            if (axis >= dimensions) {
                continue;
            }
            int side = k < CENTRE ? -1 : 1;
            int other = neighbour(row, k);
            double area = area(place, axis);
            double flux = side * windAt(place, axis, side) * area;
            if (other < 0) {
                diagonal += flow.atBoundary(flow.epsilon() * area / (widths[axis][place[axis]] / 2), flux);
            } else {
                double distance = (widths[axis][place[axis]] + widths[axis][place[axis] + side]) / 2;
                double diffusion = flow.epsilon() * area / distance;
                diagonal += flow.own(diffusion, flux);
                // What enters is what leaves the neighbour.
                buffer.add(other, -flow.own(diffusion, -flux));
            }
        }
        buffer.setValue(diagonalIndex, diagonal);
    }

    private double area(int[] place, int axis) {
        double area = 1;
        for (int other = 0; other < dimensions; other++) {
            area *= other == axis ? 1 : widths[other][place[other]];
        }
        return area;
    }

    private double windAt(int[] place, int axis, int side) {
        double x = centres[0][place[0]] + (axis == 0 ? side * widths[0][place[0]] / 2 : 0);
        double y = centres[1][place[1]] + (axis == 1 ? side * widths[1][place[1]] / 2 : 0);
        return flow.component(axis, x, y);
    }
}
