package org.trellis.matrices.generate;

import java.util.Arrays;

/**
 * Matrices with the same stencil at every point of a grid: discrete Poisson and anisotropic diffusion equations with
 * homogeneous Dirichlet conditions. Points are numbered with x fastest. All are symmetric positive definite.
 *
 * <p>The number of non-zeros on nx × ny × nz points is Σₖ over the stencil of the grid's overlap with itself moved by
 * step k; for a star of 2d + 1 points (2d + 1)n − 2 Σ n/nᵢ with n = Π nᵢ, for a full box Π (3nᵢ − 2).
 */
public final class Stencils {
    private static final int CENTRE = 13;

    private Stencils() {}

    /**
     * Makes the two-dimensional Poisson matrix, not scaled by the mesh width.
     *
     * <p>Of 5 points: 4 at the centre and −1 at the four nearest points, the standard difference formula. Of 7 points:
     * 6 and −1 at the four nearest points and those to the north-east and south-west, which is √3 times the stiffness
     * of linear finite elements on equilateral triangles. Of 9 points:
     * 8 and −1 at the eight nearest points, which is three times the stiffness of bilinear finite elements.
     *
     * @param points 5, 7 or 9
     * @param nx     points in x, at least 1
     * @param ny     points in y, at least 1
     * @return a matrix of {@code nx·ny} rows
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public static RowSource poisson2d(int points, int nx, int ny) {
        if (points != 5 && points != 7 && points != 9) {
            throw new IllegalArgumentException("poisson2d: points is " + points + ", expected 5, 7 or 9");
        }
        double[] cube = laplacian(points == 5 ? 1 : 2, 2);
        if (points == 7) {
            cube[CENTRE - 2] = cube[CENTRE + 2] = 0;
            cube[CENTRE] = 6;
        }
        return new StencilMatrix(new Grid(nx, ny, 1), 2, cube);
    }

    /**
     * Makes the three-dimensional Poisson matrix, not scaled by the mesh width.
     *
     * <p>Of 7 points: 6 at the centre and −1 at the six nearest points. Of 27 points: 26 and −1 at all neighbours, the
     * matrix of the HPCG benchmark (J. Dongarra, M. Heroux, P. Luszczek, 2016).
     *
     * @param points 7 or 27
     * @param nx     points in x, at least 1
     * @param ny     points in y, at least 1
     * @param nz     points in z, at least 1
     * @return a matrix of {@code nx·ny·nz} rows
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public static RowSource poisson3d(int points, int nx, int ny, int nz) {
        if (points != 7 && points != 27) {
            throw new IllegalArgumentException("poisson3d: points is " + points + ", expected 7 or 27");
        }
        return new StencilMatrix(new Grid(nx, ny, nz), 3, laplacian(points == 7 ? 1 : 3, 3));
    }

    /**
     * Makes the matrix of −Δu − k²u in two dimensions by differences of 5 points, multiplied by the square of the
     * distance between points; homogeneous Dirichlet conditions. Symmetric, indefinite on grids of several wavelengths.
     *
     * @param nx         points in x, at least 1
     * @param ny         points in y, at least 1
     * @param wavelength 2π/k in distances between points, above 0; from 10 on waves are resolved
     * @return a matrix of {@code nx·ny} rows
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public static RowSource helmholtz2d(int nx, int ny, double wavelength) {
        return new StencilMatrix(new Grid(nx, ny, 1), 2, helmholtz(2, wavelength));
    }

    /**
     * Makes the matrix of −Δu − k²u in three dimensions by differences of 7 points, multiplied by the square of the
     * distance between points; homogeneous Dirichlet conditions. Symmetric, indefinite on grids of several wavelengths.
     *
     * @param nx         points in x, at least 1
     * @param ny         points in y, at least 1
     * @param nz         points in z, at least 1
     * @param wavelength 2π/k in distances between points, above 0; from 10 on waves are resolved
     * @return a matrix of {@code nx·ny·nz} rows
     * @throws IllegalArgumentException if a parameter is out of range
     */
    public static RowSource helmholtz3d(int nx, int ny, int nz, double wavelength) {
        return new StencilMatrix(new Grid(nx, ny, nz), 3, helmholtz(3, wavelength));
    }

    private static double[] helmholtz(int dimensions, double wavelength) {
        double k = 2 * Math.PI / wavelength;
        if (!(wavelength > 0) || !Double.isFinite(k * k) || Double.isInfinite(wavelength)) {
            throw new IllegalArgumentException("helmholtz: wavelength is " + wavelength
                    + ", expected a finite number above 0");
        }
        double[] cube = laplacian(1, dimensions);
        // A weight of exactly 0 would have no entries, and the diagonal belongs to the structure.
        cube[CENTRE] = cube[CENTRE] == k * k ? -Double.MIN_NORMAL : cube[CENTRE] - k * k;
        return cube;
    }

    /** Weights of −1 at the points at most {@code reach} unit steps away, and minus their sum at the centre. */
    private static double[] laplacian(int reach, int dimensions) {
        double[] cube = new double[27];
        for (int i = 0; i < cube.length; i++) {
            int dz = Math.abs(i / 9 - 1);
            int steps = Math.abs(i % 3 - 1) + Math.abs(i / 3 % 3 - 1) + dz;
            boolean used = steps > 0 && steps <= reach && (dimensions == 3 || dz == 0);
            cube[i] = used ? -1 : 0;
        }
        cube[CENTRE] = -Arrays.stream(cube).sum();
        return cube;
    }

    /**
     * Makes the matrix of −∇·(K∇u) in two dimensions with K = R diag(1, ε) Rᵀ, where R turns by an angle: diffusion is
     * strong along the angle and weak across it. Bilinear finite elements on squares; with a = cos²θ + ε sin²θ, c =
     * sin²θ + ε cos²θ and b = (1 − ε) sin θ cos θ the weights are (north up)
     *
     * <pre>
     *   −(a + c)/6 + b/2    (a − 2c)/3    −(a + c)/6 − b/2
     *      (c − 2a)/3       4(a + c)/3       (c − 2a)/3
     *   −(a + c)/6 − b/2    (a − 2c)/3    −(a + c)/6 + b/2
     * </pre>
     *
     * <p>The nine weights sum to 0. A weight that is exactly 0 makes no entries. Off-diagonal weights are positive for
     * strong anisotropy, so the matrix is not an M-matrix then.
     *
     * @param nx      points in x, at least 1
     * @param ny      points in y, at least 1
     * @param epsilon ε, greater than 0
     * @param degrees θ in degrees, anticlockwise from the x axis
     * @return a matrix of {@code nx·ny} rows
     * @throws IllegalArgumentException if a parameter is out of range
     * @see <a href="https://doi.org/10.1137/1.9780898719505">U. Trottenberg et al., Multigrid, section 7.7</a>
     */
    public static RowSource anisotropic2d(int nx, int ny, double epsilon, double degrees) {
        if (!(epsilon > 0) || Double.isInfinite(epsilon)) {
            throw new IllegalArgumentException(
                    "anisotropic2d: epsilon is " + epsilon + ", expected a finite number above 0");
        }
        if (!Double.isFinite(degrees)) {
            throw new IllegalArgumentException("anisotropic2d: angle is " + degrees + ", expected a finite number");
        }
        double cos = StrictMath.cos(StrictMath.toRadians(degrees));
        double sin = StrictMath.sin(StrictMath.toRadians(degrees));
        double a = cos * cos + epsilon * sin * sin;
        double c = sin * sin + epsilon * cos * cos;
        double b = (1 - epsilon) * sin * cos;
        double corner = -(a + c) / 6;
        double[] cube = new double[27];
        cube[CENTRE] = 4 * (a + c) / 3;
        cube[CENTRE - 1] = cube[CENTRE + 1] = (c - 2 * a) / 3;
        cube[CENTRE - 3] = cube[CENTRE + 3] = (a - 2 * c) / 3;
        cube[CENTRE - 4] = cube[CENTRE + 4] = corner - b / 2;
        cube[CENTRE - 2] = cube[CENTRE + 2] = corner + b / 2;
        return new StencilMatrix(new Grid(nx, ny, 1), 2, cube);
    }
}
