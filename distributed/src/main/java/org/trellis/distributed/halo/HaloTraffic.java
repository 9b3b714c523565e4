package org.trellis.distributed.halo;

/** The messages of an exchange of vectors, one to and from each neighbour that has something to say. */
interface HaloTraffic {
    /** Packs and sends what the neighbours need of vectors. */
    void start(RingVector[] vectors);

    /** Waits for messages and puts what is in them into the rings of vectors. */
    void finish(RingVector[] vectors);

    /** Counts the messages to a neighbour, by its place among those of the plan. */
    long messages(int neighbour);

    /** Returns the size of a message. */
    static int bytes(HaloPlan plan, int vectors, int elements) {
        long bytes = (long) elements * vectors * plan.precision().bytes();
        if (bytes > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("a message of " + vectors + " vectors with " + elements
                    + " elements each has " + bytes + " bytes, expected at most " + Integer.MAX_VALUE);
        }
        return (int) bytes;
    }
}
