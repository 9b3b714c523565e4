package org.trellis.distributed.powers;

import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.ReceiveList;
import org.trellis.distributed.halo.RingVector;
import org.trellis.distributed.halo.SendList;
import org.trellis.memory.HostVector;

/**
 * The transposed product {@code y = Aᵀ x}: each rank multiplies its own rows, and what falls on the first ring goes
 * back to its owners, who add it: own contributions first, then those of the neighbours by rank, so that the bits are
 * the same in every run with as many ranks; a rank on a device adds up its own in another order than one on the host,
 * with as many threads as share a row. One message to each neighbour of the first ring, whatever the number of
 * rings.
 */
public final class TransposedProduct {
    /** Beyond the tags of exchanges. */
    private static final int TAG = 30_000;

    private final HaloPlan plan;
    /** Does it if the plan is on a device; else null. */
    private final DeviceTransposed onDevice;
    private final HostLocalKernels kernels;
    private final HostVector sums;
    private final SendChannel[] sends;
    private final ReceiveChannel[] receives;
    /** Views of the messages that are sent, as both types. */
    private final DoubleBuffer[] doubles;
    private final FloatBuffer[] floats;

    /**
     * Prepares the product. Collective; at most once for a plan.
     *
     * @param plan the halo of the matrix
     * @throws IllegalStateException if there is one for the plan
     */
    public TransposedProduct(HaloPlan plan) {
        this.plan = plan;
        this.onDevice = plan.isOnDevice() ? new DeviceTransposed(plan, TAG) : null;
        if (onDevice == null) {
            plan.declineDevices();
        }
        this.kernels = onDevice == null ? LocalKernels.of(plan.localRows()) : null;
        this.sums = HostVector.zeros(plan.precision(), onDevice == null ? plan.rowsWithin(1) : 0);
        Communicator communicator = plan.communicator();
        List<ReceiveList> owners = onDevice == null ? plan.receives() : List.of();
        List<SendList> users = onDevice == null ? plan.sends() : List.of();
        this.sends = new SendChannel[owners.size()];
        this.receives = new ReceiveChannel[users.size()];
        this.doubles = new DoubleBuffer[sends.length];
        this.floats = new FloatBuffer[sends.length];
        int bytes = plan.precision().bytes();
        for (int i = 0; i < receives.length; i++) {
            int elements = users.get(i).offsets()[1];
            receives[i] = elements == 0 ? null : communicator.receiveFrom(users.get(i).rank(), TAG, elements * bytes);
        }
        for (int i = 0; i < sends.length; i++) {
            int elements = owners.get(i).counts()[0];
            if (elements > 0) {
                sends[i] = communicator.sendTo(owners.get(i).rank(), TAG, elements * bytes);
                doubles[i] = sends[i].buffer().asDoubleBuffer();
                floats[i] = sends[i].buffer().asFloatBuffer();
            }
        }
    }

    /**
     * Computes {@code y = Aᵀ x}. Collective. Allocates nothing.
     *
     * @param x a vector of the plan; its rings are not read
     * @param y another one, overwritten; none of its rings is valid
     * @throws IllegalArgumentException if a vector belongs to another plan, or both are one
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void multiply(RingVector x, RingVector y) {
        if (x.plan() != plan || y.plan() != plan || x == y) {
            throw new IllegalArgumentException("y = A^T x: " + (x == y
                    ? "x and y are one vector"
                    : "a vector belongs "
                            + "to another plan")
                    + ", expected two vectors of " + plan);
        }
        if (onDevice != null) {
            onDevice.multiply(x.elements(), y.elements());
        } else {
            onHost(x, y);
        }
        y.changed();
    }

    private void onHost(RingVector x, RingVector y) {
        int owned = plan.rowsWithin(0);
        for (ReceiveChannel receive : receives) {
            if (receive != null) {
                receive.start();
            }
        }
        kernels.transposed(owned, x.values(), sums, plan.rowsWithin(1));
        for (int i = 0; i < sends.length; i++) {
            if (sends[i] != null) {
                sends[i].await();
                ReceiveList list = plan.receives().get(i);
                pack(i, list.starts()[0], list.counts()[0]);
                sends[i].start();
            }
        }
        sums.copyRange(0, y.values(), 0, owned);
        for (int i = 0; i < receives.length; i++) {
            if (receives[i] != null) {
                receives[i].await();
                add(receives[i], plan.sends().get(i), y.values());
                receives[i].release();
            }
        }
    }

    private void pack(int neighbour, int start, int count) {
        if (plan.precision() == Precision.F64) {
            doubles[neighbour].put(0, sums.doubles(), start, count);
        } else {
            floats[neighbour].put(0, sums.floats(), start, count);
        }
    }

    private void add(ReceiveChannel channel, SendList list, HostVector y) {
        boolean isDouble = plan.precision() == Precision.F64;
        for (int i = 0; i < list.offsets()[1]; i++) {
            int place = list.places()[i];
            if (isDouble) {
                y.doubles()[place] += channel.buffer().getDouble(i * Double.BYTES);
            } else {
                y.floats()[place] += channel.buffer().getFloat(i * Float.BYTES);
            }
        }
    }
}
