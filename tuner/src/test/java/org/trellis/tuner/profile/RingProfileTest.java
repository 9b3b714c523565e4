package org.trellis.tuner.profile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;

/** Rings of halos in profiles. */
class RingProfileTest {
    private static final TuningDevice DEVICE = new TuningDevice("threads", "host", Map.of("processor", "x"));
    private static final RingSetting SLOW = new RingSetting(4, "threads, messages delayed by 100 us", "blocks",
            "jacobi");
    private static final RingSetting FAST = new RingSetting(4, "threads", "blocks", "jacobi");

    private final CsrMatrix matrix = AwkwardMatrices.all(Precision.F64, new SplittableRandom(1)).get("uneven rows");
    private final Fingerprint fingerprint = Fingerprint.of(matrix);

    private RingResult result(RingSetting setting, int rings, int hour, double... seconds) {
        return new RingResult(fingerprint, Precision.F64, setting, rings, seconds,
                Instant.parse("2026-01-01T00:00:00Z").plusSeconds(3600L * hour));
    }

    private Profile profile(RingResult... results) {
        return Profile.empty().withRings(DEVICE, "uneven", MatrixFeatures.of(matrix), List.of(results));
    }

    @Test
    void resultsComeBackFromText() {
        Profile written = profile(result(SLOW, 1, 1, 3e-4, 2e-4), result(SLOW, 4, 1, 1e-4), result(FAST, 1, 1, 5e-6));
        assertTrue(written.toText().contains("\"formatVersion\" : 3"), written::toText);
        Profile read = Profile.parse("text", written.toText());
        List<RingResult> slow = read.ringResults(DEVICE, fingerprint, Precision.F64, SLOW);
        assertEquals(List.of(1, 4), slow.stream().map(RingResult::rings).toList());
        assertArrayEquals(new double[]{3e-4, 2e-4}, slow.getFirst().runtimes());
        assertEquals(2.5e-4, slow.getFirst().medianSeconds(), 1e-12);
        assertEquals(1, read.ringResults(DEVICE, fingerprint, Precision.F64, FAST).size());
        assertEquals(List.of(), read.ringResults(DEVICE, fingerprint, Precision.F32, FAST));
        assertEquals(List.of(), read.results(DEVICE), "no products");
    }

    @Test
    void laterResultsTakeThePlaceOfEarlierOnes() {
        Profile merged = profile(result(SLOW, 1, 5, 1e-4), result(SLOW, 2, 1, 2e-4))
                .merge(profile(result(SLOW, 1, 2, 9e-4), result(SLOW, 2, 3, 8e-4)));
        assertEquals(List.of(1e-4, 8e-4), merged.ringResults(DEVICE, fingerprint, Precision.F64, SLOW).stream()
                .map(RingResult::medianSeconds).toList());
        assertTrue(Profile.empty().merge(merged).toText().contains("\"formatVersion\" : 3"));
    }

    @Test
    void theBestOfASettingTravels() {
        Profile best = profile(result(SLOW, 1, 1, 3e-4), result(SLOW, 4, 1, 1e-4), result(FAST, 1, 1, 5e-6)).best(1);
        assertEquals(4, best.ringResults(DEVICE, fingerprint, Precision.F64, SLOW).getFirst().rings());
        assertEquals(1, best.ringResults(DEVICE, fingerprint, Precision.F64, FAST).size());
    }

    /** Levels are kept apart, in files of a version that older readers refuse rather than mix them up. */
    @Test
    void levelsAreKeptApart() {
        RingSetting finest = new RingSetting(4, "threads", "blocks", "amg", 0);
        RingSetting coarser = new RingSetting(4, "threads", "blocks", "amg", 1);
        Profile written = profile(result(finest, 1, 1, 3e-4), result(coarser, 1, 1, 2e-4), result(coarser, 4, 1, 1e-4));
        assertTrue(written.toText().contains("\"formatVersion\" : 5"), written::toText);
        assertTrue(profile(result(finest, 1, 1, 3e-4)).toText().contains("\"formatVersion\" : 3"));
        Profile read = Profile.parse("text", written.toText());
        assertEquals(List.of(1), read.ringResults(DEVICE, fingerprint, Precision.F64, finest).stream()
                .map(RingResult::rings).toList());
        assertEquals(List.of(1, 4), read.ringResults(DEVICE, fingerprint, Precision.F64, coarser).stream()
                .map(RingResult::rings).toList());
        assertEquals(2, read.best(1).ringResults(DEVICE, fingerprint, Precision.F64, finest).size()
                + read.best(1).ringResults(DEVICE, fingerprint, Precision.F64, coarser).size());
        assertTrue(Profile.empty().merge(read).toText().contains("\"formatVersion\" : 5"));
        String text = written.toText().replace("\"level\" : 1", "\"level\" : -1");
        assertTrue(assertThrows(ProfileException.class, () -> Profile.parseUnsigned("text", text)).getMessage()
                .contains("number of a level is -1"));
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> result(SLOW, 0, 1, 1e-4));
        assertThrows(IllegalArgumentException.class, () -> result(SLOW, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new RingSetting(0, "threads", "blocks", "jacobi"));
        String text = profile(result(SLOW, 4, 1, 1e-4)).toText().replace("\"rings\" : 4", "\"rings\" : \"x\"");
        assertTrue(assertThrows(ProfileException.class, () -> Profile.parseUnsigned("text", text)).getMessage()
                .contains("results[0].configuration.rings: is \"x\", expected a whole number"));
    }
}
