package org.trellis.tuner.profile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.Precision;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.model.SpmvModel;
import org.trellis.tuner.model.TreeEnsemble;

/** Profiles as values, as text, damaged and of other versions. */
class ProfileTest {
    static final TuningDevice DEVICE = new TuningDevice("fake", "Fake 1", Map.of("threads", "2"));
    static final TuningDevice OTHER = new TuningDevice("fake", "Fake 2", Map.of("threads", "2"));
    static final SpmvParameters ONE = SpmvParameters.of(SpmvFamily.CSR).withBlockSize(128);
    static final SpmvParameters TWO = SpmvParameters.of(SpmvFamily.SELL).withChunks(8, 256).withSimd(true);
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    @TempDir
    private Path folder;

    private final CsrMatrix matrix = AwkwardMatrices.all(Precision.F64, new SplittableRandom(1)).get("uneven rows");
    private final Fingerprint fingerprint = Fingerprint.of(matrix);

    private static final List<String> OLD_FEATURES = List.of("rows", "columns", "nonZeros", "meanRowLength",
            "rowLengthDeviation", "rowLengthSkew", "maximumRowLength", "emptyShare", "groupPadding", "runShare",
            "diagonalShare", "linesPerEntry", "columnSpan");

    private static TuningResult result(Fingerprint matrix, SpmvParameters parameters, Instant time, double... seconds) {
        return new TuningResult(matrix, Precision.F64, parameters, seconds, 0.25, Invalidity.CORRECT, time);
    }

    private Profile sample() {
        return Profile.empty()
                .with(DEVICE, "uneven", MatrixFeatures.of(matrix),
                        List.of(result(fingerprint, ONE, NOON, 3e-6, 1e-6, 2e-6), result(fingerprint, TWO, NOON, 4e-6),
                                new TuningResult(fingerprint, Precision.F64, ONE.withBlockSize(64), new double[0], 0,
                                        Invalidity.COMPILE, NOON)))
                .with(OTHER, "uneven", MatrixFeatures.of(matrix), List.of(result(fingerprint, TWO, NOON, 1e-6)))
                .with(DEVICE, model(), Map.of("note", "made by hand"));
    }

    private static SpmvModel model() {
        int inputs = MatrixFeatures.vectorNames().size();
        TreeEnsemble trees = new TreeEnsemble(inputs, 2, new int[]{0}, new int[]{1, -1, -1}, new double[]{5.5, 0, 0},
                new int[]{1, 0, 1}, new byte[]{0, 100, (byte) 200, 0}, 0.005);
        return new SpmvModel(MatrixFeatures.vectorNames(), List.of(ONE, TWO), trees);
    }

    private static String changed(String text, Consumer<ObjectNode> change) throws IOException {
        ObjectNode root = (ObjectNode) new ObjectMapper().readTree(text);
        change.accept(root);
        return root.toPrettyString();
    }

    @Test
    void comesBackFromText() {
        Profile profile = Profile.parse("text", sample().toText());
        assertEquals(List.of(DEVICE, OTHER), profile.devices());
        assertEquals(MatrixFeatures.of(matrix), profile.matrices().get(fingerprint).features());
        List<TuningResult> results = profile.results(DEVICE, fingerprint, Precision.F64);
        assertEquals(3, results.size());
        assertArrayEquals(new double[]{3e-6, 1e-6, 2e-6}, results.getFirst().runtimes());
        assertEquals(Invalidity.COMPILE, results.get(2).invalidity());
        assertEquals(ONE, profile.best(DEVICE, fingerprint, Precision.F64).orElseThrow().parameters());
        assertEquals(TWO, profile.best(OTHER, fingerprint, Precision.F64).orElseThrow().parameters());
        assertTrue(profile.best(DEVICE, fingerprint, Precision.F32).isEmpty());
        assertEquals(sample().toText(), profile.toText());
    }

    @Test
    void modelsComeBackFromText() {
        SpmvModel before = model();
        SpmvModel after = Profile.parse("text", sample().toText()).model(DEVICE).orElseThrow();
        assertEquals(before.candidates(), after.candidates());
        assertArrayEquals(before.logSlowdowns(MatrixFeatures.of(matrix), Precision.F32),
                after.logSlowdowns(MatrixFeatures.of(matrix), Precision.F32));
        assertTrue(sample().model(OTHER).isEmpty());
        assertTrue(sample().hint(OTHER).isPresent());
        assertTrue(sample().hint(new TuningDevice("cuda", "Fake 1", Map.of())).isEmpty());
    }

    /** Takes the numbers from all matrices that files of older versions do not have. */
    private static Profile older(Profile profile) throws IOException {
        return Profile.parseUnsigned("older",
                changed(profile.toText(), root -> root.at("/trellis/matrices").properties()
                        .forEach(matrix -> ((ObjectNode) matrix.getValue().get("features")).retain(OLD_FEATURES))));
    }

    @Test
    void modelsOfFewerFeaturesStayUsable() throws IOException {
        List<String> first = MatrixFeatures.vectorNames().subList(0, 17);
        SpmvModel old = new SpmvModel(first, List.of(ONE, TWO), new TreeEnsemble(17, 2, new int[]{0},
                new int[]{1, -1, -1}, new double[]{5.5, 0, 0}, new int[]{1, 0, 1}, new byte[]{0, 100, (byte) 200, 0},
                0.005));
        SpmvModel read = Profile.parse("text", sample().with(DEVICE, old, Map.of()).toText()).model(DEVICE)
                .orElseThrow();
        assertEquals(first, read.featureNames());
        MatrixFeatures features = MatrixFeatures.of(matrix);
        assertEquals(model().best(features, Precision.F64), read.best(features, Precision.F64));
        // An input is found by its name, wherever it stands.
        SpmvModel swapped = new SpmvModel(List.of(first.get(1), first.get(0)), List.of(ONE, TWO),
                new TreeEnsemble(2, 2, new int[]{0}, new int[]{0, -1, -1}, new double[]{5.5, 0, 0}, new int[]{1, 0, 1},
                        new byte[]{0, 100, (byte) 200, 0}, 0.005));
        assertEquals(model().ranking(features, Precision.F64), swapped.ranking(features, Precision.F64));
    }

    @Test
    void modelsRefuseWhatTheyCannotRead() throws IOException {
        assertThrows(IllegalArgumentException.class, () -> new SpmvModel(List.of("colour"), List.of(ONE),
                new TreeEnsemble(1, 1, new int[]{0}, new int[]{-1}, new double[1], new int[1], new byte[1], 1)));
        MatrixFeatures old = older(sample()).matrices().get(fingerprint).features();
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> model().best(old, Precision.F64));
        assertTrue(e.getMessage().startsWith("the feature logDiagonalPadding is not known"), e.getMessage());
    }

    @Test
    void featuresOfKnownMatricesAreFoundAnew() throws IOException {
        Profile old = older(sample());
        MatrixFeatures features = MatrixFeatures.of(matrix);
        assertNotEquals(features, old.matrices().get(fingerprint).features());
        Profile renewed = Profile.parse("text", old.withFeatures(Map.of(fingerprint, features)).toText());
        assertEquals(new Profile.Matrix("uneven", features), renewed.matrices().get(fingerprint));
        assertEquals(sample().toText(), renewed.toText());
        assertEquals(old.toText(), old.withFeatures(Map.of()).toText());
    }

    @Test
    void hasTheFieldsOfTheSchema() throws IOException {
        JsonNode root = new ObjectMapper().readTree(sample().toText());
        assertEquals("1.1.0", root.get("schema_version").textValue());
        assertTrue(root.get("metadata").isObject());
        JsonNode result = root.get("results").get(0);
        for (String field : List.of("configuration", "times", "invalidity", "correctness", "measurements",
                "objectives", "timestamp")) {
            assertTrue(result.has(field), field);
        }
        assertEquals("correct", result.get("invalidity").textValue());
        assertEquals(2e-6, result.get("measurements").get(0).get("value").doubleValue());
    }

    @Test
    void aLaterResultTakesThePlaceOfAnEarlierOne() {
        Profile later = sample().with(DEVICE, "uneven", MatrixFeatures.of(matrix),
                List.of(result(fingerprint, ONE, NOON.plusSeconds(1), 9e-6)));
        assertEquals(3, later.results(DEVICE, fingerprint, Precision.F64).size());
        assertEquals(TWO, later.best(DEVICE, fingerprint, Precision.F64).orElseThrow().parameters());
        assertEquals(later.toText(), sample().merge(later).toText());
        assertEquals(TWO, later.merge(sample()).best(DEVICE, fingerprint, Precision.F64).orElseThrow().parameters());
    }

    @Test
    void mergingKeepsEverything() {
        CsrMatrix second = AwkwardMatrices.all(Precision.F64, new SplittableRandom(2)).get("dense");
        Profile other = Profile.empty().with(new TuningDevice("cuda", "GPU", Map.of()), "dense",
                MatrixFeatures.of(second), List.of(result(Fingerprint.of(second), ONE, NOON, 1e-6)));
        for (Profile merged : List.of(sample().merge(other), other.merge(sample()),
                Profile.empty().merge(other).merge(sample()))) {
            assertEquals(3, merged.devices().size());
            assertEquals(2, merged.matrices().size());
            assertEquals(3, merged.results(DEVICE).size());
            assertEquals(1, merged.results(OTHER).size());
            assertEquals(1, merged.results(new TuningDevice("cuda", "GPU", Map.of())).size());
            assertTrue(merged.model(DEVICE).isPresent());
        }
        assertEquals(sample().toText(), sample().merge(sample()).toText());
    }

    @Test
    void keepsTheBestForTravel() {
        Profile small = sample().best(1);
        assertEquals(List.of(ONE), small.results(DEVICE).stream().map(TuningResult::parameters).toList());
        assertTrue(small.model(DEVICE).isPresent());
    }

    @Test
    void keepsWhatItDoesNotKnow() throws IOException {
        String text = changed(sample().toText(), root -> {
            root.put("comment", "mine");
            root.withObject("/metadata").put("hardware", "a rack");
            ((ObjectNode) root.get("results").get(0)).put("weather", "warm");
            ((ObjectNode) root.get("results").get(0).get("times")).put("framework", 0.5);
            root.withObject("/trellis").put("future", 7);
        });
        Profile profile = Profile.parseUnsigned("text", text).with(DEVICE, "uneven", MatrixFeatures.of(matrix),
                List.of(result(fingerprint, ONE, NOON.plusSeconds(9), 9e-6)));
        for (Profile one : List.of(profile, Profile.empty().merge(profile), sample().merge(profile))) {
            JsonNode root = new ObjectMapper().readTree(one.toText());
            assertEquals("mine", root.get("comment").textValue());
            assertEquals("warm", root.get("results").get(0).get("weather").textValue());
            assertEquals(0.5, root.get("results").get(0).get("times").get("framework").doubleValue());
            assertEquals(7, root.get("trellis").get("future").intValue());
        }
        assertEquals("a rack", new ObjectMapper().readTree(profile.toText()).get("metadata").get("hardware").asText());
    }

    private static void refused(String text, String... parts) {
        ProfileException e = assertThrows(ProfileException.class, () -> Profile.parse("p.json", text));
        for (String part : parts) {
            assertTrue(e.getMessage().contains(part), e.getMessage());
        }
    }

    @Test
    void refusesOtherVersions() throws IOException {
        String text = sample().toText();
        refused(changed(text, root -> root.put("schema_version", "1.2.0")), "p.json", "schema_version is 1.2.0",
                "expected 1.0 to 1.1");
        refused(changed(text, root -> root.put("schema_version", "2.0.0")), "schema_version is 2.0.0");
        refused(changed(text, root -> root.put("schema_version", 1)), "schema_version is 1,");
        refused(changed(text, root -> root.withObject("/trellis").put("formatVersion", 8)),
                "trellis.formatVersion is 8", "newer Trellis");
        refused(changed(text, root -> root.remove("trellis")), "has no object 'trellis'");
    }

    @Test
    void noticesChangesByHandAndCanBeToldToAcceptThem() throws IOException {
        String text = changed(sample().toText(), root -> ((ObjectNode) root.get("results").get(0).get("configuration"))
                .put("blockSize", 256));
        refused(text, "trellis.checksum is", "changed after Trellis wrote it", "--accept");
        Path file = folder.resolve("edited.json");
        Files.writeString(file, text);
        assertEquals(ONE.withBlockSize(256), new ProfileFile(file).accept()
                .best(DEVICE, fingerprint, Precision.F64).orElseThrow().parameters());
        assertEquals(ONE.withBlockSize(256), Profile.read(file).results(DEVICE).getFirst().parameters());
    }

    @Test
    void doesNotMindOtherWhiteSpaceAndOrder() throws IOException {
        ObjectNode root = (ObjectNode) new ObjectMapper().readTree(sample().toText());
        ObjectNode turned = new ObjectMapper().createObjectNode();
        root.properties().stream().toList().reversed()
                .forEach(member -> turned.set(member.getKey(), member.getValue()));
        assertEquals(sample().results(DEVICE).size(), Profile.parse("text", turned.toString()).results(DEVICE).size());
    }

    @Test
    void namesThePlaceOfWhatIsWrong() throws IOException {
        Map<Consumer<ObjectNode>, String> wrong = Map.of(
                root -> ((ObjectNode) root.get("results").get(1).get("configuration")).put("family", "cube"),
                "results[1].configuration: kernel family 'cube' is unknown",
                root -> ((ObjectNode) root.get("results").get(0).get("times")).putArray("runtimes").add("fast"),
                "results[0].times.runtimes[0]: is \"fast\", expected a number",
                root -> ((ObjectNode) root.get("results").get(0).get("trellis")).put("device", 9),
                "results[0].trellis.device: is 9, expected a number from 0 to 1",
                root -> ((ObjectNode) root.get("results").get(0)).put("invalidity", "lucky"),
                "results[0]: invalidity is 'lucky'",
                root -> root.withObject("/trellis/matrices").removeAll(),
                "expected one of trellis.matrices",
                root -> ((ObjectNode) root.at("/trellis/models/0/trees")).putArray("child").add(0).add(0).add(1),
                "trellis.models[0]: node 0");
        for (Map.Entry<Consumer<ObjectNode>, String> entry : wrong.entrySet()) {
            String text = changed(sample().toText(), entry.getKey());
            ProfileException e = assertThrows(ProfileException.class, () -> Profile.parseUnsigned("p.json", text));
            assertTrue(e.getMessage().startsWith("p.json: ") && e.getMessage().contains(entry.getValue()),
                    e.getMessage());
        }
    }

    /** Cut anywhere, or with any byte changed, a file is refused or says what it said before. */
    @Test
    void damagedFilesAreRefusedAsAWhole() throws IOException {
        SplittableRandom random = TestSeed.random("damaged profiles");
        byte[] text = sample().toText().getBytes(StandardCharsets.UTF_8);
        Path file = folder.resolve("damaged.json");
        for (int run = 0; run < 400; run++) {
            byte[] damaged = text.clone();
            if (run % 2 == 0) {
                damaged = Arrays.copyOf(text, random.nextInt(text.length - 1));
            } else {
                int place = random.nextInt(text.length);
                damaged[place] = (byte) random.nextInt(256);
            }
            Files.write(file, damaged);
            try {
                assertEquals(sample().toText(), Profile.read(file).toText(),
                        "run " + run + ", seed " + TestSeed.value());
            } catch (ProfileException e) {
                assertTrue(e.getMessage().startsWith(file.toString()), e.getMessage());
            }
            byte[] before = Files.readAllBytes(file);
            try {
                new ProfileFile(file).update(profile -> profile);
            } catch (ProfileException e) {
                assertArrayEquals(before, Files.readAllBytes(file), "a file that cannot be used stays as it was");
            }
        }
    }

    @Test
    void emptyAndForeignFilesAreRefused() {
        refused("", "the file is empty");
        refused("[]", "starts with no object");
        refused("{\"schema_version\": \"1.1.0\", \"schema_version\": \"1.1.0\"}", "line 1",
                "Duplicate field 'schema_version'");
        refused("{} {}", "p.json, line 1, column 4: damaged, this is no JSON: Trailing token");
        refused("{\n\"a\" 1}", "line 2, column 5: damaged, this is no JSON: Unexpected character ('1'");
        refused("{\"results\": []}", "schema_version is null");
    }

    /** Values of any kind in any place are refused with a message, or make a profile that comes back. */
    @Test
    void oddValuesAnywhereAreRefusedOrKept() throws IOException {
        SplittableRandom random = TestSeed.random("odd profiles");
        ObjectMapper mapper = new ObjectMapper();
        String text = sample().toText();
        List<String> odd = List.of("-5", "1.9", "999", "1e400", "2147483648", "-9223372036854775809", "\"\"", "null",
                "[]", "{}", "true", "\"\u001b[31m\"".replace("\u001b", "\\u001b"), "\"" + "x".repeat(5000) + "\"");
        for (int run = 0; run < 800; run++) {
            ObjectNode root = (ObjectNode) mapper.readTree(text);
            int places = 1 + random.nextInt(2);
            for (int k = 0; k < places; k++) {
                replaceOne(root, mapper.readTree(odd.get(random.nextInt(odd.size()))), random);
            }
            String changed = root.toString();
            try {
                String kept = Profile.parseUnsigned("p.json", changed).toText();
                assertEquals(kept, Profile.parse("p.json", kept).toText(), () -> "seed " + TestSeed.value());
            } catch (ProfileException e) {
                assertTrue(e.getMessage().length() <= 800 && e.getMessage().chars().noneMatch(Character::isISOControl),
                        e.getMessage());
            } catch (RuntimeException e) {
                throw new AssertionError("seed " + TestSeed.value() + ", " + changed, e);
            }
        }
    }

    /** Goes down a random way and puts a value in the place of what is there. */
    private static void replaceOne(JsonNode root, JsonNode value, SplittableRandom random) {
        JsonNode at = root;
        while (true) {
            if (at.isEmpty()) {
                return;
            }
            boolean here = random.nextInt(6) == 0;
            if (at instanceof ObjectNode object) {
                List<String> names = new ArrayList<>();
                object.fieldNames().forEachRemaining(names::add);
                String name = names.get(random.nextInt(names.size()));
                if (here || !object.get(name).isContainerNode()) {
                    object.set(name, value);
                    return;
                }
                at = object.get(name);
            } else {
                int place = random.nextInt(at.size());
                if (here || !at.get(place).isContainerNode()) {
                    ((ArrayNode) at).set(place, value);
                    return;
                }
                at = at.get(place);
            }
        }
    }
}
