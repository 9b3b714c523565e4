package org.trellis.examples.rotor.kernels;

import org.trellis.kernel.Constant;
import org.trellis.kernel.Increment;
import org.trellis.kernel.KernelFunction;
import org.trellis.kernel.MeshKernel;
import org.trellis.kernel.Read;
import org.trellis.kernel.ReadWrite;

/**
 * Fluxes without friction: a mean of both sides, and the dissipation of P. L. Roe ("Approximate Riemann solvers,
 * parameter
 * vectors, and difference schemes", J. Comput. Phys. 43, 1981), of first order or between linear reconstructions; and
 * what flows through boundaries. Borders move with the frame: {@code vg} is the volume that they sweep in a unit of
 * time.
 */
public final class Fluxes {
    /** Eigenvalues of sound are not below this share of the greatest. */
    private static final double ENTROPY = 0.05;

    private Fluxes() {}

    /** The flux of a state through a border with the normal n times the area. */
    @KernelFunction
    static void flux(double[] w, double[] n, double vg, double[] f) {
        double mass = w[0] * (w[1] * n[0] + w[2] * n[1] + w[3] * n[2] - vg);
        double enthalpy = Gas.GAMMA / Gas.GAMMA_1 * w[4] / w[0] + 0.5 * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
        f[0] = mass;
        f[1] = mass * w[1] + w[4] * n[0];
        f[2] = mass * w[2] + w[4] * n[1];
        f[3] = mass * w[3] + w[4] * n[2];
        f[4] = mass * enthalpy + w[4] * vg;
        f[5] = mass * w[5];
    }

    /** Half of Roe's matrix times the difference of two states. */
    @KernelFunction
    static void dissipation(double[] a, double[] b, double[] n, double vg, double[] d) {
        double area = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) + Gas.MIN_DIVISOR;
        double nx = n[0] / area;
        double ny = n[1] / area;
        double nz = n[2] / area;
        double root = Math.sqrt(b[0] / a[0]);
        double density = root * a[0];
        double share = 1 / (1 + root);
        double u = (a[1] + root * b[1]) * share;
        double v = (a[2] + root * b[2]) * share;
        double w = (a[3] + root * b[3]) * share;
        double nu = (a[5] + root * b[5]) * share;
        double kinetic = 0.5 * (u * u + v * v + w * w);
        double ha = Gas.GAMMA / Gas.GAMMA_1 * a[4] / a[0] + 0.5 * (a[1] * a[1] + a[2] * a[2] + a[3] * a[3]);
        double hb = Gas.GAMMA / Gas.GAMMA_1 * b[4] / b[0] + 0.5 * (b[1] * b[1] + b[2] * b[2] + b[3] * b[3]);
        double enthalpy = (ha + root * hb) * share;
        double cc = Gas.GAMMA_1 * (enthalpy - kinetic);
        double c = Math.sqrt(cc);
        double un = u * nx + v * ny + w * nz;
        double relative = un - vg / area;
        double least = ENTROPY * (Math.abs(relative) + c);
        double slow = Math.abs(relative - c);
        double fast = Math.abs(relative + c);
        slow = slow < least ? 0.5 * (slow * slow / least + least) : slow;
        fast = fast < least ? 0.5 * (fast * fast / least + least) : fast;
        double still = Math.abs(relative);
        double dp = b[4] - a[4];
        double du = b[1] - a[1];
        double dv = b[2] - a[2];
        double dw = b[3] - a[3];
        double dun = du * nx + dv * ny + dw * nz;
        double half = 0.5 * area;
        double left = half * slow * (dp - density * c * dun) / (2 * cc);
        double right = half * fast * (dp + density * c * dun) / (2 * cc);
        double entropy = half * still * (b[0] - a[0] - dp / cc);
        double shear = half * still * density;
        double mass = left + right + entropy;
        double sound = c * (right - left) - shear * dun;
        d[0] = mass;
        d[1] = mass * u + sound * nx + shear * du;
        d[2] = mass * v + sound * ny + shear * dv;
        d[3] = mass * w + sound * nz + shear * dw;
        d[4] = (left + right) * enthalpy + entropy * kinetic + sound * un + shear * (u * du + v * dv + w * dw);
        d[5] = mass * nu + shear * (b[5] - a[5]);
    }

    /** The mean of the fluxes of an edge's ends. */
    @MeshKernel
    static void convection(@Read(3) double[] n, @Read double[] sweep, @Read(6) double[] w1, @Read(6) double[] w2,
            @Constant double omega, @Increment(6) double[] r1,
            @Increment(value = 6, repeats = "r1", sign = -1) double[] r2) {
        double vg = omega * sweep[0];
        double[] f1 = new double[6];
        double[] f2 = new double[6];
        flux(w1, n, vg, f1);
        flux(w2, n, vg, f2);
        for (int k = 0; k < 6; k++) {
            double f = 0.5 * (f1[k] + f2[k]);
            r1[k] += f;
            r2[k] -= f;
        }
    }

    /** Roe's dissipation between reconstructions half-way along an edge. */
    @MeshKernel
    static void upwind(@Read(3) double[] x1, @Read(3) double[] x2, @Read(3) double[] n, @Read double[] sweep,
            @Read(6) double[] w1, @Read(6) double[] w2, @Read(18) double[] g1, @Read(18) double[] g2,
            @Read(6) double[] phi1, @Read(6) double[] phi2, @Constant double omega, @Increment(6) double[] d1,
            @Increment(value = 6, repeats = "d1", sign = -1) double[] d2) {
        double dx = 0.5 * (x2[0] - x1[0]);
        double dy = 0.5 * (x2[1] - x1[1]);
        double dz = 0.5 * (x2[2] - x1[2]);
        double[] a = new double[6];
        double[] b = new double[6];
        for (int k = 0; k < 6; k++) {
            a[k] = w1[k] + phi1[k] * (g1[3 * k] * dx + g1[3 * k + 1] * dy + g1[3 * k + 2] * dz);
            b[k] = w2[k] - phi2[k] * (g2[3 * k] * dx + g2[3 * k + 1] * dy + g2[3 * k + 2] * dz);
        }
        double[] d = new double[6];
        dissipation(a, b, n, omega * sweep[0], d);
        for (int k = 0; k < 6; k++) {
            double f = -d[k];
            d1[k] += f;
            d2[k] -= f;
        }
    }

    /** Roe's dissipation between the ends of an edge, for coarse levels. */
    @MeshKernel
    static void upwindFirst(@Read(3) double[] n, @Read double[] sweep, @Read(6) double[] w1, @Read(6) double[] w2,
            @Constant double omega, @Increment(6) double[] d1,
            @Increment(value = 6, repeats = "d1", sign = -1) double[] d2) {
        double[] d = new double[6];
        dissipation(w1, w2, n, omega * sweep[0], d);
        for (int k = 0; k < 6; k++) {
            double f = -d[k];
            d1[k] += f;
            d2[k] -= f;
        }
    }

    /** What a turning frame does to momentum: ρ ω × u. */
    @MeshKernel
    static void turning(@Read(6) double[] w, @Read double[] volume, @Constant double omega, @Increment(6) double[] r) {
        double spin = omega * volume[0] * w[0];
        r[2] -= spin * w[3];
        r[3] += spin * w[2];
    }

    /** Pressure on a wall without friction. */
    @MeshKernel
    static void slipWall(@Read(3) double[] n, @Read double[] sweep, @Read(6) double[] w, @Constant double omega,
            @Increment(6) double[] r) {
        r[1] += w[4] * n[0];
        r[2] += w[4] * n[1];
        r[3] += w[4] * n[2];
        r[4] += w[4] * (omega * sweep[0]);
    }

    /** Pressure on a wall that the fluid sticks to; the rows of momentum do not matter there. */
    @MeshKernel
    static void noSlipWall(@Read double[] sweep, @Read(6) double[] w, @Constant double omega,
            @Increment(6) double[] r) {
        r[4] += w[4] * (omega * sweep[0]);
    }

    /** What flows to a given state outside, by the waves between the two states. */
    @MeshKernel
    static void farField(@Read(3) double[] n, @Read double[] sweep, @Read(6) double[] w, @Read(6) double[] outside,
            @Constant double omega, @Increment(6) double[] r) {
        double vg = omega * sweep[0];
        double[] f1 = new double[6];
        double[] f2 = new double[6];
        double[] d = new double[6];
        flux(w, n, vg, f1);
        flux(outside, n, vg, f2);
        dissipation(w, outside, n, vg, d);
        for (int k = 0; k < 6; k++) {
            r[k] += 0.5 * (f1[k] + f2[k]) - d[k];
        }
    }

    /**
     * What comes in along x with given total temperature and pressure; the wave that leaves keeps its invariant
     * (J. Blazek, Computational Fluid Dynamics, 3rd edition, section 8.4). Where the fluid inside is faster than sound,
     * the given state comes in.
     *
     * @param given total pressure, total temperature, ν̃, and the state that is as fast as sound or faster
     */
    @MeshKernel
    static void inlet(@Read(3) double[] n, @Read double[] sweep, @Read(6) double[] w, @Constant(9) double[] given,
            @Constant double omega, @Increment(6) double[] r) {
        double area = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) + Gas.MIN_DIVISOR;
        double un = (w[1] * n[0] + w[2] * n[1] + w[3] * n[2]) / area;
        double c = Math.sqrt(Gas.GAMMA * w[4] / w[0]);
        double invariant = un + 2 * c / Gas.GAMMA_1;
        // With q the speed along x, q nx + 2 c / (γ − 1) is the invariant and c² + (γ − 1) / 2 q² = T0.
        double nx = n[0] / area;
        double quadratic = nx * nx + 2 / Gas.GAMMA_1;
        double root = Math.max(0.0, 2 / Gas.GAMMA_1 * (2 / Gas.GAMMA_1 * quadratic * given[1] - invariant * invariant));
        double speed = (nx * invariant + Math.sqrt(root)) / quadratic;
        double temperature = given[1] - 0.5 * Gas.GAMMA_1 * speed * speed;
        double pressure = given[0] * Math.pow(temperature / given[1], Gas.GAMMA / Gas.GAMMA_1);
        boolean supersonic = given[4] * given[4] > Gas.GAMMA * given[7] / given[3];
        double[] b = new double[6];
        b[0] = supersonic ? given[3] : Gas.GAMMA * pressure / temperature;
        b[1] = supersonic ? given[4] : speed;
        b[2] = supersonic ? given[5] : 0;
        b[3] = supersonic ? given[6] : 0;
        b[4] = supersonic ? given[7] : pressure;
        b[5] = given[2];
        double[] f = new double[6];
        flux(b, n, omega * sweep[0], f);
        for (int k = 0; k < 6; k++) {
            r[k] += f[k];
        }
    }

    /** What leaves against a given pressure, or freely where it is faster than sound. */
    @MeshKernel
    static void outlet(@Read(3) double[] n, @Read double[] sweep, @Read(6) double[] w, @Constant double pressure,
            @Constant double omega, @Increment(6) double[] r) {
        double area = Math.sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) + Gas.MIN_DIVISOR;
        double cc = Gas.GAMMA * w[4] / w[0];
        double c = Math.sqrt(cc);
        double vg = omega * sweep[0];
        double un = (w[1] * n[0] + w[2] * n[1] + w[3] * n[2] - vg) / area;
        double drop = un >= c ? 0 : w[4] - pressure;
        double gain = drop / (w[0] * c) / area;
        double[] b = new double[6];
        b[0] = w[0] - drop / cc;
        b[1] = w[1] + gain * n[0];
        b[2] = w[2] + gain * n[1];
        b[3] = w[3] + gain * n[2];
        b[4] = w[4] - drop;
        b[5] = w[5];
        double[] f = new double[6];
        flux(b, n, vg, f);
        for (int k = 0; k < 6; k++) {
            r[k] += f[k];
        }
    }

    /** A node whose state is given: nothing changes it. */
    @MeshKernel
    static void held(@ReadWrite(6) double[] r) {
        for (int k = 0; k < 6; k++) {
            r[k] = 0;
        }
    }

    /** A node on a wall that the fluid sticks to: nothing changes its velocity and its ν̃. */
    @MeshKernel
    static void stuck(@ReadWrite(6) double[] r) {
        r[1] = 0;
        r[2] = 0;
        r[3] = 0;
        r[5] = 0;
    }

    /** Gives a node on such a wall the wall's velocity, and no turbulence, at its pressure. */
    @MeshKernel
    static void stick(@Read(3) double[] x, @Constant double omega, @ReadWrite(6) double[] q) {
        double before = (q[1] * q[1] + q[2] * q[2] + q[3] * q[3]) / q[0];
        double v = -omega * x[2];
        double w = omega * x[1];
        q[4] += 0.5 * (q[0] * (v * v + w * w) - before);
        q[1] = 0;
        q[2] = q[0] * v;
        q[3] = q[0] * w;
        q[5] = 0;
    }

    /**
     * Takes the part through the walls out of what changes a node there: momentum keeps to the walls' speed.
     *
     * @param walls three unit vectors at right angles, or zeros
     */
    @MeshKernel
    static void kept(@Read(3) double[] x, @Read(9) double[] walls, @Constant double omega, @ReadWrite(6) double[] r) {
        for (int k = 0; k < 3; k++) {
            double speed = omega * (walls[3 * k + 2] * x[1] - walls[3 * k + 1] * x[2]);
            double through = walls[3 * k] * r[1] + walls[3 * k + 1] * r[2] + walls[3 * k + 2] * r[3] - speed * r[0];
            r[1] -= through * walls[3 * k];
            r[2] -= through * walls[3 * k + 1];
            r[3] -= through * walls[3 * k + 2];
        }
    }

    /** Gives a node on walls without friction their speed through them, at its pressure. */
    @MeshKernel
    static void slide(@Read(3) double[] x, @Read(9) double[] walls, @Constant double omega,
            @ReadWrite(6) double[] q) {
        double before = q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        for (int k = 0; k < 3; k++) {
            double speed = omega * (walls[3 * k + 2] * x[1] - walls[3 * k + 1] * x[2]);
            double through = walls[3 * k] * q[1] + walls[3 * k + 1] * q[2] + walls[3 * k + 2] * q[3] - speed * q[0];
            q[1] -= through * walls[3 * k];
            q[2] -= through * walls[3 * k + 1];
            q[3] -= through * walls[3 * k + 2];
        }
        double after = q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
        q[4] += 0.5 * (after - before) / q[0];
    }
}
