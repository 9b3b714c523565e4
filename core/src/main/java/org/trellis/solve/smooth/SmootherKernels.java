package org.trellis.solve.smooth;

import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;

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
}
