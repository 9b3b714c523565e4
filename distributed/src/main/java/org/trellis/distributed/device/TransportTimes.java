package org.trellis.distributed.device;

import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.Backend;
import org.trellis.distributed.communicate.Communicator;

/**
 * Latency and bandwidth of every transport that messages between the ranks of a job have, for the same exchange: each
 * rank sends one message to the next and takes one from the rank before, packed and usable where values are. Of ranks
 * on devices: {@link DeviceTransport#NAMES}, as far as they are there, and the ranks' own channels from host to host;
 * of other ranks: the channels.
 *
 * @param times   what was measured, the same on all ranks
 * @param library what carries messages by NCCL; empty if nothing does
 * @param note    why NCCL was not measured; empty if it was, or ranks are on the host
 */
public record TransportTimes(TransportComparison times, String library, String note) {
    /** The sizes of messages that are measured, in bytes. */
    public static final List<Integer> SIZES =
            List.of(8, 1 << 10, 8 << 10, 64 << 10, 512 << 10, 4 << 20, 32 << 20);

    /**
     * Measures. Collective; takes some tenths of a second.
     *
     * @param parent  the ranks, at least two
     * @param backend of this rank; null for a rank that computes on the host without one
     * @return the times
     * @throws IllegalArgumentException if there is one rank only
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public static TransportTimes measure(Communicator parent, Backend backend) {
        try (Communicator communicator = parent.split(0, parent.rank())) {
            List<MessageTransport> transports = new ArrayList<>();
            boolean devices = communicator.greatest(DeviceTransports.isOnDevice(backend) ? 0 : 1) == 0;
            DeviceTransports.All all =
                    devices ? DeviceTransports.all(communicator, backend) : DeviceTransports.All.NONE;
            try {
                transports.addAll(all.transports());
                transports.add(new ChannelTransport());
                return new TransportTimes(TransportComparison.measure(communicator, 1, transports, SIZES),
                        all.group() == null ? "" : all.group().library(), all.note());
            } finally {
                if (all.group() != null) {
                    all.group().close();
                }
            }
        }
    }

    /**
     * Returns a table.
     *
     * @return a line for each transport, and notes
     */
    @Override
    public String toString() {
        return times.table() + (library.isEmpty() ? "" : "\nnccl is " + library)
                + (note.isEmpty() ? "" : "\nnccl is not there: " + note);
    }
}
