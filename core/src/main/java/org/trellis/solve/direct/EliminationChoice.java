package org.trellis.solve.direct;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.trellis.common.Permutation;
import org.trellis.sparse.CsrMatrix;

/**
 * An order of elimination for a symmetric structure that was chosen among several by a count of what a Cholesky
 * factorisation takes.
 *
 * @param order       the one with the fewest operations
 * @param permutation where each row and column goes
 * @param size        what a factorisation in this order takes
 * @param remarks     the counts of all that were tried
 */
public record EliminationChoice(FillReduction order, Permutation permutation, FactorSize size, List<String> remarks) {
    /** Operations from which on another order than the quickest one to find is worth trying. */
    private static final double WORTHWHILE = 1e8;

    /**
     * Chooses. Minimum degree is counted for every matrix; nested dissection, and that of METIS and Scotch where these
     * are installed, where that predicts more than 10⁸ operations.
     *
     * @param matrix a square matrix of fewer than 2³¹ non-zeros; its structure is taken with that of its transpose
     * @param limits how long the choice may go on with other orders: once the time is over, the best so far is taken
     * @return the choice
     * @throws IllegalArgumentException if the matrix is not square
     */
    public static EliminationChoice of(CsrMatrix matrix, FactorLimits limits) {
        FactorMeter meter = new FactorMeter("choice of an order", limits);
        EliminationChoice best = null;
        List<String> remarks = new ArrayList<>();
        for (FillReduction order : List.of(FillReduction.MINIMUM_DEGREE, FillReduction.NESTED_DISSECTION,
                FillReduction.METIS, FillReduction.SCOTCH)) {
            if (best != null && (best.size().operations() < WORTHWHILE || meter.seconds() > limits.seconds())) {
                break;
            }
            if (!order.isAvailable()) {
                continue;
            }
            Permutation permutation = order.order(matrix);
            SymbolicCholesky counted = SymbolicCholesky.sized(matrix.combine(1, matrix.transpose(), 1),
                    permutation.inverse().toArray());
            FactorSize size = new FactorSize(counted.nonZeros(), counted.operations(),
                    Double.BYTES * counted.peakEntries());
            remarks.add(String.format(Locale.ROOT, "%s: %d entries, %.3g operations",
                    order.name().toLowerCase(Locale.ROOT).replace('_', '-'), size.nonZeros(), size.operations()));
            if (best == null || size.operations() < best.size().operations()) {
                best = new EliminationChoice(order, permutation, size, List.of());
            }
        }
        return new EliminationChoice(best.order(), best.permutation(), best.size(), List.copyOf(remarks));
    }
}
