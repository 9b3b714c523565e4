package org.trellis.solve.krylov;

import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/** What conjugate gradients do with the vectors of four systems at once; each column has coefficients of its own. */
final class BlockUpdates {
    /** Systems at once. */
    static final int WIDTH = 4;

    private BlockUpdates() {}

    /** Sums the squares of each column. */
    @MeshKernel
    static void squares(@Read(WIDTH) double[] x, @Sum(WIDTH) double[] sums) {
        for (int c = 0; c < WIDTH; c++) {
            sums[c] += x[c] * x[c];
        }
    }

    /** Sums the products of each column. */
    @MeshKernel
    static void dots(@Read(WIDTH) double[] x, @Read(WIDTH) double[] y, @Sum(WIDTH) double[] sums) {
        for (int c = 0; c < WIDTH; c++) {
            sums[c] += x[c] * y[c];
        }
    }

    /** Copies. */
    @MeshKernel
    static void copy(@Read(WIDTH) double[] x, @Write(WIDTH) double[] y) {
        for (int c = 0; c < WIDTH; c++) {
            y[c] = x[c];
        }
    }

    /** Begins: {@code p = d r}, {@code r · p}. */
    @MeshKernel
    static void begin(@Read double[] d, @Read(WIDTH) double[] r, @Write(WIDTH) double[] p, @Sum(WIDTH) double[] rho) {
        for (int c = 0; c < WIDTH; c++) {
            double z = d[0] * r[c];
            p[c] = z;
            rho[c] += r[c] * z;
        }
    }

    /** Computes {@code r −= α q}, {@code r · r} and {@code r · d r}; columns that have met their limits stay. */
    @MeshKernel
    static void residual(@GlobalRead(WIDTH) double[] rho, @GlobalRead(WIDTH) double[] sigma,
            @GlobalRead(WIDTH) double[] square, @GlobalRead(WIDTH) double[] limit, @Read double[] d,
            @Read(WIDTH) double[] q, @ReadWrite(WIDTH) double[] r, @Sum(WIDTH) double[] next,
            @Sum(WIDTH) double[] nextRho) {
        for (int c = 0; c < WIDTH; c++) {
            double alpha = rho[c] > 0 && sigma[c] > 0 && square[c] > limit[c] ? rho[c] / sigma[c] : 0;
            r[c] -= alpha * q[c];
            next[c] += r[c] * r[c];
            nextRho[c] += r[c] * (d[0] * r[c]);
        }
    }

    /** Computes {@code x += α p}, {@code p = d r + β p}; columns that have met their limits stay. */
    @MeshKernel
    static void direction(@GlobalRead(WIDTH) double[] rho, @GlobalRead(WIDTH) double[] sigma,
            @GlobalRead(WIDTH) double[] square, @GlobalRead(WIDTH) double[] limit,
            @GlobalRead(WIDTH) double[] nextRho, @Read double[] d, @Read(WIDTH) double[] r,
            @ReadWrite(WIDTH) double[] p, @ReadWrite(WIDTH) double[] x) {
        for (int c = 0; c < WIDTH; c++) {
            boolean goesOn = rho[c] > 0 && sigma[c] > 0 && square[c] > limit[c];
            double alpha = goesOn ? rho[c] / sigma[c] : 0;
            double beta = goesOn ? nextRho[c] / rho[c] : 0;
            x[c] += alpha * p[c];
            p[c] = d[0] * r[c] + beta * p[c];
        }
    }
}
