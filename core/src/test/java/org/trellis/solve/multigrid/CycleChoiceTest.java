package org.trellis.solve.multigrid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.sparse.CsrMatrix;

/** Which levels cycles visit more than once, and what is chosen where no option says it. */
class CycleChoiceTest {
    private static final CycleOptions FROM_THIRD = new CycleOptions(CycleShape.W, 1, 1, true, 2);

    private static CycleOptions cycle(Map<String, String> options) {
        return MultigridOptions.parse(options).cycle();
    }

    @ParameterizedTest
    @CsvSource({"v, 1, 0 1 2 3 2 1 0", "w, 1, 0 1 2 3 2 3 2 1 2 3 2 3 2 1 0", "w, 2, 0 1 2 3 2 3 2 1 0",
        "f, 2, 0 1 2 3 2 3 2 1 0", "k, 2, 0 1 2 3 2 3 2 1 0", "w, 3, 0 1 2 3 2 1 0", "w, 9, 0 1 2 3 2 1 0"})
    void levelsAboveAreVisitedOnce(String shape, int twiceFrom, String visits) {
        CycleOptions cycle = new CycleOptions(CycleShape.of(shape), 1, 1, true, twiceFrom);
        CoarseningOptions coarsening = MultigridOptions.parse(Map.of("coarse-rows", "20", "max-levels", "4"))
                .coarsening();
        try (Backend backend = Backends.open("reference", Configuration.load());
                Multigrid multigrid = Multigrid.of(Hierarchy.of(Grids.square(60), null, coarsening),
                        SmootherSpec.parse("jacobi"), cycle, backend)) {
            assertEquals(4, multigrid.hierarchy().size());
            assertEquals(visits, String.join(" ", multigrid.visits().stream().map(String::valueOf).toList()));
        }
    }

    @Test
    void textsSayWhichLevels() {
        assertEquals(FROM_THIRD, cycle(Map.of("cycle", "w", "twice-from", "2")));
        assertEquals("W(1,1) from level 2", FROM_THIRD.toString());
        assertEquals(CycleOptions.V11, cycle(Map.of("cycle", "v")));
        assertEquals(new CycleOptions(CycleShape.V, 1, 1, true, CycleOptions.CHOSEN), cycle(Map.of()));
        assertEquals(cycle(Map.of()), cycle(Map.of("cycle", "automatic")));
        assertEquals(new CycleOptions(CycleShape.K, 1, 1, true), cycle(Map.of("coarsening", "aggregation")));
        assertEquals(CycleOptions.V11, cycle(Map.of("coarsening", "classical")));
    }

    @Test
    void levelsThatMeanNothingAreRefused() {
        for (Map<String, String> wrong : List.of(Map.of("twice-from", "2"), Map.of("cycle", "v", "twice-from", "2"),
                Map.of("cycle", "w", "twice-from", "0"))) {
            String message = assertThrows(IllegalArgumentException.class, () -> cycle(wrong)).getMessage();
            assertTrue(message.contains("twice-from=" + wrong.get("twice-from")), message);
            assertTrue(message.contains("expected a level from 1 on"), message);
        }
        assertThrows(IllegalArgumentException.class, () -> new CycleOptions(CycleShape.V, 1, 1, true, -1));
        String open = assertThrows(IllegalArgumentException.class,
                () -> new CycleOptions(CycleShape.W, 1, 1, true, CycleOptions.CHOSEN)).getMessage();
        assertTrue(open.contains("left open"), open);
    }

    @ParameterizedTest
    @ValueSource(strings = {"symmetric", "signed"})
    void largeHierarchiesOfAllCouplingsVisitTheThirdLevelTwice(String strength) {
        CycleOptions open = new CycleOptions(CycleShape.V, 2, 2, true, CycleOptions.CHOSEN);
        CoarseningOptions coarsening =
                MultigridOptions.parse(Map.of("strength", strength, "theta", "0")).coarsening();
        CsrMatrix large = Grids.square(1000);
        Hierarchy hierarchy = Hierarchy.of(large, null, coarsening);
        assertTrue(hierarchy.size() > 3, hierarchy::toString);
        CycleOptions chosen = strength.equals("symmetric")
                ? new CycleOptions(CycleShape.W, 2, 2, true, 2)
                : new CycleOptions(CycleShape.V, 2, 2, true);
        assertEquals(chosen, open.on(hierarchy));
        assertEquals(CycleOptions.V11, CycleOptions.V11.on(hierarchy));
    }

    @Test
    void smallOrGivenHierarchiesKeepTheirVCycles() {
        CycleOptions open = cycle(Map.of());
        Hierarchy small = Hierarchy.of(Grids.square(60), null,
                MultigridOptions.parse(Map.of("coarse-rows", "20")).coarsening());
        assertTrue(small.size() > 3, small::toString);
        assertEquals(CycleOptions.V11, open.on(small));
        assertEquals(CycleOptions.V11, open.on(small.from(1)));
    }
}
