package org.trellis.examples.rotor.kernels;

/**
 * A made-up flow of waves, and the sources that make it steady (P. J. Roache, "Code verification by the method of
 * manufactured solutions", J. Fluids Eng. 124, 2002).
 *
 * @param speed      the mean along x
 * @param omega      how fast the frame turns about the x axis
 * @param viscosity  the constant viscosity; 0 for none
 * @param turbulence the mean of ν̃; 0 for none, with none of the model's sources
 */
public record ManufacturedSolution(double speed, double omega, double viscosity, double turbulence) {
    private static final int TERMS = 10;
    private static final double SIZE = 0.1;
    private static final double[][] NUMBERS = {{0.7, 0.4, 0.5}, {0.5, 0.6, -0.4}, {-0.6, 0.5, 0.7}, {0.4, 0.8, 0.5},
        {0.6, -0.5, 0.6}, {0.5, 0.5, 0.6}};

    /**
     * Returns the state at a place.
     *
     * @param x three coordinates
     * @return (ρ, u, v, w, p, ν̃)
     */
    public double[] state(double... x) {
        double[] m = waves(x);
        double[] w = new double[Gas.STATE];
        for (int k = 0; k < w.length; k++) {
            w[k] = m[TERMS * k];
        }
        return w;
    }

    /**
     * Returns what has to be added in a unit of volume and time.
     *
     * @param distance from walls, as the turbulence model sees it
     * @param x        three coordinates
     * @return of (ρ, ρu, ρv, ρw, ρE, ρν̃)
     */
    public double[] source(double distance, double... x) {
        double[] m = waves(x);
        double[] w = state(x);
        double[] g = new double[Gas.GRADIENT];
        for (int k = 0; k < Gas.STATE; k++) {
            System.arraycopy(m, TERMS * k + 1, g, 3 * k, 3);
        }
        double[] s = new double[Gas.STATE];
        convected(x, w, g, omega, s);
        if (viscosity > 0) {
            diffused(w, g, m, viscosity, s);
            if (turbulence > 0) {
                s[5] -= Turbulence.source(w, g, viscosity, distance);
            }
        }
        return s;
    }

    /** A wave of a component of the state: value, derivatives, second derivatives. */
    private static double[] wave(double[] x, double mean, double size, double[] k) {
        double phase = Math.PI * (k[0] * x[0] + k[1] * x[1] + k[2] * x[2]);
        double sine = Math.sin(phase);
        double slope = Math.PI * Math.cos(phase);
        double curve = -Math.PI * Math.PI * sine;
        return new double[]{mean + size * sine, size * slope * k[0], size * slope * k[1], size * slope * k[2],
            size * curve * k[0] * k[0], size * curve * k[0] * k[1], size * curve * k[0] * k[2],
            size * curve * k[1] * k[1], size * curve * k[1] * k[2], size * curve * k[2] * k[2]};
    }

    /** The state with its derivatives, ten numbers of each component. */
    private double[] waves(double[] x) {
        double[] means = {1, speed, 0.4 * speed, 0.3 * speed, 1 / Gas.GAMMA, turbulence};
        double[] all = new double[TERMS * Gas.STATE];
        for (int k = 0; k < Gas.STATE; k++) {
            double size = k == Gas.STATE - 1 ? 0.25 * turbulence : SIZE;
            System.arraycopy(wave(x, means[k], size, NUMBERS[k]), 0, all, TERMS * k, TERMS);
        }
        return all;
    }

    /** What the made-up flow without friction gains in a unit of volume, in a turning frame. */
    private static void convected(double[] x, double[] w, double[] g, double omega, double[] s) {
        double flow = 0;
        double divergence = g[3] + g[7] + g[11];
        double swirl = 0;
        double[] vg = new double[3];
        vg[0] = 0;
        vg[1] = -omega * x[2];
        vg[2] = omega * x[1];
        double kinetic = 0.5 * (w[1] * w[1] + w[2] * w[2] + w[3] * w[3]);
        double transported = 0;
        double pushed = 0;
        for (int d = 0; d < 3; d++) {
            double relative = w[1 + d] - vg[d];
            double slope = g[12 + d] / Gas.GAMMA_1 + kinetic * g[d]
                    + w[0] * (w[1] * g[3 + d] + w[2] * g[6 + d] + w[3] * g[9 + d]);
            flow += g[d] * relative;
            transported += slope * relative;
            pushed += g[12 + d] * w[1 + d];
            swirl += g[15 + d] * relative;
        }
        double mass = flow + w[0] * divergence;
        s[0] = mass;
        for (int i = 0; i < 3; i++) {
            s[1 + i] = mass * w[1 + i] + g[12 + i] + w[0] * ((w[1] - vg[0]) * g[3 + 3 * i]
                    + (w[2] - vg[1]) * g[4 + 3 * i] + (w[3] - vg[2]) * g[5 + 3 * i]);
        }
        s[2] -= omega * w[0] * w[3];
        s[3] += omega * w[0] * w[2];
        s[4] = transported + (w[4] / Gas.GAMMA_1 + w[0] * kinetic + w[4]) * divergence + pushed;
        s[5] = mass * w[5] + w[0] * swirl;
    }

    /** What friction and heat take from a unit of volume of the made-up flow, with the second derivatives in m. */
    private static void diffused(double[] w, double[] g, double[] m, double mu, double[] s) {
        double chi = w[0] * w[5] / mu;
        double cube = chi * chi * chi;
        double limit = Gas.CV1 * Gas.CV1 * Gas.CV1;
        double fv1 = cube / (cube + limit);
        double turbulent = mu * chi * fv1;
        double growth = fv1 + 3 * cube * limit / ((cube + limit) * (cube + limit));
        double total = mu + turbulent;
        double conduction = (mu / Gas.PRANDTL + turbulent / Gas.PRANDTL_TURBULENT) / Gas.GAMMA_1;
        double divergence = g[3] + g[7] + g[11];
        double[] product = new double[3];
        double[] grad = new double[3];
        grad[0] = m[14] + m[25] + m[36];
        grad[1] = m[15] + m[27] + m[38];
        grad[2] = m[16] + m[28] + m[39];
        double one = 1 / w[0];
        double heat = (m[44] + m[47] + m[49]) * one - w[4] * one * one * (m[4] + m[7] + m[9]);
        double flow = 0;
        for (int d = 0; d < 3; d++) {
            product[d] = g[d] * w[5] + w[0] * g[15 + d];
            double t = g[12 + d] * one - w[4] * one * one * g[d];
            heat += 2 * g[d] * one * one * (w[4] * one * g[d] - g[12 + d]);
            flow += growth * product[d] / Gas.PRANDTL_TURBULENT / Gas.GAMMA_1 * t;
        }
        double energy = Gas.GAMMA * (conduction * heat + flow);
        for (int i = 0; i < 3; i++) {
            double force = total * (m[14 + 10 * i] + m[17 + 10 * i] + m[19 + 10 * i] + grad[i] / 3);
            for (int j = 0; j < 3; j++) {
                double stress = g[3 + 3 * i + j] + g[3 + 3 * j + i] - (i == j ? 2.0 / 3 * divergence : 0);
                force += growth * product[j] * stress;
                energy += total * stress * g[3 + 3 * i + j];
            }
            s[1 + i] -= force;
            energy += w[1 + i] * force;
        }
        s[4] -= energy;
        double spread = (mu + w[0] * w[5]) * (m[54] + m[57] + m[59]);
        for (int d = 0; d < 3; d++) {
            spread += product[d] * g[15 + d];
        }
        s[5] -= spread / Gas.SIGMA;
    }
}
