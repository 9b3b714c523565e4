package org.trellis.tuner.contest;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.testing.TestSeed;

/** Two variants, with times as they come. */
class ContestTest {
    private final Contest<String> contest = new Contest<>("present", 0.01);

    /** Measures the contender asked for, each with its list of times, until one list is empty; returns the order. */
    private List<String> run(Map<String, List<Double>> times) {
        Map<String, List<Double>> left = Map.of("present", new ArrayList<>(times.get("present")), "other",
                new ArrayList<>(times.get("other")));
        List<String> order = new ArrayList<>();
        while (!left.get(contest.next()).isEmpty()) {
            String way = contest.next();
            order.add(way);
            Optional<Contest.Verdict> verdict = contest.measured(way, left.get(way).removeFirst());
            if (verdict.isPresent()) {
                order.add(verdict.get().accepted() ? "accepted" : "rejected");
                return order;
            }
            if (contest.isIdle() && order.size() == 1) {
                contest.challenge("other");
            }
        }
        return order;
    }

    @Test
    void aColdFirstTimeDoesNotSendAFasterWayAway() {
        assertEquals(List.of("present", "other", "present", "other", "present", "accepted"),
                run(Map.of("present", List.of(12.0, 10.0, 10.0), "other", List.of(25.0, 9.0))));
        assertEquals("other", contest.best());
    }

    @Test
    void whatIsFarSlowerIsRunOnce() {
        assertEquals(List.of("present", "other", "rejected"),
                run(Map.of("present", List.of(10.0), "other", List.of(31.0))));
    }

    @Test
    void whatIsSlowerIsRunTwice() {
        assertEquals(List.of("present", "other", "present", "other", "rejected"),
                run(Map.of("present", List.of(11.0, 10.0), "other", List.of(12.0, 10.3))));
    }

    @Test
    void aDeviceThatBecameFasterDoesNotMakeAnEqualWayWin() {
        assertEquals(List.of("present", "other", "present", "other", "present", "other", "rejected"),
                run(Map.of("present", List.of(30.0, 20.0, 10.0), "other", List.of(15.0, 10.0, 10.0))));
        assertEquals("present", contest.best());
    }

    @Test
    void aDisturbedTimeOfThePresentWayIsNotBelieved() {
        List<String> order = run(Map.of("present", List.of(11.0, 17.0, 10.0, 10.0, 10.0, 10.0), "other",
                List.of(11.0, 10.0, 10.0, 10.0, 10.0)));
        assertEquals("rejected", order.getLast());
    }

    @Test
    void smallDifferencesAreDecidedAfterMoreTimes() {
        List<String> order = run(Map.of("present", List.of(11.0, 10.0, 10.0, 10.0, 10.0, 10.0), "other",
                List.of(11.0, 9.85, 9.85, 9.85, 9.85)));
        assertEquals("accepted", order.getLast());
        assertTrue(order.stream().filter("other"::equals).count() > 2, order::toString);
    }

    @Test
    void equalWaysAreNotExchanged() {
        List<String> order = run(Map.of("present", List.of(11.0, 10.0, 10.0, 10.0, 10.0, 10.0), "other",
                List.of(11.0, 10.0, 10.0, 10.0, 10.0)));
        assertEquals("rejected", order.getLast());
        assertTrue(order.size() < 9, order::toString);
    }

    @Test
    void takesOneChallengerAtATimeAndForgetsOneThatIsWithdrawn() {
        assertThrows(IllegalStateException.class, () -> contest.challenge("early"));
        contest.measured("present", 1);
        contest.challenge("other");
        assertFalse(contest.isIdle());
        assertThrows(IllegalStateException.class, () -> contest.challenge("second"));
        contest.withdraw();
        assertTrue(contest.isIdle());
        assertEquals(1, contest.history().size());
    }

    /** What is tuned together brings times in any order. */
    @Test
    void timesMayComeUnasked() {
        SplittableRandom random = TestSeed.random("timesMayComeUnasked");
        for (int run = 0; run < 300; run++) {
            Contest<Integer> shared = new Contest<>(0, 0.01);
            int challengers = 0;
            for (int i = 0; i < 200; i++) {
                if (shared.isIdle()) {
                    challengers++;
                    shared.challenge(challengers);
                }
                int timed = random.nextInt(3) == 0 ? random.nextInt(challengers + 1) : shared.next();
                shared.measured(timed, 1 + 0.3 * random.nextDouble());
            }
            assertTrue(challengers > 15, challengers + " challengers in run " + run + " of " + TestSeed.value());
        }
    }
}
