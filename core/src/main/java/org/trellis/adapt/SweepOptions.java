package org.trellis.adapt;

import java.util.Objects;
import org.trellis.common.Precision;

/**
 * How {@link SmoothingSweep} smooths. Immutable.
 *
 * @param method     where vertices go; not {@link SmoothingMethod#OPTIMISATION}
 * @param acceptance which moves are made
 * @param precision  of positions and metrics
 * @param filtered   whether devices may interpolate the metric in hardware: faster, but in single precision and, on
 *                   CUDA devices, at 256 places between two points of the raster
 */
public record SweepOptions(SmoothingMethod method, Acceptance acceptance, Precision precision, boolean filtered) {
    /** Pain's algorithm as it is, in double precision. */
    public static final SweepOptions PAIN =
            new SweepOptions(SmoothingMethod.PAIN, Acceptance.ALL, Precision.F64, false);

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
     * @throws IllegalArgumentException if the method is one that searches
     */
    public SweepOptions {
        Objects.requireNonNull(acceptance, "acceptance");
        Objects.requireNonNull(precision, "precision");
        if (Objects.requireNonNull(method, "method") == SmoothingMethod.OPTIMISATION) {
            throw new IllegalArgumentException("smoothing by loops over colours is '" + method.label()
                    + "', expected a method with one step: laplacian, metric-laplacian or pain");
        }
    }

    /** Returns the constants of the kernels. */
    double[] rule() {
        double[] rule = new double[SweepKernels.RULES];
        boolean single = precision == Precision.F32;
        rule[SweepKernels.PLAIN] = method == SmoothingMethod.LAPLACIAN ? 1 : 0;
        rule[SweepKernels.DOMINANT] = method == SmoothingMethod.PAIN ? 1 : 0;
        rule[SweepKernels.SHARE] = method == SmoothingMethod.PAIN ? 0.5 : 1;
        rule[SweepKernels.SMART] = acceptance == Acceptance.BETTER ? 1 : 0;
        rule[SweepKernels.GAIN] = single ? 1e-6 : 1e-10;
        rule[SweepKernels.ROUNDING] = single ? 0x1p-22 : 0x1p-51;
        return rule;
    }
}
