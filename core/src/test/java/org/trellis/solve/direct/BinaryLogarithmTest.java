package org.trellis.solve.direct;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

class BinaryLogarithmTest {
    @Test
    void powersOfTwoAreExact() {
        for (int exponent = -1074; exponent <= 1023; exponent++) {
            assertEquals(exponent, BinaryLogarithm.of(Math.scalb(1.0, exponent)));
        }
        assertEquals(Double.NEGATIVE_INFINITY, BinaryLogarithm.of(0));
    }

    @Test
    void othersAreGoodToTwelveDigitsBehindThePoint() {
        SplittableRandom random = TestSeed.random("othersAreGoodToTwelveDigitsBehindThePoint");
        for (int round = 0; round < 100_000; round++) {
            double number = Math.scalb(1 + random.nextDouble(), random.nextInt(-1074, 1024));
            double expected = Math.log(number) / Math.log(2);
            assertEquals(expected, BinaryLogarithm.of(number), 1e-12, () -> number + ", seed " + TestSeed.value());
        }
        assertEquals(1024, BinaryLogarithm.of(Double.MAX_VALUE), 1e-12);
    }
}
