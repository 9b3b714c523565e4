package org.trellis.solve.krylov;

import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/**
 * What Krylov methods do with vectors, as kernels on one element. Coefficients are computed from scalars by every
 * element that needs them; a zero divisor makes a coefficient zero, so that a solution stays what it is until the host
 * has seen it.
 */
final class KrylovUpdates {
    private KrylovUpdates() {}

    /** Computes {@code y = x}. */
    @MeshKernel
    static void copy(@Read double[] x, @Write double[] y) {
        y[0] = x[0];
    }

    /** Sets zeros. */
    @MeshKernel
    static void clear(@Write double[] y) {
        y[0] = 0;
    }

    /** Computes {@code z = d r}. */
    @MeshKernel
    static void multiply(@Read double[] d, @Read double[] r, @Write double[] z) {
        z[0] = d[0] * r[0];
    }

    /** Computes {@code x · y}. */
    @MeshKernel
    static void dot(@Read double[] x, @Read double[] y, @Sum double[] sum) {
        sum[0] += x[0] * y[0];
    }

    /** Sums {@code x x}. */
    @MeshKernel
    static void square(@Read double[] x, @Sum double[] sum) {
        sum[0] += x[0] * x[0];
    }

    /** Computes {@code y = x / √square}, or {@code x} as it is if that is zero. */
    @MeshKernel
    static void normalise(@GlobalRead double[] square, @ReadWrite double[] x) {
        double factor = square[0] > 0 ? 1 / Math.sqrt(square[0]) : 1;
        x[0] *= factor;
    }

    /** Begins a recurrence: {@code p = z}, {@code r · z}. */
    @MeshKernel
    static void begin(@Read double[] r, @Read double[] z, @Write double[] p, @Sum double[] rho) {
        p[0] = z[0];
        rho[0] += r[0] * z[0];
    }

    /** Flexible conjugate gradients: {@code r −= α q}, {@code r · r}. */
    @MeshKernel
    static void flexibleResidual(@GlobalRead double[] rho, @GlobalRead double[] sigma, @Read double[] q,
            @ReadWrite double[] r, @Sum double[] square) {
        double alpha = rho[0] > 0 && sigma[0] > 0 ? rho[0] / sigma[0] : 0;
        r[0] -= alpha * q[0];
        square[0] += r[0] * r[0];
    }

    /** Flexible conjugate gradients: {@code r · z} and {@code q · z}. */
    @MeshKernel
    static void flexibleDots(@Read double[] r, @Read double[] q, @Read double[] z, @Sum(2) double[] sums) {
        sums[0] += r[0] * z[0];
        sums[1] += q[0] * z[0];
    }

    /** Flexible conjugate gradients: {@code x += α p}, {@code p = z − (q · z) / (p · q) p}; dots holds r · z, q · z. */
    @MeshKernel
    static void flexibleDirection(@GlobalRead double[] rho, @GlobalRead double[] sigma, @GlobalRead(2) double[] dots,
            @Read double[] z, @ReadWrite double[] p, @ReadWrite double[] x) {
        double alpha = rho[0] > 0 && sigma[0] > 0 ? rho[0] / sigma[0] : 0;
        double beta = sigma[0] > 0 ? -dots[1] / sigma[0] : 0;
        x[0] += alpha * p[0];
        p[0] = z[0] + beta * p[0];
    }

    /** Pipelined conjugate gradients begin: {@code γ = r · u}, {@code δ = w · u}, {@code r · r}. */
    @MeshKernel
    static void pipelinedBegin(@Read double[] r, @Read double[] u, @Read double[] w, @Sum(3) double[] sums) {
        sums[0] += r[0] * u[0];
        sums[1] += w[0] * u[0];
        sums[2] += r[0] * r[0];
    }

    /** Pipelined conjugate gradients: all updates of an iteration and the sums of the next one in one pass. */
    @MeshKernel
    static void pipelined(@GlobalRead(2) double[] c, @Read double[] n, @Read double[] m, @ReadWrite double[] z,
            @ReadWrite double[] q, @ReadWrite double[] s, @ReadWrite double[] p, @ReadWrite double[] x,
            @ReadWrite double[] r, @ReadWrite double[] u, @ReadWrite double[] w, @Sum(3) double[] sums) {
        z[0] = n[0] + c[1] * z[0];
        q[0] = m[0] + c[1] * q[0];
        s[0] = w[0] + c[1] * s[0];
        p[0] = u[0] + c[1] * p[0];
        x[0] += c[0] * p[0];
        r[0] -= c[0] * s[0];
        u[0] -= c[0] * q[0];
        w[0] -= c[0] * z[0];
        sums[0] += r[0] * u[0];
        sums[1] += w[0] * u[0];
        sums[2] += r[0] * r[0];
    }

    /** Pipelined conjugate gradients without a preconditioner, where u = r, m = w and q = s. */
    @MeshKernel
    static void pipelinedPlain(@GlobalRead(2) double[] c, @Read double[] n, @ReadWrite double[] z,
            @ReadWrite double[] s, @ReadWrite double[] p, @ReadWrite double[] x, @ReadWrite double[] r,
            @ReadWrite double[] w, @Sum(3) double[] sums) {
        z[0] = n[0] + c[1] * z[0];
        s[0] = w[0] + c[1] * s[0];
        p[0] = r[0] + c[1] * p[0];
        x[0] += c[0] * p[0];
        r[0] -= c[0] * s[0];
        w[0] -= c[0] * z[0];
        sums[0] += r[0] * r[0];
        sums[1] += w[0] * r[0];
        sums[2] += r[0] * r[0];
    }

    /**
     * MINRES: the next vector of Lanczos into the place of the last but one, from q = A z with z as long as √norms[0];
     * d = z · q, norms are the lengths of this and the last vector.
     */
    @MeshKernel
    static void lanczos(@GlobalRead double[] d, @GlobalRead(2) double[] norms, @Read double[] q, @Read double[] v,
            @ReadWrite double[] old) {
        double inverse = norms[0] > 0 ? 1 / norms[0] : 0;
        double diagonal = d[0] * inverse * inverse * inverse;
        double off = norms[1] > 0 ? norms[0] / norms[1] : 0;
        old[0] = inverse * q[0] - diagonal * v[0] - off * old[0];
    }

    /** MINRES: the direction, its product with the matrix, the solution and the residual; c as MINRES makes them. */
    @MeshKernel
    static void minres(@GlobalRead(4) double[] c, @Read double[] z, @Read double[] q, @Read double[] w,
            @Read double[] u, @ReadWrite double[] wOld, @ReadWrite double[] uOld, @ReadWrite double[] x,
            @ReadWrite double[] r, @Sum double[] square) {
        wOld[0] = c[0] * z[0] - c[1] * wOld[0] - c[2] * w[0];
        uOld[0] = c[0] * q[0] - c[1] * uOld[0] - c[2] * u[0];
        x[0] += c[3] * wOld[0];
        r[0] -= c[3] * uOld[0];
        square[0] += r[0] * r[0];
    }

    /** BiCGStab begins: {@code r̂ = r}, {@code p = r}, {@code r · r}. */
    @MeshKernel
    static void stabilisedBegin(@Read double[] r, @Write double[] shadow, @Write double[] p, @Sum double[] rho) {
        shadow[0] = r[0];
        p[0] = r[0];
        rho[0] += r[0] * r[0];
    }

    /** BiCGStab: {@code s = r − α v} in the place of r. */
    @MeshKernel
    static void stabilisedHalf(@GlobalRead double[] rho, @GlobalRead double[] sigma, @Read double[] v,
            @ReadWrite double[] r) {
        double alpha = sigma[0] != 0 ? rho[0] / sigma[0] : 0;
        r[0] -= alpha * v[0];
    }

    /** BiCGStab: {@code t · s} and {@code t · t}. */
    @MeshKernel
    static void stabilisedDots(@Read double[] t, @Read double[] s, @Sum(2) double[] sums) {
        sums[0] += t[0] * s[0];
        sums[1] += t[0] * t[0];
    }

    /** BiCGStab: {@code x += α p̂ + ω ŝ}, {@code r = s − ω t}, {@code r · r}, {@code r̂ · r}. */
    @MeshKernel
    static void stabilisedFull(@GlobalRead double[] rho, @GlobalRead double[] sigma, @GlobalRead(2) double[] dots,
            @Read double[] pHat, @Read double[] sHat, @Read double[] t, @Read double[] shadow, @ReadWrite double[] x,
            @ReadWrite double[] r, @Sum double[] square, @Sum double[] nextRho) {
        double alpha = sigma[0] != 0 ? rho[0] / sigma[0] : 0;
        double omega = dots[1] > 0 ? dots[0] / dots[1] : 0;
        x[0] += alpha * pHat[0] + omega * sHat[0];
        r[0] -= omega * t[0];
        square[0] += r[0] * r[0];
        nextRho[0] += shadow[0] * r[0];
    }

    /** BiCGStab without a preconditioner, where ŝ = s is r: as {@link #stabilisedFull}. */
    @MeshKernel
    static void stabilisedFullPlain(@GlobalRead double[] rho, @GlobalRead double[] sigma, @GlobalRead(2) double[] dots,
            @Read double[] p, @Read double[] t, @Read double[] shadow, @ReadWrite double[] x, @ReadWrite double[] r,
            @Sum double[] square, @Sum double[] nextRho) {
        double alpha = sigma[0] != 0 ? rho[0] / sigma[0] : 0;
        double omega = dots[1] > 0 ? dots[0] / dots[1] : 0;
        x[0] += alpha * p[0] + omega * r[0];
        r[0] -= omega * t[0];
        square[0] += r[0] * r[0];
        nextRho[0] += shadow[0] * r[0];
    }

    /** BiCGStab: {@code p = r + β (p − ω v)}. */
    @MeshKernel
    static void stabilisedDirection(@GlobalRead double[] rho, @GlobalRead double[] nextRho, @GlobalRead double[] sigma,
            @GlobalRead(2) double[] dots, @Read double[] r, @Read double[] v, @ReadWrite double[] p) {
        double omega = dots[1] > 0 ? dots[0] / dots[1] : 0;
        double beta = omega != 0 && sigma[0] != 0 ? nextRho[0] / (sigma[0] * omega) : 0;
        p[0] = r[0] + beta * (p[0] - omega * v[0]);
    }

    /** Chebyshev iteration: {@code d = c₀ d + c₁ z}, {@code x += d}. */
    @MeshKernel
    static void chebyshev(@GlobalRead(2) double[] c, @Read double[] z, @ReadWrite double[] d, @ReadWrite double[] x) {
        d[0] = c[0] * d[0] + c[1] * z[0];
        x[0] += d[0];
    }

    /** Subtracts {@code r −= q} and sums {@code r · r}. */
    @MeshKernel
    static void subtractNorm(@Read double[] q, @ReadWrite double[] r, @Sum double[] square) {
        r[0] -= q[0];
        square[0] += r[0] * r[0];
    }

    /** Richardson: {@code x += ω z}, {@code r −= ω q}, {@code r · r}. */
    @MeshKernel
    static void richardson(@GlobalRead double[] omega, @Read double[] z, @Read double[] q, @ReadWrite double[] x,
            @ReadWrite double[] r, @Sum double[] square) {
        x[0] += omega[0] * z[0];
        r[0] -= omega[0] * q[0];
        square[0] += r[0] * r[0];
    }

    /** Richardson without a preconditioner, where z is r. */
    @MeshKernel
    static void richardsonPlain(@GlobalRead double[] omega, @Read double[] q, @ReadWrite double[] x,
            @ReadWrite double[] r, @Sum double[] square) {
        x[0] += omega[0] * r[0];
        r[0] -= omega[0] * q[0];
        square[0] += r[0] * r[0];
    }

    /** LSQR: {@code u = q / length[0] − (length[0] / length[1]) u}, {@code u · u}. */
    @MeshKernel
    static void bidiagonalise(@GlobalRead double[] productOf, @GlobalRead double[] own, @Read double[] q,
            @ReadWrite double[] u, @Sum double[] square) {
        double inverse = productOf[0] > 0 ? 1 / Math.sqrt(productOf[0]) : 0;
        double length = productOf[0] > 0 && own[0] > 0 ? Math.sqrt(productOf[0] / own[0]) : 0;
        u[0] = inverse * q[0] - length * u[0];
        square[0] += u[0] * u[0];
    }

    /** LSQR: {@code x += c₀ w}, {@code w = c₁ v − c₂ w}. */
    @MeshKernel
    static void leastSquares(@GlobalRead(3) double[] c, @Read double[] v, @ReadWrite double[] w,
            @ReadWrite double[] x) {
        x[0] += c[0] * w[0];
        w[0] = c[1] * v[0] - c[2] * w[0];
    }

    /** LSQR begins: {@code w = v / √square}. */
    @MeshKernel
    static void unit(@GlobalRead double[] square, @Read double[] v, @Write double[] w) {
        double factor = square[0] > 0 ? 1 / Math.sqrt(square[0]) : 0;
        w[0] = factor * v[0];
    }

    /** LSMR: {@code h̄ = h − c₀ h̄}, {@code x += c₁ h̄}, {@code h = c₂ v − c₃ h}. */
    @MeshKernel
    static void leastGradient(@GlobalRead(4) double[] c, @Read double[] v, @ReadWrite double[] h,
            @ReadWrite double[] hBar, @ReadWrite double[] x) {
        hBar[0] = h[0] - c[0] * hBar[0];
        x[0] += c[1] * hBar[0];
        h[0] = c[2] * v[0] - c[3] * h[0];
    }

    /** TFQMR begins: {@code r̂ = u = w = r}, {@code v = d = q = 0}, {@code r · r}. */
    @MeshKernel
    static void transposeFreeBegin(@Read double[] r, @Write double[] shadow, @Write double[] u, @Write double[] v,
            @Write double[] w, @Write double[] d, @Write double[] q, @Sum double[] rho) {
        shadow[0] = r[0];
        u[0] = r[0];
        v[0] = 0;
        w[0] = r[0];
        d[0] = 0;
        q[0] = 0;
        rho[0] += r[0] * r[0];
    }

    /** TFQMR: {@code u = w + β u} with {@code β = ρ / ρ_old}, or 0 at first; BiCG's directions too. */
    @MeshKernel
    static void transposeFreeBasis(@GlobalRead double[] rho, @GlobalRead double[] old, @Read double[] w,
            @ReadWrite double[] u) {
        double beta = old[0] != 0 ? rho[0] / old[0] : 0;
        u[0] = w[0] + beta * u[0];
    }

    /** TFQMR: {@code v = p + β (q + β v)}, {@code r̂ · v}. */
    @MeshKernel
    static void transposeFreeProduct(@GlobalRead double[] rho, @GlobalRead double[] old, @Read double[] p,
            @Read double[] q, @Read double[] shadow, @ReadWrite double[] v, @Sum double[] sigma) {
        double beta = old[0] != 0 ? rho[0] / old[0] : 0;
        v[0] = p[0] + beta * (q[0] + beta * v[0]);
        sigma[0] += shadow[0] * v[0];
    }

    /** TFQMR: {@code d = û + (ϑ² η / α) d}, {@code w −= α p}, {@code w · w}; c holds η, ϑ² η and τ. */
    @MeshKernel
    static void transposeFreeHalf(@GlobalRead double[] rho, @GlobalRead double[] sigma, @GlobalRead(3) double[] c,
            @Read double[] uHat, @Read double[] p, @ReadWrite double[] d, @ReadWrite double[] w,
            @Sum double[] square) {
        double alpha = sigma[0] != 0 ? rho[0] / sigma[0] : 0;
        double factor = alpha != 0 ? c[1] / alpha : 0;
        d[0] = uHat[0] + factor * d[0];
        w[0] -= alpha * p[0];
        square[0] += w[0] * w[0];
    }

    /** TFQMR: {@code x += η d}; c holds η, ϑ² η and τ. */
    @MeshKernel
    static void transposeFreeSolution(@GlobalRead(3) double[] c, @Read double[] d, @ReadWrite double[] x) {
        x[0] += c[0] * d[0];
    }

    /** BiCG: {@code x += α p}, {@code r −= α q}, {@code r̂ −= α q̂}, {@code r · r}. */
    @MeshKernel
    static void biconjugate(@GlobalRead double[] rho, @GlobalRead double[] sigma, @Read double[] p, @Read double[] q,
            @Read double[] shadowQ, @ReadWrite double[] x, @ReadWrite double[] r, @ReadWrite double[] shadow,
            @Sum double[] square) {
        double alpha = sigma[0] != 0 ? rho[0] / sigma[0] : 0;
        x[0] += alpha * p[0];
        r[0] -= alpha * q[0];
        shadow[0] -= alpha * shadowQ[0];
        square[0] += r[0] * r[0];
    }
}
