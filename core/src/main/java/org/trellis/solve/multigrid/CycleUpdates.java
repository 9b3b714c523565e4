package org.trellis.solve.multigrid;

import org.trellis.kernel.GlobalRead;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/** The loops of {@link KrylovVectors}. */
final class CycleUpdates {
    private CycleUpdates() {}

    /** Keeps the first correction, and sums up α. */
    @MeshKernel
    static void first(@Read double[] x, @Read double[] b, @Write double[] c, @Sum double[] alpha) {
        c[0] = x[0];
        alpha[0] += x[0] * b[0];
    }

    /** Leaves r̃ = r − (α/ρ) v; if ρ is not positive, there is no step. */
    @MeshKernel
    static void left(@GlobalRead double[] alpha, @GlobalRead double[] rho, @Read double[] v, @ReadWrite double[] b) {
        double t = rho[0] > 0 ? alpha[0] / rho[0] : 0;
        b[0] -= t * v[0];
    }

    /** Sums up γ and α'. */
    @MeshKernel
    static void second(@Read double[] x, @Read double[] v, @Read double[] b, @Sum double[] gamma,
            @Sum double[] alpha2) {
        gamma[0] += x[0] * v[0];
        alpha2[0] += x[0] * b[0];
    }

    /** Puts both corrections together; the second one counts if it is not nearly a multiple of the first. */
    @MeshKernel
    static void both(@GlobalRead double[] alpha, @GlobalRead double[] rho, @GlobalRead double[] gamma,
            @GlobalRead double[] beta, @GlobalRead double[] alpha2, @Read double[] c, @ReadWrite double[] x) {
        double t = rho[0] > 0 ? alpha[0] / rho[0] : 0;
        double g = rho[0] > 0 ? gamma[0] / rho[0] : 0;
        double rho2 = beta[0] - g * gamma[0];
        double s = rho2 > 1e-10 * beta[0] ? alpha2[0] / rho2 : 0;
        x[0] = (t - g * s) * c[0] + s * x[0];
    }
}
