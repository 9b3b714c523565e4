package org.trellis.solve.multigrid;

import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrFill;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;

/**
 * The matrix that smooths prolongators where not all couplings count: weak ones go to the diagonal, so that the product
 * with the near null space stays (P. Vaněk, J. Mandel, M. Brezina, Computing 56, 1996, equation 4.3).
 */
final class FilteredMatrix {
    private final CsrMatrix strong;
    private final NearNullSpace space;

    /**
     * Prepares filtering.
     *
     * @param strong the entries that stay, with the whole diagonal; values are not read
     * @param space  the near null space, whose first vector counts
     */
    FilteredMatrix(CsrMatrix strong, NearNullSpace space) {
        this.strong = strong;
        this.space = space;
    }

    /**
     * Keeps the strong couplings of a matrix.
     *
     * @param a a square matrix that has all the strong entries
     * @return a matrix of these. Where the product of a row with the near null space has not the sign of its diagonal,
     *         so that weak couplings could take the diagonal away, it is taken as 0
     */
    CsrMatrix of(CsrMatrix a) {
        return CsrFill.fill(a.columns(), a.precision(), strong.rowLengths(),
                () -> (row, columns, values, at) -> fill(a, row, columns, values, at));
    }

    private void fill(CsrMatrix a, int row, int[] columns, HostVector values, int at) {
        CsrSegment all = a.segmentOf(row);
        CsrSegment some = strong.segmentOf(row);
        int to = at;
        int diagonalAt = -1;
        double diagonal = 0;
        double sum = 0;
        double kept = 0;
        int next = some.rowStart(row);
        for (int k = all.rowStart(row); k < all.rowEnd(row); k++) {
            int column = all.columnIndices()[k];
            double value = all.values().get(k);
            double product = value * space.get(0, column);
            sum += product;
            if (next < some.rowEnd(row) && some.columnIndices()[next] == column) {
                next++;
                columns[to] = column;
                if (column == row) {
                    diagonalAt = to;
                    diagonal = value;
                } else {
                    kept += product;
                }
                values.set(to++, value);
            }
        }
        double here = space.get(0, row);
        if (diagonalAt >= 0 && kept != 0 && here != 0) {
            values.set(diagonalAt, ((sum / here * diagonal > 0 ? sum : 0) - kept) / here);
        }
    }
}
