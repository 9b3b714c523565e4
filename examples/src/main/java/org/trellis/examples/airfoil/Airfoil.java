package org.trellis.examples.airfoil;

import org.trellis.kernel.Constant;
import org.trellis.kernel.Increment;
import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;
import org.trellis.kernel.Sum;
import org.trellis.kernel.Write;

/**
 * The kernels of Airfoil: the two-dimensional Euler equations by cell-centred finite volumes with a local time step (I.
 * Z. Reguly, Abstraction and Implementation of Unstructured Grid Algorithms on Massively Parallel Heterogeneous
 * Architectures, 2014, section 5.2 and table 5.1).
 *
 * <p>The state of a cell is {@code q = (ρ, ρu, ρv, ρE)}. The constants are literals of single precision, widened:
 * the published residuals depend on it. Products and sums may be contracted, as they are in the C program.
 */
public final class Airfoil {
    /** γ, the ratio of specific heats. */
    static final double GAMMA = 1.4f;
    /** γ − 1. */
    static final double GAMMA_1 = GAMMA - 1;
    /** The Courant number. */
    static final double CFL = 0.9f;
    /** ε, the factor of the artificial dissipation. */
    static final double DISSIPATION = 0.05f;
    /** The Mach number of the free stream. */
    static final double MACH = 0.4f;
    /** The boundary edges of this kind are walls, all others far field. */
    static final int WALL = 1;

    private static final int COMPONENTS = 4;

    private Airfoil() {}

    @MeshKernel
    static void saveSolution(@Read(4) double[] q, @Write(4) double[] oldQ) {
        for (int c = 0; c < COMPONENTS; c++) {
            oldQ[c] = q[c];
        }
    }

    /** Area over time step of a cell: what leaves through its four sides at the speed of sound and of the flow. */
    @MeshKernel(contract = true)
    static void timeStep(@Read(2) double[] x1, @Read(2) double[] x2, @Read(2) double[] x3, @Read(2) double[] x4,
            @Read(4) double[] q, @Write double[] adt) {
        double inverse = 1 / q[0];
        double u = inverse * q[1];
        double v = inverse * q[2];
        double sound = Math.sqrt(GAMMA * GAMMA_1 * (inverse * q[3] - 0.5 * (u * u + v * v)));
        double sum = side(x1, x2, u, v, sound) + side(x2, x3, u, v, sound) + side(x3, x4, u, v, sound)
                + side(x4, x1, u, v, sound);
        adt[0] = sum / CFL;
    }

    @KernelFunction
    static double side(double[] from, double[] to, double u, double v, double sound) {
        double dx = to[0] - from[0];
        double dy = to[1] - from[1];
        return Math.abs(u * dy - v * dx) + sound * Math.sqrt(dx * dx + dy * dy);
    }

    /** The flux through an interior edge: mean of both sides and a dissipation; one cell gains what the other loses. */
    @MeshKernel(contract = true)
    static void flux(@Read(2) double[] x1, @Read(2) double[] x2, @Read(4) double[] q1, @Read(4) double[] q2,
            @Read double[] adt1, @Read double[] adt2, @Increment(4) double[] residual1,
            @Increment(value = 4, repeats = "residual1", sign = -1) double[] residual2) {
        double dx = x1[0] - x2[0];
        double dy = x1[1] - x2[1];
        double inverse1 = 1 / q1[0];
        double p1 = GAMMA_1 * (q1[3] - 0.5 * inverse1 * (q1[1] * q1[1] + q1[2] * q1[2]));
        double volume1 = inverse1 * (q1[1] * dy - q1[2] * dx);
        double inverse2 = 1 / q2[0];
        double p2 = GAMMA_1 * (q2[3] - 0.5 * inverse2 * (q2[1] * q2[1] + q2[2] * q2[2]));
        double volume2 = inverse2 * (q2[1] * dy - q2[2] * dx);
        double mu = 0.5 * (adt1[0] + adt2[0]) * DISSIPATION;

        double mass = 0.5 * (volume1 * q1[0] + volume2 * q2[0]) + mu * (q1[0] - q2[0]);
        residual1[0] += mass;
        residual2[0] -= mass;
        double alongX = 0.5 * (volume1 * q1[1] + p1 * dy + volume2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
        residual1[1] += alongX;
        residual2[1] -= alongX;
        double alongY = 0.5 * (volume1 * q1[2] - p1 * dx + volume2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
        residual1[2] += alongY;
        residual2[2] -= alongY;
        double energy = 0.5 * (volume1 * (q1[3] + p1) + volume2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
        residual1[3] += energy;
        residual2[3] -= energy;
    }

    /** The flux through a boundary edge: pressure on the wall, the free stream on the other side elsewhere. */
    @MeshKernel(contract = true)
    static void boundaryFlux(@Read(2) double[] x1, @Read(2) double[] x2, @Read(4) double[] q1, @Read double[] adt1,
            @Increment(4) double[] residual1, @Read int[] kind, @Constant(4) double[] free) {
        double dx = x1[0] - x2[0];
        double dy = x1[1] - x2[1];
        double inverse1 = 1 / q1[0];
        double p1 = GAMMA_1 * (q1[3] - 0.5 * inverse1 * (q1[1] * q1[1] + q1[2] * q1[2]));
        if (kind[0] == WALL) {
            residual1[1] += p1 * dy;
            residual1[2] -= p1 * dx;
        } else {
            double volume1 = inverse1 * (q1[1] * dy - q1[2] * dx);
            double inverse2 = 1 / free[0];
            double p2 = GAMMA_1 * (free[3] - 0.5 * inverse2 * (free[1] * free[1] + free[2] * free[2]));
            double volume2 = inverse2 * (free[1] * dy - free[2] * dx);
            double mu = adt1[0] * DISSIPATION;
            residual1[0] += 0.5 * (volume1 * q1[0] + volume2 * free[0]) + mu * (q1[0] - free[0]);
            residual1[1] += 0.5 * (volume1 * q1[1] + p1 * dy + volume2 * free[1] + p2 * dy) + mu * (q1[1] - free[1]);
            residual1[2] += 0.5 * (volume1 * q1[2] - p1 * dx + volume2 * free[2] - p2 * dx) + mu * (q1[2] - free[2]);
            residual1[3] += 0.5 * (volume1 * (q1[3] + p1) + volume2 * (free[3] + p2)) + mu * (q1[3] - free[3]);
        }
    }

    /** Steps from the old state, and clears the residual for the next use. */
    @MeshKernel(contract = true)
    static void update(@Read(4) double[] oldQ, @Write(4) double[] q, @ReadWrite(4) double[] residual,
            @Read double[] adt,
            @Sum double[] change) {
        double inverse = 1 / adt[0];
        for (int c = 0; c < COMPONENTS; c++) {
            double delta = inverse * residual[c];
            q[c] = oldQ[c] - delta;
            residual[c] = 0;
            change[0] += delta * delta;
        }
    }
}
