package org.trellis.mesh.checkpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.kernel.Access;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;
import org.trellis.mesh.checkpoint.CheckpointAnalysis.Row;
import org.trellis.mesh.checkpoint.CheckpointAnalysis.Touch;
import org.trellis.mesh.checkpoint.CheckpointAnalysis.Use;

/** What would be saved where, on the table of the thesis and by hand. */
class CheckpointAnalysisTest {
    private static final Access R = Access.READ;
    private static final Access W = Access.WRITE;
    private static final Access I = Access.INCREMENT;
    private static final Access RW = Access.READ_WRITE;

    private static Touch touch(String dat, int components, Access access) {
        return new Touch(dat, components, 8L * components, access);
    }

    /** The loops of figure 6.1 with the accesses that it lists. */
    private static List<Use> figure() {
        Use save = new Use("save_soln", List.of(touch("q", 4, R), touch("q_old", 4, W)));
        Use adt = new Use("adt_calc", List.of(touch("x", 2, R), touch("q", 4, R), touch("adt", 1, W)));
        Use res = new Use("res_calc",
                List.of(touch("x", 2, R), touch("q", 4, R), touch("adt", 1, R), touch("res", 4, I)));
        Use bres = new Use("bres_calc", List.of(touch("bounds", 1, R), touch("x", 2, R), touch("q", 4, R),
                touch("adt", 1, R), touch("res", 4, I)));
        Use update = new Use("update", List.of(touch("q", 4, W), touch("q_old", 4, R), touch("res", 4, RW)));
        return List.of(save, adt, res, bres, update, adt, res, bres, update);
    }

    @Test
    void unitsAreThoseOfFigure61() {
        CheckpointAnalysis analysis = CheckpointAnalysis.ofPeriod(figure());
        assertEquals(List.of(8, 12, 13, 13, 8, 12, 13, 13, 8), analysis.rows().stream().map(Row::units).toList());
        assertEquals(List.of("q", "res"), analysis.rows().getFirst().saved().stream().sorted().toList());
        assertEquals(List.of("q", "q_old", "res"), analysis.rows().get(1).saved().stream().sorted().toList());
        assertEquals(List.of(true, true, false, false, true),
                analysis.rows().stream().limit(5).map(Row::overwrites).toList());
        assertEquals(64, analysis.fewestBytes());
        assertTrue(analysis.toString().contains("Never changed, never saved: x"), analysis.toString());
    }

    @Test
    void aRunThatDoesNotRepeatItselfKnowsOnlyWhatCame() {
        List<Use> run = new ArrayList<>(figure());
        run.addAll(figure());
        List<Integer> units = CheckpointAnalysis.ofRun(run).rows().stream().map(Row::units).toList();
        assertEquals(List.of(0, 4, 5, 9, 8, 12, 13, 13, 8, 8), units.subList(0, 10));
        assertEquals(List.of(8 + 1), units.subList(17, 18), "at the end nobody overwrites adt any more");
        assertFalse(CheckpointAnalysis.ofRun(run).periodic());
    }

    @Test
    void aDryRunSeesAProgram() {
        DryRun dry = new DryRun();
        assertThrows(IllegalStateException.class, dry::analysis);
        try (Backend backend = Backends.open("reference", Configuration.load());
                Mesh mesh = Mesh.on(backend, MeshOptions.of(Configuration.load()).withCheckpoints(dry))) {
            new Walk(mesh, 8, 5).run(6, i -> {});
            CheckpointAnalysis analysis = dry.analysis();
            Row slope = analysis.rows().stream().filter(row -> row.use().name().equals("WalkKernels.slope"))
                    .reduce((one, later) -> later).orElseThrow();
            assertTrue(slope.saved().containsAll(List.of("value", "gain", "before")), analysis.toString());
            assertFalse(slope.saved().contains("flow"), analysis.toString());
            assertEquals(8L * 8, slope.use().touches().getFirst().bytes());
        }
    }
}
