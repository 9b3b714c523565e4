package org.trellis.solve;

import com.google.errorprone.annotations.MustBeClosed;
import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ElementKernels;

/**
 * Computes {@code ‖x‖₂} for the host, without overflow or underflow of squares. Costs one pass and waits for the device.
 * If the sum of the squares is not well within the range of numbers, a second pass multiplies the elements by
 * {@code 2⁷⁰⁰} or {@code 2⁻⁷⁰⁰} into a vector that is made for that, before they are squared. One pair of factors will
 * do for all numbers (compare J. L. Blue, ACM Trans. Math. Softw. 4(1), 1978): what the larger one cannot bring into
 * range changes no digit of the sum. Squares of single precision are within the range of the double precision in which
 * they are added up.
 */
final class VectorNorm implements AutoCloseable {
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

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    VectorNorm(Backend backend) {
        this.backend = backend;
        this.kernels = backend.kernels(ElementKernels.class);
        this.sum = backend.vector(Precision.F64, 1);
    }

    private double sumOfSquares(DenseVector x) {
        kernels.dot(x, x, sum, 0);
        sum.copyTo(fetched);
        return fetched.get(0);
    }

    /**
     * Returns a norm.
     *
     * @param x a vector in the backend's memory space
     * @return the norm; infinite if an element is, or if the norm exceeds the largest number; NaN if an element is
     */
    double of(DenseVector x) {
        double squares = sumOfSquares(x);
        boolean safe = squares >= SMALLEST_SAFE && squares <= LARGEST_SAFE;
        if (safe || Double.isNaN(squares) || x.precision() == Precision.F32) {
            return Math.sqrt(squares);
        }
        int exponent = squares < SMALLEST_SAFE ? SCALE_EXPONENT : -SCALE_EXPONENT;
        try (DenseVector scaled = backend.vector(x.precision(), x.length())) {
            kernels.update(Math.scalb(1.0, exponent), null, x, 0, scaled);
            return Math.scalb(Math.sqrt(sumOfSquares(scaled)), -exponent);
        }
    }

    @Override
    public void close() {
        sum.close();
    }
}
