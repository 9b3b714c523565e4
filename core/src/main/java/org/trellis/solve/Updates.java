package org.trellis.solve;

import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/**
 * What an iteration of conjugate gradients does with vectors. Coefficients are computed from scalars by every element
 * that needs them, so that nothing has to be launched for them: {@code α = ρ / σ}, or 0 once the residual has met its
 * limit or if ρ or σ show that the preconditioner or the matrix is not positive definite, so that the solution stays
 * what it is, whatever the direction has become; and {@code β = ρ' / ρ}.
 */
final class Updates {
    private Updates() {}

    /** Begins: {@code p = r}, ρ = rᵀ r. */
    @MeshKernel
    static void begin(@Read double[] r, @Write double[] p, @Sum double[] rho) {
        p[0] = r[0];
        rho[0] += r[0] * r[0];
    }

    /** Begins with a diagonal preconditioner: {@code p = d r}, ρ = rᵀ p. */
    @MeshKernel
    static void beginDiagonal(@Read double[] r, @Read double[] d, @Write double[] p, @Sum double[] rho) {
        p[0] = d[0] * r[0];
        rho[0] += r[0] * p[0];
    }

    /** Begins with a preconditioned residual: {@code p = z}, ρ = rᵀ z. */
    @MeshKernel
    static void beginOther(@Read double[] r, @Read double[] z, @Write double[] p, @Sum double[] rho) {
        p[0] = z[0];
        rho[0] += r[0] * z[0];
    }

    /** Computes {@code r = r − α q} and its square. */
    @MeshKernel
    static void residual(@GlobalRead double[] rho, @GlobalRead double[] sigma, @GlobalRead double[] square,
            @GlobalRead double[] limit, @Read double[] q, @ReadWrite double[] r, @Sum double[] next) {
        double alpha = rho[0] > 0 && sigma[0] > 0 && square[0] > limit[0] ? rho[0] / sigma[0] : 0;
        r[0] -= alpha * q[0];
        next[0] += r[0] * r[0];
    }

    /** Computes {@code r = r − α q}, its square, and rᵀ d r for the next ρ. */
    @MeshKernel
    static void residualDiagonal(@GlobalRead double[] rho, @GlobalRead double[] sigma, @GlobalRead double[] square,
            @GlobalRead double[] limit, @Read double[] q, @Read double[] d, @ReadWrite double[] r, @Sum double[] next,
            @Sum double[] nextRho) {
        double alpha = rho[0] > 0 && sigma[0] > 0 && square[0] > limit[0] ? rho[0] / sigma[0] : 0;
        r[0] -= alpha * q[0];
        next[0] += r[0] * r[0];
        nextRho[0] += r[0] * (d[0] * r[0]);
    }

    /** Computes {@code x = x + factor α p} and then {@code p = z + β p}; without a preconditioner z is r. */
    @MeshKernel
    static void direction(@GlobalRead double[] rho, @GlobalRead double[] sigma, @GlobalRead double[] square,
            @GlobalRead double[] limit, @GlobalRead double[] factor, @GlobalRead double[] nextRho, @Read double[] z,
            @ReadWrite double[] p, @ReadWrite double[] x) {
        boolean goesOn = rho[0] > 0 && sigma[0] > 0 && square[0] > limit[0];
        double alpha = goesOn ? factor[0] * (rho[0] / sigma[0]) : 0;
        double beta = nextRho[0] / rho[0];
        x[0] += alpha == 0 ? 0 : alpha * p[0];
        p[0] = z[0] + beta * p[0];
    }

    /** As {@link #direction}, with z = d r. */
    @MeshKernel
    static void directionDiagonal(@GlobalRead double[] rho, @GlobalRead double[] sigma, @GlobalRead double[] square,
            @GlobalRead double[] limit, @GlobalRead double[] factor, @GlobalRead double[] nextRho, @Read double[] r,
            @Read double[] d, @ReadWrite double[] p, @ReadWrite double[] x) {
        boolean goesOn = rho[0] > 0 && sigma[0] > 0 && square[0] > limit[0];
        double alpha = goesOn ? factor[0] * (rho[0] / sigma[0]) : 0;
        double beta = nextRho[0] / rho[0];
        x[0] += alpha == 0 ? 0 : alpha * p[0];
        p[0] = d[0] * r[0] + beta * p[0];
    }

    /** Brings a residual into the order and scale of a split recurrence: {@code r̂ = s r}. */
    @MeshKernel
    static void enter(@Read double[] s, @Read double[] r, @Write double[] split) {
        split[0] = s[0] * r[0];
    }

    /** Brings the sum of steps back: {@code x = x + s sum}. */
    @MeshKernel
    static void leave(@Read double[] s, @Read double[] sum, @ReadWrite double[] x) {
        x[0] += s[0] * sum[0];
    }

    /** Begins a sum of steps: {@code sum = 0}. */
    @MeshKernel
    static void clear(@Write double[] sum) {
        sum[0] = 0;
    }

    /** Sums the squares of a split residual, ρ = r̂ᵀ r̂. */
    @MeshKernel
    static void square(@Read double[] r, @Sum double[] rho) {
        rho[0] += r[0] * r[0];
    }

    /** Computes {@code r̂ = r̂ − α (p + y)}, its square for the next ρ, and {@code sum = sum + factor α p}. */
    @MeshKernel
    static void splitStep(@GlobalRead double[] rho, @GlobalRead double[] sigma, @GlobalRead double[] square,
            @GlobalRead double[] limit, @GlobalRead double[] factor, @Read double[] p, @Read double[] y,
            @ReadWrite double[] r, @ReadWrite double[] sum, @Sum double[] nextRho) {
        boolean goesOn = rho[0] > 0 && sigma[0] > 0 && square[0] > limit[0];
        double alpha = goesOn ? rho[0] / sigma[0] : 0;
        r[0] -= alpha == 0 ? 0 : alpha * (p[0] + y[0]);
        sum[0] += alpha == 0 ? 0 : factor[0] * alpha * p[0];
        nextRho[0] += r[0] * r[0];
    }
}
