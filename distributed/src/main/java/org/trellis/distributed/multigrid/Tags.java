package org.trellis.distributed.multigrid;

/** Gives each user of a communicator numbers of its own for messages; ranks ask in the same order. */
final class Tags {
    private int last;

    /** Returns a number that was not returned before. */
    int next() {
        return last++;
    }
}
