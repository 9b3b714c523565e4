package org.trellis.distributed.halo;

import java.nio.ByteBuffer;
import java.util.List;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;

/**
 * The transpose of an exchange: what a rank has computed for the elements of its first rings goes to their owners, who
 * add it. Own contributions come first, then those of the neighbours by rank, so that the bits are the same in every
 * run with as many ranks, wherever these are. One message to each owner.
 */
public final class ReverseExchange {
    /** Beyond the tags of exchanges and of the transposed product. */
    private static final int TAG = 30_001;

    private final HaloPlan plan;
    private final int rings;
    private final SendChannel[] sends;
    private final ReceiveChannel[] receives;
    /** Does it if the plan is on a device, with a copy of own elements; else null. */
    private final DeviceSums onDevice;
    private final DenseVector copy;
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
        this.rings = rings;
        Communicator communicator = plan.communicator();
        boolean device = plan.isOnDevice();
        this.onDevice = device ? new DeviceSums(plan, rings, TAG) : null;
        this.copy = device ? plan.deviceVector(plan.rowsWithin(0)) : null;
        if (!device) {
            plan.declineDevices();
        }
        List<ReceiveList> owners = device ? List.of() : plan.receives();
        List<SendList> users = device ? List.of() : plan.sends();
        this.sends = new SendChannel[owners.size()];
        this.receives = new ReceiveChannel[users.size()];
        for (int i = 0; i < receives.length; i++) {
            int bytes = HaloTraffic.bytes(plan, 1, users.get(i).offsets()[rings]);
            receives[i] = bytes == 0 ? null : communicator.receiveFrom(users.get(i).rank(), TAG, bytes);
        }
        for (int i = 0; i < sends.length; i++) {
            int bytes = HaloTraffic.bytes(plan, 1, owners.get(i).elements(rings));
            sends[i] = bytes == 0 ? null : communicator.sendTo(owners.get(i).rank(), TAG, bytes);
        }
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
        if (onDevice != null) {
            onDevice.bind(plan, vector.elements());
            onDevice.start();
            plan.deviceElements().update(1, null, vector.within(0), 0, copy);
            onDevice.finish(copy, vector.elements());
        } else {
            onHost(vector);
        }
        vector.changed();
    }

    private void onHost(RingVector vector) {
        for (ReceiveChannel receive : receives) {
            if (receive != null) {
                receive.start();
            }
        }
        for (int i = 0; i < sends.length; i++) {
            if (sends[i] != null) {
                sends[i].await();
                pack(plan.receives().get(i), sends[i].buffer(), vector.values());
                sends[i].start();
            }
        }
        for (int i = 0; i < receives.length; i++) {
            if (receives[i] != null) {
                receives[i].await();
                unpack(receives[i].buffer(), plan.sends().get(i), vector.values());
                receives[i].release();
            }
        }
    }

    private void pack(ReceiveList list, ByteBuffer message, HostVector values) {
        int at = 0;
        for (int ring = 0; ring < rings; ring++) {
            int end = list.starts()[ring] + list.counts()[ring];
            for (int i = list.starts()[ring]; i < end; i++) {
                if (plan.precision() == Precision.F64) {
                    message.putDouble(at, values.doubles()[i]);
                } else {
                    message.putFloat(at, values.floats()[i]);
                }
                at += plan.precision().bytes();
            }
        }
    }

    private void unpack(ByteBuffer message, SendList list, HostVector values) {
        for (int i = 0; i < list.offsets()[rings]; i++) {
            int place = list.places()[i];
            if (plan.precision() == Precision.F64) {
                values.doubles()[place] += message.getDouble(i * Double.BYTES);
            } else {
                values.floats()[place] += message.getFloat(i * Float.BYTES);
            }
        }
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
