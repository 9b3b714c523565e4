package org.trellis.cuda.driver;

import java.lang.foreign.MemorySegment;

/**
 * The functions of NCCL, the library that carries messages among GPUs, that Trellis calls. Communicators, streams and
 * memory are addresses; what is sent and received is queued on streams, whose context has to be current. All methods
 * throw {@link org.trellis.common.DeviceException} if the call fails.
 */
public interface Nccl {
    /** The code of success. */
    int SUCCESS = 0;
    /** Bytes of the name of a communicator. */
    int ID_BYTES = 128;
    /** {@code ncclInt8}. */
    int BYTES = 0;
    /** {@code ncclFloat64}. */
    int DOUBLES = 8;
    /** {@code ncclSum}. */
    int SUM = 0;

    /**
     * {@code ncclGetVersion}.
     *
     * @return such as 2.28.3
     * @throws org.trellis.common.DeviceException if the call fails
     */
    String version();

    /**
     * {@code ncclGetUniqueId}.
     *
     * @return the name of a new communicator, {@link #ID_BYTES} bytes
     * @throws org.trellis.common.DeviceException if the call fails
     */
    byte[] uniqueId();

    /**
     * {@code ncclCommInitRank}: waits for all ranks.
     *
     * @param ranks how many there are
     * @param id    the name, which one of them has made
     * @param rank  this rank, with the current context
     * @return the communicator, to be destroyed or aborted
     * @throws org.trellis.common.DeviceException if the call fails
     */
    long initRank(int ranks, byte[] id, int rank);

    /**
     * {@code ncclCommDestroy}: waits for what is queued, and perhaps for other ranks.
     *
     * @param communicator the communicator
     * @throws org.trellis.common.DeviceException if the call fails
     */
    void destroy(long communicator);

    /**
     * {@code ncclCommAbort}: gives up what is queued without waiting.
     *
     * @param communicator the communicator
     * @throws org.trellis.common.DeviceException if the call fails
     */
    void abort(long communicator);

    /**
     * {@code ncclCommGetAsyncError}: fails if something failed that was queued earlier.
     *
     * @param communicator the communicator
     * @param status       room for a number
     * @throws org.trellis.common.DeviceException if something failed
     */
    void check(long communicator, MemorySegment status);

    /**
     * {@code ncclGroupStart}: what follows on this thread begins together.
     *
     * @throws org.trellis.common.DeviceException if the call fails
     */
    void groupStart();

    /**
     * {@code ncclGroupEnd}.
     *
     * @throws org.trellis.common.DeviceException if something of the group fails
     */
    void groupEnd();

    /**
     * {@code ncclSend} of bytes.
     *
     * @param address      where they are, on the device
     * @param bytes        how many
     * @param peer         the rank that receives them
     * @param communicator the communicator
     * @param stream       where it is queued
     * @throws org.trellis.common.DeviceException if the call fails
     */
    void send(long address, long bytes, int peer, long communicator, long stream);

    /**
     * {@code ncclRecv} of bytes.
     *
     * @param address      where to, on the device
     * @param bytes        how many
     * @param peer         the rank that sends them
     * @param communicator the communicator
     * @param stream       where it is queued
     * @throws org.trellis.common.DeviceException if the call fails
     */
    void receive(long address, long bytes, int peer, long communicator, long stream);

    /**
     * {@code ncclAllReduce} of doubles in place, by {@link #SUM}.
     *
     * @param address      where they are, on the device
     * @param count        how many
     * @param communicator the communicator
     * @param stream       where it is queued
     * @throws org.trellis.common.DeviceException if the call fails
     */
    void allSum(long address, long count, long communicator, long stream);

    /**
     * {@code ncclAllGather} of doubles.
     *
     * @param source       this rank's, on the device
     * @param target       where those of all ranks go, in the order of ranks
     * @param count        how many each rank has
     * @param communicator the communicator
     * @param stream       where it is queued
     * @throws org.trellis.common.DeviceException if the call fails
     */
    void allGather(long source, long target, long count, long communicator, long stream);
}
