package org.trellis.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When clocks are read, and whose time counts. */
@Timeout(value = 30, unit = TimeUnit.SECONDS)
class TimeLimitTest {
    @Test
    void aCommonClockIsReadSeldom() {
        int[] readings = {0};
        // An iteration takes a millisecond, and there is a second.
        double[] now = {0};
        TimeLimit limit = new TimeLimit(1, own -> {
            readings[0]++;
            return now[0];
        });
        int iteration = 0;
        while (!limit.isOver(iteration)) {
            iteration++;
            now[0] = 1e-3 * iteration;
        }
        // At 0, 1, 2, 4, ..., then whenever a quarter of what is left has passed.
        assertTrue(iteration > 1000 && iteration <= 1002, () -> "ended after " + readings[0] + " readings");
        assertTrue(readings[0] >= 15 && readings[0] <= 40, () -> readings[0] + " readings");
    }

    @Test
    void theTimeOfOthersCounts() {
        assertTrue(new TimeLimit(100, own -> own + 101).isOver(0));
        assertFalse(new TimeLimit(100, own -> own + 50).isOver(0));
        assertEquals(50, new TimeLimit(100, own -> own + 50).left(), 10);
        // Never nothing: criteria want some.
        assertTrue(new TimeLimit(1, own -> 7).left() > 0);
    }

    @Test
    void withoutALimitNothingIsRead() {
        TimeLimit none = new TimeLimit(Double.POSITIVE_INFINITY, own -> {
            throw new AssertionError("was read");
        });
        assertFalse(none.isOver(1000));
        assertEquals(Double.POSITIVE_INFINITY, none.left());
    }

    @Test
    void somebodyAloneLooksEachTime() {
        TimeLimit limit = new TimeLimit(Double.MIN_NORMAL, CollectiveClock.OWN);
        int looks = 1;
        while (!limit.isOver(0)) {
            looks++;
        }
        assertTrue(looks < 1_000_000, () -> "the time was over late");
    }
}
