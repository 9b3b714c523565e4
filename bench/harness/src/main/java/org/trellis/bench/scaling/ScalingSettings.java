package org.trellis.bench.scaling;

import java.util.List;
import org.trellis.common.Precision;

/**
 * What is run.
 *
 * @param programs   the programs
 * @param ranks      the numbers of ranks, ascending
 * @param rings      the numbers of rings; {@link org.trellis.bench.powers.PowersSettings#AUTO} for the tuner's choice
 * @param maxRings  the most rings that the tuner may choose
 * @param steps      steps in a row
 * @param degree     sweeps of a polynomial of Chebyshev's method
 * @param iterations of Krylov methods that are timed by the iteration
 * @param tolerance  of solutions, relative to the right-hand side
 * @param rounds     how often solvers run, after once to warm up
 * @param seconds    measured time for each number of rings
 * @param precision  the type of values
 */
record ScalingSettings(List<ScalingProgram> programs, List<Integer> ranks, int[] rings, int maxRings, int steps,
        int degree, int iterations, double tolerance, int rounds, double seconds, Precision precision) {}
