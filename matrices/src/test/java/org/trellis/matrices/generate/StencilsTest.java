package org.trellis.matrices.generate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;

class StencilsTest {
    @Test
    void fivePointsOnTwoByTwoAreRightByHand() {
        CsrMatrix matrix = Stencils.poisson2d(5, 2, 2).generate(Precision.F64);
        double[][] expected = {{4, -1, -1, 0}, {-1, 4, 0, -1}, {-1, 0, 4, -1}, {0, -1, -1, 4}};
        assertArrayEquals(expected, Dense.of(matrix));
        assertEquals(12, matrix.nonZeros(), "zeros are not stored");
    }

    @Test
    void fivePointsOnThreeByThreeHaveTheirRowsByHand() {
        double[][] dense = Dense.of(Stencils.poisson2d(5, 3, 3).generate(Precision.F64));
        assertArrayEquals(new double[]{4, -1, 0, -1, 0, 0, 0, 0, 0}, dense[0]);
        assertArrayEquals(new double[]{0, -1, 0, -1, 4, -1, 0, -1, 0}, dense[4]);
        assertArrayEquals(new double[]{0, 0, 0, 0, 0, -1, 0, -1, 4}, dense[8]);
    }

    @Test
    void trianglesHaveSixNeighboursByHand() {
        CsrMatrix matrix = Stencils.poisson2d(7, 3, 3).generate(Precision.F64);
        assertArrayEquals(new double[]{-1, -1, 0, -1, 6, -1, 0, -1, -1}, Dense.of(matrix)[4]);
        assertTrue(Dense.isSymmetric(matrix));
        assertTrue(Dense.isPositiveDefinite(matrix));
        assertEquals(9 + 2 * (6 + 6 + 4), matrix.nonZeros());
    }

    @Test
    void numberingRunsFastestInX() {
        CsrMatrix matrix = Stencils.poisson3d(7, 4, 3, 2).generate(Precision.F64);
        assertEquals(-1, matrix.get(0, 1), "neighbour in x");
        assertEquals(-1, matrix.get(0, 4), "neighbour in y");
        assertEquals(-1, matrix.get(0, 12), "neighbour in z");
        assertEquals(0, matrix.get(3, 4), "the end of a line is not next to the start of the following one");
        assertEquals(6, matrix.get(23, 23));
    }

    @ParameterizedTest
    @CsvSource({"5,1,1,1", "5,7,1,1", "5,1,7,1", "5,13,8,1", "9,1,1,1", "9,1,9,1", "9,13,8,1", "7,1,1,1", "7,5,1,3",
        "7,6,5,4", "27,1,1,1", "27,2,1,5", "27,6,5,4"})
    void countsSymmetryAndDefinitenessFollowTheFormulas(int points, int nx, int ny, int nz) {
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = make(points, nx, ny, nz).generate(precision);
            assertEquals((long) nx * ny * nz, matrix.rows());
            assertEquals(nonZeros(points, nx, ny, nz), matrix.nonZeros());
            assertTrue(Dense.isSymmetric(matrix));
            assertTrue(Dense.isPositiveDefinite(matrix));
            double[] sums = Dense.rowSums(matrix);
            for (int row = 0; row < matrix.rows(); row++) {
                assertEquals(points - matrix.rowLength(row), sums[row], "row " + row);
            }
        }
    }

    @Test
    void largeGridsHaveTheirCount() {
        CsrMatrix matrix = Stencils.poisson3d(27, 97, 89, 83).generate(Precision.F32);
        assertEquals(nonZeros(27, 97, 89, 83), matrix.nonZeros());
    }

    private static RowSource make(int points, int nx, int ny, int nz) {
        return points == 5 || points == 9
                ? Stencils.poisson2d(points, nx, ny)
                : Stencils.poisson3d(points, nx, ny, nz);
    }

    private static long nonZeros(int points, long nx, long ny, long nz) {
        long n = nx * ny * nz;
        return switch (points) {
            case 5 -> 5 * n - 2 * (nx + ny);
            case 7 -> 7 * n - 2 * (nx * ny + ny * nz + nx * nz);
            case 9 -> (3 * nx - 2) * (3 * ny - 2);
            default -> (3 * nx - 2) * (3 * ny - 2) * (3 * nz - 2);
        };
    }

    @Test
    void isotropicDiffusionIsTheBilinearLaplacian() {
        CsrMatrix diffusion = Stencils.anisotropic2d(5, 4, 1, 33).generate(Precision.F64);
        CsrMatrix poisson = Stencils.poisson2d(9, 5, 4).generate(Precision.F64);
        assertEquals(poisson.nonZeros(), diffusion.nonZeros());
        poisson.forEachEntry((i, j, value) -> assertEquals(value / 3, diffusion.get(i, j), 1e-15));
    }

    @Test
    void anisotropicWeightsAreRightByHand() {
        // At 0 degrees with epsilon 0.1: a = 1, c = 0.1, b = 0.
        CsrMatrix matrix = Stencils.anisotropic2d(3, 3, 0.1, 0).generate(Precision.F64);
        assertEquals(4 * 1.1 / 3, matrix.get(4, 4), 1e-15);
        assertEquals((0.1 - 2) / 3, matrix.get(4, 3), 1e-15, "west");
        assertEquals((1 - 0.2) / 3, matrix.get(4, 1), 1e-15, "south");
        assertEquals(-1.1 / 6, matrix.get(4, 8), 1e-15, "north-east");
        // At 45 degrees: a = c = 0.55, b = 0.45; diffusion is strong to the north-east.
        CsrMatrix turned = Stencils.anisotropic2d(3, 3, 0.1, 45).generate(Precision.F64);
        assertEquals(-1.1 / 6 - 0.225, turned.get(4, 8), 1e-15, "north-east");
        assertEquals(-1.1 / 6 + 0.225, turned.get(4, 6), 1e-15, "north-west");
    }

    @ParameterizedTest
    @CsvSource({"0.001,0", "0.001,30", "1e-6,45", "100,80", "0.5,-10"})
    void anisotropicDiffusionIsDefinite(double epsilon, double angle) {
        CsrMatrix matrix = Stencils.anisotropic2d(9, 7, epsilon, angle).generate(Precision.F64);
        assertTrue(Dense.isSymmetric(matrix));
        assertTrue(Dense.isPositiveDefinite(matrix));
        assertEquals(0, Dense.rowSums(matrix)[9 * 3 + 4], 1e-13 * Math.max(1, epsilon), "weights sum to 0");
    }

    @Test
    void wrongParametersAreNamed() {
        assertMessage("points is 6, expected 5, 7 or 9", () -> Stencils.poisson2d(6, 2, 2));
        assertMessage("points is 5, expected 7 or 27", () -> Stencils.poisson3d(5, 2, 2, 2));
        assertMessage("nx is 0, expected at least 1", () -> Stencils.poisson2d(5, 0, 2));
        assertMessage("grid of 100000 x 100000 x 1", () -> Stencils.poisson2d(5, 100_000, 100_000));
        assertMessage("epsilon is 0.0", () -> Stencils.anisotropic2d(2, 2, 0, 0));
        assertMessage("angle is NaN", () -> Stencils.anisotropic2d(2, 2, 1, Double.NaN));
    }

    static void assertMessage(String part, org.junit.jupiter.api.function.Executable executable) {
        String message = assertThrows(IllegalArgumentException.class, executable).getMessage();
        assertTrue(message.contains(part), message);
    }
}
