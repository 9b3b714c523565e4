package org.trellis.tuner.contest;

/** Where the parameters come from that something is run with at first. */
public enum AdviceOrigin {
    /** The same structure, or the same loop, was measured on this device. */
    PROFILE,
    /** The model of this device, which may have chosen what the rule says. */
    MODEL,
    /** The backend's rule. */
    RULE
}
