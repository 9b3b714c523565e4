package org.trellis.mesh;

/** Gives the values that a dat has after its set has changed. */
@FunctionalInterface
public interface DatTransfer {
    /**
     * Computes new values.
     *
     * @param old     the values before the change, element by element in the user's old numbering, components side by
     *                side; not kept, so they may be overwritten
     * @param origins for each new element the user's old number of the one that it comes from, or -1; not to be changed
     * @return the values after the change, element by element in the user's new numbering, components side by side
     */
    double[] transfer(double[] old, int[] origins);
}
