package org.trellis.mesh.checkpoint;

import java.util.Locale;
import java.util.Optional;

/**
 * What became of a checkpoint on this rank.
 *
 * @param generation its number, from 1
 * @param step       how many steps had been run when it was begun
 * @param before     the name of the step before which it was begun
 * @param units      components of the dats that were saved
 * @param bytes      their values, on this rank
 * @param fileBytes  the length of the file
 * @param seconds    from its begin until it was in place
 * @param blocked    seconds in which the program waited for it
 * @param failure    why there is none, if it could not be written
 */
public record CheckpointReport(int generation, long step, String before, int units, long bytes, long fileBytes,
        double seconds, double blocked, Optional<String> failure) {
    @Override
    public String toString() {
        return failure.map(reason -> "checkpoint " + generation + " failed: " + reason)
                .orElseGet(() -> String.format(Locale.ROOT,
                        "checkpoint %d before step %d (%s): %d units, %.3f MB, %.4f s, program blocked %.4f s",
                        generation, step, before, units, 1e-6 * bytes, seconds, blocked));
    }
}
