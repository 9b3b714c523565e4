package org.trellis.cuda.runtime;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.trellis.cuda.driver.Nccl;

/**
 * A rank's end of a communicator of NCCL, on the device of a context. Messages are queued on a stream; what is received
 * is there when the stream has come so far. Ranks queue in an order that lets each find what it waits for: all alike.
 */
public final class NcclCommunicator extends CudaChild {
    private final Nccl nccl;
    private final int rank;
    private final int ranks;
    private final long handle;
    private final MemorySegment status = Arena.ofAuto().allocate(ValueLayout.JAVA_INT);
    private boolean orderly;

    /**
     * Joins; waits for all ranks.
     *
     * @param context of this rank
     * @param nccl    the library
     * @param id      the name of the communicator
     * @param rank    this rank
     * @param ranks   how many there are
     */
    @MustBeClosed
    public NcclCommunicator(CudaContext context, Nccl nccl, byte[] id, int rank, int ranks) {
        super(context, "rank " + rank + " of NCCL on " + context.name());
        this.nccl = nccl;
        this.rank = rank;
        this.ranks = ranks;
        this.handle = nccl.initRank(ranks, id, rank);
        context.adopt(this);
    }

    /**
     * Returns this rank.
     *
     * @return 0 to {@link #ranks} - 1
     */
    public int rank() {
        return rank;
    }

    /**
     * Returns the number of ranks.
     *
     * @return at least 1
     */
    public int ranks() {
        return ranks;
    }

    /**
     * Returns the version of the library.
     *
     * @return such as 2.28.3
     */
    public String version() {
        return nccl.version();
    }

    /**
     * Begins messages that travel together; none of them waits for another.
     *
     * @throws org.trellis.common.DeviceException if earlier ones have failed
     */
    public void begin() {
        requireOpen();
        context().makeCurrent();
        nccl.check(handle, status);
        nccl.groupStart();
    }

    /**
     * Sends bytes, within {@link #begin} and {@link #end}.
     *
     * @param address where they are, on the device
     * @param bytes   how many
     * @param to      the rank that receives them
     * @param stream  where it is queued
     * @throws org.trellis.common.DeviceException if the library refuses
     */
    public void send(long address, long bytes, int to, CudaStream stream) {
        nccl.send(address, bytes, to, handle, stream.handle().address());
    }

    /**
     * Receives bytes, within {@link #begin} and {@link #end}.
     *
     * @param address where to, on the device
     * @param bytes   how many
     * @param from    the rank that sends them
     * @param stream  where it is queued
     * @throws org.trellis.common.DeviceException if the library refuses
     */
    public void receive(long address, long bytes, int from, CudaStream stream) {
        nccl.receive(address, bytes, from, handle, stream.handle().address());
    }

    /**
     * Queues the messages since {@link #begin}.
     *
     * @throws org.trellis.common.DeviceException if the library refuses
     */
    public void end() {
        nccl.groupEnd();
    }

    /**
     * Queues the sum of doubles over all ranks, in place, on the context's own stream. In which order they are added up
     * is the library's affair.
     *
     * @param address where they are, on the device
     * @param count   how many
     * @throws org.trellis.common.DeviceException if the library refuses
     */
    public void sum(long address, long count) {
        requireOpen();
        context().makeCurrent();
        nccl.allSum(address, count, handle, context().stream().handle().address());
    }

    /**
     * Queues the gathering of doubles of all ranks on each, in the order of ranks, on the context's own stream.
     *
     * @param source this rank's, on the device
     * @param target where to
     * @param count  how many each rank has
     * @throws org.trellis.common.DeviceException if the library refuses
     */
    public void gather(long source, long target, long count) {
        requireOpen();
        context().makeCurrent();
        nccl.allGather(source, target, count, handle, context().stream().handle().address());
    }

    /** Leaves when what is queued is done, as all ranks do; {@link #close} alone leaves at once. */
    public void leave() {
        if (isOpen()) {
            context().synchronize();
            orderly = true;
        }
        close();
    }

    /** A rank whose job has failed, or that says nothing, must not wait for others. */
    @Override
    void releaseNative() {
        if (orderly) {
            nccl.destroy(handle);
        } else {
            nccl.abort(handle);
        }
    }
}
