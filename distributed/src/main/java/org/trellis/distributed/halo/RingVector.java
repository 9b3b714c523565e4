package org.trellis.distributed.halo;

import org.trellis.common.Checks;
import org.trellis.distributed.partitioned.PartitionedMatrix;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.mesh.device.DatStorage;

/**
 * A vector with room for the rings of a plan, which knows how many of them hold what their owners have. Products use up
 * a ring each; when none is left, the next one exchanges. Ring values that are out of date are simply left: nothing is
 * ever copied back.
 */
public final class RingVector {
    private final HaloPlan plan;
    private final DenseVector elements;
    /** The elements if they are on the host, else null. */
    private final HostVector values;
    /** The elements as exchanges want them. */
    private final DatStorage storage;
    /** Owned elements and those of the first rings, by their number; null where none was asked for yet. */
    private final DenseVector[] within;
    private int validRings;

    RingVector(HaloPlan plan, DenseVector elements) {
        this.plan = plan;
        this.elements = elements;
        this.within = new DenseVector[plan.rings() + 1];
        this.values = elements instanceof HostVector host ? host : null;
        this.storage = plan.storage(elements);
    }

    /**
     * Returns the elements as exchanges want them.
     *
     * @return their memory
     */
    public DatStorage storage() {
        return storage;
    }

    /**
     * Returns the owned elements and those of the first rings.
     *
     * @param ring how many rings, 0 for the owned elements alone
     * @return a part of the elements, always the same; not a copy
     * @throws IndexOutOfBoundsException if there are not as many rings
     */
    public DenseVector within(int ring) {
        Checks.index("ring", ring, within.length);
        if (within[ring] == null) {
            within[ring] = elements.part(0, plan.rowsWithin(ring));
        }
        return within[ring];
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
     * Returns the elements of a vector on the host. After writing owned ones call {@link #changed}.
     *
     * @return owned elements, then those of the rings; not a copy
     * @throws IllegalStateException if they are on a device
     */
    public HostVector values() {
        if (values == null) {
            throw new IllegalStateException(this + " is on " + elements.space()
                    + ", expected elements() there, or set and toHost");
        }
        return values;
    }

    /**
     * Returns the elements, wherever they are. After writing owned ones call {@link #changed}.
     *
     * @return owned elements, then those of the rings; not a copy
     */
    public DenseVector elements() {
        return elements;
    }

    /**
     * Returns the elements on the host. From a device this costs a transfer of all of them.
     *
     * @return owned elements, then those of the rings; a copy if they are on a device
     */
    public HostVector toHost() {
        if (values != null) {
            return values;
        }
        HostVector copy = HostVector.zeros(plan.precision(), elements.length());
        elements.copyTo(copy);
        return copy;
    }

    /**
     * Overwrites the owned elements.
     *
     * @param owned as many as the rank owns; not kept
     * @throws IllegalArgumentException if there are more or fewer, or of another precision
     */
    public void setOwned(HostVector owned) {
        within(0).copyFrom(owned);
        changed();
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
        setOwned(HostVector.of(plan.precision(), plan.matrix().ownedRows(),
                i -> function.apply(plan.globalIndex(i))));
    }

    /**
     * Brings the owned elements of all ranks together. Collective.
     *
     * @param root the rank that gets them
     * @return all elements by global index on that rank, a vector of length 0 on others
     * @throws IllegalArgumentException if the whole does not fit an array
     */
    public HostVector gather(int root) {
        return plan.matrix().gather(root, toHost());
    }

    @Override
    public String toString() {
        return "vector of " + plan.matrix().ownedRows() + " owned elements and " + plan.rings() + " rings, "
                + validRings + " of them valid";
    }
}
