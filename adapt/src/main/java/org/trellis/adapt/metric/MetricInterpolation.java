package org.trellis.adapt.metric;

/** How a metric is interpolated between points where it is known. */
public enum MetricInterpolation {
    /** Entry by entry. Cheap; large entries prevail, so lengths in between are rather short. */
    LINEAR,
    /**
     * Entries of the logarithm (V. Arsigny et al., "Log-Euclidean metrics for fast and simple calculus on diffusion
     * tensors", Magn. Reson. Med. 56, 2006): lengths in between are geometric means.
     */
    LOG_EUCLIDEAN
}
