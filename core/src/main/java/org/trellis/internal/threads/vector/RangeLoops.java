package org.trellis.internal.threads.vector;

import org.trellis.common.Precision;
import org.trellis.memory.HostVector;

/**
 * Dot products of ranges of vectors, whatever their precision and offset: of the rows that a unit has just computed.
 */
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
}
