package org.trellis.distributed.communicate;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.trellis.common.Checks;

/**
 * The communicator of ranks that are processes under MPI. Collective operations are the non-blocking ones of MPI, so
 * that waiting has an end, and each begins with an all-reduce of a few doubles in which ranks find out whether they
 * call the same; small sums travel in it.
 */
final class MpiCommunicator implements Communicator {
    private static final long FIRST_CAPACITY = 1024;

    private final MpiJob job;
    private final MpiLibrary library;
    private final long handle;
    private final boolean isWorld;
    private final int rank;
    private final int size;
    private final Arena arena = Arena.ofConfined();
    private final Map<String, MpiChannel> channels = new HashMap<>();
    private final MpiAgreement agreement;
    private final MemorySegment request;
    private MemorySegment outgoing;
    private MemorySegment incoming;
    private boolean closed;
    private boolean reducing;

    MpiCommunicator(MpiJob job, long handle, boolean isWorld) {
        this.job = job;
        this.library = job.library();
        this.handle = handle;
        this.isWorld = isWorld;
        this.request = arena.allocate(Long.BYTES, Long.BYTES);
        this.outgoing = arena.allocate(FIRST_CAPACITY, Long.BYTES);
        this.incoming = arena.allocate(FIRST_CAPACITY, Long.BYTES);
        MemorySegment number = arena.allocate(JAVA_INT);
        job.call("MPI_Comm_set_errhandler", handle, library.constant(MpiAbi.Constant.ERRORS_RETURN));
        job.call("MPI_Comm_rank", handle, number);
        this.rank = number.get(JAVA_INT, 0);
        job.call("MPI_Comm_size", handle, number);
        this.size = number.get(JAVA_INT, 0);
        this.agreement = new MpiAgreement(job, handle, rank, size, arena);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public int size() {
        return size;
    }

    MpiLibrary library() {
        return library;
    }

    MpiJob job() {
        return job;
    }

    /** MPI's handle of these ranks. */
    long handle() {
        return handle;
    }

    @Override
    public String transport() {
        return "mpi (" + library.version() + ")";
    }

    @Override
    public Duration patience() {
        return job.patience().duration();
    }

    private void requireOpen() {
        if (closed) {
            throw new IllegalStateException("the communicator of " + this + " is closed");
        }
        if (reducing) {
            throw new IllegalStateException("a call of " + this + " while a reduction is under way, expected finish() "
                    + "first");
        }
    }

    @Override
    public SendChannel sendTo(int to, int tag, int bytes) {
        requireOpen();
        CommunicatorChecks.channel(this, to, tag, bytes);
        return open(false, rank, to, tag, bytes, 0);
    }

    @Override
    public ReceiveChannel receiveFrom(int from, int tag, int bytes) {
        requireOpen();
        CommunicatorChecks.channel(this, from, tag, bytes);
        return open(true, from, rank, tag, bytes, 0);
    }

    @Override
    public boolean takesDeviceMemory() {
        return job.takesDeviceMemory();
    }

    @Override
    public SendChannel sendFrom(int to, int tag, int bytes, long address) {
        requireDeviceMemory();
        CommunicatorChecks.channel(this, to, tag, bytes);
        return open(false, rank, to, tag, bytes, address);
    }

    @Override
    public ReceiveChannel receiveInto(int from, int tag, int bytes, long address) {
        requireDeviceMemory();
        CommunicatorChecks.channel(this, from, tag, bytes);
        return open(true, from, rank, tag, bytes, address);
    }

    private void requireDeviceMemory() {
        requireOpen();
        if (!takesDeviceMemory()) {
            throw new UnsupportedOperationException(library.version() + " does not say that it takes the memory of "
                    + "GPUs, expected a library built for them, or trellis.mpi.cuda=yes");
        }
    }

    /** Opens a channel, in memory of the host unless there is an address of a device. */
    private MpiChannel open(boolean receives, int from, int to, int tag, int bytes, long address) {
        String name = "channel from rank " + from + " to rank " + to + " with tag " + tag;
        if (channels.containsKey(name)) {
            throw new IllegalStateException("the " + (receives ? "receiver" : "sender") + "'s end of the " + name
                    + " is open already");
        }
        MpiChannel channel = new MpiChannel(job, arena, handle, receives,
                new MpiChannel.Route(receives ? from : to, tag, bytes, address, name));
        channels.put(name, channel);
        return channel;
    }

    @Override
    public void allReduce(Reduction reduction, double[] values) {
        requireOpen();
        boolean together = reduction == Reduction.SUM && values.length <= MpiAgreement.PASSENGERS;
        agreement.reach("all-reduce of doubles by " + reduction + " of " + values.length + " elements",
                together ? values : MpiAgreement.NONE);
        if (together) {
            return;
        }
        reserve((long) values.length * Double.BYTES);
        MemorySegment.copy(values, 0, outgoing, JAVA_DOUBLE, 0, values.length);
        reduce(reduction, values.length, MpiAbi.Constant.DOUBLE);
        MemorySegment.copy(incoming, JAVA_DOUBLE, 0, values, 0, values.length);
    }

    @Override
    public PendingReduction startSum(double[] values) {
        requireOpen();
        if (values.length > MpiAgreement.PASSENGERS) {
            return Communicator.super.startSum(values);
        }
        String call = "sum of " + values.length + " elements that is waited for later";
        agreement.begin(call, values);
        reducing = true;
        return result -> {
            reducing = false;
            agreement.end(call, result);
        };
    }

    @Override
    public void allReduce(Reduction reduction, long[] values) {
        requireOpen();
        agreement.reach("all-reduce of longs by " + reduction + " of " + values.length + " elements",
                MpiAgreement.NONE);
        reserve((long) values.length * Long.BYTES);
        MemorySegment.copy(values, 0, outgoing, JAVA_LONG, 0, values.length);
        reduce(reduction, values.length, MpiAbi.Constant.INT64);
        MemorySegment.copy(incoming, JAVA_LONG, 0, values, 0, values.length);
    }

    private void reduce(Reduction reduction, int length, MpiAbi.Constant type) {
        long operation = library.constant(switch (reduction) {
            case SUM -> MpiAbi.Constant.SUM;
            case MIN -> MpiAbi.Constant.MIN;
            case MAX -> MpiAbi.Constant.MAX;
        });
        job.call("MPI_Iallreduce", outgoing, incoming, length, library.constant(type), operation, handle, request);
        job.await(request, this);
    }

    private void reserve(long bytes) {
        if (outgoing.byteSize() < bytes) {
            outgoing = arena.allocate(2 * bytes, Long.BYTES);
            incoming = arena.allocate(2 * bytes, Long.BYTES);
        }
    }

    @Override
    public byte[] broadcast(int root, byte[] message) {
        requireOpen();
        CommunicatorChecks.root(this, root);
        double[] length = {rank == root ? message.length : 0};
        agreement.reach("broadcast from rank " + root, length);
        byte[] result = rank == root ? message : new byte[(int) length[0]];
        if (result.length == 0) {
            return result;
        }
        try (Arena buffers = Arena.ofConfined()) {
            MemorySegment buffer = buffers.allocate(result.length);
            MemorySegment.copy(result, 0, buffer, JAVA_BYTE, 0, result.length);
            job.call("MPI_Ibcast", buffer, result.length, library.constant(MpiAbi.Constant.BYTE), root, handle,
                    request);
            job.await(request, this);
            MemorySegment.copy(buffer, JAVA_BYTE, 0, result, 0, result.length);
        }
        return result;
    }

    @Override
    public byte[][] gather(int root, byte[] message) {
        requireOpen();
        CommunicatorChecks.root(this, root);
        agreement.reach("gather to rank " + root, MpiAgreement.NONE);
        byte[][] messages = new byte[size][];
        messages[root] = message;
        byte[][] received = exchangeAll(messages);
        return rank == root ? received : new byte[0][];
    }

    @Override
    public byte[][] exchange(byte[][] messages) {
        requireOpen();
        CommunicatorChecks.messages(this, messages);
        agreement.reach("exchange", MpiAgreement.NONE);
        return exchangeAll(messages);
    }

    /** Sends each rank how many bytes come, then sends them all; a rank's message to itself is copied. */
    private byte[][] exchangeAll(byte[][] messages) {
        try (Arena buffers = Arena.ofConfined()) {
            MemorySegment counts = buffers.allocate(JAVA_INT, size);
            MemorySegment expected = buffers.allocate(JAVA_INT, size);
            for (int r = 0; r < size; r++) {
                counts.setAtIndex(JAVA_INT, r, messages[r] == null || r == rank ? 0 : messages[r].length);
            }
            long type = library.constant(MpiAbi.Constant.INT);
            job.call("MPI_Ialltoall", counts, 1, type, expected, 1, type, handle, request);
            job.await(request, this);
            MemorySegment starts = buffers.allocate(JAVA_INT, size);
            MemorySegment ends = buffers.allocate(JAVA_INT, size);
            MemorySegment sent = buffers.allocate(Math.max(1, offsets(counts, starts, "sends")), Long.BYTES);
            MemorySegment received = buffers.allocate(Math.max(1, offsets(expected, ends, "receives")), Long.BYTES);
            for (int r = 0; r < size; r++) {
                if (messages[r] != null && r != rank) {
                    MemorySegment.copy(messages[r], 0, sent, JAVA_BYTE, starts.getAtIndex(JAVA_INT, r),
                            messages[r].length);
                }
            }
            long bytes = library.constant(MpiAbi.Constant.BYTE);
            job.call("MPI_Ialltoallv", sent, counts, starts, bytes, received, expected, ends, bytes, handle, request);
            job.await(request, this);
            byte[][] result = new byte[size][];
            for (int r = 0; r < size; r++) {
                int at = ends.getAtIndex(JAVA_INT, r);
                result[r] = r == rank && messages[r] != null
                        ? messages[r].clone()
                        : received.asSlice(at, expected.getAtIndex(JAVA_INT, r)).toArray(ValueLayout.JAVA_BYTE);
            }
            return result;
        }
    }

    private int offsets(MemorySegment counts, MemorySegment starts, String verb) {
        long end = 0;
        for (int r = 0; r < size; r++) {
            starts.setAtIndex(JAVA_INT, r, (int) end);
            end += counts.getAtIndex(JAVA_INT, r);
            if (end > Checks.LONGEST_ARRAY) {
                throw job.fail(this + " " + verb + " more than " + Checks.LONGEST_ARRAY
                        + " bytes in one exchange, expected no more");
            }
        }
        return (int) end;
    }

    @Override
    public void barrier() {
        requireOpen();
        agreement.reach("barrier", MpiAgreement.NONE);
    }

    @Override
    public Communicator split(int colour, int key) {
        requireOpen();
        CommunicatorChecks.colour(colour);
        agreement.reach("split", MpiAgreement.NONE);
        MemorySegment result = arena.allocate(Long.BYTES, Long.BYTES);
        // there is no such call that does not wait
        job.within("MPI_Comm_split", patience(), () -> job.call("MPI_Comm_split", handle, colour, key, result));
        return new MpiCommunicator(job, library.handle(result), false);
    }

    @Override
    public JobFailedException abort(String reason) {
        throw job.fail("rank " + rank + " aborted it: " + reason);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        channels.values().forEach(MpiChannel::close);
        if (!isWorld) {
            MemorySegment own = arena.allocate(Long.BYTES, Long.BYTES);
            library.putHandle(own, handle);
            job.call("MPI_Comm_free", own);
        }
        arena.close();
    }

    @Override
    public String toString() {
        return "rank " + rank + " of " + size + " (mpi)";
    }
}
