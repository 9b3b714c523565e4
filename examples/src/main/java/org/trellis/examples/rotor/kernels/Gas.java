package org.trellis.examples.rotor.kernels;

/** Constants of a perfect gas and of the turbulence model. */
public final class Gas {
    /** Components of a state. */
    public static final int STATE = 6;
    /** Components of a gradient of a state: all three derivatives of a component, then those of the next. */
    public static final int GRADIENT = 18;
    /** Ratio of specific heats. */
    public static final double GAMMA = 1.4;
    /** That less one. */
    public static final double GAMMA_1 = 0.4;
    /** Prandtl's number. */
    public static final double PRANDTL = 0.72;
    /** Prandtl's number of turbulent transport. */
    public static final double PRANDTL_TURBULENT = 0.9;
    /** The constant c_v1 of Spalart and Allmaras. */
    static final double CV1 = 7.1;
    /** σ of Spalart and Allmaras. */
    static final double SIGMA = 2.0 / 3;
    /** κ, of von Kármán. */
    public static final double KAPPA = 0.41;
    /** The constant c_b1. */
    static final double CB1 = 0.1355;
    /** The constant c_b2. */
    static final double CB2 = 0.622;
    /** The constant c_w1. */
    static final double CW1 = CB1 / (KAPPA * KAPPA) + (1 + CB2) / SIGMA;
    /** The constant c_w2. */
    static final double CW2 = 0.3;
    /** The constant c_w3. */
    static final double CW3 = 2;
    /** Below this no quotient of the model is formed. */
    static final double MIN_DIVISOR = 1e-30;

    private Gas() {}
}
