package org.trellis.sparse;

import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;

/** Element kernels on the heap, one element after the other, in double precision, rounded once. */
public final class HostElements implements ElementKernels {
    /** The kernels, which have no state. */
    public static final HostElements PLAIN = new HostElements();

    private HostElements() {}

    @Override
    public void update(double alpha, DenseVector d, DenseVector x, double beta, DenseVector y) {
        HostVector factors = (HostVector) d;
        HostVector from = (HostVector) x;
        HostVector to = (HostVector) y;
        for (int i = 0; i < to.length(); i++) {
            double scaled = alpha * (factors == null ? from.get(i) : factors.get(i) * from.get(i));
            to.set(i, beta == 0 ? scaled : scaled + beta * to.get(i));
        }
    }

    @Override
    public void dot(DenseVector x, DenseVector y, DenseVector result, int at) {
        HostVector a = (HostVector) x;
        HostVector b = (HostVector) y;
        double sum = 0;
        for (int i = 0; i < a.length(); i++) {
            sum += a.get(i) * b.get(i);
        }
        ((HostVector) result).set(at, sum);
    }

    /** Copies a vector into one of the other precision. */
    static void convert(HostVector from, HostVector to) {
        int length = from.length();
        if (from.precision() == Precision.F64) {
            double[] source = from.doubleStorage();
            float[] target = to.floatStorage();
            for (int i = 0; i < length; i++) {
                target[to.offset() + i] = (float) source[from.offset() + i];
            }
        } else {
            float[] source = from.floatStorage();
            double[] target = to.doubleStorage();
            for (int i = 0; i < length; i++) {
                target[to.offset() + i] = source[from.offset() + i];
            }
        }
    }
}
