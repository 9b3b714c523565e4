package org.trellis.tuner.profile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.fem.FormChoice;
import org.trellis.fem.Storage;
import org.trellis.fem.integrate.Formulation;
import org.trellis.mesh.loop.LoopScheme;

/** Finite element systems in profiles. */
class FormProfileTest {
    private static final TuningDevice DEVICE = new TuningDevice("threads", "host", Map.of("processor", "x"));
    private static final FormSetting SMALL = new FormSetting("Q2", 1, 3, 1000, Precision.F64, false, 100);
    private static final FormChoice ROWS = FormChoice.of(Storage.CSR, Formulation.GLOBAL_REUSE);
    private static final FormChoice LOCAL = new FormChoice(Storage.LOCAL_MATRICES, Formulation.LOCAL_STORAGE,
            java.util.Optional.of(LoopScheme.OWNER_COMPUTE), 256);

    private FormResult result(FormChoice choice, int hour, double... seconds) {
        return new FormResult(SMALL, choice, seconds, 0.5,
                seconds.length == 0 ? Invalidity.CONSTRAINTS : Invalidity.CORRECT,
                Instant.parse("2026-01-01T00:00:00Z").plusSeconds(3600L * hour));
    }

    private Profile profile(FormResult... results) {
        return Profile.empty().withForms(DEVICE, List.of(results));
    }

    @Test
    void resultsComeBackFromText() {
        Profile written = profile(result(ROWS, 1, 3, 2), result(LOCAL, 1, 1), result(LOCAL.withBlockSize(0), 1));
        assertTrue(written.toText().contains("\"formatVersion\" : 4"), written::toText);
        List<FormResult> read = Profile.parse("text", written.toText()).formResults(DEVICE,
                new FormSetting("Q2", 1, 3, 600, Precision.F64, false, 100));
        assertEquals(List.of(ROWS, LOCAL, LOCAL.withBlockSize(0)), read.stream().map(FormResult::choice).toList());
        assertArrayEquals(new double[]{3, 2}, read.getFirst().runtimes());
        assertEquals(0.5, read.getFirst().prepareSeconds());
        assertEquals(Invalidity.CONSTRAINTS, read.getLast().invalidity());
        for (FormSetting other : List.of(new FormSetting("Q2", 1, 3, 1024, Precision.F64, false, 100),
                new FormSetting("Q2", 1, 3, 1000, Precision.F32, false, 100),
                new FormSetting("Q2", 1, 3, 1000, Precision.F64, true, 100),
                new FormSetting("Q1", 1, 3, 1000, Precision.F64, false, 100))) {
            assertEquals(List.of(), written.formResults(DEVICE, other), other::toString);
        }
        assertEquals(List.of(), written.results(DEVICE), "no products");
    }

    @Test
    void laterResultsTakeThePlaceOfEarlierOnesAndTheBestTravel() {
        Profile merged = profile(result(ROWS, 5, 1), result(LOCAL, 1, 2))
                .merge(profile(result(ROWS, 2, 9), result(LOCAL, 3, 8)));
        assertEquals(List.of(1.0, 8.0),
                merged.formResults(DEVICE, SMALL).stream().map(FormResult::medianSeconds).toList());
        assertTrue(Profile.empty().merge(merged).toText().contains("\"formatVersion\" : 4"));
        assertEquals(List.of(ROWS),
                merged.best(1).formResults(DEVICE, SMALL).stream().map(FormResult::choice).toList());
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> new FormSetting("Q2", 0, 3, 8, Precision.F64, false, 1));
        assertThrows(IllegalArgumentException.class, () -> new FormSetting("Q2", 1, 3, 0, Precision.F64, false, 1));
        assertThrows(IllegalArgumentException.class, () -> new FormSetting("Q2", 1, 3, 8, Precision.F64, false, 0));
        String text = profile(result(LOCAL, 1, 1)).toText();
        refuse(text.replace("\"blockSize\" : 256", "\"blockSize\" : \"x\""), "blockSize is x, expected a whole number");
        refuse(text.replace("\"storage\" : \"local-matrices\"", "\"storage\" : \"coo\""), "storage is 'coo'");
        refuse(text.replace("\"storage\" : ", "\"store\" : "), "choice has 'store'");
        refuse(text.replace("\"rows\" : false", "\"rows\" : 0"), "trellis.rows: is 0, expected true or false");
    }

    private void refuse(String text, String message) {
        String found = assertThrows(ProfileException.class, () -> Profile.parseUnsigned("text", text)).getMessage();
        assertTrue(found.contains(message), found);
    }
}
