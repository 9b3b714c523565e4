package org.trellis.distributed.powers;

import org.trellis.common.Precision;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;

/** Updates of vectors of a plan, element by element: at once on the host, queued on a device. */
public final class RingUpdates {
    private final HaloPlan plan;
    /** Never written; made where it is first needed. */
    private RingVector zeros;

    /**
     * Updates vectors of a plan.
     *
     * @param plan where they are
     */
    public RingUpdates(HaloPlan plan) {
        this.plan = plan;
    }

    /**
     * Copies elements.
     *
     * @param from as many
     * @param to   as many, overwritten
     */
    public void copy(DenseVector from, DenseVector to) {
        if (plan.isOnDevice()) {
            plan.deviceElements().update(1, null, from, 0, to);
        } else {
            ((HostVector) from).copyRange(0, (HostVector) to, 0, from.length());
        }
    }

    /**
     * Multiplies elements by others.
     *
     * @param factors as many, or null for ones
     * @param from    as many
     * @param to      as many, overwritten
     */
    public void multiply(DenseVector factors, DenseVector from, DenseVector to) {
        if (factors == null) {
            copy(from, to);
        } else if (plan.isOnDevice()) {
            plan.deviceElements().update(1, factors, from, 0, to);
        } else {
            HostVector scale = (HostVector) factors;
            HostVector x = (HostVector) from;
            HostVector y = (HostVector) to;
            for (int i = 0; i < x.length(); i++) {
                y.set(i, scale.get(i) * x.get(i));
            }
        }
    }

    /**
     * Adds a multiple.
     *
     * @param factor the factor
     * @param from   as many
     * @param to     as many, added to
     */
    public void add(double factor, DenseVector from, DenseVector to) {
        if (plan.isOnDevice()) {
            plan.deviceElements().update(factor, null, from, 1, to);
            return;
        }
        HostVector x = (HostVector) from;
        HostVector y = (HostVector) to;
        int shift = y.offset() - x.offset();
        int end = x.offset() + x.length();
        if (plan.precision() == Precision.F64) {
            double[] source = x.doubleStorage();
            double[] target = y.doubleStorage();
            for (int i = x.offset(); i < end; i++) {
                target[i + shift] += factor * source[i];
            }
            return;
        }
        float[] source = x.floatStorage();
        float[] target = y.floatStorage();
        for (int i = x.offset(); i < end; i++) {
            target[i + shift] = (float) (target[i + shift] + factor * source[i]);
        }
    }

    /**
     * Overwrites owned elements with zeros.
     *
     * @param vector a vector of the plan
     */
    public void zero(RingVector vector) {
        if (zeros == null) {
            zeros = plan.vector();
        }
        copy(zeros.within(0), vector.within(0));
        vector.changed();
    }

    /**
     * Copies a vector of the host to where the plan is.
     *
     * @param vector as long as there are owned rows
     * @return a copy on a device, which is closed with the plan; on the host the vector itself
     */
    public DenseVector there(HostVector vector) {
        if (!plan.isOnDevice()) {
            return vector;
        }
        DenseVector copy = plan.vector().within(0);
        copy.copyFrom(vector);
        return copy;
    }
}
