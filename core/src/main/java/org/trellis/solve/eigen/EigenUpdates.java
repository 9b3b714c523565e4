package org.trellis.solve.eigen;

import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/** What eigenvalue methods do with vectors beside dot products and combinations. */
final class EigenUpdates {
    private EigenUpdates() {}

    /** Sums {@code x x}. */
    @MeshKernel
    static void square(@Read double[] x, @Sum double[] sum) {
        sum[0] += x[0] * x[0];
    }

    /** Begins four sums of vectors. */
    @MeshKernel
    static void clear4(@Write double[] y0, @Write double[] y1, @Write double[] y2, @Write double[] y3) {
        y0[0] = 0;
        y1[0] = 0;
        y2[0] = 0;
        y3[0] = 0;
    }

    /** Begins a sum of vectors. */
    @MeshKernel
    static void clear1(@Write double[] y) {
        y[0] = 0;
    }

    /** Adds multiples of eight vectors to four; the factors of the first vector come first. */
    @MeshKernel
    static void transform4(@GlobalRead(32) double[] c, @Read double[] v0, @Read double[] v1, @Read double[] v2,
            @Read double[] v3, @Read double[] v4, @Read double[] v5, @Read double[] v6, @Read double[] v7,
            @ReadWrite double[] y0, @ReadWrite double[] y1, @ReadWrite double[] y2, @ReadWrite double[] y3) {
        y0[0] += c[0] * v0[0] + c[4] * v1[0] + (c[8] * v2[0] + c[12] * v3[0])
                + (c[16] * v4[0] + c[20] * v5[0] + (c[24] * v6[0] + c[28] * v7[0]));
        y1[0] += c[1] * v0[0] + c[5] * v1[0] + (c[9] * v2[0] + c[13] * v3[0])
                + (c[17] * v4[0] + c[21] * v5[0] + (c[25] * v6[0] + c[29] * v7[0]));
        y2[0] += c[2] * v0[0] + c[6] * v1[0] + (c[10] * v2[0] + c[14] * v3[0])
                + (c[18] * v4[0] + c[22] * v5[0] + (c[26] * v6[0] + c[30] * v7[0]));
        y3[0] += c[3] * v0[0] + c[7] * v1[0] + (c[11] * v2[0] + c[15] * v3[0])
                + (c[19] * v4[0] + c[23] * v5[0] + (c[27] * v6[0] + c[31] * v7[0]));
    }

    /** Adds multiples of eight vectors to one. */
    @MeshKernel
    static void transform1(@GlobalRead(8) double[] c, @Read double[] v0, @Read double[] v1, @Read double[] v2,
            @Read double[] v3, @Read double[] v4, @Read double[] v5, @Read double[] v6, @Read double[] v7,
            @ReadWrite double[] y) {
        y[0] += c[0] * v0[0] + c[1] * v1[0] + (c[2] * v2[0] + c[3] * v3[0])
                + (c[4] * v4[0] + c[5] * v5[0] + (c[6] * v6[0] + c[7] * v7[0]));
    }
}
