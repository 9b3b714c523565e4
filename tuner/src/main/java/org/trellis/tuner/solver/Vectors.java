package org.trellis.tuner.solver;

import org.trellis.backend.Backend;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.FiniteInput;
import org.trellis.solve.VectorArithmetic;
import org.trellis.sparse.CsrSegment;

/**
 * Copies and norms around the solutions of a tuned solver. Short vectors of one process are read by plain loops:
 * kernels of a backend take longer to find and load than a small system to solve.
 */
final class Vectors implements AutoCloseable {
    /** Elements up to which one thread is as fast as several. */
    private static final int SHORT = 1 << 16;

    private static final double LEAST_SAFE = 0x1p-900;
    private static final double MOST_SAFE = 0x1p1000;

    private final Backend backend;
    private final boolean alone;
    private VectorArithmetic arithmetic;

    /**
     * Makes no room yet.
     *
     * @param backend where vectors are
     * @param alone   whether they are whole vectors in the memory of this process
     */
    Vectors(Backend backend, boolean alone) {
        this.backend = backend;
        this.alone = alone;
    }

    private boolean isPlain(DenseVector v) {
        return alone && v.length() <= SHORT && v instanceof HostVector;
    }

    @SuppressWarnings("MustBeClosed") // closed with this
    private VectorArithmetic arithmetic() {
        if (arithmetic == null) {
            arithmetic = new VectorArithmetic(backend);
        }
        return arithmetic;
    }

    /** Says whether vectors are whole ones in the memory of this process. */
    boolean isAlone() {
        return alone;
    }

    /** Computes {@code y = x}. */
    void copy(DenseVector x, DenseVector y) {
        if (isPlain(x)) {
            y.copyFrom((HostVector) x);
        } else {
            arithmetic().copy(x, y);
        }
    }

    /** Computes {@code y = y - A x} in double precision by one thread. Costs a pass over the entries. */
    static void subtractProduct(CsrSegment a, HostVector x, HostVector y) {
        double[] values = a.values().doubleStorage();
        double[] from = x.doubleStorage();
        double[] to = y.doubleStorage();
        int[] columns = a.columnIndices();
        int first = a.values().offset();
        for (int row = 0; row < a.rows(); row++) {
            double sum = 0;
            for (int k = a.rowStart(row); k < a.rowEnd(row); k++) {
                sum += values[first + k] * from[x.offset() + columns[k]];
            }
            to[y.offset() + row] -= sum;
        }
    }

    /** Computes {@code ‖v‖₂}, without overflow or underflow of squares. */
    double norm(DenseVector v) {
        if (!isPlain(v)) {
            return arithmetic().norm(v);
        }
        HostVector host = (HostVector) v;
        int end = host.offset() + host.length();
        double squares = host.precision() == Precision.F64
                ? squares(host.doubleStorage(), host.offset(), end)
                : squares(host.floatStorage(), host.offset(), end);
        if (squares == 0 && isZero(host)) {
            return 0;
        }
        // What has overflowed or underflowed is scaled.
        return squares >= LEAST_SAFE && squares <= MOST_SAFE
                ? Math.sqrt(squares)
                : VectorArithmetic.norm(host.toDoubleArray());
    }

    /** Four sums, since each addition waits for the one before it. */
    private static double squares(double[] elements, int from, int to) {
        double first = 0;
        double second = 0;
        double third = 0;
        double fourth = 0;
        int i = from;
        for (; i < to - 3; i += 4) {
            first += elements[i] * elements[i];
            second += elements[i + 1] * elements[i + 1];
            third += elements[i + 2] * elements[i + 2];
            fourth += elements[i + 3] * elements[i + 3];
        }
        for (; i < to; i++) {
            first += elements[i] * elements[i];
        }
        return first + second + (third + fourth);
    }

    private static double squares(float[] elements, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += (double) elements[i] * elements[i];
        }
        return sum;
    }

    /** Programs begin with zeros more often than not. */
    private static boolean isZero(HostVector v) {
        for (int i = 0; i < v.length(); i++) {
            if (v.get(i) != 0) {
                return false;
            }
        }
        return true;
    }

    /**
     * Computes the norm of what a program gives.
     *
     * @param what the vector, for the message
     * @throws IllegalArgumentException if an element is not finite; names the first
     */
    double finiteNorm(String what, DenseVector v) {
        double norm = norm(v);
        return Double.isFinite(norm) ? norm : FiniteInput.norm(what, v, arithmetic());
    }

    /**
     * Computes the norm of a right-hand side.
     *
     * @throws IllegalArgumentException if an element is not finite (names the first) or the norm exceeds the largest
     *                                  number
     */
    double rightHandSide(DenseVector b) {
        double norm = norm(b);
        return Double.isFinite(norm) ? norm : FiniteInput.rightHandSide(b, arithmetic());
    }

    @Override
    public void close() {
        if (arithmetic != null) {
            arithmetic.close();
        }
    }

    @Override
    public String toString() {
        return "vectors on " + backend;
    }
}
