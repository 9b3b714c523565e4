package org.trellis.distributed.device;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.device.DatStorage;
import org.trellis.mesh.device.DeviceGroup;
import org.trellis.mesh.device.HaloParcel;
import org.trellis.mesh.device.PreparedHalo;

/**
 * Messages to and from the neighbours of a rank whose values are on a device. Where the sender's device reaches the
 * receiver's, the channel between the two carries eight bytes that say that a message is on its way, and the host goes
 * on; elsewhere it carries the message itself. Which of the two is agreed on when the exchange is made, message by
 * message, so that devices and hosts can be neighbours.
 *
 * <p>After the first exchange nothing is allocated.
 */
public final class DeviceExchange implements AutoCloseable {
    /** The size of a message that only says that another one is on its way. */
    private static final int NOTICE_BYTES = 8;

    private static final System.Logger LOGGER = System.getLogger(DeviceExchange.class.getName());

    private final PreparedHalo halo;
    private final SendChannel[] sends;
    private final ReceiveChannel[] receives;
    private final boolean[] sendsDirectly;
    private final boolean[] receivesDirectly;
    /** What MPI sends from, and brings to, the device's memory. */
    private final boolean[] sendsExposed;
    private final boolean[] receivesExposed;
    private final boolean anyExposed;
    /** What carries messages by NCCL; null if nothing does. */
    private final DeviceGroup group;

    /**
     * A message of a neighbour.
     *
     * @param rank   the neighbour
     * @param parcel what is in the message; as large as the neighbour says
     */
    public record Neighbour(int rank, HaloParcel parcel) {}

    /**
     * Agrees with the neighbours and opens channels; messages take the transports that {@link DeviceTransports#start}
     * has left with the kernels, or go straight wherever they can. Collective: ranks whose values are on the host call
     * {@link #decline} at the same time.
     *
     * @param communicator the ranks
     * @param tag          distinguishes the channels from others
     * @param kernels      what packs and unpacks on this rank
     * @param sends        the messages that go out, at most one to a rank
     * @param receives     the messages that come in, at most one from a rank
     * @param operands     how many dats or vectors they have values of
     * @throws IllegalArgumentException if there are too many operands
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    @MustBeClosed
    public DeviceExchange(Communicator communicator, int tag, HaloKernels kernels, List<Neighbour> sends,
            List<Neighbour> receives, int operands) {
        this(communicator, tag, kernels, sends, receives, operands,
                DeviceTransports.of(kernels).orElseGet(() -> DeviceTransports.only(DeviceTransport.DIRECT, null)));
    }

    /**
     * Agrees with the neighbours and opens channels, with a choice of transports. Collective, as the other one.
     *
     * @param communicator the ranks
     * @param tag          distinguishes the channels from others
     * @param kernels      what packs and unpacks on this rank
     * @param sends        the messages that go out, at most one to a rank
     * @param receives     the messages that come in, at most one from a rank
     * @param operands     how many dats or vectors they have values of
     * @param transports         says for the size of a message which transport it takes where it can, the same on all
     *                           ranks
     * @throws IllegalArgumentException if there are too many operands
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    public DeviceExchange(Communicator communicator, int tag, HaloKernels kernels, List<Neighbour> sends,
            List<Neighbour> receives, int operands, DeviceTransports transports) {
        this.halo = kernels.prepare(sends.stream().map(Neighbour::parcel).toList(),
                receives.stream().map(Neighbour::parcel).toList(), operands);
        this.sends = new SendChannel[sends.size()];
        this.receives = new ReceiveChannel[receives.size()];
        this.sendsDirectly = new boolean[sends.size()];
        this.receivesDirectly = new boolean[receives.size()];
        this.sendsExposed = exposed(communicator, transports, sends);
        this.receivesExposed = exposed(communicator, transports, receives);
        this.anyExposed = any(sendsExposed) || any(receivesExposed);
        this.group = transports.group(communicator).orElse(null);
        agree(communicator, sends, receives, transports);
        for (int i = 0; i < this.receives.length; i++) {
            Neighbour from = receives.get(i);
            int bytes = from.parcel().bytes();
            this.receives[i] = receivesExposed[i]
                    ? communicator.receiveInto(from.rank(), tag, bytes, halo.exposeReceived(i))
                    : communicator.receiveFrom(from.rank(), tag, receivesDirectly[i] ? NOTICE_BYTES : bytes);
        }
        for (int i = 0; i < this.sends.length; i++) {
            Neighbour to = sends.get(i);
            int bytes = to.parcel().bytes();
            this.sends[i] = sendsExposed[i]
                    ? communicator.sendFrom(to.rank(), tag, bytes, halo.expose(i))
                    : communicator.sendTo(to.rank(), tag, sendsDirectly[i] ? NOTICE_BYTES : bytes);
        }
    }

    private static boolean[] exposed(Communicator communicator, DeviceTransports transports,
            List<Neighbour> neighbours) {
        boolean[] exposed = new boolean[neighbours.size()];
        for (int i = 0; i < exposed.length; i++) {
            exposed[i] = communicator.takesDeviceMemory()
                    && transports.transport(neighbours.get(i).parcel().bytes()).equals(DeviceTransport.MPI);
        }
        return exposed;
    }

    private static boolean any(boolean... flags) {
        boolean any = false;
        for (boolean flag : flags) {
            any |= flag;
        }
        return any;
    }

    /** Receivers say how they can be reached, and senders whether they can. Both know what NCCL carries. */
    private void agree(Communicator communicator, List<Neighbour> sends, List<Neighbour> receives,
            DeviceTransports transports) {
        byte[][] invitations = new byte[communicator.size()][];
        for (int i = 0; i < receives.size(); i++) {
            Neighbour from = receives.get(i);
            if (isCarried(transports, from)) {
                halo.receiveBy(i, group, from.rank());
                receivesDirectly[i] = true;
            } else if (!receivesExposed[i]
                    && !transports.transport(from.parcel().bytes()).equals(DeviceTransport.STAGED)) {
                invitations[from.rank()] = halo.invitation(i);
            }
        }
        byte[][] invited = communicator.exchange(invitations);
        byte[][] answers = new byte[communicator.size()][];
        for (int i = 0; i < sends.size(); i++) {
            Neighbour to = sends.get(i);
            if (isCarried(transports, to)) {
                halo.sendBy(i, group, to.rank());
                sendsDirectly[i] = true;
            } else if (!sendsExposed[i]) {
                boolean copied = transports.transport(to.parcel().bytes()).equals(DeviceTransport.COPIED);
                sendsDirectly[i] = invited[to.rank()].length > 0
                        && halo.connect(i, invited[to.rank()], has(receives, to.rank()), copied);
                answers[to.rank()] = new byte[sendsDirectly[i] ? 1 : 0];
            }
        }
        byte[][] answered = communicator.exchange(answers);
        for (int i = 0; i < receives.size(); i++) {
            int from = receives.get(i).rank();
            if (answered[from].length > 0) {
                receivesDirectly[i] = true;
                halo.connected(i, has(sends, from));
            }
        }
    }

    private boolean isCarried(DeviceTransports transports, Neighbour neighbour) {
        return group != null && transports.transport(neighbour.parcel().bytes()).equals(DeviceTransport.NCCL);
    }

    /** Says whether no message that is sent goes through the host. */
    boolean isDirect() {
        boolean all = true;
        for (boolean direct : sendsDirectly) {
            all &= direct;
        }
        return all;
    }

    private static boolean has(List<Neighbour> neighbours, int rank) {
        return neighbours.stream().anyMatch(neighbour -> neighbour.rank() == rank);
    }

    /**
     * Takes part in the agreement of others as a rank whose values are on the host. Collective.
     *
     * @param communicator the ranks
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public static void decline(Communicator communicator) {
        communicator.exchange(new byte[communicator.size()][]);
        communicator.exchange(new byte[communicator.size()][]);
    }

    /**
     * Says where an operand is from the next {@link #start} on.
     *
     * @param operand         its number
     * @param storage         its memory
     * @param elementStride   the distance between elements, in components
     * @param componentStride the distance between the components of an element
     */
    public void bind(int operand, DatStorage storage, int elementStride, int componentStride) {
        halo.bind(operand, storage, elementStride, componentStride);
    }

    /**
     * Packs messages and sends them off, as far as that needs no waiting for the device. What is queued afterwards may
     * write operands.
     *
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public void start() {
        if (anyExposed) {
            // What comes next overwrites it.
            halo.awaitUnpacked();
        }
        for (ReceiveChannel receive : receives) {
            receive.start();
        }
        for (SendChannel send : sends) {
            send.await();
        }
        halo.pack();
        halo.submit();
        for (int i = 0; i < sends.length; i++) {
            if (sendsDirectly[i]) {
                sends[i].start();
            }
        }
    }

    /**
     * Sends what goes through the host, waits until all messages have come or are certain to come, and queues their
     * unpacking. What is queued afterwards finds operands up to date.
     *
     * @return the time that the host spent waiting, in nanoseconds
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    public long finish() {
        try {
            return deliver();
        } catch (JobFailedException e) {
            abort();
            throw e;
        }
    }

    /** What waits on the device for ranks that are no more would never end. */
    private void abort() {
        if (group != null) {
            group.abort();
        }
    }

    private long deliver() {
        long waited = 0;
        halo.submit();
        for (int i = 0; i < sends.length; i++) {
            if (!sendsDirectly[i]) {
                long began = System.nanoTime();
                if (sendsExposed[i]) {
                    halo.awaitPacked();
                } else {
                    halo.copyOut(i, sends[i].buffer());
                }
                waited += System.nanoTime() - began;
                sends[i].start();
            }
        }
        for (int i = 0; i < receives.length; i++) {
            long began = System.nanoTime();
            receives[i].await();
            waited += System.nanoTime() - began;
            if (!receivesDirectly[i]) {
                if (!receivesExposed[i]) {
                    halo.copyIn(i, receives[i].buffer());
                }
                receives[i].release();
            }
        }
        halo.unpack();
        for (int i = 0; i < receives.length; i++) {
            if (receivesDirectly[i]) {
                receives[i].release();
            }
        }
        return waited;
    }

    /**
     * Says whether devices order all messages of this exchange among themselves, so that {@link #pack} and
     * {@link #unpack} may take the place of {@link #start} and {@link #finish}.
     *
     * @return true if every message is written by kernels that raise flags which kernels wait for, both transports
     */
    public boolean isSelfOrdered() {
        return halo.isSelfOrdered();
    }

    /**
     * Queues packing without telling the neighbours, who do the same: where {@link #isSelfOrdered} on all ranks, and
     * all ranks make sure in another way that each queues its part without waiting for its device.
     */
    public void pack() {
        halo.pack();
    }

    /** Queues unpacking without waiting for the neighbours to say that they have packed, after {@link #pack}. */
    public void unpack() {
        halo.unpack();
    }

    /**
     * Counts the messages to a neighbour.
     *
     * @param send its place among the messages that are sent
     * @return at least 0
     */
    public long messages(int send) {
        return sends[send].messages();
    }

    /**
     * Says how messages travel.
     *
     * @return some words, for reports
     */
    public String transport() {
        return halo.transport();
    }

    /**
     * Waits until the neighbours have asked their devices to take what was sent, and this one has done its part, and
     * releases its memory; channels are closed with their communicator. Idempotent.
     */
    @Override
    public void close() {
        try {
            for (SendChannel send : sends) {
                send.await();
            }
        } catch (JobFailedException e) {
            // The other side takes nothing any more; what ended the job is known.
            abort();
            LOGGER.log(System.Logger.Level.DEBUG, "closing an exchange of a job that has failed", e);
        } finally {
            halo.close();
        }
    }
}
