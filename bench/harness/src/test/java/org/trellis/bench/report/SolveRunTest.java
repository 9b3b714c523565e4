package org.trellis.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.trellis.solve.krylov.SolverConfig;

/** Medians by hand. */
class SolveRunTest {
    private static SolveRun run(List<Double> seconds, List<Double> setupSeconds) {
        return new SolveRun(SolverConfig.of("cg", "jacobi"), null, List.of(), seconds, setupSeconds, Double.NaN,
                Optional.empty(), Optional.empty());
    }

    @Test
    void theFirstTimeCountsAlone() {
        SolveRun run = run(List.of(8.0), List.of(3.0));
        assertFalse(run.isWarm());
        assertEquals(8, run.medianSeconds());
        assertEquals(3, run.medianSetupSeconds());
    }

    /** Nine is cold; between one and two, and of one, two and five. */
    @Test
    void theFirstTimeIsLeftOutWhereThereAreOthers() {
        SolveRun run = run(List.of(9.0, 2.0, 1.0), List.of(9.0, 5.0, 1.0, 2.0));
        assertTrue(run.isWarm());
        assertEquals(1.5, run.medianSeconds());
        assertEquals(2, run.medianSetupSeconds());
    }

    /** The automatic choice prepares once. */
    @Test
    void onePreparationIsCold() {
        assertEquals(4, run(List.of(9.0, 2.0), List.of(4.0)).medianSetupSeconds());
    }
}
