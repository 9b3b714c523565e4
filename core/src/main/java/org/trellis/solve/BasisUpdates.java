package org.trellis.solve;

import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;

/** Dot products of a vector with several others, and multiples of several vectors added to one, in one pass each. */
final class BasisUpdates {
    private BasisUpdates() {}

    /** Sums {@code w · v}. */
    @MeshKernel
    static void dots1(@Read double[] w, @Read double[] v0, @Sum double[] sums) {
        sums[0] += w[0] * v0[0];
    }

    /** Sums the products with two vectors. */
    @MeshKernel
    static void dots2(@Read double[] w, @Read double[] v0, @Read double[] v1, @Sum(2) double[] sums) {
        sums[0] += w[0] * v0[0];
        sums[1] += w[0] * v1[0];
    }

    /** Sums the products with four vectors. */
    @MeshKernel
    static void dots4(@Read double[] w, @Read double[] v0, @Read double[] v1, @Read double[] v2, @Read double[] v3,
            @Sum(4) double[] sums) {
        sums[0] += w[0] * v0[0];
        sums[1] += w[0] * v1[0];
        sums[2] += w[0] * v2[0];
        sums[3] += w[0] * v3[0];
    }

    /** Sums the products with eight vectors. */
    @MeshKernel
    static void dots8(@Read double[] w, @Read double[] v0, @Read double[] v1, @Read double[] v2, @Read double[] v3,
            @Read double[] v4, @Read double[] v5, @Read double[] v6, @Read double[] v7, @Sum(8) double[] sums) {
        sums[0] += w[0] * v0[0];
        sums[1] += w[0] * v1[0];
        sums[2] += w[0] * v2[0];
        sums[3] += w[0] * v3[0];
        sums[4] += w[0] * v4[0];
        sums[5] += w[0] * v5[0];
        sums[6] += w[0] * v6[0];
        sums[7] += w[0] * v7[0];
    }

    /** Adds a multiple of a vector. */
    @MeshKernel
    static void combine1(@GlobalRead double[] c, @Read double[] v0, @ReadWrite double[] y) {
        y[0] += c[0] * v0[0];
    }

    /** Adds multiples of two vectors. */
    @MeshKernel
    static void combine2(@GlobalRead(2) double[] c, @Read double[] v0, @Read double[] v1, @ReadWrite double[] y) {
        y[0] += c[0] * v0[0] + c[1] * v1[0];
    }

    /** Adds multiples of four vectors. */
    @MeshKernel
    static void combine4(@GlobalRead(4) double[] c, @Read double[] v0, @Read double[] v1, @Read double[] v2,
            @Read double[] v3, @ReadWrite double[] y) {
        y[0] += c[0] * v0[0] + c[1] * v1[0] + (c[2] * v2[0] + c[3] * v3[0]);
    }

    /** Adds multiples of eight vectors. */
    @MeshKernel
    static void combine8(@GlobalRead(8) double[] c, @Read double[] v0, @Read double[] v1, @Read double[] v2,
            @Read double[] v3, @Read double[] v4, @Read double[] v5, @Read double[] v6, @Read double[] v7,
            @ReadWrite double[] y) {
        y[0] += c[0] * v0[0] + c[1] * v1[0] + (c[2] * v2[0] + c[3] * v3[0])
                + (c[4] * v4[0] + c[5] * v5[0] + (c[6] * v6[0] + c[7] * v7[0]));
    }

    /** Subtracts multiples of a vector. */
    @MeshKernel
    static void subtract1(@GlobalRead double[] c, @Read double[] v0, @ReadWrite double[] y) {
        y[0] -= c[0] * v0[0];
    }

    /** Subtracts multiples of two vectors. */
    @MeshKernel
    static void subtract2(@GlobalRead(2) double[] c, @Read double[] v0, @Read double[] v1, @ReadWrite double[] y) {
        y[0] -= c[0] * v0[0] + c[1] * v1[0];
    }

    /** Subtracts multiples of four vectors. */
    @MeshKernel
    static void subtract4(@GlobalRead(4) double[] c, @Read double[] v0, @Read double[] v1, @Read double[] v2,
            @Read double[] v3, @ReadWrite double[] y) {
        y[0] -= c[0] * v0[0] + c[1] * v1[0] + (c[2] * v2[0] + c[3] * v3[0]);
    }

    /** Subtracts multiples of eight vectors. */
    @MeshKernel
    static void subtract8(@GlobalRead(8) double[] c, @Read double[] v0, @Read double[] v1, @Read double[] v2,
            @Read double[] v3, @Read double[] v4, @Read double[] v5, @Read double[] v6, @Read double[] v7,
            @ReadWrite double[] y) {
        y[0] -= c[0] * v0[0] + c[1] * v1[0] + (c[2] * v2[0] + c[3] * v3[0])
                + (c[4] * v4[0] + c[5] * v5[0] + (c[6] * v6[0] + c[7] * v7[0]));
    }
}
