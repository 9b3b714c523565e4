package org.trellis.bench.peer.solver;

/**
 * What a peer says of a solution.
 *
 * @param setupSeconds wall-clock time of the preparation, the longest of all processes
 * @param solveSeconds that of the iterations
 * @param iterations   iterations done
 * @param converged    whether the peer holds the system for solved
 * @param residual     the peer's own relative residual at the end, or not a number
 * @param reason       how it ended, in the peer's words
 */
public record PeerSolution(double setupSeconds, double solveSeconds, int iterations, boolean converged,
        double residual, String reason) {}
