package org.trellis.distributed.balance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

/** Balancing on ranks whose clocks are computed, so that the best balance is known. */
class BalancePlanTest {
    private static String text(BalancePlan plan) {
        return plan.rounds().stream().map(Balancer.Round::toString).collect(Collectors.joining("\n")) + "\nseed "
                + TestSeed.value();
    }

    /** A device that starts loops slowly and a host that is 40 times slower, as an H200 with 16 cores was. */
    private static SimulatedRanks hopeless() {
        return new SimulatedRanks(new double[]{2e-10, 8e-9}, new double[]{4e-6, 2e-6}, new double[]{1.5e-5, 5e-6},
                2e-5, 1e-5);
    }

    @Test
    void aHostThatCannotHelpIsLeftOut() {
        SimulatedRanks ranks = hopeless();
        double alone = ranks.run(1, 0).seconds();
        assertEquals(ranks.least(), alone, "nothing is faster than the device alone");
        for (double[] first : List.of(new double[]{1, 1}, new double[]{1, 9}, new double[]{40, 1})) {
            BalancePlan plan = ranks.balanced(first);
            assertTrue(plan.isSettled() && plan.isAlone(), () -> text(plan));
            assertArrayEquals(new double[]{1, 0}, plan.shares(), text(plan));
            Balancer.Round last = plan.rounds().getLast();
            assertEquals(alone, last.measured(), text(plan));
            assertEquals(alone, last.modelled(), 0.1 * alone, () -> text(plan));
            assertEquals(alone, last.alone(), 1e-3 * alone, () -> text(plan));
            assertTrue(Math.abs(plan.rounds().getFirst().alone() - alone) < 0.1 * alone, () -> text(plan));
            assertTrue(plan.leastTogether() > alone);
        }
    }

    @Test
    void twoThatCanHelpEachOtherComeCloseToTheBest() {
        SplittableRandom random = TestSeed.random("plan");
        int together = 0;
        for (int trial = 0; trial < 60; trial++) {
            SimulatedRanks ranks = SimulatedRanks.random(random, 2);
            BalancePlan plan = ranks.balanced(1, 1);
            assertTrue(plan.isSettled(), () -> text(plan));
            double least = ranks.least();
            double now = ranks.run(plan.shares()).seconds();
            for (Balancer.Round round : plan.rounds()) {
                double[] only = new double[2];
                only[round.fastest()] = 1;
                double alone = ranks.run(only).seconds();
                assertEquals(alone, round.alone(), 0.1 * alone, () -> round + "\n" + text(plan));
            }
            assertTrue(now <= 1.03 * least, () -> now + " s, but " + least + " can be had\n" + text(plan));
            if (!plan.isAlone()) {
                together++;
                BalanceModel model = plan.model().orElseThrow();
                for (double share : new double[]{0.5, 0.8, 1, 1.2}) {
                    double[] other = {plan.shares()[0] * share, 1 - plan.shares()[0] * share};
                    double real = ranks.run(other).seconds();
                    if (other[1] > 0.05) {
                        assertEquals(real, model.predict(other), 0.1 * real, () -> Arrays.toString(other) + "\n"
                                + text(plan));
                    }
                }
            }
        }
        assertTrue(together > 40, together + " of 60 share the work");
    }

    @Test
    void severalRanksEndNotSlowerThanTheyBegan() {
        SplittableRandom random = TestSeed.random("plan of several");
        for (int trial = 0; trial < 20; trial++) {
            int count = 3 + random.nextInt(2);
            SimulatedRanks ranks = SimulatedRanks.random(random, count);
            double[] equal = new double[count];
            Arrays.fill(equal, 1);
            BalancePlan plan = ranks.balanced(equal);
            Arrays.fill(equal, 1.0 / count);
            double first = ranks.run(equal).seconds();
            double last = ranks.run(plan.shares()).seconds();
            assertTrue(plan.isSettled() && last <= first, () -> text(plan));
        }
    }

    /** A division takes as long as a tenth of the iterations that are left, and the device alone saves most. */
    @Test
    void oneAloneIsTriedThoughItIsNotCheapWhereItPromisesMuch() {
        BalancePlan plan = new BalancePlan(1, 1);
        double[] now = plan.shares();
        SimulatedRanks.Iteration iteration = hopeless().run(now);
        BalanceModel model = new BalanceModel(iteration.parts(), now);
        Optional<double[]> next =
                plan.next(iteration.seconds(), Optional.of(model), Optional.empty(), 1500, 150 * iteration.seconds());
        assertArrayEquals(new double[]{1, 0}, next.orElseThrow(), text(plan));
        BalancePlan dear = new BalancePlan(1, 1);
        Optional<double[]> other =
                dear.next(iteration.seconds(), Optional.of(model), Optional.empty(), 1500, 600 * iteration.seconds());
        assertTrue(other.isEmpty() || other.orElseThrow()[1] > 0, () -> text(dear));
    }

    @Test
    void aDivisionHasToPay() {
        BalancePlan plan = new BalancePlan(1, 1);
        double[] now = plan.shares();
        SimulatedRanks.Iteration iteration = hopeless().run(now);
        assertTrue(plan
                .next(iteration.seconds(), Optional.of(new BalanceModel(iteration.parts(), now)), Optional.empty(),
                        10, 1)
                .isEmpty());
        assertTrue(plan.isSettled());
        assertFalse(plan.isAlone());
        assertArrayEquals(now, plan.shares());
        assertThrows(IllegalArgumentException.class,
                () -> new BalancePlan(1, 1).next(1, Optional.empty(), Optional.empty(), 10, 1));
    }
}
