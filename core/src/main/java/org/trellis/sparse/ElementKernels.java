package org.trellis.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.PreparedStep;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;

/**
 * What operators need beside products: updates element by element and dot products that stay where they are. Operands
 * have one length and precision and live in the backend's memory space; that is the operator's business and not
 * checked. Each costs one pass. The same operands give the same bits.
 */
public interface ElementKernels {
    /**
     * Computes {@code y = α d ∘ x + β y}.
     *
     * @param alpha α
     * @param d     factors of the elements, or null for ones
     * @param x     a vector; may be {@code y}, but does not overlap it otherwise
     * @param beta  β; with 0 the old {@code y} is not read, unless it is {@code x}
     * @param y     overwritten
     */
    void update(double alpha, DenseVector d, DenseVector x, double beta, DenseVector y);

    /**
     * Computes {@code x · y} in double precision. Waits for nothing.
     *
     * @param x      a vector
     * @param y      a vector, may be {@code x}
     * @param result a vector of {@code f64}
     * @param at     the element that gets the sum
     */
    void dot(DenseVector x, DenseVector y, DenseVector result, int at);

    /**
     * Binds an update to its operands.
     *
     * @param alpha α
     * @param d     factors of the elements, or null for ones
     * @param x     a vector; may be {@code y}, but does not overlap it otherwise
     * @param beta  β; with 0 the old {@code y} is not read, unless it is {@code x}
     * @param y     overwritten by each run
     * @return the update as a step
     * @see #update
     */
    @MustBeClosed
    default PreparedStep bindUpdate(double alpha, DenseVector d, DenseVector x, double beta, DenseVector y) {
        return () -> update(alpha, d, x, beta, y);
    }

    /**
     * Binds a dot product to its operands.
     *
     * @param x      a vector
     * @param y      a vector, may be {@code x}
     * @param result a vector of {@code f64}
     * @param at     the element that gets the sum
     * @return the dot product as a step
     * @see #dot
     */
    @MustBeClosed
    default PreparedStep bindDot(DenseVector x, DenseVector y, DenseVector result, int at) {
        return () -> dot(x, y, result, at);
    }

    /**
     * Copies a vector into one of the other precision, each element rounded. Unless overridden, on the calling thread
     * and for vectors of the host.
     *
     * @param from a vector
     * @param to   overwritten; as long
     */
    default void convert(DenseVector from, DenseVector to) {
        HostElements.convert((HostVector) from, (HostVector) to);
    }

    /**
     * Binds a conversion to its operands.
     *
     * @param from a vector
     * @param to   overwritten by each run; as long
     * @return the conversion as a step
     * @see #convert
     */
    @MustBeClosed
    default PreparedStep bindConvert(DenseVector from, DenseVector to) {
        return () -> convert(from, to);
    }
}
