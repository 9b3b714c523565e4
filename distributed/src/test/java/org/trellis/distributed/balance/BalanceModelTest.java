package org.trellis.distributed.balance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.distributed.balance.BalanceModel.Part;
import org.trellis.testing.TestSeed;

/** The model of the balance, by hand and on random loops. */
class BalanceModelTest {
    private static Part part(boolean exchanges, boolean reduces, double... times) {
        return new Part("loop", exchanges, reduces, new double[]{times[0], times[2]},
                new double[]{times[1], times[3]});
    }

    /** Rank 0 takes 2 and then 5 with 1 at the border; rank 1 takes 4, then 3 with 2. */
    @Test
    void regionsAreAsTheEquationsSay() {
        List<Part> parts = List.of(part(false, false, 2, 0, 4, 0), part(true, false, 5, 1, 3, 2),
                part(false, true, 1, 0, 1, 0));
        BalanceModel model = new BalanceModel(parts, 1, 1);
        // Sent at 2 and 4, received at 7 and 7, no rank waits, done at 8 and 9, at 9 and 10 after the last loop.
        assertEquals(10, model.predict(1, 1), 1e-12);
        assertEquals(4 + 6 + 1, model.synchronous(), 1e-12);
        // With three quarters, rank 0: sent at 3, received at 10.5, done at 11.5, then 1.5 more.
        assertEquals(13, model.predict(3, 1), 1e-12);
        // With one quarter, rank 0 has done its interior at 3.5 but waits for what rank 1 sends at 6.
        BalanceModel late = new BalanceModel(parts.subList(0, 2), 1, 1);
        assertEquals(Math.max(6 + 1, 6 + 4.5 + 2), late.predict(1, 3), 1e-12);
        assertEquals(2 * (2 + 6 + 1), model.alone(0), 1e-12);
        assertEquals(2 * (4 + 5 + 1), model.alone(1), 1e-12);
        assertEquals(0, model.fastest());
        // No rank waits for one from which it gets nothing.
        BalanceModel apart = new BalanceModel(parts.subList(0, 2), new boolean[2][2], 1, 3);
        assertEquals(9, apart.predict(1, 3), 1e-12);
    }

    /** Table of the thesis: 34 s on one device, 144 on the other; ideal without any loss 27.5 s at 144 to 34. */
    @Test
    void twoDevicesOfTheThesis() {
        double w = 144.0 / 34;
        double share = w / (1 + w);
        BalanceModel model = new BalanceModel(List.of(part(true, true, 34 * share, 0, 144 * (1 - share), 0)), w, 1);
        double[] optimum = model.optimum();
        assertEquals(w, optimum[0] / optimum[1], 0.01);
        assertEquals(1 / (1.0 / 34 + 1.0 / 144), model.predict(optimum), 0.01);
        assertEquals(34, model.alone(0), 1e-9);
        assertArrayEquals(optimum, model.proposal());
    }

    /** What a rank takes alone comes from times that others did not disturb, until it has been measured. */
    @Test
    void whatOneTakesAloneIsKnownBetterWithoutTheOthers() {
        BalanceModel disturbed = new BalanceModel(List.of(part(true, true, 10, 1, 12, 1)), 1, 1);
        BalanceModel undisturbed = new BalanceModel(List.of(part(true, true, 6, 1, 4, 1)), 1, 1);
        BalanceModel model = disturbed.withUndisturbed(undisturbed);
        assertEquals(14, model.alone(0), 1e-12);
        assertEquals(10, model.alone(1), 1e-12);
        assertEquals(1, model.fastest());
        assertEquals(disturbed.predict(1, 1), model.predict(1, 1), 1e-12);
        BalanceModel measured = model.calibrated(20).withAlone(1, new double[]{9}, 11);
        assertEquals(11, measured.alone(1), 1e-12);
        assertEquals(14, measured.alone(0), 1e-12);
        BalanceModel later = disturbed.refined(measured);
        assertEquals(11, later.alone(1), 1e-12, "known from before");
        assertThrows(IllegalArgumentException.class, () -> model.withUndisturbed(
                new BalanceModel(List.of(new BalanceModel.Part("one", false, false, new double[1], new double[1])),
                        1)));
    }

    @Test
    void aHostThatCannotHelpGetsNothing() {
        // What the slow rank's border costs is more than it could save.
        BalanceModel model = new BalanceModel(List.of(part(true, true, 10, 1, 2000, 40)), 1, 1);
        assertArrayEquals(new double[]{1, 0}, model.proposal());
        assertTrue(model.predict(model.optimum()) > model.alone(0));
    }

    @Test
    void theOptimumIsNotBeaten() {
        SplittableRandom random = TestSeed.random("balance");
        for (int round = 0; round < 50; round++) {
            int ranks = 2 + random.nextInt(3);
            double[] speed = random.doubles(ranks, 0.1, 1).toArray();
            Part[] parts = new Part[1 + random.nextInt(5)];
            for (int p = 0; p < parts.length; p++) {
                double[] interior = new double[ranks];
                double[] boundary = new double[ranks];
                double work = random.nextDouble(0.5, 2);
                for (int r = 0; r < ranks; r++) {
                    interior[r] = work / speed[r];
                    boundary[r] = random.nextDouble(0.05);
                }
                parts[p] = new Part("loop " + p, random.nextBoolean(), random.nextBoolean(), interior, boundary);
            }
            double[] equal = new double[ranks];
            Arrays.fill(equal, 1);
            BalanceModel model = new BalanceModel(List.of(parts), equal);
            double best = model.predict(model.optimum());
            for (int attempt = 0; attempt < 200; attempt++) {
                double[] other = random.doubles(ranks, 0.01, 1).toArray();
                assertTrue(model.predict(other) > best * 0.99, "seed " + TestSeed.value());
            }
        }
    }

    @Test
    void refusesWhatDoesNotFit() {
        List<Part> parts = List.of(part(true, true, 1, 0, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> new BalanceModel(List.of(), 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new BalanceModel(parts, 1, 0));
        assertThrows(IllegalArgumentException.class, () -> new BalanceModel(parts, 1, 1, 1));
        BalanceModel model = new BalanceModel(parts, 1, 1);
        assertThrows(IllegalArgumentException.class, () -> model.predict(1));
        assertThrows(IllegalArgumentException.class, () -> model.predict(2, -1));
    }
}
