package org.trellis.distributed.powers;

import java.util.IdentityHashMap;
import org.trellis.common.Checks;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.OwnedProducts;
import org.trellis.memory.DenseVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.LinearOperator;

/**
 * The interior rows of a rank as a matrix, which the products of a backend can multiply: chosen by its rule, or tuned.
 * Their entries are in the order of local columns, and products sum as they like, so that results have other bits than
 * those of {@link RingProduct} alone, and other ones for another number of ranks.
 */
public final class InteriorRows {
    private final HaloPlan plan;
    private final LinearOperator operator;
    private final IdentityHashMap<DenseVector, DenseVector> owned = new IdentityHashMap<>();
    private final IdentityHashMap<DenseVector, DenseVector> interior = new IdentityHashMap<>();

    InteriorRows(HaloPlan plan, LinearOperator operator) {
        this.plan = plan;
        this.operator = operator;
        Checks.length("rows of a product of interior rows", operator.rows(), plan.matrix().interiorRows());
        Checks.length("columns of a product of interior rows", operator.columns(), plan.rowsWithin(0));
    }

    /**
     * Returns the interior rows of this rank.
     *
     * @param plan the halo of the matrix
     * @return as many rows as {@code plan.matrix().interiorRows()}, and a column for each row that the rank owns; a
     *         copy
     */
    public static CsrMatrix of(HaloPlan plan) {
        return OwnedProducts.rows(plan, 0, plan.matrix().interiorRows(), plan.rowsWithin(0));
    }

    /** Computes {@code y = a A x + c y} on interior rows. */
    void multiply(double a, DenseVector x, double c, DenseVector y) {
        operator.apply(a, owned.computeIfAbsent(x, v -> v.part(0, operator.columns())), c,
                interior.computeIfAbsent(y, v -> v.part(0, operator.rows())));
    }

    /** Says whether there are such rows. */
    boolean any() {
        return plan.matrix().interiorRows() > 0;
    }
}
