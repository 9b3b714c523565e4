package org.trellis.common;

/**
 * Hears how far a long operation has come. Called from the thread that runs the operation or from one of its workers,
 * never from two at a time, at most about a hundred times a stage.
 */
@FunctionalInterface
public interface ProgressListener {
    /** Ignores everything. */
    ProgressListener NONE = (stage, done, total) -> {};

    /**
     * Reports progress.
     *
     * @param stage what is being done, for example {@code "parse"}
     * @param done  units done, between 0 and {@code total}
     * @param total units in all, or a negative number if that is not known
     */
    void progress(String stage, long done, long total);
}
