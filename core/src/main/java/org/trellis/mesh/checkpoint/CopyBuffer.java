package org.trellis.mesh.checkpoint;

import org.trellis.mesh.device.HostStorage;
import org.trellis.mesh.device.ScalarType;

/**
 * Memory for a copy of a dat's values, which one checkpoint after the other uses. Made before it is needed, by a thread
 * that no other waits for, since the first touch of its pages takes longer than a copy.
 */
final class CopyBuffer {
    private HostStorage free;

    /**
     * Makes the memory unless it is there.
     *
     * @param type   of the values
     * @param length how many
     */
    void prepare(ScalarType type, int length) {
        synchronized (this) {
            if (free == null || free.type() != type || free.length() != length) {
                free = HostStorage.zeros(type, length);
            }
        }
    }

    /** Takes the memory; {@link #give} brings it back. */
    HostStorage take(ScalarType type, int length) {
        synchronized (this) {
            prepare(type, length);
            HostStorage taken = free;
            free = null;
            return taken;
        }
    }

    void give(HostStorage memory) {
        synchronized (this) {
            free = memory;
        }
    }
}
