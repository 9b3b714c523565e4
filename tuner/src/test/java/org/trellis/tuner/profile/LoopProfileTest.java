package org.trellis.tuner.profile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.common.Precision;
import org.trellis.mesh.loop.LoopDeviceParameters;
import org.trellis.mesh.loop.LoopDeviceParameters.Staging;
import org.trellis.mesh.loop.LoopParameters;
import org.trellis.mesh.loop.LoopScheme;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.LoopFeatures;
import org.trellis.tuner.features.LoopFingerprint;
import org.trellis.tuner.features.MatrixFeatures;

/** Parallel loops in profiles, alone and beside products. */
class LoopProfileTest {
    private static final LoopFingerprint FLUX =
            new LoopFingerprint("loop1-12-0123456789abcdef-00112233445566778899aabbccddeeff");
    private static final LoopFingerprint STEP =
            new LoopFingerprint("loop1-7-fedcba9876543210-00112233445566778899aabbccddeeff");
    private static final LoopParameters ONE = LoopParameters.of(LoopScheme.TWO_LEVEL).withBlockSize(256)
            .withDevice(LoopDeviceParameters.NONE.withStaging(Staging.INCREMENTS).withRegisters(40));
    private static final LoopParameters TWO = LoopParameters.of(LoopScheme.TEMPORARY).withFission(true);
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final CsrMatrix matrix = AwkwardMatrices.all(Precision.F64, new SplittableRandom(1)).get("uneven rows");

    private static LoopFeatures features(String kernel, String set, int size) {
        Map<String, Integer> sizes = new LinkedHashMap<>();
        sizes.put(set, size);
        sizes.put("other", 5);
        return new LoopFeatures(kernel, set, sizes, Precision.F32, List.of("read 2 of x by ends[0], soa"), "user");
    }

    private static LoopResult result(LoopFingerprint loop, LoopParameters parameters, Instant time,
            double... seconds) {
        return new LoopResult(loop, parameters, seconds, 0.5,
                seconds.length == 0 ? Invalidity.COMPILE : Invalidity.CORRECT, time);
    }

    private static Profile loops() {
        return Profile.empty()
                .with(ProfileTest.DEVICE, features("A.flux", "edges", 12), List.of(
                        result(FLUX, ONE, NOON, 3e-6, 1e-6, 2e-6), result(FLUX, TWO, NOON, 4e-6),
                        result(FLUX, ONE.withBlockSize(64), NOON)))
                .with(ProfileTest.OTHER, features("A.step", "cells", 7), List.of(result(STEP, TWO, NOON, 1e-6)));
    }

    private Profile products() {
        Fingerprint fingerprint = Fingerprint.of(matrix);
        return Profile.empty().with(ProfileTest.OTHER, "uneven", MatrixFeatures.of(matrix),
                List.of(new TuningResult(fingerprint, Precision.F64, ProfileTest.ONE, new double[]{1e-6}, 0,
                        Invalidity.CORRECT, NOON)));
    }

    @Test
    void comesBackFromText() throws IOException {
        Profile profile = Profile.parse("text", loops().toText());
        assertEquals(loops().toText(), profile.toText());
        assertEquals(List.of(FLUX, STEP), List.copyOf(profile.loops().keySet()));
        assertEquals(features("A.flux", "edges", 12), profile.loops().get(FLUX));
        List<LoopResult> results = profile.loopResults(ProfileTest.DEVICE, FLUX);
        assertEquals(3, results.size());
        assertEquals(ONE, results.getFirst().parameters());
        assertArrayEquals(new double[]{3e-6, 1e-6, 2e-6}, results.getFirst().runtimes());
        assertEquals(Invalidity.COMPILE, results.get(2).invalidity());
        assertEquals(ONE, profile.bestOfLoop(ProfileTest.DEVICE, FLUX).orElseThrow().parameters());
        assertTrue(profile.bestOfLoop(ProfileTest.DEVICE, STEP).isEmpty());
        assertTrue(profile.results(ProfileTest.DEVICE).isEmpty());
        assertEquals("profile of 4 results on 0 matrices and 2 loops and 2 devices with 0 models", profile.toString());

        JsonNode root = new ObjectMapper().readTree(profile.toText());
        assertEquals(2, root.at("/trellis/formatVersion").intValue());
        assertEquals(FLUX.text(), root.at("/results/0/trellis/loop").textValue());
        assertEquals("two-level", root.at("/results/0/configuration/scheme").textValue());
        assertEquals(40, root.at("/results/0/configuration/registers").intValue());
        assertEquals(12, root.at("/trellis/loops").get(FLUX.text()).at("/sizes/edges").intValue());
    }

    /** A file without loops is of the first version, which older versions of the library read. */
    @Test
    void filesWithoutLoopsAreOfTheFirstVersion() throws IOException {
        JsonNode root = new ObjectMapper().readTree(products().toText());
        assertEquals(1, root.at("/trellis/formatVersion").intValue());
        assertFalse(root.at("/trellis").has("loops"));
        assertTrue(Profile.parse("text", products().toText()).loops().isEmpty());
        assertEquals(1, new ObjectMapper().readTree(products().merge(products()).toText())
                .at("/trellis/formatVersion").intValue());
    }

    @Test
    void productsAndLoopsAreMerged() throws IOException {
        for (Profile both : List.of(products().merge(loops()), loops().merge(products()))) {
            Profile read = Profile.parse("text", both.toText());
            assertEquals(2, new ObjectMapper().readTree(read.toText()).at("/trellis/formatVersion").intValue());
            assertEquals(2, read.loops().size());
            assertEquals(1, read.matrices().size());
            assertEquals(1, read.results(ProfileTest.OTHER).size());
            assertEquals(1, read.loopResults(ProfileTest.OTHER).size());
            assertEquals(3, read.loopResults(ProfileTest.DEVICE, FLUX).size());
            Profile best = read.best(1);
            assertEquals(1, best.loopResults(ProfileTest.DEVICE, FLUX).size());
            assertEquals(1, best.loopResults(ProfileTest.OTHER, STEP).size());
            assertEquals(1, best.results(ProfileTest.OTHER).size());
        }
        Profile later = loops().merge(Profile.empty().with(ProfileTest.DEVICE, features("A.flux", "edges", 12),
                List.of(result(FLUX, ONE, NOON.plusSeconds(1), 9e-6), result(FLUX, TWO, NOON.minusSeconds(1), 1e-9))));
        assertEquals(9e-6, later.loopResults(ProfileTest.DEVICE, FLUX).getFirst().medianSeconds());
        assertEquals(4e-6, later.bestOfLoop(ProfileTest.DEVICE, FLUX).orElseThrow().medianSeconds());
    }

    @Test
    void aLaterResultTakesThePlaceOfAnEarlierOne() {
        Profile later = loops().with(ProfileTest.DEVICE, features("A.flux", "edges", 12),
                List.of(result(FLUX, ONE, NOON.plusSeconds(1), 9e-6)));
        assertEquals(3, later.loopResults(ProfileTest.DEVICE, FLUX).size());
        assertEquals(TWO, later.bestOfLoop(ProfileTest.DEVICE, FLUX).orElseThrow().parameters());
    }

    @Test
    void whatItDoesNotKnowStays() throws IOException {
        ObjectNode root = (ObjectNode) new ObjectMapper().readTree(loops().toText());
        ((ObjectNode) root.at("/trellis/loops").get(FLUX.text())).put("remark", "kept");
        Profile changed = Profile.parseUnsigned("text", root.toPrettyString()).with(ProfileTest.DEVICE,
                features("A.flux", "edges", 12), List.of(result(FLUX, TWO, NOON, 1e-9)));
        assertTrue(Profile.parse("text", changed.toText()).merge(products()).toText().contains("\"kept\""));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "/trellis/loops | x | trellis.loops: is \"x\", expected an object",
        "/results/0/trellis/loop | nothing | fingerprint 'nothing', expected loop1-ELEMENTS-",
        "/results/0/trellis/loop | loop1-1-0123456789abcdef-00112233445566778899aabbccddeeff "
                + "| results[0].trellis.loop: is loop1-1-0123456789abcdef-00112233445566778899aabbccddeeff",
        "/results/0/configuration/scheme | magic | results[0].configuration: scheme is 'magic', expected one of",
        "/results/0/configuration/blockSize | big | parameter blockSize is big, expected a whole number"})
    void damageIsNamed(String pointer, String value, String message) throws IOException {
        ObjectNode root = (ObjectNode) new ObjectMapper().readTree(loops().toText());
        int slash = pointer.lastIndexOf('/');
        ((ObjectNode) root.at(pointer.substring(0, slash))).put(pointer.substring(slash + 1), value);
        String text = root.toPrettyString();
        ProfileException problem =
                assertThrows(ProfileException.class, () -> Profile.parseUnsigned("p.json", text));
        assertTrue(problem.getMessage().startsWith("p.json: ") && problem.getMessage().contains(message),
                problem.getMessage());
    }
}
