package org.trellis.solve;

import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/**
 * What solvers do with vectors, as kernels on one element; the annotation processor makes the loops of every backend
 * from them ({@code VectorsLoops}). Coefficients are scalars on the device or globals of the host.
 */
public final class Vectors {
    private Vectors() {}

    /** Computes {@code y = x}. */
    @MeshKernel
    static void copy(@Read double[] x, @Write double[] y) {
        y[0] = x[0];
    }

    /** Computes {@code y = a y}. */
    @MeshKernel
    static void scale(@GlobalRead double[] a, @ReadWrite double[] y) {
        y[0] *= a[0];
    }

    /** Computes {@code y = a x}. */
    @MeshKernel
    static void scaled(@GlobalRead double[] a, @Read double[] x, @Write double[] y) {
        y[0] = a[0] * x[0];
    }

    /** Computes {@code y = a x + y}. */
    @MeshKernel
    static void axpy(@GlobalRead double[] a, @Read double[] x, @ReadWrite double[] y) {
        y[0] += a[0] * x[0];
    }

    /** Computes {@code y = x + b y}. */
    @MeshKernel
    static void xpby(@Read double[] x, @GlobalRead double[] b, @ReadWrite double[] y) {
        y[0] = x[0] + b[0] * y[0];
    }

    /** Computes {@code y = a x + b y}. */
    @MeshKernel
    static void axpby(@GlobalRead double[] a, @Read double[] x, @GlobalRead double[] b, @ReadWrite double[] y) {
        y[0] = a[0] * x[0] + b[0] * y[0];
    }

    /** Computes {@code z = x y}, element by element. */
    @MeshKernel
    static void multiply(@Read double[] x, @Read double[] y, @Write double[] z) {
        z[0] = x[0] * y[0];
    }

    /** Computes {@code y = a d x}, element by element. */
    @MeshKernel
    static void scaledProduct(@GlobalRead double[] a, @Read double[] d, @Read double[] x, @Write double[] y) {
        y[0] = a[0] * (d[0] * x[0]);
    }

    /** Computes {@code y = a d x + b y}, element by element. */
    @MeshKernel
    static void addProduct(@GlobalRead double[] a, @Read double[] d, @Read double[] x, @GlobalRead double[] b,
            @ReadWrite double[] y) {
        y[0] = a[0] * (d[0] * x[0]) + b[0] * y[0];
    }

    /** Sums {@code x y}. */
    @MeshKernel
    static void dot(@Read double[] x, @Read double[] y, @Sum double[] sum) {
        sum[0] += x[0] * y[0];
    }

    /** Sums {@code x x}. */
    @MeshKernel
    static void square(@Read double[] x, @Sum double[] sum) {
        sum[0] += x[0] * x[0];
    }

    /** Sums the products of one vector with two others. */
    @MeshKernel
    static void dots2(@Read double[] w, @Read double[] v0, @Read double[] v1, @Sum(2) double[] sums) {
        sums[0] += w[0] * v0[0];
        sums[1] += w[0] * v1[0];
    }

    /** Sums the products of one vector with four others. */
    @MeshKernel
    static void dots4(@Read double[] w, @Read double[] v0, @Read double[] v1, @Read double[] v2, @Read double[] v3,
            @Sum(4) double[] sums) {
        sums[0] += w[0] * v0[0];
        sums[1] += w[0] * v1[0];
        sums[2] += w[0] * v2[0];
        sums[3] += w[0] * v3[0];
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

    /** Computes {@code y = a x + y} and sums {@code y y}. */
    @MeshKernel
    static void axpyNorm(@GlobalRead double[] a, @Read double[] x, @ReadWrite double[] y, @Sum double[] sum) {
        y[0] += a[0] * x[0];
        sum[0] += y[0] * y[0];
    }
}
