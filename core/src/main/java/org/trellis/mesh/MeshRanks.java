package org.trellis.mesh;

import java.time.Duration;
import org.trellis.backend.Backend;

/**
 * What divides a mesh over ranks. A mesh that has one ({@link Mesh#on(org.trellis.backend.Backend, MeshOptions,
 * MeshRanks)}) is declared by every rank as a whole, in the user's numbering, as if there were no others; before its
 * first loop is prepared it is divided, and from then on loops run and values lie where this says. Programs do not
 * meet it: module {@code distributed} implements it.
 */
public interface MeshRanks {
    /**
     * Returns the number of this rank.
     *
     * @return from 0
     */
    int rank();

    /**
     * Returns the number of ranks.
     *
     * @return at least 1
     */
    int ranks();

    /**
     * Returns how long a rank waits for another that does nothing.
     *
     * @return a minute unless something else is said
     */
    default Duration patience() {
        return Duration.ofMinutes(1);
    }

    /**
     * Finds the highest of what all ranks have. Called by all.
     *
     * @param values as many on each rank; overwritten with the highest of each place
     */
    void highest(long[] values);

    /**
     * Divides a mesh. Called once, by all ranks, when sets, maps, dats and loops have been declared and before any loop
     * is prepared; what has been declared may be read, and is let go afterwards.
     *
     * @param mesh the mesh as a whole
     * @return this rank's share, closed with the mesh
     * @throws IllegalArgumentException if it cannot be divided; says why
     */
    LocalMesh divide(Mesh mesh);

    /**
     * Returns what solvers compute with on vectors of the mesh: the backend of this rank, with sums over all ranks.
     * Called by all.
     *
     * @return the same each time, closed with {@link #close}
     */
    Backend solverBackend();

    /** Releases what {@link #solverBackend} has made. Idempotent. */
    void close();

    /**
     * Says whether the mesh may be divided again: then every rank keeps the maps of the whole.
     *
     * @return false unless something else is said
     */
    default boolean dividesAgain() {
        return false;
    }

    /**
     * The mesh has been divided for the first time.
     *
     * @param again divides it again, as {@link #divide} does then: values go where they belong. Called by all ranks
     */
    default void divided(Runnable again) {}
}
