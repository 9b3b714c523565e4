package org.trellis.cuda.sparse;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * SELL-C-σ for warps, as {@code sell.cu} reads it.
 *
 * @param rows       the stored rows
 * @param chunkSlots the first slot of each chunk, and the number of slots at the end
 * @param columns    the column of each entry, -1 for padding
 * @param source     the index of each entry in the matrix, -1 for padding
 * @see <a href="https://doi.org/10.1137/130930352">M. Kreutzer et al., SIAM J. Sci. Comput. 36(5), 2014</a>
 */
record SellLayout(ChunkRows rows, int[] chunkSlots, int[] columns, int[] source) {
    static SellLayout of(HostCsr matrix, ChunkRows rows) {
        int[] chunkSlots = new int[rows.chunks() + 1];
        IntStream.range(0, rows.chunks()).parallel().forEach(chunk -> chunkSlots[chunk + 1] = rows.slots(chunk));
        Arrays.parallelPrefix(chunkSlots, Integer::sum);
        int entries = Math.multiplyExact(chunkSlots[rows.chunks()], rows.shape().slotEntries());
        SellLayout layout = new SellLayout(rows, chunkSlots, new int[entries], new int[entries]);
        IntStream.range(0, rows.chunks()).parallel().forEach(chunk -> layout.fill(matrix, chunk));
        return layout;
    }

    private void fill(HostCsr matrix, int chunk) {
        ChunkShape shape = rows.shape();
        int first = chunkSlots[chunk] * shape.slotEntries();
        int end = chunkSlots[chunk + 1] * shape.slotEntries();
        Arrays.fill(columns, first, end, -1);
        Arrays.fill(source, first, end, -1);
        for (int row = 0; row < rows.rowsOf(chunk); row++) {
            int start = rows.starts()[rows.firstOf(chunk) + row];
            for (int k = 0; k < rows.lengths()[rows.firstOf(chunk) + row]; k++) {
                int at = first + k / shape.cooperating() * shape.slotEntries() + shape.place(row, k);
                columns[at] = matrix.columnIndices()[start + k];
                source[at] = start + k;
            }
        }
    }
}
