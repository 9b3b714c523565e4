package org.trellis.distributed.device;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Global;
import org.trellis.mesh.GroupKernels;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.PreparedReduction;
import org.trellis.mesh.device.DeviceGroup;

/**
 * Numbers of all ranks combined on their devices: the hosts only inform each other that they have queued what is
 * needed. For devices that all reach each other, or that NCCL has joined. Allocates nothing.
 */
public final class DeviceReduction implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger(DeviceReduction.class.getName());
    private static final int NOTICE_BYTES = 8;

    /** The most numbers that are combined at a time. */
    public static final int MAX_NUMBERS = 8;

    private final PreparedReduction prepared;
    private final boolean ordered;
    private final SendChannel[] sends;
    private final ReceiveChannel[] receives;
    /** What carries numbers by NCCL; null if kernels write them. */
    private final DeviceGroup group;

    @MustBeClosed
    private DeviceReduction(PreparedReduction prepared, Communicator communicator, int tag, DeviceGroup group) {
        this.prepared = prepared;
        this.ordered = communicator.greatest(prepared.isSelfOrdered() ? 0 : 1) == 0;
        this.group = group;
        List<SendChannel> outgoing = new ArrayList<>();
        List<ReceiveChannel> incoming = new ArrayList<>();
        for (int peer = 0; peer < communicator.size(); peer++) {
            if (peer != communicator.rank()) {
                outgoing.add(communicator.sendTo(peer, tag, NOTICE_BYTES));
                incoming.add(communicator.receiveFrom(peer, tag, NOTICE_BYTES));
            }
        }
        sends = outgoing.toArray(SendChannel[]::new);
        receives = incoming.toArray(ReceiveChannel[]::new);
    }

    /**
     * Makes a combination, if all ranks have devices that reach each other or that NCCL has joined
     * ({@link DeviceTransports}), which then does what kernels cannot, or all if it is the only transport. Collective.
     *
     * @param communicator the ranks
     * @param tag          distinguishes the channels from others
     * @param backend      of this rank
     * @param most         the most numbers that are combined at a time
     * @return the combination, which the caller closes; empty on all ranks if one cannot
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    @SuppressWarnings("MustBeClosed") // closed with what is returned, or here
    public static Optional<DeviceReduction> of(Communicator communicator, int tag, Backend backend, int most) {
        int rank = communicator.rank();
        int ranks = communicator.size();
        DeviceTransports transports = DeviceTransports.of(backend).orElse(null);
        DeviceGroup group = transports == null ? null : transports.group(communicator).orElse(null);
        if (group != null && transports.isGroupOnly()) {
            return Optional.of(grouped(communicator, tag, backend, group, most));
        }
        PreparedReduction made = backend.optionalKernels(HaloKernels.class)
                .map(kernels -> kernels.reduction(rank, ranks, most)).orElse(null);
        byte[][] invitations = new byte[ranks][];
        Arrays.fill(invitations, made == null ? new byte[0] : made.invitation());
        byte[][] invited = communicator.exchange(invitations);
        boolean reached = made != null;
        for (int peer = 0; peer < ranks && reached; peer++) {
            reached = peer == rank || made.connect(peer, invited[peer]);
        }
        if (communicator.greatest(reached ? 0 : 1) > 0) {
            if (made != null) {
                made.close();
            }
            return group == null
                    ? Optional.empty()
                    : Optional.of(grouped(communicator, tag, backend, group, most));
        }
        return Optional.of(new DeviceReduction(made, communicator, tag, null));
    }

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with what is returned
    private static DeviceReduction grouped(Communicator communicator, int tag, Backend backend, DeviceGroup group,
            int most) {
        return new DeviceReduction(backend.kernels(GroupKernels.class).reduction(group, most), communicator, tag,
                group);
    }

    /**
     * Queues the combination of numbers of all ranks. Called by all, alike.
     *
     * @param operation how
     * @param values    doubles in the memory of the device; overwritten with the result, the same bits on all ranks
     * @param first     the first that counts
     * @param count     how many
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void combine(PreparedReduction.Operation operation, DenseVector values, int first, int count) {
        prepared.send(values, first, count);
        prepared.submit();
        meet();
        prepared.combine(operation, values, first, count);
        release();
    }

    /**
     * Queues the combination of the values that ranks have of a global. Called by all, alike.
     *
     * @param operation how
     * @param global    a real global of this rank's mesh, whose value is the result afterwards, the same bits on all
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void combine(PreparedReduction.Operation operation, Global global) {
        prepared.send(global);
        prepared.submit();
        meet();
        prepared.combine(operation, global);
        release();
    }

    /**
     * Says whether devices wait for each other by themselves, so that {@link #combineQuietly} may be called.
     *
     * @return true if all ranks have devices of their own that raise flags for each other; the same on all
     */
    public boolean isSelfOrdered() {
        return ordered;
    }

    /**
     * Queues the combination of the values that ranks have of a global without a word between hosts: where
     * {@link #isSelfOrdered} on all ranks, and all ranks make sure in another way that each queues its part without
     * waiting for its device.
     *
     * @param operation how
     * @param global    a real global of this rank's mesh, whose value is the result afterwards, the same bits on all
     */
    public void combineQuietly(PreparedReduction.Operation operation, Global global) {
        prepared.send(global);
        prepared.combine(operation, global);
    }

    /** Informs the others that this rank's numbers are on their way, and waits until they have said so. */
    private void meet() {
        for (ReceiveChannel receive : receives) {
            receive.start();
        }
        for (SendChannel send : sends) {
            send.await();
            send.start();
        }
        for (ReceiveChannel receive : receives) {
            receive.await();
        }
    }

    private void release() {
        for (ReceiveChannel receive : receives) {
            receive.release();
        }
    }

    /** Waits until the others have what was sent, and for the device, and releases its memory. Idempotent. */
    @Override
    public void close() {
        try {
            for (SendChannel send : sends) {
                send.await();
            }
        } catch (JobFailedException e) {
            if (group != null) {
                group.abort();
            }
            LOGGER.log(System.Logger.Level.DEBUG, "closing a reduction of a job that has failed", e);
        } finally {
            prepared.close();
        }
    }
}
