package org.trellis.bench.application;

import org.trellis.common.Precision;

/**
 * An application on the mesh runtime whose loops the harness tunes ({@code trellis tune-loops}) and measures
 * ({@code trellis sweep-loops}). Found by {@link java.util.ServiceLoader} on the class path.
 */
public interface MeshApplication {
    /**
     * Returns the word that the command line knows the application by.
     *
     * @return a lower-case word, unlike that of all other applications
     */
    String name();

    /**
     * Says what the application computes.
     *
     * @return half a sentence, as in "the loops of"
     */
    String description();

    /**
     * Returns the precision of the data unless the user says otherwise.
     *
     * @return the precision
     */
    Precision usualPrecision();

    /**
     * Returns the size of the blocks that a partition divides edges into unless the user says otherwise.
     *
     * @return edges of a block, at least 1
     */
    int usualBlockSize();

    /**
     * Creates what a command line is read into.
     *
     * @return a new object, annotated for picocli with the mesh as a parameter and the application's own options
     */
    MeshInput input();
}
