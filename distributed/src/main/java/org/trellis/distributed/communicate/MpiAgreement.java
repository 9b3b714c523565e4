package org.trellis.distributed.communicate;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/**
 * Finds out whether all ranks call the same collective operation: MPI itself would hang, or mix up their data. Every
 * operation begins with the same all-reduce of {@value #SLOTS} doubles, of which two are a number s that stands for the
 * call and its square. By the inequality of Cauchy and Schwarz, p Σ s² = (Σ s)² only if all are equal; the numbers are
 * small enough for the sums to be exact. The other doubles carry small sums along. Two different calls have the same
 * number in one of 2¹⁹ cases; then it is MPI that complains, or the patience that ends.
 */
final class MpiAgreement {
    /** Numbers that an agreement can sum on the way. */
    static final int PASSENGERS = 6;

    /** No numbers to be summed. */
    static final double[] NONE = {};

    private static final int SLOTS = PASSENGERS + 2;
    private static final int HASH_BITS = 19;
    private static final int TEXT = 128;

    private final MpiJob job;
    private final long handle;
    private final int rank;
    private final int size;
    private final long doubleType;
    private final long sumOperation;
    private final MethodHandle allReduce;
    private final MemorySegment sent;
    private final MemorySegment received;
    private final MemorySegment request;

    MpiAgreement(MpiJob job, long handle, int rank, int size, Arena arena) {
        this.job = job;
        this.handle = handle;
        this.rank = rank;
        this.size = size;
        this.doubleType = job.library().constant(MpiAbi.Constant.DOUBLE);
        this.sumOperation = job.library().constant(MpiAbi.Constant.SUM);
        this.allReduce = job.library().function("MPI_Iallreduce");
        this.sent = arena.allocate(JAVA_DOUBLE, SLOTS);
        this.received = arena.allocate(JAVA_DOUBLE, SLOTS);
        this.request = arena.allocate(Long.BYTES, Long.BYTES);
    }

    /**
     * Waits for all ranks, and fails the job unless they call the same.
     *
     * @param call   what this rank calls, in words
     * @param values up to {@link #PASSENGERS} numbers, replaced by their sums over all ranks
     */
    void reach(String call, double[] values) {
        begin(call, values);
        end(call, values);
    }

    /** Begins to send all ranks what this one calls, with up to {@link #PASSENGERS} numbers; waits for none. */
    void begin(String call, double[] values) {
        double number = ((call.hashCode() * 0x9E3779B9) >>> (Integer.SIZE - HASH_BITS)) + 1.0;
        sent.setAtIndex(JAVA_DOUBLE, PASSENGERS, number);
        sent.setAtIndex(JAVA_DOUBLE, PASSENGERS + 1, number * number);
        for (int i = 0; i < PASSENGERS; i++) {
            sent.setAtIndex(JAVA_DOUBLE, i, i < values.length ? values[i] : 0);
        }
        start();
    }

    /** Waits for all ranks, and fails the job unless they call the same; the numbers are replaced by their sums. */
    void end(String call, double[] values) {
        job.await(request, job + " in " + call);
        long sum = (long) received.getAtIndex(JAVA_DOUBLE, PASSENGERS);
        long squares = (long) received.getAtIndex(JAVA_DOUBLE, PASSENGERS + 1);
        if (Math.multiplyHigh(sum, sum) != Math.multiplyHigh(size, squares) || sum * sum != size * squares) {
            throw complain(call);
        }
        for (int i = 0; i < values.length; i++) {
            values[i] = received.getAtIndex(JAVA_DOUBLE, i);
        }
    }

    @SuppressWarnings("checkstyle:IllegalCatch") // what a method handle declares
    private void start() {
        int code;
        try {
            code = (int) allReduce.invokeExact(sent, received, SLOTS, doubleType, sumOperation, handle, request);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("a native call threw a checked exception", e);
        }
        job.check(code, "MPI_Iallreduce");
    }

    /** All ranks know by now that they disagree: the first says on what. */
    private JobFailedException complain(String call) {
        byte[] own = call.getBytes(StandardCharsets.UTF_8);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment texts = arena.allocate((long) TEXT * size);
            for (int r = 0; r < size; r++) {
                MemorySegment.copy(own, 0, texts, JAVA_BYTE, (long) TEXT * r, Math.min(own.length, TEXT));
            }
            MemorySegment all = arena.allocate((long) TEXT * size);
            long type = job.library().constant(MpiAbi.Constant.BYTE);
            job.call("MPI_Ialltoall", texts, TEXT, type, all, TEXT, type, handle, request);
            job.await(request, this);
            String message = "ranks called different collective operations: rank 0 " + text(all, 0);
            for (int r = 1; r < size; r++) {
                if (!text(all, r).equals(text(all, 0))) {
                    message += ", rank " + r + " " + text(all, r);
                    break;
                }
            }
            throw rank == 0 ? job.fail(message) : job.failQuietly(message);
        }
    }

    private static String text(MemorySegment all, int rank) {
        byte[] bytes = all.asSlice((long) TEXT * rank, TEXT).toArray(JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8).replace("\0", "");
    }

    @Override
    public String toString() {
        return job + " finding out what others call";
    }
}
