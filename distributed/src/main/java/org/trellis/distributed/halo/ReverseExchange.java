package org.trellis.distributed.halo;

import org.trellis.distributed.exchange.SumExchange;

/**
 * The transpose of an exchange of a plan's vectors: what a rank has computed for the elements of its first rings goes
 * to their owners, who add it ({@link SumExchange}).
 */
public final class ReverseExchange {
    /** Beyond the tags of exchanges and of the transposed product. */
    private static final int TAG = 30_001;

    private final HaloPlan plan;
    private final SumExchange sums;
    private long count;

    /**
     * Opens channels. Collective; at most once for a plan.
     *
     * @param plan  the halo
     * @param rings how many rings contribute, 1 to those of the plan, the same on all ranks
     * @throws IllegalArgumentException if the number of rings is out of range, or a message would exceed 2³¹ − 1
     *                                  bytes
     */
    public ReverseExchange(HaloPlan plan, int rings) {
        if (rings < 1 || rings > plan.rings()) {
            throw new IllegalArgumentException("number of rings to add at their owners is " + rings
                    + ", expected 1 to " + plan.rings() + ", which the plan has");
        }
        this.plan = plan;
        this.sums = plan.sums(rings, TAG);
    }

    /**
     * Adds what all ranks have for an element, at its owner. Collective. Allocates nothing.
     *
     * @param vector a vector of the plan: its owned elements are added to, its rings are read; none of them is valid
     *               afterwards
     * @throws IllegalArgumentException if the vector belongs to another plan
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void add(RingVector vector) {
        if (vector.plan() != plan) {
            throw new IllegalArgumentException(vector + " belongs to another plan than the sums, expected " + plan);
        }
        count++;
        sums.start(vector.storage());
        sums.finish(vector.within(0));
        vector.changed();
    }

    /**
     * Counts the calls of {@link #add}.
     *
     * @return at least 0
     */
    public long count() {
        return count;
    }
}
