package org.trellis.cuda.algebra;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.trellis.common.Precision;
import org.trellis.cuda.algebra.AlgebraLaunch.Count;
import org.trellis.cuda.algebra.AlgebraLaunch.Pointer;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.sparse.CsrMatrix;

/**
 * Where rows start, from their lengths.
 *
 * @param offsets one more than there are rows; the caller's to close
 * @param total   the sum of all lengths
 */
public record RowScan(CudaBuffer offsets, int total) {
    private static final int EACH = 8;

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
    @SuppressWarnings("MustBeClosed") // returned, or closed here
    public static RowScan of(AlgebraLaunch launches, CudaBuffer lengths, int rows) {
        CudaBuffer offsets = launches.context().buffer((rows + 1L) * Integer.BYTES);
        int tiles = Math.max(1, Math.ceilDiv(rows, AlgebraLaunch.THREADS * EACH));
        try (CudaBuffer sums = launches.context().buffer((tiles + 1L) * Long.BYTES)) {
            launches.algebra("scanTiles", Precision.F64).set(Pointer.LENGTHS, lengths).set(Pointer.OFFSETS, offsets)
                    .set(Pointer.KEYS, sums).set(Count.ROWS, rows).runBlocks(tiles);
            launches.algebra("scanSums", Precision.F64).set(Pointer.KEYS, sums).set(Count.SIZE, tiles).runBlocks(1);
            launches.algebra("scanAdd", Precision.F64).set(Pointer.OFFSETS, offsets).set(Pointer.KEYS, sums)
                    .set(Count.ROWS, rows).set(Count.SIZE, tiles).run(rows + 1L);
            long[] total = new long[1];
            sums.copyTo(MemorySegment.ofArray(total), (long) tiles * Long.BYTES);
            if (total[0] > CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS) {
                throw new IllegalStateException("matrix of " + total[0] + " non-zeros on "
                        + launches.context().space() + ", expected at most " + CsrMatrix.MAXIMUM_SEGMENT_NON_ZEROS);
            }
            return new RowScan(offsets, (int) total[0]);
        } catch (RuntimeException | Error e) {
            offsets.close();
            throw e;
        }
    }

    /** Brings integers to the host. */
    static int[] fetch(CudaBuffer buffer, int count) {
        int[] values = new int[count];
        buffer.copyTo(MemorySegment.ofArray(values));
        return values;
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
