package org.trellis.solve.krylov;

import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/**
 * What Krylov methods in complex arithmetic do with vectors, as kernels on one complex number: a real and an imaginary
 * part. A zero divisor makes a coefficient zero, as in {@link KrylovUpdates}.
 */
final class ComplexUpdates {
    private ComplexUpdates() {}

    /** Sets zeros. */
    @MeshKernel
    static void clear(@Write(2) double[] y) {
        y[0] = 0;
        y[1] = 0;
    }

    /** Computes {@code z = d r} with a real diagonal, of which each element stands twice. */
    @MeshKernel
    static void multiply(@Read(2) double[] d, @Read(2) double[] r, @Write(2) double[] z) {
        z[0] = d[0] * r[0];
        z[1] = d[1] * r[1];
    }

    /** Sums {@code x y}, nothing conjugated. */
    @MeshKernel
    static void dot(@Read(2) double[] x, @Read(2) double[] y, @Sum(2) double[] sum) {
        sum[0] += x[0] * y[0] - x[1] * y[1];
        sum[1] += x[0] * y[1] + x[1] * y[0];
    }

    /** Sums {@code x* y}. */
    @MeshKernel
    static void inner(@Read(2) double[] x, @Read(2) double[] y, @Sum(2) double[] sum) {
        sum[0] += x[0] * y[0] + x[1] * y[1];
        sum[1] += x[0] * y[1] - x[1] * y[0];
    }

    /** COCG: {@code p = z + (ρ / ρ_old) p}. */
    @MeshKernel
    static void direction(@GlobalRead(2) double[] rho, @GlobalRead(2) double[] old, @Read(2) double[] z,
            @ReadWrite(2) double[] p) {
        double size = old[0] * old[0] + old[1] * old[1];
        double inverse = size > 0 ? 1 / size : 0;
        double re = (rho[0] * old[0] + rho[1] * old[1]) * inverse;
        double im = (rho[1] * old[0] - rho[0] * old[1]) * inverse;
        double real = p[0];
        p[0] = z[0] + re * real - im * p[1];
        p[1] = z[1] + re * p[1] + im * real;
    }

    /** COCG: {@code x += α p}, {@code r −= α q}, {@code ‖r‖²} with {@code α = ρ / σ}. */
    @MeshKernel
    static void update(@GlobalRead(2) double[] rho, @GlobalRead(2) double[] sigma, @Read(2) double[] p,
            @Read(2) double[] q, @ReadWrite(2) double[] x, @ReadWrite(2) double[] r, @Sum double[] square) {
        double size = sigma[0] * sigma[0] + sigma[1] * sigma[1];
        double inverse = size > 0 ? 1 / size : 0;
        double re = (rho[0] * sigma[0] + rho[1] * sigma[1]) * inverse;
        double im = (rho[1] * sigma[0] - rho[0] * sigma[1]) * inverse;
        x[0] += re * p[0] - im * p[1];
        x[1] += re * p[1] + im * p[0];
        r[0] -= re * q[0] - im * q[1];
        r[1] -= re * q[1] + im * q[0];
        square[0] += r[0] * r[0] + r[1] * r[1];
    }

    /** BiCGStab begins: {@code r̂ = r}, {@code p = r}, {@code ‖r‖²}. */
    @MeshKernel
    static void stabilisedBegin(@Read(2) double[] r, @Write(2) double[] shadow, @Write(2) double[] p,
            @Sum(2) double[] rho) {
        shadow[0] = r[0];
        shadow[1] = r[1];
        p[0] = r[0];
        p[1] = r[1];
        rho[0] += r[0] * r[0] + r[1] * r[1];
        rho[1] += 0;
    }

    /** BiCGStab: {@code s = r − α v} in the place of r. */
    @MeshKernel
    static void stabilisedHalf(@GlobalRead(2) double[] rho, @GlobalRead(2) double[] sigma, @Read(2) double[] v,
            @ReadWrite(2) double[] r) {
        double size = sigma[0] * sigma[0] + sigma[1] * sigma[1];
        double inverse = size > 0 ? 1 / size : 0;
        double re = (rho[0] * sigma[0] + rho[1] * sigma[1]) * inverse;
        double im = (rho[1] * sigma[0] - rho[0] * sigma[1]) * inverse;
        r[0] -= re * v[0] - im * v[1];
        r[1] -= re * v[1] + im * v[0];
    }

    /** BiCGStab: {@code t* s} and {@code t* t}. */
    @MeshKernel
    static void stabilisedDots(@Read(2) double[] t, @Read(2) double[] s, @Sum(3) double[] sums) {
        sums[0] += t[0] * s[0] + t[1] * s[1];
        sums[1] += t[0] * s[1] - t[1] * s[0];
        sums[2] += t[0] * t[0] + t[1] * t[1];
    }

    /** BiCGStab: {@code x += α p̂ + ω ŝ}. */
    @MeshKernel
    static void stabilisedSolution(@GlobalRead(2) double[] rho, @GlobalRead(2) double[] sigma,
            @GlobalRead(3) double[] dots, @Read(2) double[] pHat, @Read(2) double[] sHat, @ReadWrite(2) double[] x) {
        double size = sigma[0] * sigma[0] + sigma[1] * sigma[1];
        double inverse = size > 0 ? 1 / size : 0;
        double re = (rho[0] * sigma[0] + rho[1] * sigma[1]) * inverse;
        double im = (rho[1] * sigma[0] - rho[0] * sigma[1]) * inverse;
        double scale = dots[2] > 0 ? 1 / dots[2] : 0;
        double omegaRe = dots[0] * scale;
        double omegaIm = dots[1] * scale;
        x[0] += re * pHat[0] - im * pHat[1] + (omegaRe * sHat[0] - omegaIm * sHat[1]);
        x[1] += re * pHat[1] + im * pHat[0] + (omegaRe * sHat[1] + omegaIm * sHat[0]);
    }

    /** BiCGStab: {@code r = s − ω t}, {@code ‖r‖²}, {@code r̂* r}. */
    @MeshKernel
    static void stabilisedResidual(@GlobalRead(3) double[] dots, @Read(2) double[] t, @Read(2) double[] shadow,
            @ReadWrite(2) double[] r, @Sum double[] square, @Sum(2) double[] nextRho) {
        double scale = dots[2] > 0 ? 1 / dots[2] : 0;
        double omegaRe = dots[0] * scale;
        double omegaIm = dots[1] * scale;
        r[0] -= omegaRe * t[0] - omegaIm * t[1];
        r[1] -= omegaRe * t[1] + omegaIm * t[0];
        square[0] += r[0] * r[0] + r[1] * r[1];
        nextRho[0] += shadow[0] * r[0] + shadow[1] * r[1];
        nextRho[1] += shadow[0] * r[1] - shadow[1] * r[0];
    }

    /** BiCGStab: {@code p = r + β (p − ω v)} with {@code β = ρ_next / (σ ω)}, since α / ρ is 1 / σ. */
    @MeshKernel
    static void stabilisedDirection(@GlobalRead(2) double[] rho, @GlobalRead(2) double[] nextRho,
            @GlobalRead(2) double[] sigma, @GlobalRead(3) double[] dots, @Read(2) double[] r, @Read(2) double[] v,
            @ReadWrite(2) double[] p) {
        double scale = dots[2] > 0 ? 1 / dots[2] : 0;
        double omegaRe = dots[0] * scale;
        double omegaIm = dots[1] * scale;
        double divisorRe = sigma[0] * omegaRe - sigma[1] * omegaIm;
        double divisorIm = sigma[0] * omegaIm + sigma[1] * omegaRe;
        double size = divisorRe * divisorRe + divisorIm * divisorIm;
        double inverse = size > 0 && rho[0] * rho[0] + rho[1] * rho[1] > 0 ? 1 / size : 0;
        double re = (nextRho[0] * divisorRe + nextRho[1] * divisorIm) * inverse;
        double im = (nextRho[1] * divisorRe - nextRho[0] * divisorIm) * inverse;
        double real = p[0] - (omegaRe * v[0] - omegaIm * v[1]);
        double imaginary = p[1] - (omegaRe * v[1] + omegaIm * v[0]);
        p[0] = r[0] + re * real - im * imaginary;
        p[1] = r[1] + re * imaginary + im * real;
    }
}
