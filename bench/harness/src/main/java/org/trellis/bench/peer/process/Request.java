package org.trellis.bench.peer.process;

/** What a process is asked to do; sent as one byte, before the operands. */
enum Request {
    /** Matrix, x, variant: answers product number, seconds of the preparation, bytes, milliseconds of lingering. */
    PREPARE,
    /** Product, times: answers the seconds of so many products. */
    RUN,
    /** Product, seconds: runs it for so long and answers the seconds of the fastest. */
    WARM_UP,
    /** Fills the caches with something else. */
    FLUSH,
    /** Product: answers y. */
    RESULT,
    /** Answers how often garbage was collected. */
    COLLECTIONS,
    /** Product: forgets it. */
    CLOSE,
    /** Threads, factors: answers matrix product number, milliseconds of lingering. */
    PREPARE_MATRIX,
    /** Matrix product: answers the seconds of one product. */
    RUN_MATRIX,
    /** Matrix product: answers the matrix. */
    MATRIX,
    /** Matrix product: forgets it. */
    CLOSE_MATRIX,
    /** File: answers entries and seconds of reading it once, after garbage was collected. */
    READ;

    private static final Request[] ALL = values();

    static Request of(int number) {
        return ALL[number];
    }
}
