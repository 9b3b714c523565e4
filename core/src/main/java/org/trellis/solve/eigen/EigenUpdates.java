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

    /** Sums the products of four vectors with four others; those with the first come first. */
    @MeshKernel
    static void products4(@Read double[] w0, @Read double[] w1, @Read double[] w2, @Read double[] w3,
            @Read double[] v0, @Read double[] v1, @Read double[] v2, @Read double[] v3, @Sum(16) double[] sums) {
        sums[0] += v0[0] * w0[0];
        sums[1] += v0[0] * w1[0];
        sums[2] += v0[0] * w2[0];
        sums[3] += v0[0] * w3[0];
        sums[4] += v1[0] * w0[0];
        sums[5] += v1[0] * w1[0];
        sums[6] += v1[0] * w2[0];
        sums[7] += v1[0] * w3[0];
        sums[8] += v2[0] * w0[0];
        sums[9] += v2[0] * w1[0];
        sums[10] += v2[0] * w2[0];
        sums[11] += v2[0] * w3[0];
        sums[12] += v3[0] * w0[0];
        sums[13] += v3[0] * w1[0];
        sums[14] += v3[0] * w2[0];
        sums[15] += v3[0] * w3[0];
    }

    /** Sums the products of four vectors with two; those with the first come first. */
    @MeshKernel
    static void products2(@Read double[] w0, @Read double[] w1, @Read double[] w2, @Read double[] w3,
            @Read double[] v0, @Read double[] v1, @Sum(8) double[] sums) {
        sums[0] += v0[0] * w0[0];
        sums[1] += v0[0] * w1[0];
        sums[2] += v0[0] * w2[0];
        sums[3] += v0[0] * w3[0];
        sums[4] += v1[0] * w0[0];
        sums[5] += v1[0] * w1[0];
        sums[6] += v1[0] * w2[0];
        sums[7] += v1[0] * w3[0];
    }

    /** Sums the products of four vectors with one; those with the first come first. */
    @MeshKernel
    static void products1(@Read double[] w0, @Read double[] w1, @Read double[] w2, @Read double[] w3,
            @Read double[] v0, @Sum(4) double[] sums) {
        sums[0] += v0[0] * w0[0];
        sums[1] += v0[0] * w1[0];
        sums[2] += v0[0] * w2[0];
        sums[3] += v0[0] * w3[0];
    }

    /** Subtracts multiples of four vectors from four; the factors of the first come first. */
    @MeshKernel
    static void subtract4(@GlobalRead(16) double[] c, @Read double[] v0, @Read double[] v1, @Read double[] v2,
            @Read double[] v3,
            @ReadWrite double[] w0, @ReadWrite double[] w1, @ReadWrite double[] w2, @ReadWrite double[] w3) {
        w0[0] -= c[0] * v0[0] + c[4] * v1[0] + (c[8] * v2[0] + c[12] * v3[0]);
        w1[0] -= c[1] * v0[0] + c[5] * v1[0] + (c[9] * v2[0] + c[13] * v3[0]);
        w2[0] -= c[2] * v0[0] + c[6] * v1[0] + (c[10] * v2[0] + c[14] * v3[0]);
        w3[0] -= c[3] * v0[0] + c[7] * v1[0] + (c[11] * v2[0] + c[15] * v3[0]);
    }

    /** Subtracts multiples of two vectors from four; the factors of the first come first. */
    @MeshKernel
    static void subtract2(@GlobalRead(8) double[] c, @Read double[] v0, @Read double[] v1,
            @ReadWrite double[] w0, @ReadWrite double[] w1, @ReadWrite double[] w2, @ReadWrite double[] w3) {
        w0[0] -= c[0] * v0[0] + c[4] * v1[0];
        w1[0] -= c[1] * v0[0] + c[5] * v1[0];
        w2[0] -= c[2] * v0[0] + c[6] * v1[0];
        w3[0] -= c[3] * v0[0] + c[7] * v1[0];
    }

    /** Subtracts multiples of a vector from four; the factors of the first come first. */
    @MeshKernel
    static void subtract1(@GlobalRead(4) double[] c, @Read double[] v0,
            @ReadWrite double[] w0, @ReadWrite double[] w1, @ReadWrite double[] w2, @ReadWrite double[] w3) {
        w0[0] -= c[0] * v0[0];
        w1[0] -= c[1] * v0[0];
        w2[0] -= c[2] * v0[0];
        w3[0] -= c[3] * v0[0];
    }
}
