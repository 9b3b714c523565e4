package org.trellis.internal.threads.smooth;

import org.trellis.memory.HostVector;

/** The loops of Eisenstat's product over ranges of rows, whatever their precision. */
public interface SplitKernel {
    /**
     * The vectors of a product.
     *
     * @param split     p̂
     * @param direction p
     * @param residual  r̂
     * @param y         overwritten by a forward sweep
     */
    record Operands(HostVector split, HostVector direction, HostVector residual, HostVector y) {}

    /**
     * Computes {@code p̂ = r̂ + β p̂} and {@code p = (I + Lᵀ)⁻¹ p̂}, from the last row of a range to the first.
     *
     * @param from     the first row
     * @param to       the one after the last
     * @param beta     β; with 0 the old p̂ is not read
     * @param operands p̂, p and r̂
     */
    void backward(int from, int to, double beta, Operands operands);

    /**
     * Computes {@code y = (I + L)⁻¹ (p̂ + K p)} and the sums over a range of rows.
     *
     * @param from     the first row
     * @param to       the one after the last
     * @param operands p̂, p, r̂ and y
     * @param sums     where the sums of the range are left: σ and then the square
     * @param at       the place of σ
     */
    void forward(int from, int to, Operands operands, double[] sums, int at);

    /**
     * Computes {@code r = (I + L)⁻¹ r}.
     *
     * @param from the first row
     * @param to   the one after the last
     * @param r    overwritten
     */
    void residual(int from, int to, HostVector r);
}
