package org.trellis.distributed.halo;

import org.trellis.common.Checks;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.memory.HostVector;

/**
 * A vector with room for the rings of a plan, which knows how many of them hold what their owners have. Products use up
 * a ring each; when none is left, the next one exchanges. Ring values that are out of date are simply left: nothing is
 * ever copied back.
 */
public final class RingVector {
    private final HaloPlan plan;
    private final HostVector values;
    private int validRings;

    RingVector(HaloPlan plan, HostVector values) {
        this.plan = plan;
        this.values = values;
    }

    /**
     * Returns the plan that this belongs to.
     *
     * @return the plan
     */
    public HaloPlan plan() {
        return plan;
    }

    /**
     * Returns the elements. Whoever writes owned ones calls {@link #changed} afterwards.
     *
     * @return owned elements, then those of the rings; not a copy
     */
    public HostVector values() {
        return values;
    }

    /**
     * Returns how many rings are up to date.
     *
     * @return 0 to the number of rings of the plan
     */
    public int validRings() {
        return validRings;
    }

    /** Says that owned elements were written: no ring is up to date any more. All ranks call it alike. */
    public void changed() {
        validRings = 0;
    }

    /**
     * Says how many rings are up to date, for those that compute or exchange them.
     *
     * @param count 0 to the number of rings of the plan; the same on all ranks
     * @throws IndexOutOfBoundsException if it is out of range
     */
    public void setValidRings(int count) {
        validRings = Checks.index("number of valid rings", count, plan.rings() + 1);
    }

    /**
     * Overwrites the owned elements.
     *
     * @param function gives an element by its global index
     */
    public void set(PartitionedMatrix.ElementFunction function) {
        for (int i = 0; i < plan.matrix().ownedRows(); i++) {
            values.set(i, function.apply(plan.globalIndex(i)));
        }
        changed();
    }

    /**
     * Brings the owned elements of all ranks together. Collective.
     *
     * @param root the rank that gets them
     * @return all elements by global index on that rank, a vector of length 0 on others
     * @throws IllegalArgumentException if the whole does not fit an array
     */
    public HostVector gather(int root) {
        return plan.matrix().gather(root, values);
    }

    @Override
    public String toString() {
        return "vector of " + plan.matrix().ownedRows() + " owned elements and " + plan.rings() + " rings, "
                + validRings + " of them valid";
    }
}
