package org.trellis.solve.direct;

import java.util.Arrays;
import org.trellis.sparse.CsrMatrix;

/**
 * The supernodes of an LU factorisation whose pivots stay near the diagonal: those of the Cholesky factor of the
 * structure of A + Aᵀ, block by block. Positions are those of the analysis, which this puts in postorder.
 *
 * @param symbolic   the supernodes
 * @param entryStart where the entries of each supernode start: those whose row or column is eliminated in it
 * @param entryRow   the position of the row of each entry
 * @param entryColumn the position of its column
 * @param entryPlace where its value is
 * @param blockNode  the first supernode of each diagonal block, and their number
 * @param entries    of L and U, the diagonal once, zeros in supernodes included
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record LuTree(SymbolicCholesky symbolic, int[] entryStart, int[] entryRow, int[] entryColumn, int[] entryPlace,
        int[] blockNode, long entries) {
    /**
     * Finds them.
     *
     * @param matrix     the structure
     * @param rowAt      the row at each position; permuted
     * @param columnAt   the column at each position; permuted
     * @param blockStart where diagonal blocks start
     */
    static LuTree of(ColumnStructure matrix, int[] rowAt, int[] columnAt, int[] blockStart) {
        int n = rowAt.length;
        int[] natural = new int[n];
        Arrays.setAll(natural, k -> k);
        SymbolicCholesky symbolic =
                SymbolicCholesky.of(symmetric(matrix, rowAt, columnAt, blockStart), natural);
        int[] rows = rowAt.clone();
        int[] columns = columnAt.clone();
        for (int k = 0; k < n; k++) {
            rowAt[k] = rows[symbolic.order()[k]];
            columnAt[k] = columns[symbolic.order()[k]];
        }
        return withEntries(symbolic, matrix, rowAt, columnAt, blockStart);
    }

    private static int[] inverse(int[] order) {
        int[] result = new int[order.length];
        for (int k = 0; k < order.length; k++) {
            result[order[k]] = k;
        }
        return result;
    }

    /** The structure of A + Aᵀ within blocks, by positions. */
    private static CsrMatrix symmetric(ColumnStructure matrix, int[] rowAt, int[] columnAt, int[] blockStart) {
        int n = rowAt.length;
        int[] positionOfRow = inverse(rowAt);
        int[] offsets = new int[n + 1];
        int[] rows = new int[matrix.start()[n]];
        int count = 0;
        for (int b = 0; b + 1 < blockStart.length; b++) {
            for (int k = blockStart[b]; k < blockStart[b + 1]; k++) {
                for (int e = matrix.start()[columnAt[k]]; e < matrix.start()[columnAt[k] + 1]; e++) {
                    int position = positionOfRow[matrix.row()[e]];
                    if (position >= blockStart[b]) {
                        rows[count++] = position;
                    }
                }
                Arrays.sort(rows, offsets[k], count);
                offsets[k + 1] = count;
            }
        }
        double[] ones = new double[count];
        Arrays.fill(ones, 1);
        CsrMatrix across = CsrMatrix.of(n, n, offsets, Arrays.copyOf(rows, count), ones);
        return across.combine(1, across.transpose(), 1);
    }

    private static LuTree withEntries(SymbolicCholesky symbolic, ColumnStructure matrix, int[] rowAt, int[] columnAt,
            int[] blockStart) {
        int n = rowAt.length;
        int nodes = symbolic.supernodes();
        int[] nodeOf = new int[n];
        long entries = 0;
        for (int s = 0; s < nodes; s++) {
            Arrays.fill(nodeOf, symbolic.firstColumn(s), symbolic.firstColumn(s) + symbolic.width(s), s);
            long width = symbolic.width(s);
            entries += width * (2L * symbolic.rows(s).length - width);
        }
        int[] start = new int[nodes + 1];
        int[] positionOfRow = inverse(rowAt);
        int[] blockNode = new int[blockStart.length];
        for (int b = 0; b + 1 < blockStart.length; b++) {
            blockNode[b] = nodeOf[blockStart[b]];
        }
        blockNode[blockStart.length - 1] = nodes;
        forEach(matrix, columnAt, positionOfRow, blockStart,
                (row, column, place) -> start[nodeOf[Math.min(row, column)] + 1]++);
        for (int s = 0; s < nodes; s++) {
            start[s + 1] += start[s];
        }
        int[] at = start.clone();
        int[] entryRow = new int[start[nodes]];
        int[] entryColumn = new int[start[nodes]];
        int[] entryPlace = new int[start[nodes]];
        forEach(matrix, columnAt, positionOfRow, blockStart, (row, column, place) -> {
            int to = at[nodeOf[Math.min(row, column)]]++;
            entryRow[to] = row;
            entryColumn[to] = column;
            entryPlace[to] = place;
        });
        return new LuTree(symbolic, start, entryRow, entryColumn, entryPlace, blockNode, entries);
    }

    /** Takes an entry. */
    private interface EntryConsumer {
        void accept(int row, int column, int place);
    }

    private static void forEach(ColumnStructure matrix, int[] columnAt, int[] positionOfRow, int[] blockStart,
            EntryConsumer consumer) {
        for (int b = 0; b + 1 < blockStart.length; b++) {
            for (int k = blockStart[b]; k < blockStart[b + 1]; k++) {
                for (int e = matrix.start()[columnAt[k]]; e < matrix.start()[columnAt[k] + 1]; e++) {
                    int position = positionOfRow[matrix.row()[e]];
                    if (position >= blockStart[b]) {
                        consumer.accept(position, k, matrix.place()[e]);
                    }
                }
            }
        }
    }
}
