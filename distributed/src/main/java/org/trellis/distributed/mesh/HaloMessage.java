package org.trellis.distributed.mesh;

import java.util.List;

/**
 * Brings some dats up to date: one message to and from each neighbour, whatever the number of dats. Owned values may be
 * written once the message is started. Allocates nothing once it has been sent for the first time.
 */
interface HaloMessage {
    /** Parts of a message begin at multiples of it, so that any type can be there. */
    int ALIGNMENT = 8;

    /** Packs and sends. */
    void start();

    /**
     * Waits and unpacks; what is needed is up to date afterwards.
     *
     * @return the time spent waiting, in nanoseconds
     */
    long finish();

    /** Says whether this rank neither sends nor receives anything. */
    boolean isEmpty();

    /** Returns how many messages this rank sends. */
    int messages();

    /** Returns how many bytes this rank sends. */
    long bytes();

    static int aligned(int size) {
        return Math.ceilDiv(size, ALIGNMENT) * ALIGNMENT;
    }

    /** Returns the size of a message with values of some elements of each dat. */
    static int size(List<HaloNeed> needs, List<int[]> places) {
        int size = 0;
        for (int i = 0; i < needs.size(); i++) {
            size = Math.addExact(size, aligned(HaloTransfer.bytes(needs.get(i).dat(), places.get(i))));
        }
        return size;
    }
}
