package org.trellis.distributed.communicate;

/** A reduction that is under way. */
@FunctionalInterface
public interface PendingReduction {
    /**
     * Waits until all ranks have brought their values.
     *
     * @param values overwritten with the result; as many as were brought
     * @throws JobFailedException if the job has failed or fails now
     */
    void finish(double[] values);
}
