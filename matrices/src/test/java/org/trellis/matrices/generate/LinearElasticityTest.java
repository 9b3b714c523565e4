package org.trellis.matrices.generate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;

class LinearElasticityTest {
    @Test
    void oneElementIsRightByHand() {
        // Plane stress, E = 1, nu = 0: lambda = 0, mu = 1/2. The diagonal of the unit bilinear square is
        // integral of (N_x^2 + N_y^2 / 2) = 1/3 + 1/6 = 1/2. Between the two free nodes (1, 0) and (1, 1) in x:
        // integral of N_x M_x + N_y M_y / 2 = 1/6 - 1/6 = 0; in y: N_y M_y + N_x M_x / 2 = -1/3 + 1/12 = -1/4.
        CsrMatrix matrix = LinearElasticity.of2d(1, 1, 1, 0, true).generate(Precision.F64);
        assertEquals(4, matrix.rows());
        assertEquals(16, matrix.nonZeros());
        assertEquals(0.5, matrix.get(0, 0), 1e-15);
        assertEquals(0.5, matrix.get(3, 3), 1e-15);
        assertEquals(0, matrix.get(0, 2), 1e-15);
        assertEquals(-0.25, matrix.get(1, 3), 1e-15);
    }

    @Test
    void squaresAreDefiniteAndSymmetric() {
        for (boolean stress : new boolean[]{false, true}) {
            CsrMatrix matrix = LinearElasticity.of2d(6, 4, 210, 0.3, stress).generate(Precision.F64);
            assertEquals(2 * 6 * 5, matrix.rows());
            assertEquals(4L * (3 * 6 - 2) * (3 * 4 + 1), matrix.nonZeros());
            assertTrue(Dense.isSymmetric(matrix));
            assertTrue(Dense.isPositiveDefinite(matrix));
        }
    }

    @Test
    void cubesAreDefiniteAndSymmetric() {
        CsrMatrix matrix = LinearElasticity.of3d(4, 3, 2, 1, 0.45).generate(Precision.F64);
        assertEquals(3 * 4 * 4 * 3, matrix.rows());
        assertEquals(9L * (3 * 4 - 2) * (3 * 3 + 1) * (3 * 2 + 1), matrix.nonZeros());
        assertTrue(Dense.isSymmetric(matrix));
        assertTrue(Dense.isPositiveDefinite(matrix));
        assertTrue(Dense.isPositiveDefinite(LinearElasticity.of3d(1, 1, 1, 1, 0.3).generate(Precision.F64)));
    }

    @Test
    void rigidMotionsTakeNoForceAwayFromTheClamp() {
        int nx = 5;
        CsrMatrix matrix = LinearElasticity.of3d(nx, 3, 3, 7, 0.3).generate(Precision.F64);
        double[] shift = new double[matrix.rows()];
        double[] turn = new double[matrix.rows()];
        for (int node = 0; node < matrix.rows() / 3; node++) {
            shift[3 * node + 2] = 1;
            // Rotation about z: displacement (-y, x, 0), with x = index + 1 since the clamped nodes are left out.
            turn[3 * node] = -(node / nx % 4);
            turn[3 * node + 1] = node % nx + 1;
        }
        double[][] dense = Dense.of(matrix);
        for (int row = 0; row < matrix.rows(); row++) {
            boolean atClamp = row / 3 % nx == 0;
            if (!atClamp) {
                assertEquals(0, dot(dense[row], shift), 1e-12, "shift, row " + row);
                assertEquals(0, dot(dense[row], turn), 1e-12, "turn, row " + row);
            }
        }
        assertTrue(Math.abs(dot(dense[2], shift)) > 0.1, "the clamp holds");
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    @Test
    void wrongParametersAreNamed() {
        StencilsTest.assertMessage("poisson is 0.5", () -> LinearElasticity.of2d(1, 1, 1, 0.5, false));
        StencilsTest.assertMessage("youngs is 0.0", () -> LinearElasticity.of3d(1, 1, 1, 0, 0));
        StencilsTest.assertMessage("rows", () -> LinearElasticity.of3d(1000, 999, 999, 1, 0));
    }
}
