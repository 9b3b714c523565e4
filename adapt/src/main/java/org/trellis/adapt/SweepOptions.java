package org.trellis.adapt;

import java.util.Objects;
import org.trellis.common.Precision;

/**
 * How {@link SmoothingSweep} smooths. Immutable.
 *
 * @param method     where vertices go
 * @param acceptance which moves are made
 * @param precision  of positions and metrics
 * @param filtered   whether devices may interpolate the metric in hardware: faster, but in single precision and, on
 *                   CUDA devices, at 256 places between two points of the raster
 * @param gain       by how much the worst element must become better, where it has to; at least 0
 */
public record SweepOptions(SmoothingMethod method, Acceptance acceptance, Precision precision, boolean filtered,
        double gain) {
    /** Pain's algorithm as it is, in double precision. */
    public static final SweepOptions PAIN =
            new SweepOptions(SmoothingMethod.PAIN, Acceptance.ALL, Precision.F64, false);

    private static final double LEAST_DOUBLE = 1e-9;
    private static final double LEAST_SINGLE = 1e-6;

    /** Which moves are made. */
    public enum Acceptance {
        /** All: elements may be inverted. */
        ALL,
        /** The largest of a step, its half and so on that inverts no element. */
        VALID,
        /** The largest of these that makes the worst element around better. */
        BETTER
    }

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if the gain is negative, or the method makes elements better only and other
     *                                  moves are asked for
     */
    public SweepOptions {
        Objects.requireNonNull(acceptance, "acceptance");
        Objects.requireNonNull(precision, "precision");
        if (Objects.requireNonNull(method, "method") == SmoothingMethod.OPTIMISATION
                && acceptance != Acceptance.BETTER) {
            throw new IllegalArgumentException("moves of '" + method.label() + "' are accepted if " + acceptance
                    + ", expected " + Acceptance.BETTER + ", which is what they are for");
        }
        if (!(gain >= 0)) {
            throw new IllegalArgumentException("gain of a move is " + gain + ", expected 0 or more");
        }
    }

    /**
     * Chooses a way to smooth to the end: all gains beyond rounding count.
     *
     * @param method     where vertices go
     * @param acceptance which moves are made
     * @param precision  of positions and metrics
     * @param filtered   whether devices may interpolate the metric in hardware
     */
    public SweepOptions(SmoothingMethod method, Acceptance acceptance, Precision precision, boolean filtered) {
        this(method, acceptance, precision, filtered, precision == Precision.F32 ? LEAST_SINGLE : LEAST_DOUBLE);
    }

    /** Returns the constants of the kernels; the bound for rounding is that of a determinant of differences. */
    double[] rule(int dimension) {
        double[] rule = new double[SweepKernels.RULES];
        boolean single = precision == Precision.F32;
        boolean pain = method == SmoothingMethod.PAIN;
        rule[SweepKernels.PLAIN] = method == SmoothingMethod.LAPLACIAN ? 1 : 0;
        rule[SweepKernels.DOMINANT] = pain ? 1 : 0;
        rule[SweepKernels.SHARE] = pain ? 0.5 : 1;
        rule[SweepKernels.SMART] = acceptance == Acceptance.BETTER ? 1 : 0;
        rule[SweepKernels.GAIN] = gain;
        rule[SweepKernels.ROUNDING] = (dimension - 1) * (single ? 0x1p-22 : 0x1p-51);
        rule[SweepKernels.MIDDLE] = pain || acceptance == Acceptance.ALL ? 1 : 0;
        return rule;
    }
}
