package org.trellis.cuda.algebra;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.trellis.common.Precision;
import org.trellis.cuda.algebra.AlgebraLaunch.Count;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.Mailbox;
import org.trellis.sparse.CsrMatrix;

/**
 * Where rows start, from their lengths.
 *
 * @param offsets one more than there are rows; the caller's to close
 * @param total   the sum of all lengths
 */
public record RowScan(CudaBuffer offsets, int total) {
    private static final int EACH = 8;
    /** The sum of all lengths is sent as two integers. */
    private static final int TOTAL = 2;
    /** Counters that are sent with it. */
    private static final int COUNTERS = 2;

    /**
     * Scans lengths, and waits for their sum.
     *
     * @param launches launches of the context
     * @param lengths  a length for each row
     * @param rows     how many
     * @return the offsets
     * @throws IllegalStateException if the sum is more than a matrix of one segment has
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // returned
    public static RowScan of(AlgebraLaunch launches, CudaBuffer lengths, int rows) {
        return send(launches, lengths, rows).read();
    }

    /**
     * Queues a scan of lengths.
     *
     * @param launches launches of the context
     * @param lengths  a length for each row
     * @param rows     how many
     * @return a scan whose total comes later
     */
    public static Sent send(AlgebraLaunch launches, CudaBuffer lengths, int rows) {
        return send(launches, lengths, rows, 0);
    }

    /** The same with two counters at an address, unless it is 0, that kernels before it leave. */
    @SuppressWarnings("MustBeClosed") // returned, or closed here
    static Sent send(AlgebraLaunch launches, CudaBuffer lengths, int rows, long counters) {
        int tiles = Math.max(1, Math.ceilDiv(rows, AlgebraLaunch.THREADS * EACH));
        CudaBuffer offsets = launches.context().buffer((rows + 1L) * Integer.BYTES);
        try {
            Mailbox.Message message = launches.context().mailbox().next();
            ScanStates.Place place = launches.scans().next(tiles);
            launches.algebra("scan", Precision.F64).set(Pointer.LENGTHS, lengths).set(Pointer.OFFSETS, offsets)
                    .set(Pointer.OTHERS, place.address()).set(Pointer.KEYS, message.address()).set(Count.ROWS, rows)
                    .set(Count.SIZE, place.number()).set(Count.FIRST, place.firstTicket())
                    .set(Count.LAST, message.number()).set(Pointer.COUNTS, counters).runBlocks(tiles);
            return new Sent(offsets, message);
        } catch (RuntimeException | Error e) {
            offsets.close();
            throw e;
        }
    }

    /**
     * Returns the source of the kernels that scan, which has those of other products too.
     *
     * @return the source
     */
    public static KernelSource source() {
        return AlgebraLaunch.algebra(Precision.F64);
    }

    /**
     * A scan that was queued.
     *
     * @param offsets one more than there are rows, the last one being the total; the caller's to close
     * @param message  brings the total
     */
    public record Sent(CudaBuffer offsets, Mailbox.Message message) {
        /** Waits for the counters that were sent with the total. */
        int[] counters() {
            int[] words = message.read(TOTAL + COUNTERS);
            return new int[]{words[TOTAL], words[TOTAL + 1]};
        }

        /**
         * Waits for the total.
         *
         * @return the offsets and the total
         * @throws IllegalStateException if it is more than a matrix of one segment has; the offsets are closed then
         */
        RowScan read() {
            try {
                int[] words = message.read(TOTAL);
                long total = Integer.toUnsignedLong(words[0]) | (long) words[1] << Integer.SIZE;
                if (total > CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS) {
                    throw new IllegalStateException("matrix of " + total + " non-zeros on "
                            + offsets.context().space() + ", expected at most "
                            + CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS);
                }
                return new RowScan(offsets, (int) total);
            } catch (RuntimeException | Error e) {
                offsets.close();
                throw e;
            }
        }
    }

    /** Makes counters of given values. */
    @MustBeClosed
    static CudaBuffer counters(AlgebraLaunch launches, int... values) {
        return launches.context().upload(MemorySegment.ofArray(values));
    }

    /** Returns the bytes of so many integers. */
    static long ints(long count) {
        return count * ValueLayout.JAVA_INT.byteSize();
    }
}
