package org.trellis.fem;

import org.trellis.kernel.Increment;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.Write;

/** Forms as a user writes them. */
final class OwnForms {
    private OwnForms() {}

    /** The matrix of (1 + x) ∇u·∇v at a point of the plane. */
    @MeshKernel
    static void scaledLaplacian(@Read(2) double[] x, @Write(9) double[] m) {
        for (int k = 0; k < 9; k++) {
            m[k] = 0;
        }
        m[4] = 1 + x[0];
        m[8] = 1 + x[0];
    }

    /** The stiffness of a triangle. */
    @MeshKernel
    static void triangle(@Read(value = 2, entries = 3) double[][] x, @Increment(value = 1, entries = 9) double[][] k) {
        double area2 = (x[1][0] - x[0][0]) * (x[2][1] - x[0][1]) - (x[2][0] - x[0][0]) * (x[1][1] - x[0][1]);
        double[] gx = new double[3];
        double[] gy = new double[3];
        for (int i = 0; i < 3; i++) {
            gx[i] = x[(i + 1) % 3][1] - x[(i + 2) % 3][1];
            gy[i] = x[(i + 2) % 3][0] - x[(i + 1) % 3][0];
        }
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                k[3 * i + j][0] += (gx[i] * gx[j] + gy[i] * gy[j]) / (2 * area2);
            }
        }
    }
}
