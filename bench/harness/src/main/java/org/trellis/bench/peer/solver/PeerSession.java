package org.trellis.bench.peer.solver;

import java.util.List;
import org.trellis.memory.HostVector;

/** A peer's processes with a system. They sleep while nothing is asked of them. */
public interface PeerSession extends AutoCloseable {
    /**
     * Prepares the solver anew and solves the system from zero.
     *
     * @param seconds time after which the processes are ended, more than 0; may be infinite
     * @return how long that took, and what the library says of it
     * @throws PeerFailedException if a process ends or the time is over; says which and with which last words
     */
    PeerSolution solve(double seconds);

    /**
     * Reads the solution of the last {@link #solve}.
     *
     * @param x overwritten; as many doubles as the system has columns
     * @throws PeerFailedException if it cannot be read
     */
    void readSolution(HostVector x);

    /**
     * Says what library it is.
     *
     * @return its name and version, such as {@code hypre 2.26.0}
     */
    String library();

    /**
     * Returns the number of processes.
     *
     * @return at least 1
     */
    int processes();

    /**
     * Returns the method in the peer's words.
     *
     * @return for example {@code PCG}
     */
    String method();

    /**
     * Returns the preconditioner in the peer's words.
     *
     * @return with its options
     */
    String preconditioner();

    /**
     * Returns what there is to know about the run.
     *
     * @return sentences, such as why there is one process
     */
    List<String> notes();

    /** Ends the processes. */
    @Override
    void close();
}
