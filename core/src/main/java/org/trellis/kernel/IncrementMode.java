package org.trellis.kernel;

/** What a generated loop does with the contribution to an {@link Access#INCREMENT} argument. */
public enum IncrementMode {
    /** Adds it to the target. */
    ADD,
    /** Adds it to targets that the range owns, drops it elsewhere: redundant elements of owner-compute. */
    ADD_OWNED,
    /** Stores it at the argument's place, overwriting: a temporary array, gathered later. */
    STORE,
    /** Drops it: the contribution that fission applies from another argument's. */
    DROP
}
