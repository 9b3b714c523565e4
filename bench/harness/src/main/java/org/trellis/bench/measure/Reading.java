package org.trellis.bench.measure;

import java.io.IOException;
import java.nio.file.Path;

/**
 * What reading a file once gave, timed in the process that read it.
 *
 * @param entries entries of the result
 * @param seconds how long it took
 */
public record Reading(long entries, double seconds) {
    /** Reads a file. */
    @FunctionalInterface
    public interface Source {
        /**
         * Reads a file completely.
         *
         * @param file the file
         * @return the number of entries of the result
         * @throws IOException if it cannot be read
         */
        long read(Path file) throws IOException;
    }

    /**
     * Reads a file here and takes the time.
     *
     * @param source reads it
     * @param file   the file
     * @return entries and seconds
     * @throws IOException if it cannot be read
     */
    public static Reading of(Source source, Path file) throws IOException {
        long start = System.nanoTime();
        long entries = source.read(file);
        return new Reading(entries, (System.nanoTime() - start) * 1e-9);
    }
}
