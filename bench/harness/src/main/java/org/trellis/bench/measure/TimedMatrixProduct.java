package org.trellis.bench.measure;

import org.trellis.sparse.CsrMatrix;

/** A product of sparse matrices that is ready to be computed over and over, each time with its structure. */
public interface TimedMatrixProduct extends AutoCloseable {
    /** Computes the product, and returns when it is done. This is what is timed. */
    void run();

    /**
     * Computes the product and takes the time, in the process that computes.
     *
     * @return seconds
     */
    default double seconds() {
        long start = System.nanoTime();
        run();
        return (System.nanoTime() - start) * 1e-9;
    }

    /**
     * Returns the result of the last {@link #run()}.
     *
     * @return a copy, with columns in order
     */
    CsrMatrix result();

    /**
     * Returns for how long threads of this product go on using a processor after it has returned.
     *
     * @return milliseconds, 0 if they do not
     */
    default int lingerMilliseconds() {
        return 0;
    }

    /** Releases everything. */
    @Override
    void close();
}
