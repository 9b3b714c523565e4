package org.trellis.solve.multigrid;

import java.util.Arrays;
import org.trellis.common.ParallelRanges;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrRowCursor;

/**
 * Makes candidates of a near null space better: symmetric Gauss–Seidel sweeps on {@code A x = 0}, forward and backward
 * in the order of the rows. What is left of a vector then is what sweeps leave as it is, which is what coarse levels
 * are for (M. Brezina, R. Falgout, S. MacLachlan, T. Manteuffel, S. McCormick, J. Ruge, SIAM Review 47(2), 2005,
 * section 3). Each vector has a thread, so the bits do not depend on their number.
 */
final class CandidateSweeps {
    private CandidateSweeps() {}

    /**
     * Sweeps over the vectors of a near null space.
     *
     * @param a      the level's matrix; rows without a diagonal element are left out
     * @param space  its near null space
     * @param sweeps how many sweeps; with 0 the space is returned itself
     * @return new vectors, each with the greatest absolute value that it had
     * @throws IllegalArgumentException if sweeps diverge until an element is not finite; names the vector
     */
    static NearNullSpace of(CsrMatrix a, NearNullSpace space, int sweeps) {
        if (sweeps == 0) {
            return space;
        }
        double[] diagonal = diagonal(a);
        double[][] swept = new double[space.count()][];
        ParallelRanges.run(swept.length, 1, (from, to) -> {
            for (int v = from; v < to; v++) {
                swept[v] = new double[space.rows()];
                for (int row = 0; row < swept[v].length; row++) {
                    swept[v][row] = space.get(v, row);
                }
                if (!sweep(a, diagonal, swept[v], sweeps)) {
                    throw new IllegalArgumentException("multigrid for " + a + " with improve-candidates=" + sweeps
                            + ": vector " + v + " of the near null space is not finite after the sweeps, expected a "
                            + "matrix for which Gauss-Seidel sweeps converge, or fewer of them");
                }
            }
        });
        return new NearNullSpace(space.rows(), space.blockSize(), swept);
    }

    /** Returns the diagonal of a matrix in double precision. */
    static double[] diagonal(CsrMatrix a) {
        HostVector diagonal = a.diagonal();
        double[] elements = new double[a.rows()];
        Arrays.setAll(elements, diagonal::get);
        return elements;
    }

    /** Sweeps over a vector, which keeps its greatest absolute value; returns whether it is finite then. */
    static boolean sweep(CsrMatrix a, double[] diagonal, double[] x, int sweeps) {
        double before = greatest(x);
        CsrRowCursor rows = new CsrRowCursor(a);
        for (int sweep = 0; sweep < sweeps; sweep++) {
            for (int row = 0; row < x.length; row++) {
                relax(rows, diagonal[row], x, row);
            }
            for (int row = x.length - 1; row >= 0; row--) {
                relax(rows, diagonal[row], x, row);
            }
        }
        double after = greatest(x);
        if (!Double.isFinite(after)) {
            return false;
        }
        double factor = before / after;
        if (after > 0 && Double.isFinite(factor)) {
            for (int row = 0; row < x.length; row++) {
                x[row] *= factor;
            }
        }
        return true;
    }

    private static void relax(CsrRowCursor rows, double diagonal, double[] x, int row) {
        if (diagonal != 0) {
            rows.moveTo(row);
            x[row] -= rows.dot(x) / diagonal;
        }
    }

    /** Returns the greatest absolute value; not a number if an element is none. */
    static double greatest(double[] x) {
        double greatest = 0;
        for (double element : x) {
            greatest = Math.max(greatest, Math.abs(element));
        }
        return greatest;
    }
}
