package org.trellis.adapt;

import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.Write;

/** Lengths of edges in the metric as kernels of the mesh runtime, by which edges to split or collapse are marked. */
final class EdgeKernels {
    private static final double HUGE_LENGTH = 1e30;

    private EdgeKernels() {}

    /** The square of the length of an edge in the plane, by the sum of the tensors at its ends. */
    @KernelFunction
    static double inPlane(double dx, double dy, double xx, double xy, double yy) {
        return 0.5 * (xx * dx * dx + 2 * xy * dx * dy + yy * dy * dy);
    }

    /** The shortest and the longest edge of triangles by their corners. */
    @MeshKernel
    static void plane(@Read(value = 2, entries = 3) double[][] x, @Read(value = 3, entries = 3) double[][] m,
            @Write(2) double[] span) {
        double least = HUGE_LENGTH;
        double greatest = 0;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                if (j > i) {
                    double square = inPlane(x[j][0] - x[i][0], x[j][1] - x[i][1], m[i][0] + m[j][0],
                            m[i][1] + m[j][1], m[i][2] + m[j][2]);
                    least = Math.min(least, square);
                    greatest = Math.max(greatest, square);
                }
            }
        }
        span[0] = Math.sqrt(least);
        span[1] = Math.sqrt(greatest);
    }

    /** The same of tetrahedra. */
    @MeshKernel
    static void space(@Read(value = 3, entries = 4) double[][] x, @Read(value = 6, entries = 4) double[][] m,
            @Write(2) double[] span) {
        double least = HUGE_LENGTH;
        double greatest = 0;
        for (int i = 0; i < 4; i++) {
            for (int j = 0; j < 4; j++) {
                if (j > i) {
                    double dx = x[j][0] - x[i][0];
                    double dy = x[j][1] - x[i][1];
                    double dz = x[j][2] - x[i][2];
                    double square = inPlane(dx, dy, m[i][0] + m[j][0], m[i][1] + m[j][1], m[i][3] + m[j][3])
                            + (m[i][2] + m[j][2]) * dx * dz + (m[i][4] + m[j][4]) * dy * dz
                            + 0.5 * (m[i][5] + m[j][5]) * dz * dz;
                    least = Math.min(least, square);
                    greatest = Math.max(greatest, square);
                }
            }
        }
        span[0] = Math.sqrt(least);
        span[1] = Math.sqrt(greatest);
    }
}
