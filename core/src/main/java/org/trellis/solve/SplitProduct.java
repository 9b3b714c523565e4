package org.trellis.solve;

import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.LinearOperator;

/**
 * A preconditioner {@code M = G Gᵀ} and the matrix in one: the product with {@code G⁻¹ A G⁻ᵀ}, which costs about as
 * much as one with A where the triangles of M are those of A (S. C. Eisenstat, SIAM J. Sci. Stat. Comput. 2(1), 1981;
 * Saad, Iterative Methods for Sparse Linear Systems, section 9.2.3). Conjugate gradients without a preconditioner on
 * that matrix make the iterates of conjugate gradients with M on A.
 *
 * <p>The lower factor is {@code G = Pᵀ S⁻¹ (I + L)}, where P brings elements into the {@link #order} of sweeps, S is
 * the diagonal {@link #scale}, and L is the strictly lower triangle of {@code S P A Pᵀ S}. Vectors of the recurrence
 * are in the order of sweeps and scaled: a residual r of the system is {@code r̂ = G⁻¹ r} there, a direction p of the
 * solution {@code S⁻¹ P p}.
 *
 * <p>Steps are bound once and allocate nothing when they run. Operands do not overlap, live in the backend's memory
 * space and have the precision of the matrix; scalars are in double precision.
 */
public interface SplitProduct extends AutoCloseable {
    /**
     * Says whether this was made of the matrix of a product, as it is now.
     *
     * @param product a product
     * @return false if the product is of another matrix, or of the same with other values
     */
    boolean isOf(LinearOperator product);

    /**
     * Returns the order of the elements in the recurrence.
     *
     * @return which element of the system comes k-th; empty if all are in their places
     */
    Optional<int[]> order();

    /**
     * Returns the diagonal S.
     *
     * @return a positive factor for each element of the system, in the system's order
     */
    HostVector scale();

    /**
     * Binds {@code r = (I + L)⁻¹ r}.
     *
     * @param r a residual, scaled and in the order of sweeps; overwritten
     * @return a step that the caller closes
     */
    PreparedStep bindResidual(DenseVector r);

    /**
     * Binds {@code p̂ = r̂ + β p̂} and {@code p = (I + Lᵀ)⁻¹ p̂}, with {@code β = ρ' / ρ}.
     *
     * @param coefficients where ρ' and ρ are
     * @param residual     r̂
     * @param split        p̂, overwritten; not read when β is 0
     * @param direction    p, overwritten
     * @return a step that the caller closes
     */
    PreparedStep bindDirection(Coefficients coefficients, DenseVector residual, DenseVector split,
            DenseVector direction);

    /**
     * Binds {@code y = G⁻¹ A G⁻ᵀ p̂ − p}, {@code σ = p̂ᵀ (p + y)}, and the square of the norm of the residual of the
     * system, {@code ‖G r̂‖₂²}.
     *
     * @param sums      where σ and the square are left
     * @param split     p̂
     * @param direction p
     * @param residual  r̂
     * @param y         overwritten
     * @return a step that the caller closes
     */
    PreparedStep bindProduct(Sums sums, DenseVector split, DenseVector direction, DenseVector residual, DenseVector y);

    /**
     * Returns the memory that this takes.
     *
     * @return bytes
     */
    long storedBytes();

    /** Releases what is on the device. Idempotent. */
    @Override
    void close();

    /**
     * Where a step finds β.
     *
     * @param scalars numbers on the device, in double precision
     * @param next    the place of ρ'
     * @param last    the place of ρ; below 0 for β = 0
     */
    record Coefficients(DenseVector scalars, int next, int last) {}

    /**
     * Where a step leaves sums.
     *
     * @param scalars numbers on the device, in double precision
     * @param sigma   the place of σ
     * @param square  the place of the square of the norm
     */
    record Sums(DenseVector scalars, int sigma, int square) {}
}
