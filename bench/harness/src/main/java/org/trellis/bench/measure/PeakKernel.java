package org.trellis.bench.measure;

import java.util.Arrays;

/** Fused multiply-adds on a small array, which the compiler turns into vector instructions. */
final class PeakKernel {
    private static final int LENGTH = 1024;
    private static final int SWEEPS = 2_000;
    private static final int STEPS = 16;
    /** Floating-point operations of one {@link #run()}. */
    static final double FLOPS = 2.0 * STEPS * LENGTH * SWEEPS;

    private final double[] values = new double[LENGTH];

    PeakKernel() {
        Arrays.setAll(values, i -> 1.0 / (i + 1));
    }

    void run() {
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            sweep(values, 0.5, 0.25);
        }
    }

    /** Sixteen dependent steps an element, many elements at once: the loads and stores do not matter. */
    private static void sweep(double[] array, double factor, double summand) {
        for (int i = 0; i < array.length; i++) {
            double v = array[i];
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            v = Math.fma(v, factor, summand);
            array[i] = v;
        }
    }
}
