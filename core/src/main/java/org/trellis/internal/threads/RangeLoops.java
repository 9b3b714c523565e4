package org.trellis.internal.threads;

import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/** The loops of the element kernels over a range of the elements of vectors, whatever their precision and offset. */
final class RangeLoops {
    private RangeLoops() {}

    private static boolean isDouble(HostVector vector) {
        return vector.precision() == Precision.F64;
    }

    static double dot(HostVector x, HostVector y, int from, int to) {
        int a = x.offset() + from;
        int b = y.offset() + from;
        return isDouble(x)
                ? DoubleVectorLoops.dot(x.doubleStorage(), a, y.doubleStorage(), b, to - from)
                : FloatVectorLoops.dot(x.floatStorage(), a, y.floatStorage(), b, to - from);
    }

    static void axpby(double alpha, HostVector x, double beta, HostVector y, int from, int to) {
        int a = x.offset() + from;
        int b = y.offset() + from;
        if (isDouble(y)) {
            DoubleVectorLoops.axpby(alpha, x.doubleStorage(), a, beta, y.doubleStorage(), b, to - from);
        } else {
            FloatVectorLoops.axpby((float) alpha, x.floatStorage(), a, (float) beta, y.floatStorage(), b, to - from);
        }
    }

    static void multiplyAdd(double alpha, HostVector d, HostVector x, double beta, HostVector y, int from, int to) {
        Places at = new Places(d.offset() + from, x.offset() + from, y.offset() + from, to - from);
        if (isDouble(y)) {
            DoubleVectorLoops.multiplyAdd(alpha, d.doubleStorage(), x.doubleStorage(), beta, y.doubleStorage(), at);
        } else {
            FloatVectorLoops.multiplyAdd((float) alpha, d.floatStorage(), x.floatStorage(), (float) beta,
                    y.floatStorage(), at);
        }
    }
}
