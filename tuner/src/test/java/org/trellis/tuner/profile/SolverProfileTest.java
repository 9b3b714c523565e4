package org.trellis.tuner.profile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.tuner.Entries;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.features.SystemFeatures;

/** Solvers of systems in profiles. */
class SolverProfileTest {
    private static final TuningDevice DEVICE = new TuningDevice("cpu", "host", Map.of("processor", "x"));
    private static final SolverSetting SETTING = new SolverSetting(Precision.F64, 8, 1, false);
    private static final SolverSetting CHANGING = new SolverSetting(Precision.F64, 8, 1, true);
    private static final Map<String, Object> CG =
            Map.of("method", "cg", "preconditioner", "amg", "preconditioner.cycle", "w");
    private static final Map<String, Object> DIRECT = Map.of("method", "direct");

    private final CsrMatrix matrix = matrix();
    private final Fingerprint fingerprint = Fingerprint.of(matrix);

    private static CsrMatrix matrix() {
        Entries a = new Entries(4, 4);
        for (int i = 0; i < 4; i++) {
            a.add(i, i, 3);
            a.add(i, 3 - i, -1);
        }
        return a.build();
    }

    private SolverResult result(SolverSetting setting, Map<String, Object> choice, int hour, double prepare,
            boolean chosen, double... seconds) {
        return new SolverResult(fingerprint, setting, choice, seconds, prepare,
                seconds.length == 0 ? Invalidity.CORRECTNESS : Invalidity.CORRECT, chosen,
                Instant.parse("2026-01-01T00:00:00Z").plusSeconds(3600L * hour));
    }

    private Profile profile(SolverResult... results) {
        return Profile.empty().withSolvers(DEVICE, "four", MatrixFeatures.of(matrix), SystemFeatures.of(matrix),
                List.of(results));
    }

    @Test
    void resultsAndFeaturesComeBackFromText() {
        Profile written =
                profile(result(SETTING, CG, 1, 0.5, true, 3e-4, 2e-4), result(SETTING, DIRECT, 1, 2, false, 1e-4),
                        result(CHANGING, CG, 1, 0.1, false));
        assertTrue(written.toText().contains("\"formatVersion\" : 6"), written::toText);
        Profile read = Profile.parse("text", written.toText());
        List<SolverResult> found = read.solverResults(DEVICE, fingerprint, SETTING);
        assertEquals(List.of(CG, DIRECT), found.stream().map(SolverResult::configuration).toList());
        assertArrayEquals(new double[]{3e-4, 2e-4}, found.getFirst().runtimes());
        assertEquals(2.5e-4 + 0.05, found.getFirst().secondsOfSolution(10), 1e-12);
        assertEquals(List.of(true, false), found.stream().map(SolverResult::chosen).toList());
        SolverResult wrong = read.solverResults(DEVICE, fingerprint, CHANGING).getFirst();
        assertEquals(Invalidity.CORRECTNESS, wrong.invalidity());
        assertEquals(SystemFeatures.of(matrix), read.systems().get(fingerprint));
        assertEquals(List.of(), read.results(DEVICE), "no products");
        assertTrue(read.knowsSolvers());
    }

    @Test
    void profilesAreJoined() {
        Profile merged = profile(result(SETTING, CG, 5, 0.5, true, 1e-4), result(SETTING, DIRECT, 1, 2, false, 1e-4))
                .merge(profile(result(SETTING, CG, 2, 0.5, true, 9e-4), result(SETTING, DIRECT, 3, 2, false, 8e-4)));
        assertEquals(List.of(1e-4, 8e-4), merged.solverResults(DEVICE).stream().map(SolverResult::medianSeconds)
                .toList());
        Profile other = Profile.empty().merge(merged);
        assertTrue(other.toText().contains("\"formatVersion\" : 6"));
        assertEquals(1, other.systems().size());
        assertEquals(1, other.best(1).solverResults(DEVICE).size());
    }

    /** Files of older versions have no solvers, and stay what they are. */
    @Test
    void olderFilesAreRead() {
        Profile rings = Profile.empty().withRings(DEVICE, "four", MatrixFeatures.of(matrix), List.of(new RingResult(
                fingerprint, Precision.F64, new RingSetting(2, "threads", "blocks", "amg", 1), 2, new double[]{1e-4},
                Instant.EPOCH)));
        assertTrue(rings.toText().contains("\"formatVersion\" : 5"));
        Profile read = Profile.parse("text", rings.toText());
        assertEquals(List.of(), read.solverResults(DEVICE));
        assertFalse(read.knowsSolvers());
        assertEquals(Map.of(), read.systems());
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        String text = profile(result(SETTING, CG, 1, 0.5, true, 3e-4)).toText();
        assertTrue(assertThrows(ProfileException.class,
                () -> Profile.parseUnsigned("text", text.replace("\"digits\" : 8", "\"digits\" : -1"))).getMessage()
                .contains("digits of a tolerance is -1"));
        assertTrue(assertThrows(ProfileException.class,
                () -> Profile.parseUnsigned("text", text.replace("\"chosen\" : true", "\"chosen\" : 1"))).getMessage()
                .contains("results[0].trellis.chosen: is 1, expected true or false"));
        assertTrue(assertThrows(ProfileException.class,
                () -> Profile.parseUnsigned("text", text.replace("\"leastRitz\"", "\"least\""))).getMessage()
                .contains("leastRitz"));
    }
}
