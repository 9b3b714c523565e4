package org.trellis.examples.rotor.kernels;

import org.trellis.kernel.Constant;
import org.trellis.kernel.Increment;
import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Min;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Write;

/**
 * Runge–Kutta steps whose dissipation is computed in some stages only, with local time steps and residuals that are
 * smoothed implicitly (A. Jameson, T. J. Baker, "Solution of the Euler equations for complex configurations", AIAA
 * 83-1929).
 */
public final class Marching {
    private Marching() {}

    /** Computes (ρ, u, v, w, p, ν̃). */
    @MeshKernel
    static void primitive(@Read(6) double[] q, @Write(6) double[] w) {
        primitives(q, w);
    }

    @KernelFunction
    static void primitives(double[] q, double[] w) {
        double one = 1 / q[0];
        w[0] = q[0];
        w[1] = q[1] * one;
        w[2] = q[2] * one;
        w[3] = q[3] * one;
        w[4] = Gas.GAMMA_1 * (q[4] - 0.5 * (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) * one);
        w[5] = q[5] * one;
    }

    /** Computes (ρ, ρu, ρv, ρw, ρE, ρν̃). */
    @MeshKernel
    static void conserved(@Read(6) double[] w, @Write(6) double[] q) {
        q[0] = w[0];
        q[1] = w[0] * w[1];
        q[2] = w[0] * w[2];
        q[3] = w[0] * w[3];
        q[4] = w[4] / Gas.GAMMA_1 + 0.5 * w[0] * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
        q[5] = w[0] * w[5];
    }

    /** Copies a state. */
    @MeshKernel
    static void copy(@Read(6) double[] from, @Write(6) double[] to) {
        for (int k = 0; k < 6; k++) {
            to[k] = from[k];
        }
    }

    /** Clears one number. */
    @MeshKernel
    static void clear1(@Write double[] a) {
        a[0] = 0;
    }

    /** Clears two numbers. */
    @MeshKernel
    static void clear2(@Write(2) double[] a) {
        a[0] = 0;
        a[1] = 0;
    }

    /** Clears a state. */
    @MeshKernel
    static void clear6(@Write(6) double[] a) {
        for (int k = 0; k < 6; k++) {
            a[k] = 0;
        }
    }

    /** Clears a gradient. */
    @MeshKernel
    static void clear18(@Write(18) double[] a) {
        for (int k = 0; k < 18; k++) {
            a[k] = 0;
        }
    }

    /** Half the speed of the fastest wave through an edge's border times its area, for both ends. */
    @MeshKernel
    static void waveSpeed(@Read(3) double[] n, @Read double[] sweep, @Read(6) double[] w1, @Read(6) double[] w2,
            @Constant double omega, @Increment double[] s1, @Increment(repeats = "s1", sign = 1) double[] s2) {
        double area = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        double un = 0.5 * ((w1[1] + w2[1]) * n[0] + (w1[2] + w2[2]) * n[1] + (w1[3] + w2[3]) * n[2])
                - omega * sweep[0];
        double c = Math.sqrt(Gas.GAMMA * (w1[4] + w2[4]) / (w1[0] + w2[0]));
        double s = 0.5 * (Math.abs(un) + c * area);
        s1[0] += s;
        s2[0] += s;
    }

    /** The same through the boundary. */
    @MeshKernel
    static void waveSpeedOut(@Read(3) double[] n, @Read double[] sweep, @Read(6) double[] w, @Constant double omega,
            @Increment double[] s) {
        double area = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        double un = w[1] * n[0] + w[2] * n[1] + w[3] * n[2] - omega * sweep[0];
        s[0] += 0.5 * (Math.abs(un) + Math.sqrt(Gas.GAMMA * w[4] / w[0]) * area);
    }

    /** The time step over the volume, from the speeds of waves. */
    @MeshKernel
    static void timeStep(@Read double[] speeds, @Constant double courant, @Write double[] step) {
        step[0] = courant / speeds[0];
    }

    /** The least time step. */
    @MeshKernel
    static void leastStep(@Read double[] step, @Read double[] volume, @Min double[] least) {
        least[0] = Math.min(least[0], step[0] * volume[0]);
    }

    /**
     * Makes frozen dissipation of the stage's and the old one.
     *
     * @param share of the stage's
     */
    @MeshKernel
    static void blend(@Read(6) double[] fresh, @Constant double share, @ReadWrite(6) double[] frozen) {
        for (int k = 0; k < 6; k++) {
            frozen[k] += share * (fresh[k] - frozen[k]);
        }
    }

    /** Adds up a residual. */
    @MeshKernel
    static void total(@Read(6) double[] convection, @Read(6) double[] frozen, @Read(6) double[] forcing,
            @Write(6) double[] r) {
        for (int k = 0; k < 6; k++) {
            r[k] = convection[k] + frozen[k] + forcing[k];
        }
    }

    /** Adds up a residual where turbulence stays as it is: on coarse levels, and in flows that have none. */
    @MeshKernel
    static void totalOfFlow(@Read(6) double[] convection, @Read(6) double[] frozen, @Read(6) double[] forcing,
            @Write(6) double[] r) {
        for (int k = 0; k < 5; k++) {
            r[k] = convection[k] + frozen[k] + forcing[k];
        }
        r[5] = 0;
    }

    /** Multiplies a residual by the time step over the volume. */
    @MeshKernel
    static void scale(@Read double[] step, @ReadWrite(6) double[] r) {
        for (int k = 0; k < 6; k++) {
            r[k] *= step[0];
        }
    }

    /** Counts neighbours. */
    @MeshKernel
    static void degree(@Increment double[] d1, @Increment double[] d2) {
        d1[0] += 1;
        d2[0] += 1;
    }

    /** Adds up the smoothed residuals of the neighbours. */
    @MeshKernel
    static void gather(@Read(6) double[] r1, @Read(6) double[] r2, @Increment(6) double[] s1,
            @Increment(6) double[] s2) {
        for (int k = 0; k < 6; k++) {
            s1[k] += r2[k];
            s2[k] += r1[k];
        }
    }

    /** One of Jacobi's steps towards the smoothed residual. */
    @MeshKernel
    static void smooth(@Read(6) double[] raw, @Read(6) double[] sum, @Read double[] degree,
            @Constant double epsilon, @Write(6) double[] r) {
        double one = 1 / (1 + epsilon * degree[0]);
        for (int k = 0; k < 6; k++) {
            r[k] = one * (raw[k] + epsilon * sum[k]);
        }
    }

    /**
     * A stage.
     *
     * @param alpha the stage's share of the time step
     */
    @MeshKernel
    static void stage(@Read(6) double[] before, @Read(6) double[] r, @Constant double alpha, @Write(6) double[] q) {
        for (int k = 0; k < 6; k++) {
            q[k] = before[k] - alpha * r[k];
        }
    }

    /**
     * A stage whose residual is yet to be multiplied by the time step over the volume, since nothing smooths it, with
     * the primitive quantities that the next one takes.
     */
    @MeshKernel
    static void advance(@Read(6) double[] before, @Read(6) double[] r, @Read double[] step, @Constant double alpha,
            @Write(6) double[] q, @Write(6) double[] w) {
        double[] next = new double[6];
        for (int k = 0; k < 6; k++) {
            next[k] = before[k] - alpha * (step[0] * r[k]);
            q[k] = next[k];
        }
        primitives(next, w);
    }

    /** The same, in which the destruction of turbulence is implicit. */
    @MeshKernel
    static void advanceTurbulent(@Read(6) double[] before, @Read(6) double[] r, @Read double[] step,
            @Read double[] damping, @Constant double alpha, @Write(6) double[] q, @Write(6) double[] w) {
        double[] next = new double[6];
        for (int k = 0; k < 5; k++) {
            next[k] = before[k] - alpha * (step[0] * r[k]);
            q[k] = next[k];
        }
        next[5] = Math.max(0.0, before[5] - alpha * (step[0] * r[5]) / (1 + alpha * step[0] * damping[0]));
        q[5] = next[5];
        primitives(next, w);
    }

    /** A stage in which the destruction of turbulence is implicit; what would become negative becomes zero. */
    @MeshKernel
    static void stageTurbulent(@Read(6) double[] before, @Read(6) double[] r, @Read double[] step,
            @Read double[] damping, @Constant double alpha, @Write(6) double[] q) {
        for (int k = 0; k < 5; k++) {
            q[k] = before[k] - alpha * r[k];
        }
        q[5] = Math.max(0.0, before[5] - alpha * r[5] / (1 + alpha * step[0] * damping[0]));
    }
}
