package org.trellis.sparse.algebra;

import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/** Matrices whose unknowns come in groups, such as the displacements of a node, seen as matrices of the groups. */
public final class BlockNorms {
    private static final int ROWS_PER_TASK = 256;

    private BlockNorms() {}

    /**
     * Cuts a matrix into square blocks and makes an entry of each that has one: its Frobenius norm. Costs two passes
     * over the matrix, on several threads.
     *
     * @param a         a matrix
     * @param blockSize rows and columns of a block, at least 1
     * @return a matrix of {@code rows / blockSize} rows; of the same bits however many threads there are
     * @throws IllegalArgumentException if the rows or columns are no multiple of the block size
     */
    public static CsrMatrix of(CsrMatrix a, int blockSize) {
        Checks.positive("block size", blockSize);
        if (a.rows() % blockSize != 0 || a.columns() % blockSize != 0) {
            throw new IllegalArgumentException("blocks of " + blockSize + " in " + a
                    + ", expected numbers of rows and columns that are multiples of it");
        }
        int columns = a.columns() / blockSize;
        int[] lengths = new int[a.rows() / blockSize];
        ParallelRanges.run(lengths.length, ROWS_PER_TASK, () -> new RowAccumulator(columns),
                (from, to, accumulator) -> {
                    for (int block = from; block < to; block++) {
                        addRows(a, blockSize, block, accumulator);
                        lengths[block] = accumulator.size();
                    }
                });
        CsrMatrix squares = CsrFill.fill(columns, a.precision(), lengths, () -> {
            RowAccumulator accumulator = new RowAccumulator(columns);
            return (block, indices, values, at) -> {
                addRows(a, blockSize, block, accumulator);
                accumulator.store(indices, values, at);
            };
        });
        return squares.mapValues(Math::sqrt);
    }

    private static void addRows(CsrMatrix a, int blockSize, int block, RowAccumulator accumulator) {
        int first = block * blockSize;
        long entries = 0;
        for (int row = first; row < first + blockSize; row++) {
            entries += a.rowLength(row);
        }
        accumulator.start(block, entries);
        for (int row = first; row < first + blockSize; row++) {
            CsrSegment segment = a.segmentOf(row);
            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                double value = segment.values().get(k);
                accumulator.add(segment.columnIndices()[k] / blockSize, value * value);
            }
        }
    }
}
