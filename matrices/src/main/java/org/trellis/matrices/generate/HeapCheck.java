package org.trellis.matrices.generate;

import org.trellis.common.Precision;

/** Refuses matrices that the heap cannot hold before hours are spent, or an unclear error is met, in the attempt. */
final class HeapCheck {
    private HeapCheck() {}

    static void check(int rows, int columns, long nonZeros, Precision precision) {
        // In doubles, since the product of two sizes may be beyond 2⁶³.
        double needed = Integer.BYTES * (rows + 1.0) + nonZeros * (double) (Integer.BYTES + precision.bytes());
        double limit = (double) Runtime.getRuntime().maxMemory();
        if (needed > limit) {
            throw new IllegalArgumentException("matrix of " + rows + " x " + columns
                    + (nonZeros == 0 ? "" : " with " + nonZeros + " non-zeros") + " needs at least "
                    + mebibytes(needed) + " MiB, expected at most " + mebibytes(limit)
                    + " MiB, the heap of this JVM (option -Xmx)");
        }
    }

    private static long mebibytes(double bytes) {
        return (long) (bytes / (1 << 20));
    }
}
