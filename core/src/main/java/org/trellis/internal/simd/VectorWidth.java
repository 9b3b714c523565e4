package org.trellis.internal.simd;

import jdk.incubator.vector.VectorShape;
import org.trellis.common.Precision;

/**
 * The width of the vectors that the machine prefers, without the vectors themselves: loading those takes some tens of
 * milliseconds, this one.
 */
final class VectorWidth {
    /** Bits of a vector. */
    static final int BITS = VectorShape.preferredShape().vectorBitSize();

    private VectorWidth() {}

    /** Returns how many values a vector holds. */
    static int lanes(Precision precision) {
        return BITS / (Byte.SIZE * precision.bytes());
    }
}
