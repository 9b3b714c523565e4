package org.trellis.internal.threads.vector;

import org.trellis.common.Precision;
import org.trellis.memory.HostVector;
import org.trellis.solve.dense.DotLoops;

/**
 * Dot products of ranges of vectors, whatever their precision and offset: of the rows that a unit has just computed.
 */
public final class RangeLoops {
    private static final DotLoops LOOPS = DotLoops.best();

    private RangeLoops() {}

    private static boolean isDouble(HostVector vector) {
        return vector.precision() == Precision.F64;
    }

    /**
     * Computes the dot product of two ranges at the same place.
     *
     * @param x    one vector
     * @param y    the other, of the same precision
     * @param from the first element
     * @param to   behind the last
     * @return the sum
     */
    public static double dot(HostVector x, HostVector y, int from, int to) {
        int a = x.offset() + from;
        int b = y.offset() + from;
        return isDouble(x)
                ? LOOPS.dot(x.doubleStorage(), a, y.doubleStorage(), b, to - from)
                : LOOPS.dot(x.floatStorage(), a, y.floatStorage(), b, to - from);
    }
}
