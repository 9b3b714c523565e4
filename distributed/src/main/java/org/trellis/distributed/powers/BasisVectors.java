package org.trellis.distributed.powers;

import org.trellis.common.Precision;
import org.trellis.distributed.halo.HaloPlan;
import org.trellis.distributed.halo.RingVector;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;

/**
 * The owned elements of the vectors of a basis, on the host or on a device: their products with each other, and
 * combinations of them.
 */
public interface BasisVectors {
    /**
     * Takes vectors together.
     *
     * @param plan    the plan they belong to
     * @param vectors the vectors, which are read and written where they are
     * @return what computes with them
     */
    static BasisVectors of(HaloPlan plan, RingVector... vectors) {
        if (plan.isOnDevice()) {
            return new DeviceBasisVectors(plan, vectors);
        }
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
    void products(int count, int[] order, DenseVector weights, double[] into);

    /**
     * Adds this rank's share of the products of vectors with others, {@code uᵢ · yⱼ}. Summed up in double precision, in
     * one order.
     *
     * @param count  how many vectors count
     * @param order  which, of both alike
     * @param others y, of the same plan
     * @param into   the upper triangle of the matrix of products, row by row
     */
    void products(int count, int[] order, BasisVectors others, double[] into);

    /**
     * Adds this rank's share of the products of some vectors with each other and with all before them. Summed up in
     * double precision, in one order.
     *
     * @param known how many vectors come first
     * @param fresh how many follow them
     * @param into  for each of those that follow, its products with the known ones, with those that follow before it,
     *              and with itself: {@code fresh known + fresh (fresh + 1) / 2} numbers
     */
    void products(int known, int fresh, double[] into);

    /**
     * Subtracts combinations and scales, one vector after the other: {@code vⱼ = (vⱼ − Σᵢ cᵢⱼ vᵢ) / cⱼⱼ}, i over all
     * vectors before j, those that were changed already included.
     *
     * @param known how many vectors come first and stay
     * @param fresh how many follow them and are changed
     * @param c     {@code known + fresh} rows of {@code fresh} coefficients, of which the lower triangle of the last
     *              rows is not read; none of the last rows' diagonal is 0
     */
    void subtract(int known, int fresh, double[][] c);

    /**
     * Adds a combination of the first vectors: {@code x += Σⱼ wⱼ vⱼ}.
     *
     * @param count   how many
     * @param weights w
     * @param x       is added to; none of the vectors
     */
    void add(int count, double[] weights, DenseVector x);

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
    void combine(int count, int[] order, double[][] coefficients, DenseVector x, DenseVector r, DenseVector p);
}
