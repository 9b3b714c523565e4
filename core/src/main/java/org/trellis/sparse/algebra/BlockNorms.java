package org.trellis.sparse.algebra;

import java.util.Arrays;
import org.trellis.common.Checks;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

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
        ParallelRanges.run(lengths.length, ROWS_PER_TASK, () -> new Merger(a, blockSize), (from, to, merger) -> {
            for (int block = from; block < to; block++) {
                lengths[block] = merger.merge(block, null, null, 0);
            }
        });
        CsrMatrix squares = CsrFill.fill(columns, a.precision(), lengths, () -> {
            Merger merger = new Merger(a, blockSize);
            return merger::merge;
        });
        return squares.mapValues(Math::sqrt);
    }

    /** Merges the rows of blocks for one thread: columns of blocks in their order, terms row by row. */
    private static final class Merger {
        private static final int END = Integer.MAX_VALUE;

        private final int blockSize;
        private final CsrRowCursor[] rows;
        private final int[] at;

        Merger(CsrMatrix a, int blockSize) {
            this.blockSize = blockSize;
            this.rows = new CsrRowCursor[blockSize];
            Arrays.setAll(rows, i -> new CsrRowCursor(a));
            this.at = new int[blockSize];
        }

        /** Stores the entries of a row of blocks unless there is no place for them; returns their number. */
        int merge(int block, int[] columns, HostVector values, int to) {
            int next = END;
            for (int i = 0; i < blockSize; i++) {
                rows[i].moveTo(block * blockSize + i);
                at[i] = rows[i].start();
                next = Math.min(next, column(i));
            }
            int count = 0;
            while (next != END) {
                int here = next;
                next = END;
                double sum = 0;
                for (int i = 0; i < blockSize; i++) {
                    sum = add(i, here, sum);
                    next = Math.min(next, column(i));
                }
                if (columns != null) {
                    columns[to + count] = here;
                    values.set(to + count, sum);
                }
                count++;
            }
            return count;
        }

        /** Returns the column of the block that a row comes to. */
        private int column(int row) {
            return at[row] < rows[row].end() ? rows[row].columns()[at[row]] / blockSize : END;
        }

        /** Adds the squares of a row's entries in a column of blocks to a sum. */
        private double add(int row, int column, double before) {
            CsrRowCursor cursor = rows[row];
            int[] columns = cursor.columns();
            int end = cursor.end();
            long limit = (column + 1L) * blockSize;
            double sum = before;
            int k = at[row];
            for (; k < end && columns[k] < limit; k++) {
                double value = cursor.value(k);
                sum += value * value;
            }
            at[row] = k;
            return sum;
        }
    }
}
