package org.trellis.distributed.device;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.List;
import java.util.function.IntPredicate;
import org.trellis.distributed.communicate.Communicator;
import org.trellis.distributed.communicate.JobFailedException;
import org.trellis.distributed.communicate.ReceiveChannel;
import org.trellis.distributed.communicate.SendChannel;
import org.trellis.mesh.HaloKernels;
import org.trellis.mesh.device.DatStorage;
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

    /**
     * A message of a neighbour.
     *
     * @param rank   the neighbour
     * @param parcel what is in the message; as large as the neighbour says
     */
    public record Neighbour(int rank, HaloParcel parcel) {}

    /**
     * Agrees with the neighbours and opens channels. Collective: ranks whose values are on the host call
     * {@link #decline} at the same time.
     *
     * @param communicator the ranks
     * @param tag          tells the channels apart from others
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
        this(communicator, tag, kernels, sends, receives, operands, bytes -> true);
    }

    /**
     * Agrees with the neighbours and opens channels, with a choice of ways. Collective, as the other one.
     *
     * @param communicator the ranks
     * @param tag          tells the channels apart from others
     * @param kernels      what packs and unpacks on this rank
     * @param sends        the messages that go out, at most one to a rank
     * @param receives     the messages that come in, at most one from a rank
     * @param operands     how many dats or vectors they have values of
     * @param direct       says for the size of a message whether it goes straight to the other device where it can;
     *                     else it goes through the host. Such as what {@link WayTimes} has measured
     * @throws IllegalArgumentException if there are too many operands
     * @throws org.trellis.distributed.communicate.JobFailedException if the job has failed or fails now
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    public DeviceExchange(Communicator communicator, int tag, HaloKernels kernels, List<Neighbour> sends,
            List<Neighbour> receives, int operands, IntPredicate direct) {
        this.halo = kernels.prepare(sends.stream().map(Neighbour::parcel).toList(),
                receives.stream().map(Neighbour::parcel).toList(), operands);
        this.sends = new SendChannel[sends.size()];
        this.receives = new ReceiveChannel[receives.size()];
        this.sendsDirectly = new boolean[sends.size()];
        this.receivesDirectly = new boolean[receives.size()];
        agree(communicator, sends, receives, direct);
        for (int i = 0; i < this.receives.length; i++) {
            Neighbour from = receives.get(i);
            this.receives[i] = communicator.receiveFrom(from.rank(), tag,
                    receivesDirectly[i] ? NOTICE_BYTES : from.parcel().bytes());
        }
        for (int i = 0; i < this.sends.length; i++) {
            Neighbour to = sends.get(i);
            this.sends[i] = communicator.sendTo(to.rank(), tag,
                    sendsDirectly[i] ? NOTICE_BYTES : to.parcel().bytes());
        }
    }

    /** Receivers say how they can be reached, and senders whether they can. */
    private void agree(Communicator communicator, List<Neighbour> sends, List<Neighbour> receives,
            IntPredicate direct) {
        byte[][] invitations = new byte[communicator.size()][];
        for (int i = 0; i < receives.size(); i++) {
            if (direct.test(receives.get(i).parcel().bytes())) {
                invitations[receives.get(i).rank()] = halo.invitation(i);
            }
        }
        byte[][] invited = communicator.exchange(invitations);
        byte[][] answers = new byte[communicator.size()][];
        for (int i = 0; i < sends.size(); i++) {
            int to = sends.get(i).rank();
            sendsDirectly[i] = invited[to].length > 0 && halo.connect(i, invited[to], has(receives, to));
            answers[to] = new byte[sendsDirectly[i] ? 1 : 0];
        }
        byte[][] answered = communicator.exchange(answers);
        for (int i = 0; i < receives.size(); i++) {
            receivesDirectly[i] = answered[receives.get(i).rank()].length > 0;
            if (receivesDirectly[i]) {
                halo.connected(i, has(sends, receives.get(i).rank()));
            }
        }
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
        for (ReceiveChannel receive : receives) {
            receive.start();
        }
        for (SendChannel send : sends) {
            send.await();
        }
        halo.pack();
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
        long waited = 0;
        for (int i = 0; i < sends.length; i++) {
            if (!sendsDirectly[i]) {
                long began = System.nanoTime();
                halo.copyOut(i, sends[i].buffer());
                waited += System.nanoTime() - began;
                sends[i].start();
            }
        }
        for (int i = 0; i < receives.length; i++) {
            long began = System.nanoTime();
            receives[i].await();
            waited += System.nanoTime() - began;
            if (!receivesDirectly[i]) {
                halo.copyIn(i, receives[i].buffer());
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
    public String way() {
        return halo.way();
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
            // Nobody takes anything any more; what ended the job is known.
            LOGGER.log(System.Logger.Level.DEBUG, "closing an exchange of a job that has failed", e);
        } finally {
            halo.close();
        }
    }
}
