package org.trellis.fem.integrate;

import org.trellis.common.Checks;

/**
 * Where an integral finds a coefficient.
 *
 * @param constant   its components, if it is the same everywhere; otherwise null
 * @param components how many it has
 * @param points     1 for a value for each element, otherwise the number of quadrature points
 * @param input      the number of the kernel's argument that has it, or -1 for a constant
 */
record CoefficientPort(double[] constant, int components, int points, int input) {
    /** Checks the numbers. */
    CoefficientPort {
        Checks.positive("components of a coefficient", components);
        Checks.positive("points of a coefficient", points);
    }

    /** Numbers of an element. */
    int size() {
        return components * points;
    }
}
