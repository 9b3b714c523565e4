package org.trellis.solve.direct;

import org.trellis.sparse.CsrMatrix;

/** The factors L and U of all diagonal blocks, by steps of elimination. */
interface LuNumbers {
    /** Returns the entries of L and U off the diagonal. */
    long entries();

    /** Returns those of them that are not 0 in supernodes; all of columns. */
    long entriesOfColumns();

    /** Returns multiplications and additions that the factors cost. */
    double operations();

    /** Returns L with ones on the diagonal. */
    CsrMatrix lower();

    /** Returns U. */
    CsrMatrix upper();

    /** Returns how many elements of work space solutions need beside the right-hand side; of each right-hand side. */
    int work();

    /** Solves with L and U of a block. */
    void solve(int block, double[] y, double[] work);

    /** Solves with the transposes of U and L of a block. */
    void solveTransposed(int block, double[] y, double[] work);

    /** Solves with L and U of a block for {@link LuSolver#TOGETHER} right-hand sides, side by side in each row. */
    void solveSeveral(int block, double[] y, double[] work);
}
