package org.trellis.examples.tsunami;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

/** The kernels, called as plain methods. */
final class ShallowWaterTest {
    private static final double[] SETTINGS = {10, 1e-3, 0};

    /** The flux and, behind it, the speed. */
    private static double[] flux(double[] left, double[] right, int kind, double... face) {
        double[] flux = new double[5];
        double[] speed = new double[1];
        ShallowWater.computeFlux(left, right, face, new int[]{kind}, flux, speed, SETTINGS);
        return new double[]{flux[0], flux[1], flux[2], flux[3], flux[4], speed[0]};
    }

    /** Between equal states the flux is that of the equations: (hu, hu² , huv) along x, without its pressure. */
    @Test
    void equalStates() {
        double[] state = {2.5, 5, -2.5, 0};
        assertArrayEquals(new double[]{3 * 5, 3 * 10, 3 * -5, 3 * 10, 3 * -5, 3 * 7},
                flux(state, state, ShallowWater.INTERIOR, 1, 0, 3), 1e-12);
    }

    /** In a torrent all comes from upstream; the sides differ by the pressure on them, g (h₁² − h₂²) / 2. */
    @Test
    void torrent() {
        double[] fast = {1, 20, 1, 0};
        double[] slow = {0.9, 9, 0, 0};
        double pressure = 0.5 * 10 * (0.81 - 1);
        assertArrayEquals(new double[]{20, 400, 20, 400 - pressure, 20, 20 + Math.sqrt(10)},
                flux(fast, slow, ShallowWater.INTERIOR, 1, 0, 1), 1e-12);
    }

    private static double[] random(SplittableRandom random) {
        double bed = random.nextDouble(-1, 1);
        double depth = Math.max(0, random.nextDouble(-0.3, 2));
        return new double[]{bed + depth, depth * random.nextDouble(-6, 6), depth * random.nextDouble(-6, 6), bed};
    }

    /** Seen from the other side, one cell loses what it gained. */
    @Test
    void bothSidesAgree() {
        SplittableRandom random = TestSeed.random("both sides");
        for (int trial = 0; trial < 2000; trial++) {
            double[] left = random(random);
            double[] right = random(random);
            double angle = random.nextDouble(2 * Math.PI);
            double nx = Math.cos(angle);
            double ny = Math.sin(angle);
            double[] there = flux(left, right, ShallowWater.INTERIOR, nx, ny, 2);
            double[] back = flux(right, left, ShallowWater.INTERIOR, -nx, -ny, 2);
            assertArrayEquals(new double[]{-there[0], -there[3], -there[4], -there[1], -there[2], there[5]}, back,
                    1e-12 * (1 + there[5] * there[5]));
        }
    }

    /** The water that leaves a cell is at most what waves of the given speed sweep: depths stay positive. */
    @Test
    void noMoreLeavesThanThereIs() {
        SplittableRandom random = TestSeed.random("no more leaves");
        for (int trial = 0; trial < 5000; trial++) {
            double[] left = random(random);
            double[] right = random(random);
            double[] flux = flux(left, right, ShallowWater.INTERIOR, 1, 0, 1);
            assertTrue(flux[0] <= flux[5] * (left[0] - left[3]) + 1e-12, "trial " + trial);
            assertTrue(-flux[0] <= flux[5] * (right[0] - right[3]) + 1e-12, "trial " + trial);
        }
    }

    /** Water at rest, dry land, land above the water: no flux to the last bit, whatever the beds. */
    @Test
    void atRest() {
        SplittableRandom random = TestSeed.random("at rest");
        for (int trial = 0; trial < 2000; trial++) {
            double bed1 = random.nextDouble(-5000, 10);
            double bed2 = random.nextDouble(-5000, 10);
            double[] left = {Math.max(0, bed1), 0, 0, bed1};
            double[] right = {Math.max(0, bed2), 0, 0, bed2};
            for (int kind = ShallowWater.INTERIOR; kind <= ShallowWater.SEA; kind++) {
                double[] flux = flux(left, kind == ShallowWater.INTERIOR ? right : left, kind, 0.6, 0.8, 7);
                for (int c = 0; c < 5; c++) {
                    assertEquals(0, Math.abs(flux[c]));
                }
            }
        }
    }

    @Test
    void boundaries() {
        double[] state = {1, 0.5, 0.25, 0};
        double[] wall = flux(state, state, ShallowWater.WALL, 1, 0, 2);
        assertEquals(0, wall[0]);
        assertEquals(0, wall[2]);
        assertTrue(wall[1] > 2 * 0.25, "a wall takes momentum");
        double[] open = flux(state, state, ShallowWater.OPEN, 1, 0, 2);
        assertArrayEquals(new double[]{1, 0.5, 0.25}, new double[]{open[0], open[1], open[2]}, 1e-12);
        double[] low = {-0.5, 0, 0, -1};
        assertTrue(flux(low, low, ShallowWater.SEA, 1, 0, 1)[0] < 0, "the sea flows in where it is higher");
    }

    @Test
    void timeStep() {
        double[] step = {5};
        ShallowWater.numericalFlux(new double[]{1}, new double[]{2}, new double[]{3}, new double[]{12}, step, 0.5);
        assertEquals(1, step[0]);
        ShallowWater.numericalFlux(new double[]{0}, new double[]{0}, new double[]{0}, new double[]{12}, step, 0.5);
        assertEquals(1, step[0], "a dry cell allows any step");
    }

    @Test
    void increments() {
        double[] flux = {1, 2, 3, 4, 5};
        double[] left = {10, 10, 10};
        double[] right = {10, 10, 10};
        ShallowWater.spaceDiscretisation(flux, new int[]{ShallowWater.INTERIOR}, left, right);
        assertArrayEquals(new double[]{9, 8, 7}, left);
        assertArrayEquals(new double[]{11, 14, 15}, right);
        ShallowWater.spaceDiscretisation(flux, new int[]{ShallowWater.OPEN}, left, left);
        assertArrayEquals(new double[]{8, 6, 4}, left);
    }

    @Test
    void stages() {
        double[] state = {1, 2, 3, 0.5};
        double[] gain = {4, 4, 8};
        double[] middle = new double[4];
        ShallowWater.rungeKutta1(state, gain, new double[]{2}, middle, new double[]{0.5}, SETTINGS);
        assertArrayEquals(new double[]{2, 3, 5, 0.5}, middle);
        assertArrayEquals(new double[3], gain);
        gain = new double[]{-4, 0, 0};
        ShallowWater.rungeKutta2(state, middle, gain, new double[]{2}, new double[]{0.5}, SETTINGS);
        assertArrayEquals(new double[]{1, 2.5, 4, 0.5}, state);
        gain = new double[]{-2, 8, 8};
        ShallowWater.rungeKutta1(state, gain, new double[]{2}, middle, new double[]{0.5}, SETTINGS);
        assertArrayEquals(new double[]{0.5, 0, 0, 0.5}, middle, "where there is no water nothing moves");
    }

    @Test
    void measures() {
        double[] volume = {0};
        double[] lowest = {ShallowWater.NOWHERE};
        double[] highest = {-ShallowWater.NOWHERE, 0};
        ShallowWater.measure(new double[]{2, 3, 4, 1}, new double[]{5}, volume, lowest, highest, SETTINGS);
        ShallowWater.measure(new double[]{9, 0, 0, 9}, new double[]{5}, volume, lowest, highest, SETTINGS);
        assertArrayEquals(new double[]{5, 2, 2, 5}, new double[]{volume[0], lowest[0], highest[0], highest[1]});
        double[] crest = {1};
        ShallowWater.envelope(new double[]{2, 0, 0, 1}, crest);
        ShallowWater.envelope(new double[]{1.5, 0, 0, 1}, crest);
        assertEquals(2, crest[0]);
    }
}
