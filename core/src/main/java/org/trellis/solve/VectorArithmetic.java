package org.trellis.solve;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ElementKernels;

/**
 * What solvers compute with vectors outside of their iterations: copies and updates, and dot products and norms that
 * the host wants to know, each of which waits for the device. Operands have one length and precision and live in the
 * backend's memory space; that is the solver's business and not checked.
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
     * @param backend where vectors live; outlives this object
     * @throws org.trellis.common.UnsupportedKernelException if the backend has no element kernels
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    public VectorArithmetic(Backend backend) {
        this.backend = backend;
        this.kernels = backend.kernels(ElementKernels.class);
        this.sum = backend.vector(Precision.F64, 1);
    }

    /**
     * Computes {@code y = x}.
     *
     * @param x a vector
     * @param y overwritten without being read
     */
    public void copy(DenseVector x, DenseVector y) {
        kernels.update(1, null, x, 0, y);
    }

    /**
     * Computes {@code y = α x + β y}.
     *
     * @param alpha α
     * @param x     a vector
     * @param beta  β; with 0 the old {@code y} is not read
     * @param y     overwritten
     */
    public void update(double alpha, DenseVector x, double beta, DenseVector y) {
        kernels.update(alpha, null, x, beta, y);
    }

    /**
     * Sets zeros.
     *
     * @param x a vector whose elements are finite, may be {@code y}
     * @param y overwritten
     */
    public void clear(DenseVector x, DenseVector y) {
        update(0, x, 0, y);
        // Negative zeros become zeros: 0 · (−0) + (−0) is −0, but (−1) · (−0) + (−0) is not.
        update(-1, y, 1, y);
    }

    /**
     * Computes {@code y = 2^exponent x}, in two parts, which are numbers of either precision where the power is none.
     *
     * @param exponent the binary logarithm of the factor
     * @param x        a vector, may be {@code y}
     * @param y        overwritten
     */
    public void multiply(int exponent, DenseVector x, DenseVector y) {
        int half = exponent / 2;
        update(Math.scalb(1.0, half), x, 0, y);
        if (exponent != half) {
            update(Math.scalb(1.0, exponent - half), y, 0, y);
        }
    }

    /**
     * Computes {@code x · y}.
     *
     * @param x a vector
     * @param y a vector, may be {@code x}
     * @return the sum of the products, in double precision; the same bits each time
     */
    public double dot(DenseVector x, DenseVector y) {
        kernels.dot(x, y, sum, 0);
        sum.copyTo(fetched);
        return fetched.get(0);
    }

    /**
     * Computes {@code ‖x‖₂} without overflow or underflow of squares. Costs one pass. If the sum of the squares is not
     * well within the range of numbers, a second pass multiplies the elements by {@code 2⁷⁰⁰} or {@code 2⁻⁷⁰⁰} into a
     * vector that is made for that, before they are squared. One pair of factors will do for all numbers (compare J. L.
     * Blue, ACM Trans. Math. Softw. 4(1), 1978): what the larger one cannot bring into range changes no digit of the
     * sum. Squares of single precision are within the range of the double precision in which they are added up.
     *
     * @param x a vector
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
            update(Math.scalb(1.0, exponent), x, 0, scaled);
            return Math.scalb(Math.sqrt(dot(scaled, scaled)), -exponent);
        }
    }

    /**
     * Computes {@code ‖v‖₂} on the host without overflow or underflow of squares. Costs two passes.
     *
     * @param v elements
     * @return the norm; infinite if an element is, or if the norm exceeds the largest number; NaN if an element is
     */
    public static double norm(double[] v) {
        double largest = 0;
        for (double element : v) {
            largest = Math.max(largest, Math.abs(element));
        }
        if (largest == 0 || !Double.isFinite(largest)) {
            return largest;
        }
        int exponent = Math.getExponent(largest);
        double sum = 0;
        for (double element : v) {
            double scaled = Math.scalb(element, -exponent);
            sum += scaled * scaled;
        }
        return Math.scalb(Math.sqrt(sum), exponent);
    }

    /** Gives the room back. Idempotent. */
    @Override
    public void close() {
        sum.close();
    }
}
