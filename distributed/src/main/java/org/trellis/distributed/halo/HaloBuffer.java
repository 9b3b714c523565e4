package org.trellis.distributed.halo;

import org.trellis.memory.HostVector;

/** A message seen as numbers of one precision. */
interface HaloBuffer {
    /** Copies the first of the chosen elements of a vector into the message, from an element of it on. */
    void pack(int at, int[] places, int count, HostVector vector);

    /** Copies consecutive elements of the message into a vector. */
    void unpack(int at, HostVector vector, int start, int count);
}
