package org.trellis.mesh.loop;

/**
 * A part of a set that is spread over several ranks, as the elements from the first up to a bound: each extent contains
 * the one before. On one rank all are the whole set.
 */
public enum SetExtent {
    /** Elements that reach nothing of another rank, so that a loop over them need not wait for an exchange. */
    INTERIOR,
    /** Elements that belong to this rank; reductions run over them, so that each element counts once. */
    OWNED,
    /** Owned elements, and those of other ranks that this one runs as well, since they add to owned data. */
    EXECUTED,
    /** All elements that there are data of. */
    TOTAL
}
