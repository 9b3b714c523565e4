package org.trellis.matrices.io;

import java.util.List;
import java.util.Objects;
import org.trellis.common.Checks;
import org.trellis.common.ProgressListener;

/**
 * How a matrix file is written. Immutable; start from {@link #DEFAULT}.
 *
 * @param symmetric whether only the lower triangle is written, as that of a symmetric matrix; a matrix that is not
 *                  symmetric is then refused
 * @param pattern   whether values are left out; a reader takes each entry as 1
 * @param comments  lines of comment, without the percent sign
 * @param threads   threads that format, at least 1; the file does not depend on it
 * @param progress  hears how many entries have been written
 */
public record WriteOptions(boolean symmetric, boolean pattern, List<String> comments, int threads,
        ProgressListener progress) {

    /** Everything as it is stored, no comments, all processors, no progress. */
    public static final WriteOptions DEFAULT = new WriteOptions(false, false, List.of(),
            Runtime.getRuntime().availableProcessors(), ProgressListener.NONE);

    /**
     * Checks the components.
     *
     * @throws NullPointerException if an object is null
     * @throws IllegalArgumentException if there is no thread or a comment has a line end
     */
    public WriteOptions {
        comments = List.copyOf(comments);
        Objects.requireNonNull(progress, "progress");
        Checks.positive("threads", threads);
        for (String comment : comments) {
            if (comment.indexOf('\n') >= 0 || comment.indexOf('\r') >= 0) {
                throw new IllegalArgumentException("comment '" + comment + "' has a line end, expected one line each");
            }
        }
    }

    /**
     * Changes whether only the lower triangle is written.
     *
     * @param other the new value
     * @return a copy of these options
     */
    public WriteOptions withSymmetric(boolean other) {
        return new WriteOptions(other, pattern, comments, threads, progress);
    }

    /**
     * Changes whether values are left out.
     *
     * @param other the new value
     * @return a copy of these options
     */
    public WriteOptions withPattern(boolean other) {
        return new WriteOptions(symmetric, other, comments, threads, progress);
    }

    /**
     * Changes the comments.
     *
     * @param other one line each
     * @return a copy of these options
     * @throws IllegalArgumentException if one has a line end
     */
    public WriteOptions withComments(List<String> other) {
        return new WriteOptions(symmetric, pattern, other, threads, progress);
    }

    /**
     * Changes the number of threads.
     *
     * @param other the new value, at least 1
     * @return a copy of these options
     * @throws IllegalArgumentException if it is less than 1
     */
    public WriteOptions withThreads(int other) {
        return new WriteOptions(symmetric, pattern, comments, other, progress);
    }

    /**
     * Changes who hears of progress.
     *
     * @param other the new value
     * @return a copy of these options
     */
    public WriteOptions withProgress(ProgressListener other) {
        return new WriteOptions(symmetric, pattern, comments, threads, other);
    }
}
