package org.trellis.tuner.profile;

import java.util.Objects;
import org.trellis.common.Checks;

/**
 * Under what circumstances a number of rings was measured: with others, another number may be the best.
 *
 * @param ranks       number of ranks
 * @param transport   how messages travel, in the communicator's words
 * @param partitioner how rows are divided
 * @param program     what the steps are, for example {@code products} or {@code jacobi}
 */
public record RingSetting(int ranks, String transport, String partitioner, String program) {
    /**
     * Checks that all is there.
     *
     * @throws IllegalArgumentException if there is no rank
     */
    public RingSetting {
        Checks.positive("number of ranks", ranks);
        Objects.requireNonNull(transport);
        Objects.requireNonNull(partitioner);
        Objects.requireNonNull(program);
    }
}
