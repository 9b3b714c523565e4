package org.trellis.kernel;

/** How a generated loop computes on the CPU. */
public enum LoopStyle {
    /** One element after the other. */
    SCALAR,
    /** Several elements at once, with {@code jdk.incubator.vector}. */
    SIMD
}
