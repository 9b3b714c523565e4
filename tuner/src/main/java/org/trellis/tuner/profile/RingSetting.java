package org.trellis.tuner.profile;

import java.util.Objects;
import org.trellis.common.Checks;

/**
 * Under what circumstances a number of rings was measured: with others, another number may be the best.
 *
 * @param ranks       number of ranks
 * @param transport   how messages travel, in the communicator's words
 * @param partitioner how rows are divided
 * @param program     what the steps are, for example {@code products} or {@code jacobi}, or what a preconditioner is
 * @param level       of a preconditioner with levels, which one, 0 for the finest; 0 for other programs
 */
public record RingSetting(int ranks, String transport, String partitioner, String program, int level) {
    /**
     * Checks that all is there.
     *
     * @throws IllegalArgumentException if there is no rank, or the level is negative
     */
    public RingSetting {
        Checks.positive("number of ranks", ranks);
        Objects.requireNonNull(transport);
        Objects.requireNonNull(partitioner);
        Objects.requireNonNull(program);
        Checks.notNegative("number of a level", level);
    }

    /**
     * Names circumstances without levels.
     *
     * @param ranks       number of ranks
     * @param transport   how messages travel, in the communicator's words
     * @param partitioner how rows are divided
     * @param program     what the steps are
     */
    public RingSetting(int ranks, String transport, String partitioner, String program) {
        this(ranks, transport, partitioner, program, 0);
    }
}
