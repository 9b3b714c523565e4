package org.trellis.distributed.powers;

import org.trellis.common.Precision;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.memory.HostVector;

/** The owned elements of the vectors of a basis: their products with each other, and combinations of them. */
public interface BasisVectors {
    /**
     * Takes vectors together.
     *
     * @param plan    the plan they belong to
     * @param vectors the vectors, which are read and written where they are
     * @return what computes with them
     */
    static BasisVectors of(HaloPlan plan, RingVector... vectors) {
        HostVector[] values = new HostVector[vectors.length];
        for (int v = 0; v < values.length; v++) {
            values[v] = vectors[v].values();
        }
        int rows = plan.matrix().ownedRows();
        return plan.precision() == Precision.F64
                ? new DoubleBasisVectors(values, rows)
                : new FloatBasisVectors(values, rows);
    }

    /**
     * Adds this rank's share of the products of all pairs of vectors. Summed up in double precision, in one order.
     *
     * @param count how many vectors count
     * @param order which
     * @param into  the upper triangle of the matrix of products, row by row
     */
    void products(int count, int[] order, double[] into);

    /**
     * Adds this rank's share of the weighted products of all pairs of vectors, {@code Σ wᵢ xᵢ yᵢ}. Summed up in double
     * precision, in one order.
     *
     * @param count   how many vectors count
     * @param order   which
     * @param weights w, one for each owned element, all of an array
     * @param into    the upper triangle of the matrix of products, row by row
     */
    void products(int count, int[] order, HostVector weights, double[] into);

    /**
     * Computes three combinations in one pass: {@code x += Y c₀}, {@code r = Y c₁}, {@code p = Y c₂}, Y the vectors in
     * the given order. {@code r} and {@code p} may be among them.
     *
     * @param count        how many vectors count
     * @param order        which
     * @param coefficients of the three combinations
     * @param x            is added to
     * @param r            is overwritten
     * @param p            is overwritten
     */
    void combine(int count, int[] order, double[][] coefficients, HostVector x, HostVector r, HostVector p);
}
