package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaEvent;

/**
 * Memory of a device where another rank's message arrives. Ranks of the same process find it by a number; those of
 * other processes are informed that it is not theirs to reach.
 */
final class CudaInbox implements AutoCloseable {
    private static final UUID PROCESS = UUID.randomUUID();
    private static final AtomicLong NUMBERS = new AtomicLong();
    private static final Map<Long, CudaInbox> OPEN = new ConcurrentHashMap<>();
    private static final int INVITATION_BYTES = 3 * Long.BYTES;
    /** Room for a flag for each of two turns, in lines of their own. */
    private static final int FLAG_BYTES = 256;

    private final CudaContext context;
    private final CudaBuffer memory;
    private final CudaEvent taken;
    private final long number = NUMBERS.incrementAndGet();
    /** When the sender has written what is here; the sender's event. */
    private volatile CudaEvent written;
    private volatile boolean flagged;
    private volatile CudaReduction reduction;

    /**
     * Allocates the memory.
     *
     * @param context the receiver's
     * @param bytes   the size of what arrives, besides flags
     * @param taken   when the receiver has taken what was here; recorded each time
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    CudaInbox(CudaContext context, long bytes, CudaEvent taken) {
        this.context = context;
        this.taken = taken;
        this.memory = context.zeros(bytes + FLAG_BYTES);
        // Others write here on streams of their own.
        context.synchronize();
        OPEN.put(number, this);
    }

    CudaContext context() {
        return context;
    }

    CudaBuffer memory() {
        return memory;
    }

    CudaEvent taken() {
        return taken;
    }

    CudaEvent written() {
        return written;
    }

    /** Says which event the sender records when it has written here, or that it raises the flag instead. */
    void writtenBy(CudaEvent event, boolean byFlag) {
        written = event;
        flagged = byFlag;
    }

    /** Says whether the sender raises the flag when it has written. */
    boolean isFlagged() {
        return flagged;
    }

    /** Returns where a kernel of another context says that it has written. */
    long flag() {
        return memory.address();
    }

    /** Returns where messages are. */
    long messages() {
        return memory.address() + FLAG_BYTES;
    }

    /** Says which combination of numbers this serves. */
    void reduction(CudaReduction served) {
        reduction = served;
    }

    /** Returns the combination that this serves, or null. */
    CudaReduction reduction() {
        return reduction;
    }

    /** Says how to find this. */
    byte[] invitation() {
        return ByteBuffer.allocate(INVITATION_BYTES).putLong(PROCESS.getMostSignificantBits())
                .putLong(PROCESS.getLeastSignificantBits()).putLong(number).array();
    }

    /** Finds what an invitation leads to, or returns null if it is in another process. */
    static CudaInbox find(byte[] invitation) {
        if (invitation.length != INVITATION_BYTES) {
            return null;
        }
        ByteBuffer bytes = ByteBuffer.wrap(invitation);
        return new UUID(bytes.getLong(), bytes.getLong()).equals(PROCESS) ? OPEN.get(bytes.getLong()) : null;
    }

    @Override
    public void close() {
        OPEN.remove(number);
        memory.close();
    }
}
