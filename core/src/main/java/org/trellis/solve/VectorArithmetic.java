package org.trellis.solve;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ElementKernels;

/**
 * Arithmetic on whole vectors for what a solver does once, not in each iteration: sums and dot products that the host
 * waits for, and {@code ‖x‖₂} without overflow or underflow of squares. Operands live in the backend's memory space and
 * have one length and precision. A call costs one pass; those that return a number wait for the device.
 *
 * <p>If the sum of the squares is not well within the range of numbers, a second pass multiplies the elements by
 * {@code 2⁷⁰⁰} or {@code 2⁻⁷⁰⁰} into a vector that is made for that, before they are squared. One pair of factors will
 * do for all numbers (compare J. L. Blue, ACM Trans. Math. Softw. 4(1), 1978): what the larger one cannot bring into
 * range changes no digit of the sum. Squares of single precision are within the range of the double precision in which
 * they are added up.
 */
public final class VectorArithmetic implements AutoCloseable {
    /** Sums of squares from which on none of those that underflowed could have changed a digit. */
    private static final double SMALLEST_SAFE = 0x1p-900;

    /** Sums of squares up to which nothing overflowed. */
    private static final double LARGEST_SAFE = 0x1p1000;

    /** The binary logarithm of the factor that brings what is out of range back. */
    private static final int SCALE_EXPONENT = 700;

    private final Backend backend;
    private final ElementKernels kernels;
    private final DenseVector sum;
    private final HostVector fetched = HostVector.zeros(Precision.F64, 1);

    /**
     * Makes room for a sum.
     *
     * @param backend where the vectors are
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    public VectorArithmetic(Backend backend) {
        this.backend = backend;
        this.kernels = backend.kernels(ElementKernels.class);
        this.sum = backend.vector(Precision.F64, 1);
    }

    /**
     * Computes {@code x · y}.
     *
     * @param x a vector
     * @param y a vector, may be {@code x}
     * @return the sum, in double precision
     */
    public double dot(DenseVector x, DenseVector y) {
        kernels.dot(x, y, sum, 0);
        sum.copyTo(fetched);
        return fetched.get(0);
    }

    /**
     * Computes {@code y = y + α x}. Waits for nothing.
     *
     * @param alpha α
     * @param x     a vector
     * @param y     overwritten; does not overlap {@code x}
     */
    public void axpy(double alpha, DenseVector x, DenseVector y) {
        kernels.update(alpha, null, x, 1, y);
    }

    /**
     * Computes {@code y = x + β y}. Waits for nothing.
     *
     * @param x    a vector
     * @param beta β; with 0 the old {@code y} is not read, and this is a copy
     * @param y    overwritten; does not overlap {@code x}
     */
    public void xpby(DenseVector x, double beta, DenseVector y) {
        kernels.update(1, null, x, beta, y);
    }

    /**
     * Returns a norm.
     *
     * @param x a vector in the backend's memory space
     * @return the norm; infinite if an element is, or if the norm exceeds the largest number; NaN if an element is
     */
    public double norm(DenseVector x) {
        double squares = dot(x, x);
        boolean safe = squares >= SMALLEST_SAFE && squares <= LARGEST_SAFE;
        if (safe || Double.isNaN(squares) || x.precision() == Precision.F32) {
            return Math.sqrt(squares);
        }
        int exponent = squares < SMALLEST_SAFE ? SCALE_EXPONENT : -SCALE_EXPONENT;
        try (DenseVector scaled = backend.vector(x.precision(), x.length())) {
            kernels.update(Math.scalb(1.0, exponent), null, x, 0, scaled);
            return Math.scalb(Math.sqrt(dot(scaled, scaled)), -exponent);
        }
    }

    @Override
    public void close() {
        sum.close();
    }
}
