package org.trellis.bench.peer.solver;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Optional;
import org.trellis.backend.Availability;
import org.trellis.solve.krylov.SolverConfig;

/**
 * Another library that solves systems. Registered in {@code META-INF/services}; has a public constructor without
 * parameters that does nothing. The library is never loaded into this process: what goes wrong in it ends another one.
 */
public interface SolverPeer {
    /**
     * Returns the name by which users ask for the peer.
     *
     * @return a short lower-case word
     */
    String name();

    /**
     * Finds out whether the library can be used here; may start a process, once. Must not throw or print.
     *
     * @return yes with the version, or the reason why not with the package to install
     */
    Availability probe();

    /**
     * Says why the peer has nothing to set against a method of solving.
     *
     * @param stack  how Trellis solves the system
     * @param system the system
     * @return the reason, with what the peer has; or empty if it has something
     */
    Optional<String> objection(SolverConfig stack, PeerSystem system);

    /**
     * Says what the peer sets against a method of solving. Variants with the same answer are solved once.
     *
     * @param stack    how Trellis solves the system; without an {@link #objection}
     * @param system   the system
     * @param settings processes and options
     * @return method, preconditioner and their options
     * @throws IllegalArgumentException if an option is unknown or has no meaning; says what there is
     */
    String describe(SolverConfig stack, PeerSystem system, PeerSettings settings);

    /**
     * Starts the library's processes and hands them the system.
     *
     * @param stack    how Trellis solves the system; the peer takes its own method and preconditioner of that kind,
     *                 with the options that its manual recommends
     * @param system   the system, open until the session is closed
     * @param settings processes and options
     * @return a session that the caller closes
     * @throws PeerFailedException      if the library or its launcher does not do what is expected; says what it did
     * @throws IllegalArgumentException if there is an {@link #objection} or an option is unknown
     */
    @MustBeClosed
    PeerSession open(SolverConfig stack, PeerSystem system, PeerSettings settings);
}
