package org.trellis.bench.prediction;

/**
 * What an iteration of a solver is predicted to take, in seconds. What it is made of are means over ranks, whose sum is
 * the time of the whole but for what ranks are apart at its end.
 *
 * @param program   the solver
 * @param rings     of the halos; 0 for the best number on each level
 * @param seconds   the whole iteration
 * @param computing products, sweeps, transfers and vectors
 * @param packing   messages made, taken out, and what processors do for each
 * @param waiting   for messages, when what could be computed meanwhile is done
 * @param reduction all-reduces, what they hide left out
 * @param messages  that a rank receives
 */
public record SolverTimes(String program, int rings, double seconds, double computing, double packing, double waiting,
        double reduction, double messages) {
    /** Returns what came after another state, divided by a number of iterations. */
    SolverTimes since(SolverTimes before, double iterations) {
        return new SolverTimes(program, rings, (seconds - before.seconds) / iterations,
                (computing - before.computing) / iterations, (packing - before.packing) / iterations,
                (waiting - before.waiting) / iterations, (reduction - before.reduction) / iterations,
                (messages - before.messages) / iterations);
    }
}
