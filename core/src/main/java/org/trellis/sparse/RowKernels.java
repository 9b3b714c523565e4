package org.trellis.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.memory.HostVector;

/**
 * Products and sweeps over some consecutive rows of a matrix at a time, for ranks that compute the rows of their halos
 * redundantly. Implemented by backends whose memory is not the host's.
 *
 * <p>A row is summed in an order that depends on its entries, their order and the number of threads for a row only: it
 * has the same bits on whatever rank and in whatever range it is computed.
 */
public interface RowKernels {
    /**
     * Copies rows to the device. Entries need not be sorted.
     *
     * @param offsets where each row starts, and behind the last where it ends
     * @param columns the column of each entry
     * @param values  the value of each entry
     * @param threads how many threads share a row, a power of two up to 32, the same on all ranks
     * @return the rows, which the caller closes
     * @throws IllegalArgumentException if the number of threads is another
     */
    @MustBeClosed
    PreparedRows prepare(int[] offsets, int[] columns, HostVector values, int threads);

    /**
     * Copies rows that are to be relaxed to the device. Entries need not be sorted.
     *
     * @param offsets where each row starts, and behind the last where it ends
     * @param columns the column of each entry, none on the diagonal
     * @param values  the value of each entry
     * @param targets the element that each row belongs to
     * @param inverse one divided by the diagonal element of each row, in the precision of the values
     * @param threads how many threads share a row, a power of two up to 32, the same on all ranks
     * @return the rows, which the caller closes
     * @throws IllegalArgumentException if the number of threads is another
     */
    @MustBeClosed
    PreparedRelaxation prepareRelaxation(int[] offsets, int[] columns, HostVector values, int[] targets,
            HostVector inverse, int threads);
}
