package org.trellis.distributed.communicate;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/**
 * A rank's view of a group of ranks that run the same program. Collective operations are called by all ranks of the
 * group, in the same order and with the same kind of arguments; messages go through persistent channels between two
 * ranks. A communicator serves the one thread that it was made for.
 *
 * <p>No operation waits longer than {@link #patience}. A failure of one rank is a {@link JobFailedException} on all of
 * them: see there. Sums are the same bits on every rank and in every run with as many ranks.
 */
public interface Communicator extends AutoCloseable {
    /**
     * Returns the number of this rank.
     *
     * @return 0 to {@code size() - 1}
     */
    int rank();

    /**
     * Returns the number of ranks.
     *
     * @return at least 1
     */
    int size();

    /**
     * Returns how messages travel.
     *
     * @return {@code threads}, or {@code mpi} and the library
     */
    String transport();

    /**
     * Returns how long an operation waits for other ranks before it fails the job.
     *
     * @return a positive time
     */
    Duration patience();

    /**
     * Opens the sending end of a channel. The receiver opens the other end with the same tag and size, at any time; at
     * most one channel of a tag leads from one rank to another.
     *
     * @param to    the receiver, another rank
     * @param tag   distinguishes channels between the same ranks, 0 to 32,767
     * @param bytes the size of each message, 1 to 2³¹ − 1
     * @return the channel, of use until the communicator is closed
     * @throws IllegalArgumentException if there is no such rank, or tag or size are out of range
     * @throws IllegalStateException    if this end is open already, or the communicator is closed
     * @throws JobFailedException       if the job has failed, or the other end was opened with another size
     */
    SendChannel sendTo(int to, int tag, int bytes);

    /**
     * Opens the receiving end of a channel.
     *
     * @param from  the sender, another rank
     * @param tag   the sender's tag
     * @param bytes the size of each message
     * @return the channel, of use until the communicator is closed
     * @throws IllegalArgumentException if there is no such rank, or tag or size are out of range
     * @throws IllegalStateException    if this end is open already, or the communicator is closed
     * @throws JobFailedException       if the job has failed, or the other end was opened with another size
     */
    ReceiveChannel receiveFrom(int from, int tag, int bytes);

    /**
     * Combines the values of all ranks, element by element.
     *
     * @param reduction how
     * @param values    this rank's values, as many on each; overwritten with the result
     * @throws JobFailedException    if the job has failed or fails now
     * @throws IllegalStateException if the communicator is closed
     */
    void allReduce(Reduction reduction, double[] values);

    /**
     * Combines the values of all ranks, element by element.
     *
     * @param reduction how
     * @param values    this rank's values, as many on each; overwritten with the result
     * @throws JobFailedException    if the job has failed or fails now
     * @throws IllegalStateException if the communicator is closed
     */
    void allReduce(Reduction reduction, long[] values);

    /**
     * Begins to add up the values of all ranks, element by element, while the caller computes. Until it is finished,
     * the communicator is to be used for messages of channels only. Transports that cannot do that wait here.
     *
     * @param values this rank's values, as many on each; copied
     * @return what to wait for
     * @throws JobFailedException    if the job has failed or fails now
     * @throws IllegalStateException if the communicator is closed, or a reduction is under way
     */
    default PendingReduction startSum(double[] values) {
        double[] sums = values.clone();
        allReduce(Reduction.SUM, sums);
        return result -> System.arraycopy(sums, 0, result, 0, result.length);
    }

    /**
     * Sends one rank's message to all.
     *
     * @param root    whose, the same on all ranks
     * @param message the message on that rank, ignored on others; not kept
     * @return the message, a new array on other ranks
     * @throws IllegalArgumentException if there is no such rank
     * @throws JobFailedException       if the job has failed or fails now
     * @throws IllegalStateException    if the communicator is closed
     */
    byte[] broadcast(int root, byte[] message);

    /**
     * Brings a message of each rank to one.
     *
     * @param root    where to, the same on all ranks
     * @param message this rank's message, of a length of its own; not kept
     * @return on that rank, the messages by rank; on others an array of no messages
     * @throws IllegalArgumentException if there is no such rank
     * @throws JobFailedException       if the job has failed or fails now
     * @throws IllegalStateException    if the communicator is closed
     */
    byte[][] gather(int root, byte[] message);

    /**
     * Sends a message from each rank to each.
     *
     * @param messages what goes to each rank, this one included, of lengths of their own; null for nothing; not kept
     * @return what came from each rank; empty arrays for nothing
     * @throws IllegalArgumentException if there is not one message for each rank
     * @throws JobFailedException       if the job has failed or fails now
     * @throws IllegalStateException    if the communicator is closed
     */
    byte[][] exchange(byte[][] messages);

    /**
     * Waits until all ranks have come here.
     *
     * @throws JobFailedException    if the job has failed or fails now
     * @throws IllegalStateException if the communicator is closed
     */
    void barrier();

    /**
     * Divides the group: ranks with the same colour form a group of their own, ordered by key and then by rank.
     *
     * @param colour which group this rank goes to, at least 0
     * @param key    where in it
     * @return a communicator of that group, which the caller closes
     * @throws IllegalArgumentException if the colour is negative
     * @throws JobFailedException       if the job has failed or fails now
     * @throws IllegalStateException    if the communicator is closed
     */
    Communicator split(int colour, int key);

    /**
     * Ends the job on all ranks.
     *
     * @param reason why, for the message
     * @return never normally
     * @throws JobFailedException always, on a transport whose ranks share a process; processes end instead
     */
    JobFailedException abort(String reason);

    /**
     * Adds up one number of each rank.
     *
     * @param value this rank's number
     * @return the sum
     * @throws JobFailedException    if the job has failed or fails now
     * @throws IllegalStateException if the communicator is closed
     */
    default long sum(long value) {
        long[] values = {value};
        allReduce(Reduction.SUM, values);
        return values[0];
    }

    /**
     * Finds the greatest number of any rank.
     *
     * @param value this rank's number
     * @return the greatest
     * @throws JobFailedException    if the job has failed or fails now
     * @throws IllegalStateException if the communicator is closed
     */
    default long greatest(long value) {
        long[] values = {value};
        allReduce(Reduction.MAX, values);
        return values[0];
    }

    /**
     * Brings one number of each rank to all.
     *
     * @param value this rank's number
     * @return the numbers by rank
     * @throws JobFailedException    if the job has failed or fails now
     * @throws IllegalStateException if the communicator is closed
     */
    default long[] gatherNumbers(long value) {
        long[] values = new long[size()];
        values[rank()] = value;
        allReduce(Reduction.SUM, values);
        return values;
    }

    /**
     * Refuses on all ranks what differs between them though it has to be the same: ranks may have read different files.
     * One reduction where all agree.
     *
     * @param facts what this rank has, line by line
     * @throws IllegalArgumentException if another rank has something else; names the first line and the rank
     * @throws JobFailedException       if the job has failed or fails now
     * @throws IllegalStateException    if the communicator is closed
     */
    default void requireSame(List<String> facts) {
        long hash = 1;
        for (String fact : facts) {
            for (int i = 0; i < fact.length(); i++) {
                hash = 31 * hash + fact.charAt(i);
            }
            hash = 31 * hash + '\n';
        }
        long[] ends = {hash, ~hash};
        allReduce(Reduction.MAX, ends);
        if (ends[0] == ~ends[1]) {
            return;
        }
        byte[][] own = new byte[size()][];
        Arrays.fill(own, String.join("\n", facts).getBytes(StandardCharsets.UTF_8));
        byte[][] all = exchange(own);
        List<String> first = new String(all[0], StandardCharsets.UTF_8).lines().toList();
        for (int rank = 1; rank < size(); rank++) {
            List<String> other = new String(all[rank], StandardCharsets.UTF_8).lines().toList();
            int line = 0;
            while (line < first.size() && line < other.size() && first.get(line).equals(other.get(line))) {
                line++;
            }
            if (line < first.size() || line < other.size()) {
                throw new IllegalArgumentException("rank 0 has "
                        + (line < first.size() ? first.get(line) : "nothing more") + ", rank " + rank + " has "
                        + (line < other.size() ? other.get(line) : "nothing more")
                        + ", expected the same on all ranks: they may have read different files");
            }
        }
    }

    /**
     * Returns where to note what this rank is at.
     *
     * @return a timeline that records nothing, unless a {@link RecordingCommunicator} is at work
     */
    default RankTimeline timeline() {
        return RankTimeline.OFF;
    }

    /**
     * Says whether {@link #sendFrom} and {@link #receiveInto} may be called.
     *
     * @return false unless the library below says that it takes the memory of GPUs, or the configuration does
     */
    default boolean takesDeviceMemory() {
        return false;
    }

    /**
     * Opens the sending end of a channel whose message is in the memory of a GPU. The cycle is that of other channels,
     * but for the buffer, which the host does not see: a message is to be there before it is started.
     *
     * @param to      the receiver, another rank
     * @param tag     distinguishes channels to the same rank
     * @param bytes   the size of each message
     * @param address where the message is, for as long as the channel is of use
     * @return the channel, of use until the communicator is closed; has no buffer
     * @throws UnsupportedOperationException unless it {@link #takesDeviceMemory}
     */
    default SendChannel sendFrom(int to, int tag, int bytes, long address) {
        throw new UnsupportedOperationException("a message from the memory of a device over " + transport());
    }

    /**
     * Opens the receiving end of a channel whose message comes to the memory of a GPU. What is there may be overwritten
     * from {@link ReceiveChannel#start} on.
     *
     * @param from    the sender, another rank
     * @param tag     the sender's tag
     * @param bytes   the size of each message
     * @param address where the message comes to, for as long as the channel is of use
     * @return the channel, of use until the communicator is closed; has no buffer
     * @throws UnsupportedOperationException unless it {@link #takesDeviceMemory}
     */
    default ReceiveChannel receiveInto(int from, int tag, int bytes, long address) {
        throw new UnsupportedOperationException("a message to the memory of a device over " + transport());
    }

    /**
     * Returns the communicator that does the work of this one. For what has to know how messages travel.
     *
     * @return this communicator, unless it stands before another
     */
    default Communicator innermost() {
        return this;
    }

    /** Releases channels and the group. Idempotent; use afterwards is an {@link IllegalStateException}. */
    @Override
    void close();
}
