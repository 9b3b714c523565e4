package org.trellis.bench.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScheduleTest {
    @Test
    void givesEachContenderOneTurnInEachRound() {
        List<List<Integer>> rounds = Schedule.rounds(5, 9, 3);
        assertEquals(9, rounds.size());
        rounds.forEach(round -> assertEquals(List.of(0, 1, 2, 3, 4), round.stream().sorted().toList()));
    }

    @Test
    void drawsTheOrderFromTheSeed() {
        assertEquals(Schedule.rounds(6, 8, 42), Schedule.rounds(6, 8, 42));
        assertNotEquals(Schedule.rounds(6, 8, 42), Schedule.rounds(6, 8, 43));
    }

    @Test
    void changesTheOrderBetweenRounds() {
        assertTrue(Schedule.rounds(4, 20, 1).stream().distinct().count() > 5);
    }
}
