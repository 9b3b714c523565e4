package org.trellis.matrices.io;

import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;

/**
 * How a matrix file is read. Immutable; start from {@link #DEFAULT}.
 *
 * @param precision        type of the values of the matrix; numbers are rounded to double first
 * @param threads          threads that parse and assemble, at least 1; the result does not depend on it
 * @param complexPolicy    what to do with complex values
 * @param progress         hears how many bytes of the file have been read
 * @param maximumTextBytes most bytes that a compressed file may expand to; 0 stands for 256 MiB or 64 times the
 *                         compressed size, whichever is more
 */
public record ReadOptions(Precision precision, int threads, ComplexPolicy complexPolicy, ProgressListener progress,
        long maximumTextBytes) {

    /** Double precision, all processors, no complex values, no progress. */
    public static final ReadOptions DEFAULT = new ReadOptions(Precision.F64,
            Runtime.getRuntime().availableProcessors(), ComplexPolicy.REFUSE, ProgressListener.NONE, 0);

    private static final long LEAST_TEXT_LIMIT = 1L << 28;
    private static final long EXPANSION_LIMIT = 64;

    /**
     * Checks the components.
     *
     * @throws NullPointerException if an object is null
     * @throws IllegalArgumentException if there is no thread or the number of bytes is negative
     */
    public ReadOptions {
        Objects.requireNonNull(precision, "precision");
        Objects.requireNonNull(complexPolicy, "complexPolicy");
        Objects.requireNonNull(progress, "progress");
        Checks.positive("threads", threads);
        if (maximumTextBytes < 0) {
            throw new IllegalArgumentException("maximumTextBytes is " + maximumTextBytes + ", expected at least 0");
        }
    }

    /**
     * Changes the precision.
     *
     * @param other the new value
     * @return a copy of these options
     */
    public ReadOptions withPrecision(Precision other) {
        return new ReadOptions(other, threads, complexPolicy, progress, maximumTextBytes);
    }

    /**
     * Changes the number of threads.
     *
     * @param other the new value, at least 1
     * @return a copy of these options
     * @throws IllegalArgumentException if it is less than 1
     */
    public ReadOptions withThreads(int other) {
        return new ReadOptions(precision, other, complexPolicy, progress, maximumTextBytes);
    }

    /**
     * Changes what is done with complex values.
     *
     * @param other the new value
     * @return a copy of these options
     */
    public ReadOptions withComplexPolicy(ComplexPolicy other) {
        return new ReadOptions(precision, threads, other, progress, maximumTextBytes);
    }

    /**
     * Changes who hears of progress.
     *
     * @param other the new value
     * @return a copy of these options
     */
    public ReadOptions withProgress(ProgressListener other) {
        return new ReadOptions(precision, threads, complexPolicy, other, maximumTextBytes);
    }

    /**
     * Changes how far a compressed file may expand.
     *
     * @param other bytes of text, or 0 for the limit that follows from the compressed size
     * @return a copy of these options
     * @throws IllegalArgumentException if it is negative
     */
    public ReadOptions withMaximumTextBytes(long other) {
        return new ReadOptions(precision, threads, complexPolicy, progress, other);
    }

    /**
     * Returns the limit that holds for a compressed file.
     *
     * @param compressedBytes its size, 0 if unknown
     * @return the most bytes of text that are accepted
     */
    public long textLimit(long compressedBytes) {
        return maximumTextBytes > 0 ? maximumTextBytes : Math.max(LEAST_TEXT_LIMIT, EXPANSION_LIMIT * compressedBytes);
    }
}
