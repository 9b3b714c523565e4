package org.trellis.solve.multigrid;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/**
 * Thins coarse matrices out. With x the near null space, {@code −aᵢⱼ xᵢ xⱼ} are the weights of a graph. An entry is
 * left out if a path of two edges joins its ends whose weights are both greater by a factor, and goes to the diagonal
 * of both rows, so that the product with x stays. Where a coefficient jumps, it is not enough that an entry is small:
 * the weak couplings of two islands of a great coefficient are all that joins them, and there is no path beside them
 * (compare R. Falgout, J. Schroder, "Non-Galerkin coarse grids for algebraic multigrid", SIAM J. Sci. Comput. 36, 2014,
 * who move entries to paths). Costs the sum of the lengths of the rows that the entries of a row name, for each row, on
 * several threads.
 */
final class ThinnedMatrix {
    private static final int ROWS_PER_PIECE = 256;

    private ThinnedMatrix() {}

    /**
     * Leaves entries out.
     *
     * @param a     a symmetric matrix
     * @param space its near null space, whose first vector counts
     * @param share the weight of an entry, as a share of those of the path, up to which it is left out; below 1
     * @return a symmetric matrix
     */
    static CsrMatrix of(CsrMatrix a, NearNullSpace space, double share) {
        int rows = a.rows();
        int[] lengths = new int[rows];
        int[] starts = new int[rows];
        Piece[] pieces = new Piece[Math.ceilDiv(rows, ROWS_PER_PIECE)];
        ParallelRanges.run(pieces.length, 1, () -> new Thinner(a, space, share), (from, to, thinner) -> {
            for (int piece = from; piece < to; piece++) {
                int first = piece * ROWS_PER_PIECE;
                pieces[piece] = thinner.thin(first, Math.min(rows, first + ROWS_PER_PIECE), starts, lengths);
            }
        });
        return CsrFill.fill(rows, a.precision(), lengths, () -> (row, columns, values, at) -> {
            Piece piece = pieces[row / ROWS_PER_PIECE];
            System.arraycopy(piece.columns, starts[row], columns, at, lengths[row]);
            values.setRange(at, piece.values, starts[row], lengths[row]);
        });
    }

    /**
     * Leaves the same entries out once more.
     *
     * @param pattern the entries that stay
     * @param a       a matrix that has all of them, of other values
     * @param space   its near null space, whose first vector counts
     * @return a matrix of the pattern
     */
    static CsrMatrix again(CsrMatrix pattern, CsrMatrix a, NearNullSpace space) {
        return CsrFill.fill(a.columns(), a.precision(), pattern.rowLengths(), () -> {
            CsrRowCursor all = new CsrRowCursor(a);
            CsrRowCursor some = new CsrRowCursor(pattern);
            return (row, columns, values, at) -> fill(all, some, space, row, columns, values, at);
        });
    }

    private static void fill(CsrRowCursor all, CsrRowCursor some, NearNullSpace space, int row, int[] columns,
            HostVector values, int at) {
        all.moveTo(row);
        some.moveTo(row);
        int next = some.start();
        int to = at;
        int diagonalAt = -1;
        double moved = 0;
        for (int k = all.start(); k < all.end(); k++) {
            int column = all.columns()[k];
            if (next < some.end() && some.columns()[next] == column) {
                next++;
                diagonalAt = column == row ? to : diagonalAt;
                columns[to] = column;
                values.set(to++, all.value(k));
            } else {
                moved += all.value(k) * space.get(0, column);
            }
        }
        if (moved != 0) {
            values.set(diagonalAt, values.get(diagonalAt) + moved / space.get(0, row));
        }
    }

    /** The entries of some rows, one row after the other. */
    private record Piece(int[] columns, double[] values) {}

    /** Thins rows for one thread. */
    private static final class Thinner {
        private final CsrRowCursor own;
        private final CsrRowCursor other;
        private final NearNullSpace space;
        private final double share;
        /** The weights of the row's edges by column, 0 for others. */
        private final double[] weights;
        private int[] columns = new int[1 << 10];
        private double[] values = new double[1 << 10];
        private int size;

        Thinner(CsrMatrix a, NearNullSpace space, double share) {
            this.own = new CsrRowCursor(a);
            this.other = new CsrRowCursor(a);
            this.space = space;
            this.share = share;
            this.weights = new double[a.columns()];
        }

        Piece thin(int from, int to, int[] starts, int[] lengths) {
            size = 0;
            for (int row = from; row < to; row++) {
                starts[row] = size;
                thin(row);
                lengths[row] = size - starts[row];
            }
            return new Piece(Arrays.copyOf(columns, size), Arrays.copyOf(values, size));
        }

        private void thin(int row) {
            own.moveTo(row);
            int[] all = own.columns();
            int end = own.end();
            reserve(end - own.start());
            double greatest = 0;
            boolean diagonal = false;
            for (int k = own.start(); k < end; k++) {
                double weight = all[k] == row ? 0 : weight(own.value(k), row, all[k]);
                weights[all[k]] = weight;
                greatest = Math.max(greatest, weight);
                diagonal |= all[k] == row;
            }
            int diagonalAt = -1;
            double moved = 0;
            for (int k = own.start(); k < end; k++) {
                int column = all[k];
                if (diagonal && column != row && isLeftOut(column, greatest)) {
                    moved += own.value(k) * space.get(0, column);
                } else {
                    diagonalAt = column == row ? size : diagonalAt;
                    columns[size] = column;
                    values[size++] = own.value(k);
                }
            }
            if (moved != 0) {
                values[diagonalAt] += moved / space.get(0, row);
            }
            for (int k = own.start(); k < end; k++) {
                weights[all[k]] = 0;
            }
        }

        private void reserve(int more) {
            if (size + more > columns.length) {
                columns = Arrays.copyOf(columns, 2 * (size + more));
                values = Arrays.copyOf(values, columns.length);
            }
        }

        /** The product of the vector's elements first, so that mirror images have the same bits. */
        private double weight(double value, int row, int column) {
            return -value * (space.get(0, row) * space.get(0, column));
        }

        /** Looks for a path beside an edge; where the near null space is 0, there are no weights to compare. */
        private boolean isLeftOut(int column, double greatest) {
            double least = Math.abs(weights[column]) / share;
            if (!(least > 0 && least <= greatest)) {
                return false;
            }
            other.moveTo(column);
            int[] theirs = other.columns();
            int end = other.end();
            for (int k = other.start(); k < end; k++) {
                int middle = theirs[k];
                if (middle != column && weights[middle] >= least
                        && weight(other.value(k), column, middle) >= least) {
                    return true;
                }
            }
            return false;
        }
    }
}
