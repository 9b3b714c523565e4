package org.trellis.solve;

import org.trellis.backend.Backend;
import org.trellis.backend.HostBackend;
import org.trellis.sparse.LinearOperator;

/**
 * A clock that those who solve a system together read alike. Offered by backends of several ranks, so that a limit of
 * time ends a solution in the same iteration on each; where there is none, the own clock is that of all.
 */
@FunctionalInterface
public interface CollectiveClock {
    /** That of one rank that solves alone. */
    CollectiveClock OWN = seconds -> seconds;

    /**
     * Agrees on a time. To be called by all, and may cost a message.
     *
     * @param seconds what has passed here
     * @return the most that has passed anywhere, the same for all
     */
    double agree(double seconds);

    /**
     * Reads the time of this one alone, of which differences count.
     *
     * @return nanoseconds; by default those that pass on the wall
     */
    default long nanoTime() {
        return System.nanoTime();
    }

    /**
     * Returns the clock of a backend.
     *
     * @param backend where a system is solved
     * @return the one that it offers, else {@link #OWN}
     */
    static CollectiveClock of(Backend backend) {
        // Those of one process have none, and looking for one in all modules takes longer than a small system.
        return backend instanceof HostBackend ? OWN : backend.optionalKernels(CollectiveClock.class).orElse(OWN);
    }

    /**
     * Returns the clock of a backend that is to solve a system; sums of one rank would not be those of the system.
     *
     * @param method  for the message
     * @param matrix  the system's operator
     * @param backend where it is to be solved
     * @return that of {@link #of}
     * @throws IllegalArgumentException if the operator is over ranks and the backend is not
     */
    static CollectiveClock of(String method, LinearOperator matrix, Backend backend) {
        CollectiveClock clock = of(backend);
        if (clock == OWN && matrix.overRanks()) {
            throw new IllegalArgumentException(method + " with " + matrix + " over ranks on backend '" + backend.name()
                    + "', whose sums are one rank's, expected the mesh's solverBackend() or a RankBackend");
        }
        return clock;
    }
}
