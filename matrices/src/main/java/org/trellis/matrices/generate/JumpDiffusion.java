package org.trellis.matrices.generate;

/**
 * Diffusion −∇·(k∇u) with a coefficient that jumps between cells: cell-centred finite volumes on a grid of unit cells
 * in two or three dimensions, homogeneous Dirichlet conditions on the boundary. Symmetric positive definite, 5 or 7
 * points.
 *
 * <p>The flux between cells P and Q has the harmonic mean 2 k_P k_Q / (k_P + k_Q) of their coefficients, and that
 * through a boundary face 2 k_P, the distance to the boundary being half a cell (S. Patankar, Numerical Heat Transfer
 * and Fluid Flow, 1980, section 4.2). The off-diagonal entry is minus the flux coefficient, the diagonal the sum of
 * all.
 */
public final class JumpDiffusion implements RowSource {
    /** How the coefficient is distributed. */
    public enum Field {
        /** Blocks of cells, alternately of coefficient 1 and of the contrast. */
        CHECKERBOARD,
        /** Blocks of cells of coefficient 1, a random share of which has the contrast instead. */
        INCLUSIONS
    }

    private static final int[] DX = {0, 0, -1, 0, 1, 0, 0};
    private static final int[] DY = {0, -1, 0, 0, 0, 1, 0};
    private static final int[] DZ = {-1, 0, 0, 0, 0, 0, 1};
    private static final int CENTRE = 3;

    private final Grid grid;
    private final int dimensions;
    private final Coefficient coefficient;

    /**
     * The coefficient.
     *
     * @param field    its distribution
     * @param contrast the other coefficient, greater than 0
     * @param block    edge of a block in cells, at least 1
     * @param share    share of blocks of the other coefficient for {@link Field#INCLUSIONS}, 0 to 1; not used otherwise
     * @param seed     seed of their choice; not used otherwise
     */
    public record Coefficient(Field field, double contrast, int block, double share, long seed) {
        /**
         * Checks the ranges.
         *
         * @throws IllegalArgumentException if a number is out of its range; names it
         */
        public Coefficient {
            if (!(contrast > 0) || Double.isInfinite(contrast)) {
                throw new IllegalArgumentException(
                        "jump diffusion: contrast is " + contrast + ", expected a finite number above 0");
            }
            if (block < 1) {
                throw new IllegalArgumentException("jump diffusion: block is " + block + ", expected at least 1");
            }
            if (!(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException("jump diffusion: share is " + share + ", expected 0 to 1");
            }
        }

        double at(int x, int y, int z) {
            int bx = x / block;
            int by = y / block;
            int bz = z / block;
            if (field == Field.CHECKERBOARD) {
                return (bx + by + bz) % 2 == 0 ? 1 : contrast;
            }
            long bits = SplitMix.hash(SplitMix.hash(seed, (long) bx << 32 | by), bz);
            return SplitMix.unit(bits) < share ? contrast : 1;
        }
    }

    private JumpDiffusion(Grid grid, int dimensions, Coefficient coefficient) {
        this.grid = grid;
        this.dimensions = dimensions;
        this.coefficient = coefficient;
    }

    /**
     * Makes the two-dimensional matrix.
     *
     * @param nx          cells in x, at least 1
     * @param ny          cells in y, at least 1
     * @param coefficient the coefficient of each cell
     * @return a matrix of {@code nx·ny} rows, 5n − 2(nx + ny) non-zeros
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public static JumpDiffusion of2d(int nx, int ny, Coefficient coefficient) {
        return new JumpDiffusion(new Grid(nx, ny, 1), 2, coefficient);
    }

    /**
     * Makes the three-dimensional matrix.
     *
     * @param nx          cells in x, at least 1
     * @param ny          cells in y, at least 1
     * @param nz          cells in z, at least 1
     * @param coefficient the coefficient of each cell
     * @return a matrix of {@code nx·ny·nz} rows, 7n − 2(nx·ny + ny·nz + nx·nz) non-zeros
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public static JumpDiffusion of3d(int nx, int ny, int nz, Coefficient coefficient) {
        return new JumpDiffusion(new Grid(nx, ny, nz), 3, coefficient);
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
        for (int k = 0; k < DX.length; k++) {
            sum += grid.overlap(DX[k], DY[k], DZ[k]);
        }
        return sum;
    }

    @Override
    public int length(int row) {
        int x = grid.x(row);
        int y = grid.y(row);
        int z = grid.z(row);
        int length = 0;
        for (int k = 0; k < DX.length; k++) {
            length += grid.contains(x + DX[k], y + DY[k], z + DZ[k]) ? 1 : 0;
        }
        return length;
    }

    @Override
    public void fill(int row, RowBuffer buffer) {
        int x = grid.x(row);
        int y = grid.y(row);
        int z = grid.z(row);
        double own = coefficient.at(x, y, z);
        double diagonal = 0;
        int diagonalIndex = 0;
        for (int k = 0; k < DX.length; k++) {
            int qx = x + DX[k];
            int qy = y + DY[k];
            int qz = z + DZ[k];
            if (k == CENTRE) {
                diagonalIndex = buffer.size();
                buffer.add(row, 0);
            } else if (grid.contains(qx, qy, qz)) {
                double flux = harmonicMean(own, coefficient.at(qx, qy, qz));
                buffer.add(grid.point(qx, qy, qz), -flux);
                diagonal += flux;
            } else if (dimensions == 3 || DZ[k] == 0) {
                diagonal += 2 * own;
            }
        }
        buffer.setValue(diagonalIndex, diagonal);
    }

    /** Symmetric to the last bit, and without overflow. */
    private static double harmonicMean(double a, double b) {
        return 2 / (1 / a + 1 / b);
    }
}
