package org.trellis.solve.multigrid;

import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/** The loops of {@link KrylovSteps}, and the formulas of their coefficients. */
final class CycleUpdates {
    private CycleUpdates() {}

    /** Returns α/ρ, the length of a step along a correction; if ρ is not positive, there is no step. */
    @KernelFunction
    static double length(double alpha, double rho) {
        return rho > 0 ? alpha / rho : 0;
    }

    /** Returns the factor of the second correction; it counts if it is not nearly a multiple of the first. */
    @KernelFunction
    static double ofSecond(double rho, double gamma, double beta, double alpha2) {
        double rest = beta - length(gamma, rho) * gamma;
        return rest > 1e-10 * beta ? alpha2 / rest : 0;
    }

    /** Returns the factor of the first correction, given that of the second. */
    @KernelFunction
    static double ofFirst(double alpha, double rho, double gamma, double second) {
        return length(alpha, rho) - length(gamma, rho) * second;
    }

    /** Keeps the first correction, and sums up α. */
    @MeshKernel
    static void first(@Read double[] x, @Read double[] b, @Write double[] c, @Sum double[] alpha) {
        c[0] = x[0];
        alpha[0] += x[0] * b[0];
    }

    /** Leaves r̃ = r − (α/ρ) v; if ρ is not positive, there is no step. */
    @MeshKernel
    static void left(@GlobalRead double[] alpha, @GlobalRead double[] rho, @Read double[] v, @ReadWrite double[] b) {
        b[0] -= length(alpha[0], rho[0]) * v[0];
    }

    /** Sums up γ and α'. */
    @MeshKernel
    static void second(@Read double[] x, @Read double[] v, @Read double[] b, @Sum double[] gamma,
            @Sum double[] alpha2) {
        gamma[0] += x[0] * v[0];
        alpha2[0] += x[0] * b[0];
    }

    /** Puts both corrections together. */
    @MeshKernel
    static void both(@GlobalRead double[] alpha, @GlobalRead double[] rho, @GlobalRead double[] gamma,
            @GlobalRead double[] beta, @GlobalRead double[] alpha2, @Read double[] c, @ReadWrite double[] x) {
        double s = ofSecond(rho[0], gamma[0], beta[0], alpha2[0]);
        x[0] = ofFirst(alpha[0], rho[0], gamma[0], s) * c[0] + s * x[0];
    }
}
