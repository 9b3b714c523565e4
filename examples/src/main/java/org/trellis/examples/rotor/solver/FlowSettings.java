package org.trellis.examples.rotor.solver;

import org.trellis.common.Checks;
import org.trellis.examples.rotor.kernels.Gas;

/**
 * What is computed and how.
 *
 * @param flow      the gas and what surrounds it
 * @param scheme    of the differences in space
 * @param courant   the Courant number of local time steps
 * @param smoothing the factor of implicit residual smoothing; 0 for none
 * @param cycle     how levels follow each other
 */
public record FlowSettings(Flow flow, Scheme scheme, double courant, double smoothing, Cycle cycle) {
    /** How steep Venkatakrishnan's limiter lets waves be, K cubed. */
    static final double LIMITER = 125;

    /** Which dissipation. */
    public enum Dissipation {
        /** Roe's, between linear reconstructions. */
        ROE,
        /** Of Jameson, Schmidt and Turkel. */
        JST
    }

    /**
     * The differences in space.
     *
     * @param dissipation  which dissipation
     * @param leastSquares whether gradients are those of least squares, not integrals over borders
     * @param limited      whether reconstructions are limited
     */
    public record Scheme(Dissipation dissipation, boolean leastSquares, boolean limited) {}

    /**
     * The gas and what surrounds it.
     *
     * @param mach           Mach number of the free stream, along x
     * @param omega          how fast the frame turns about the x axis, speeds of sound over lengths
     * @param viscosity      at the temperature of the free stream; 0 for none
     * @param sutherland     Sutherland's constant over that temperature; 0 for a constant viscosity
     * @param turbulent      whether the model of turbulence is on
     * @param outletPressure over the pressure of the free stream
     */
    public record Flow(double mach, double omega, double viscosity, double sutherland, boolean turbulent,
            double outletPressure) {
        /** ν̃ over the viscosity in a free stream that is turbulent. */
        private static final double FREE_TURBULENCE = 3;

        /**
         * Checks the numbers.
         *
         * @throws IllegalArgumentException if one is out of range
         */
        public Flow {
            require(mach >= 0 && mach < 10, "Mach number is " + mach + ", expected 0 to 10");
            require(viscosity >= 0, "viscosity is " + viscosity + ", expected at least 0");
            require(outletPressure > 0, "outlet pressure is " + outletPressure + ", expected more than 0");
            require(!turbulent || viscosity > 0, "turbulence is on and viscosity is 0, expected more than 0");
        }

        /**
         * Returns the free stream.
         *
         * @return (ρ, u, v, w, p, ν̃)
         */
        public double[] freeStream() {
            return new double[]{1, mach, 0, 0, 1 / Gas.GAMMA, turbulent ? FREE_TURBULENCE * viscosity : 0};
        }

        /** What the kernel of inlets takes: total pressure and temperature, ν̃, state. */
        double[] inlet() {
            double[] free = freeStream();
            double total = 1 + 0.5 * Gas.GAMMA_1 * mach * mach;
            return new double[]{free[4] * Math.pow(total, Gas.GAMMA / Gas.GAMMA_1), total, free[5], free[0], free[1],
                free[2], free[3], free[4], mach};
        }
    }

    /**
     * How levels follow each other.
     *
     * @param before   steps before the coarser level
     * @param after    steps after it
     * @param coarsest steps on the coarsest of several levels
     * @param visits   1 for V-cycles, 2 for W-cycles
     */
    public record Cycle(int before, int after, int coarsest, int visits) {
        /** The usual one: W-cycles. */
        public static final Cycle W = new Cycle(1, 0, 2, 2);

        /**
         * Checks the numbers.
         *
         * @throws IllegalArgumentException if one is out of range
         */
        public Cycle {
            Checks.positive("steps before the coarser level", before);
            Checks.notNegative("steps after it", after);
            Checks.positive("steps on the coarsest level", coarsest);
            require(visits == 1 || visits == 2, "visits is " + visits + ", expected 1 or 2");
        }
    }

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public FlowSettings {
        require(courant > 0, "Courant number is " + courant + ", expected more than 0");
        require(smoothing >= 0, "smoothing is " + smoothing + ", expected at least 0");
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    /**
     * Returns usual settings.
     *
     * @param flow the gas and what surrounds it
     * @return Roe's dissipation with least squares, without limiter; W-cycles
     */
    public static FlowSettings usual(Flow flow) {
        return new FlowSettings(flow, new Scheme(Dissipation.ROE, true, false), 2, 0, Cycle.W);
    }

    /**
     * Returns these settings with another scheme.
     *
     * @param other the scheme
     * @return new settings
     */
    public FlowSettings with(Scheme other) {
        return new FlowSettings(flow, other, courant, smoothing, cycle);
    }

    /**
     * Returns these settings with other steps.
     *
     * @param number  the Courant number
     * @param factor  of residual smoothing
     * @return new settings
     */
    public FlowSettings withSteps(double number, double factor) {
        return new FlowSettings(flow, scheme, number, factor, cycle);
    }

    /**
     * Returns these settings with other cycles.
     *
     * @param other how levels follow each other
     * @return new settings
     */
    public FlowSettings with(Cycle other) {
        return new FlowSettings(flow, scheme, courant, smoothing, other);
    }

    /**
     * Says whether there is friction.
     *
     * @return false for Euler's equations
     */
    public boolean isViscous() {
        return flow.viscosity() > 0;
    }
}
