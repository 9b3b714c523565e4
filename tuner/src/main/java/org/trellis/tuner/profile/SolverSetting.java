package org.trellis.tuner.profile;

import org.trellis.common.Checks;
import org.trellis.common.Precision;

/**
 * Under what circumstances solvers of a system were measured: with others, another one may be the best.
 *
 * @param precision of the system
 * @param digits    the decimal digits of the tolerance relative to the right-hand side, 8 for 1e-8
 * @param ranks     number of ranks
 * @param updated   whether the values of the matrix changed from solution to solution
 */
public record SolverSetting(Precision precision, int digits, int ranks, boolean updated) {
    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if there is no rank, or digits are negative
     */
    public SolverSetting {
        Checks.notNegative("digits of a tolerance", digits);
        Checks.positive("number of ranks", ranks);
    }
}
