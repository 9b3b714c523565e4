package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Arrays;
import java.util.List;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaEvent;
import org.trellis.cuda.runtime.CudaStream;
import org.trellis.cuda.runtime.NcclCommunicator;
import org.trellis.mesh.device.DeviceGroup;
import org.trellis.mesh.device.HaloParcel;

/**
 * The messages of an exchange that NCCL carries: all of them in one group, on a stream of their own, so that what is
 * queued between packing and unpacking runs beside them. Unpacking waits for the group, and so for what it sends too:
 * code that packs again may overwrite it.
 */
final class NcclHaloExchange implements AutoCloseable {
    private final CudaContext context;
    private final NcclCommunicator communicator;
    private final CudaStream stream;
    private final CudaEvent ready;
    private final CudaEvent carried;
    /** The rank that sends each message, or −1. */
    private final int[] from;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    NcclHaloExchange(CudaContext context, NcclCommunicator communicator, int receives) {
        this.context = context;
        this.communicator = communicator;
        this.stream = context.newStream();
        this.ready = context.newOrderEvent();
        this.carried = context.newOrderEvent();
        this.from = new int[receives];
        Arrays.fill(from, -1);
    }

    /** Returns this, if the group is the one whose messages are carried. */
    NcclHaloExchange require(DeviceGroup group) {
        if (CudaGroup.communicator(group) != communicator) {
            throw new IllegalArgumentException("messages of one exchange are carried by two groups, " + group
                    + " being the second; expected one");
        }
        return this;
    }

    void receive(int receive, int rank) {
        from[receive] = rank;
    }

    boolean receives(int receive) {
        return from[receive] >= 0;
    }

    /** Queues the messages after what is on the context's own stream so far: packing, and the last unpacking. */
    void start(CudaOutbox[] out, CudaInbox[] in, List<HaloParcel> receives) {
        ready.record();
        stream.await(ready);
        communicator.begin();
        for (CudaOutbox box : out) {
            box.carry(communicator, stream);
        }
        for (int i = 0; i < in.length; i++) {
            if (from[i] >= 0) {
                communicator.receive(in[i].messages(), receives.get(i).bytes(), from[i], stream);
            }
        }
        communicator.end();
        carried.record(stream);
    }

    /** Lets what is queued next on the context's own stream find the messages. */
    void finish() {
        context.stream().await(carried);
    }

    @Override
    public void close() {
        if (context.isOpen()) {
            stream.synchronize();
        }
        stream.close();
        ready.close();
        carried.close();
    }
}
