package org.trellis.solve.smooth;

import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.solve.SplitProduct;

/**
 * What smoothers need of a backend beside products: rows that are updated in place in a given order, and corrections
 * of iterates, as bound steps. Implemented by each backend under a name with this stem, and tested by one
 * contract test against dense formulas.
 *
 * <p>Operands have one length and precision, live in the backend's memory space and, unless said otherwise, do not
 * overlap; that is the smoother's business and not checked. The same operands give the same bits.
 */
public interface SmootherKernels {
    /**
     * Returns how many rows a stage must have on average so that it is worth its own synchronisation.
     *
     * @return a number; triangular sweeps over narrower stages are better done in one go by one thread.
     *         {@link Integer#MAX_VALUE} if there is one thread only
     */
    int rowsWorthAStage();

    /**
     * Returns how many rows a level must have on average so that the sweeps of Eisenstat's product in the order of the
     * rows go level by level. Its rows and vectors are stored in the order of sweeps, so that levels stream, and rows
     * of a level wait for none of each other, on one thread too.
     *
     * @return a number that does not depend on the number of threads; {@link #rowsWorthAStage} unless overridden
     */
    default int rowsWorthALevel() {
        return rowsWorthAStage();
    }

    /**
     * Prepares rows: brings them to the device and cuts them into units of work.
     *
     * @param rows the rows; may be kept
     * @return the prepared rows, which the caller closes
     * @throws org.trellis.common.UnsupportedKernelException if the backend cannot run such a schedule; says why
     */
    PreparedRows prepare(StagedRows rows);

    /**
     * Binds what one step of a polynomial iteration does after its product: {@code c = α d ∘ r + β c} and then
     * {@code x = γ x + c}, in one pass.
     *
     * @param factors α, β and γ; with a β or γ of 0 the old c or x is not read
     * @param d       factors of the elements
     * @param r       the residual
     * @param c       the correction, overwritten
     * @param x       the iterate, overwritten
     * @return a step that the caller closes
     */
    PreparedStep bindCorrection(CorrectionFactors factors, DenseVector d, DenseVector r, DenseVector c, DenseVector x);

    /**
     * Binds the first of the two steps of an iteration of degree two, {@code c = α d ∘ r} and {@code x = γ x + c}. A
     * backend may leave x to the last step, so it says nothing between the two.
     *
     * @param factors α and γ; β is not read
     * @param d       factors of the elements
     * @param r       the residual
     * @param c       the correction, overwritten
     * @param x       the iterate, overwritten now or by the last step
     * @return a step that the caller closes
     */
    default PreparedStep bindFirstOfTwo(CorrectionFactors factors, DenseVector d, DenseVector r, DenseVector c,
            DenseVector x) {
        return bindCorrection(new CorrectionFactors(factors.alpha(), 0, factors.gamma()), d, r, c, x);
    }

    /**
     * Binds the last of two steps, after {@link #bindFirstOfTwo} with the same c and x: {@code x = x + α d ∘ r + β c}.
     * Nothing is said of c afterwards. Bits are those of two steps of {@link #bindCorrection}.
     *
     * @param factors α and β of this step, and γ of the first
     * @param d       factors of the elements
     * @param r       the residual that the first step left
     * @param c       the correction of the first step
     * @param x       the iterate
     * @return a step that the caller closes
     */
    default PreparedStep bindLastOfTwo(CorrectionFactors factors, DenseVector d, DenseVector r, DenseVector c,
            DenseVector x) {
        return bindCorrection(new CorrectionFactors(factors.alpha(), factors.beta(), 1), d, r, c, x);
    }

    /**
     * Prepares the sweeps of Eisenstat's product, if the backend has them.
     *
     * @param rows the triangles; may be kept
     * @return the prepared triangles, which the caller closes; empty unless overridden
     */
    default Optional<PreparedSplit> prepareSplit(SplitRows rows) {
        return Optional.empty();
    }

    /**
     * The factors of a correction.
     *
     * @param alpha α, of the residual
     * @param beta  β, of the correction before
     * @param gamma γ, of the iterate
     */
    record CorrectionFactors(double alpha, double beta, double gamma) {}

    /**
     * Which stages a step visits, and in which order.
     *
     * @param backward whether the last stage comes first, and in blocks the last row
     * @param from     the first stage
     * @param to       the stage after the last
     */
    record Visit(boolean backward, int from, int to) {}

    /** Rows that a backend has prepared. */
    interface PreparedRows extends AutoCloseable {
        /**
         * Binds {@code xᵢ = κ xᵢ + σ fᵢ (bᵢ − Σ aᵢⱼ xⱼ)} for all stored rows, in the order of the stages, where f are
         * the factors of the rows.
         *
         * @param keep  κ; with 0 the old xᵢ is not read, unless it is b
         * @param scale σ
         * @param b     the right-hand side; null for zeros; may be {@code x}
         * @param x     overwritten
         * @param visit which stages, in which order
         * @return a step that the caller closes; of no use once these rows are closed
         */
        PreparedStep bind(double keep, double scale, DenseVector b, DenseVector x, Visit visit);

        /** Releases what is on the device. Idempotent. */
        @Override
        void close();
    }

    /** Triangles that a backend has prepared for Eisenstat's product. Sums are the same for any number of threads. */
    interface PreparedSplit extends AutoCloseable {
        /**
         * Binds {@code r = (I + L)⁻¹ r}.
         *
         * @param r overwritten
         * @return a step that the caller closes; of no use once these triangles are closed
         */
        PreparedStep bindResidual(DenseVector r);

        /**
         * Binds {@code p̂ = r̂ + β p̂} and {@code p = (I + Lᵀ)⁻¹ p̂}, in one pass.
         *
         * @param coefficients where β is found
         * @param residual     r̂
         * @param split        p̂, overwritten; not read when β is 0
         * @param direction    p, overwritten
         * @return a step that the caller closes; of no use once these triangles are closed
         */
        PreparedStep bindDirection(SplitProduct.Coefficients coefficients, DenseVector residual, DenseVector split,
                DenseVector direction);

        /**
         * Binds {@code y = (I + L)⁻¹ (p̂ + K p)}, {@code σ = p̂ᵀ (p + y)} and the square of the norm of
         * {@code W (I + L) r̂}, with the weights W, in one pass.
         *
         * @param sums      where σ and the square are left
         * @param split     p̂
         * @param direction p
         * @param residual  r̂
         * @param y         overwritten
         * @return a step that the caller closes; of no use once these triangles are closed
         */
        PreparedStep bindProduct(SplitProduct.Sums sums, DenseVector split, DenseVector direction,
                DenseVector residual, DenseVector y);

        /** Releases what is on the device. Idempotent. */
        @Override
        void close();
    }
}
