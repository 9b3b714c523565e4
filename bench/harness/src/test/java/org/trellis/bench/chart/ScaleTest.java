package org.trellis.bench.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

final class ScaleTest {
    @Test
    void choosesRoundTicks() {
        assertEquals(List.of(0.0, 20.0, 40.0, 60.0, 80.0, 100.0), Scale.linear(0, 100).ticks(5));
        assertEquals(List.of(0.0, 500.0, 1000.0, 1500.0, 2000.0, 2500.0), Scale.linear(0, 2520).ticks(8));
        assertEquals(List.of(1.0, 10.0, 100.0, 1000.0), Scale.logarithmic(0.5, 2000).ticks(5));
        assertEquals(0.5, Scale.logarithmic(1, 100).position(10), 1e-12);
        assertThrows(IllegalArgumentException.class, () -> new Scale(0, 1, true));
    }

    @Test
    void labelsTicksBriefly() {
        Scale linear = Scale.linear(0, 1);
        assertEquals("20k", linear.label(20_000));
        assertEquals("1.5M", linear.label(1_500_000));
        assertEquals("0.25", linear.label(0.25));
        assertEquals("1e-8", Scale.logarithmic(1e-9, 1).label(1e-8));
        assertEquals("1e5", Scale.logarithmic(1, 1e6).label(1e5));
    }

    /** Whatever the range, ticks are whole multiples of 1, 2 or 5 times a power of ten, and no more than asked for. */
    @Test
    void stepsAreOneTwoOrFive() {
        SplittableRandom random = TestSeed.random("ticks");
        for (int k = 0; k < 2000; k++) {
            double low = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(12) - 6);
            double high = low + random.nextDouble() * Math.pow(10, random.nextInt(12) - 6) + 1e-6 * Math.abs(low);
            int wanted = 2 + random.nextInt(12);
            List<Double> ticks = Scale.linear(low, high).ticks(wanted);
            String range = low + " to " + high + ", " + wanted + " wanted: " + ticks;
            assertTrue(ticks.size() <= wanted + 1, range);
            for (int i = 1; i < ticks.size(); i++) {
                double step = ticks.get(i) - ticks.get(i - 1);
                double leading = step / Math.pow(10, Math.floor(Math.log10(step * (1 + 1e-6))));
                assertTrue(List.of(1L, 2L, 5L).contains(Math.round(leading))
                        && Math.abs(leading - Math.round(leading)) < 1e-3, range);
            }
        }
    }
}
