package org.trellis.examples.fem;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The default tolerance is one that rounding allows. */
class FemToleranceTest {
    private static double tolerance(long unknowns, int dimension, String... options) {
        return CommandLine.populateCommand(new FemOptions(), options).criteria(unknowns, dimension)
                .relativeTolerance();
    }

    @Test
    void growsWithTheRoundingOfAProduct() {
        assertEquals(1e-10, tolerance(10_000, 2));
        assertEquals(1e-10, tolerance(16_000_000, 3));
        // A product leaves 4.7e-13 of 16,129 unknowns and 4.2e-12 of 146,689, so about 4.7e-10 of 16 million.
        double many = tolerance(16_008_001, 2);
        assertTrue(many > 2e-9 && many < 1e-8, () -> "" + many);
        assertEquals(1e-12, tolerance(16_008_001, 2, "--tolerance", "1e-12"));
    }
}
