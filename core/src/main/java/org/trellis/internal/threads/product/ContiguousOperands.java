package org.trellis.internal.threads.product;

import org.trellis.memory.HostVector;

/**
 * Vectors as the kernels of products want them: arrays whose first element is the vector's first. A part of a vector
 * that begins elsewhere is copied there and back, one pass each; all others are used as they are.
 */
final class ContiguousOperands {
    private ContiguousOperands() {}

    /** Returns a vector to be read. */
    static HostVector toRead(HostVector vector) {
        return vector.offset() == 0 ? fromStart(vector) : vector.copy();
    }

    /** Returns a vector to be written, with the old elements. {@link #giveBack} comes afterwards. */
    static HostVector toWrite(HostVector vector) {
        return toRead(vector);
    }

    /** Hands the elements of a vector from {@link #toWrite} back. */
    static void giveBack(HostVector plain, HostVector vector) {
        if (vector.offset() != 0) {
            vector.copyFrom(plain);
        }
    }

    /** Kernels look at no element beyond the vector's, so the array may be longer. */
    private static HostVector fromStart(HostVector vector) {
        if (vector.isWhole()) {
            return vector;
        }
        return switch (vector.precision()) {
            case F64 -> HostVector.of(vector.doubleStorage());
            case F32 -> HostVector.of(vector.floatStorage());
        };
    }
}
