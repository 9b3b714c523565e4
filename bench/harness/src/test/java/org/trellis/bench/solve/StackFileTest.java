package org.trellis.bench.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;

class StackFileTest {
    @Test
    void readsWhatItWrites() {
        StoppingCriteria criteria = new StoppingCriteria(1e-7, 1e-3, 77, 1e4, true, 12.5, 50);
        SolverConfig stack = new SolverConfig("gmres", Map.of("restart", "40", "side", "left"), "jacobi", Map.of(),
                criteria, true, true);
        assertEquals(stack, StackFile.parse(StackFile.write(stack), "a file"));
        for (SolverConfig preset : SolverConfig.presets().values()) {
            assertEquals(preset, StackFile.parse(StackFile.write(preset), "a file"));
        }
    }

    @Test
    void whatIsMissingIsAsInThePreset() {
        assertEquals(SolverConfig.preset("default"), StackFile.parse("{}", "a file"));
        SolverConfig stack = StackFile.parse("{\"preset\": \"unsymmetric\", \"methodOptions\": {\"restart\": 7},"
                + "\"criteria\": {\"relativeTolerance\": 1e-4, \"maximumSeconds\": null}}", "a file");
        assertEquals("gmres", stack.method());
        assertEquals(Map.of("restart", "7"), stack.methodOptions());
        assertEquals("ilu0", stack.preconditioner());
        assertEquals(StoppingCriteria.relative(1e-4, 10_000), stack.criteria());
        assertEquals("none", StackFile.parse("{\"method\": \"idr\"}", "a file").preconditioner());
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        refused("{\"methd\": \"cg\"}", "a file: field 'methd' of the file, expected one of format");
        refused("{\"method\": 3}", "field 'method' is 3, expected a text");
        refused("{\"method\": \"sor\"}", "method 'sor', expected one of cg, fcg");
        refused("{\"preset\": \"best\"}", "preset 'best', expected one of default, spd");
        refused("{\"format\": \"else\"}", "expected \"trellis-solver-stack\"");
        refused("{\"formatVersion\": 2}", "formatVersion 2, expected 1");
        refused("{\"criteria\": {\"tolerance\": 1}}", "field 'tolerance' of criteria");
        refused("{\"criteria\": {\"maximumIterations\": 1.5}}", "expected a whole number");
        refused("{\"criteria\": {\"relativeTolerance\": \"1\"}}", "expected a number");
        refused("{\"nullSpace\": \"rotations\"}", "expected \"constants\" or null");
        refused("{\"mixedPrecision\": 1}", "expected true or false");
        refused("{\"methodOptions\": []}", "expected an object");
        refused("[]", "expected an object with a method or a preset");
        refused("{", "no JSON");
    }

    private static void refused(String text, String expected) {
        String message = assertThrows(IllegalArgumentException.class, () -> StackFile.parse(text, "a file"))
                .getMessage();
        assertTrue(message.contains(expected), message);
    }
}
