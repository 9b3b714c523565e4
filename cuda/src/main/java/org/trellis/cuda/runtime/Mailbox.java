package org.trellis.cuda.runtime;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * Numbers that kernels leave for the host in page-locked memory. The host looks there until a message has arrived, so
 * that it needs no copy and no event, and later kernels may be queued or running meanwhile. A kernel writes the
 * integers of a message first and its number last, with a fence of the whole system between.
 */
public final class Mailbox {
    /** The integers of a message. */
    public static final int CAPACITY = 126;

    /** The number of a message and an unused integer come before its contents. */
    private static final int HEADER = 2;
    private static final long BYTES = (long) (HEADER + CAPACITY) * Integer.BYTES;
    private static final int PLACES = 32;
    /** Looks, of some tens of nanoseconds each, before the host waits for the whole stream, which finds failures. */
    private static final int LOOKS = 1 << 15;

    private final CudaContext context;
    private PinnedBuffer places;
    private int sent;

    Mailbox(CudaContext context) {
        this.context = context;
    }

    /**
     * Prepares the place of the next message. Of the messages before it, the last {@value #PLACES} can still be read.
     *
     * @return a message that a kernel on the context's stream has to write
     */
    @SuppressWarnings("MustBeClosed") // closed with the context
    public Message next() {
        if (places == null) {
            places = context.pinned(PLACES * BYTES);
        }
        sent++;
        return new Message(sent);
    }

    /** A message, which may be under way. */
    public final class Message {
        private final int number;
        private final MemorySegment memory;

        private Message(int number) {
            this.number = number;
            this.memory = places.memory().asSlice(Math.floorMod(number, PLACES) * BYTES, BYTES);
        }

        /**
         * Returns where a kernel writes it.
         *
         * @return the address of the number; the contents begin two integers later
         */
        public long address() {
            return memory.address();
        }

        /**
         * Returns what a kernel writes last.
         *
         * @return a number that no message in this place had before
         */
        public int number() {
            return number;
        }

        /**
         * Waits for the message and reads it.
         *
         * @param count how many integers, at most {@value #CAPACITY}
         * @return its integers
         * @throws IllegalStateException              if no kernel wrote it, or its place has been used again
         * @throws org.trellis.common.DeviceException if work on the stream failed
         */
        public int[] read(int count) {
            await();
            return memory.asSlice((long) HEADER * Integer.BYTES, (long) count * Integer.BYTES)
                    .toArray(ValueLayout.JAVA_INT);
        }

        private void await() {
            if (sent - number >= PLACES) {
                throw new IllegalStateException("message " + number + " of " + context.name() + " after message " + sent
                        + ", expected to be read within " + PLACES);
            }
            context.interrupt();
            for (int look = 0; !hasArrived(); look++) {
                if (look == LOOKS) {
                    context.stream().synchronize();
                    requireArrived();
                    return;
                }
                Thread.onSpinWait();
            }
        }

        private boolean hasArrived() {
            int found = memory.get(ValueLayout.JAVA_INT, 0);
            VarHandle.acquireFence();
            return found == number;
        }

        private void requireArrived() {
            if (!hasArrived()) {
                throw new IllegalStateException("message " + number + " of " + context.name() + " was not written by "
                        + "any kernel on its stream");
            }
        }
    }
}
