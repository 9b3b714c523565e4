package org.trellis.examples.tsunami;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** The exact solutions fulfil the equations that they come from. */
final class DamBreakTest {
    private static final double G = 9.81;

    @Test
    void stoker() {
        DamBreak dam = new DamBreak(3, 10, 5, G);
        double middle = dam.middleDepth();
        double inMiddle = 3 + 1e-3;
        double u = dam.velocity(inMiddle, 1);
        assertEquals(middle, dam.depth(inMiddle, 1));
        // Along the characteristic into the rarefaction u + 2c is kept; the bore moves mass and momentum.
        assertEquals(2 * Math.sqrt(G * 10), u + 2 * Math.sqrt(G * middle), 1e-12);
        double s = dam.frontSpeed();
        assertEquals(s * (middle - 5), middle * u, 1e-12);
        assertEquals(s * middle * u, middle * u * u + 0.5 * G * (middle * middle - 25), 1e-10);
        assertEquals(10, dam.depth(-7, 1));
        assertEquals(5, dam.depth(3 + s + 1e-9, 1));
        assertEquals(middle, dam.depth(3 + s - 1e-9, 1));
        assertEquals(0, dam.velocity(3 + s + 1e-9, 1));
    }

    @Test
    void ritter() {
        DamBreak dam = new DamBreak(0, 4, 0, G);
        assertEquals(0, dam.middleDepth());
        assertEquals(4 * 4.0 / 9, dam.depth(0, 7), 1e-12);
        assertEquals(2 * Math.sqrt(G * 4) / 3, dam.velocity(0, 7), 1e-12);
        assertEquals(2 * Math.sqrt(G * 4), dam.frontSpeed());
        assertEquals(0, dam.depth(dam.frontSpeed() * 7, 7));
    }

    @Test
    void keepsMass() {
        for (double right : new double[]{0, 1e-3, 2, 4.999}) {
            DamBreak dam = new DamBreak(0, 5, right, G);
            double sum = 0;
            int places = 200_000;
            for (int i = 0; i < places; i++) {
                sum += dam.depth(-100 + 200 * (i + 0.5) / places, 4) * 200 / places;
            }
            assertEquals(100 * (5 + right), sum, 1e-2);
        }
    }

    @Test
    void timeZeroAndNoDam() {
        DamBreak dam = new DamBreak(0, 5, 1, G);
        assertEquals(5, dam.depth(-1e-9, 0));
        assertEquals(1, dam.depth(1e-9, 0));
        assertThrows(IllegalArgumentException.class, () -> new DamBreak(0, 1, 1, G));
        assertThrows(IllegalArgumentException.class, () -> new DamBreak(0, 1, -1, G));
    }
}
