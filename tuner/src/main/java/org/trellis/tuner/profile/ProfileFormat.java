package org.trellis.tuner.profile;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The text form of profiles: JSON, its versions and its checksum. */
final class ProfileFormat {
    /** The version of the T4 results schema that is written. */
    static final String SCHEMA_VERSION = "1.1.0";
    /** The newest version of the extension of that schema: the one that has solvers whose times are calibrated. */
    static final int FORMAT_VERSION = 7;
    /** The version of files with solvers of systems, all of them measured on their device. */
    static final int VERSION_WITHOUT_CALIBRATION = 6;
    /** The version of files with rings of levels and without solvers. */
    static final int VERSION_WITHOUT_SOLVERS = 5;
    /** The version of files with systems of finite elements and without rings of levels. */
    static final int VERSION_WITHOUT_LEVELS = 4;
    /** The version of files with rings of halos and without finite elements. */
    static final int VERSION_WITHOUT_FORMS = 3;
    /** The version of files with parallel loops and without rings. */
    static final int VERSION_WITHOUT_RINGS = 2;
    /** The version of files without loops, which older versions of Trellis can read. */
    static final int VERSION_WITHOUT_LOOPS = 1;
    /** The object that extends the schema. */
    static final String EXTENSION = "trellis";
    static final String CHECKSUM = "checksum";

    private static final int SCHEMA_MAJOR = 1;
    private static final int NEWEST_SCHEMA_MINOR = 1;
    /** Ten times what the largest profile has; a tree takes up to a hundred bytes of memory for each. */
    private static final long MOST_TOKENS = 4_000_000;
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder().maxTokenCount(MOST_TOKENS).build()).build())
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final ObjectWriter PRETTY = MAPPER.writer().with(SerializationFeature.INDENT_OUTPUT);
    private static final ObjectWriter CANONICAL = MAPPER.writer().with(JsonNodeFeature.WRITE_PROPERTIES_SORTED);

    private ProfileFormat() {}

    static ObjectNode emptyObject() {
        return MAPPER.createObjectNode();
    }

    static ArrayNode emptyList() {
        return MAPPER.createArrayNode();
    }

    /** Reads a text up to its versions and checksum. */
    static ObjectNode parse(String name, String text, boolean requireChecksum) {
        JsonNode tree;
        try {
            tree = MAPPER.readTree(text);
        } catch (StreamConstraintsException e) {
            throw new ProfileException(name + ": out of all proportion: " + e.getOriginalMessage()
                    + "; expected a tuning profile", e);
        } catch (JsonProcessingException e) {
            JsonFault fault = JsonFault.of(e);
            throw new ProfileException(name + ", " + fault.place() + ": damaged, this is no JSON: " + fault.problem()
                    + " (in a tuning profile)", e);
        }
        if (!(tree instanceof ObjectNode root)) {
            throw new ProfileException(
                    name + ": " + (tree == null || tree.isMissingNode() ? "the file is empty" : "starts with no object")
                            + ", expected a tuning profile");
        }
        checkSchema(name, root);
        if (!(root.get(EXTENSION) instanceof ObjectNode extension)) {
            throw new ProfileException(name + ": has no object '" + EXTENSION
                    + "', expected one: a T4 file of another program cannot be used, it names no matrices");
        }
        checkFormat(name, extension);
        if (requireChecksum) {
            checkChecksum(name, root, extension);
        }
        return root;
    }

    private static void checkSchema(String name, ObjectNode root) {
        JsonNode version = root.get("schema_version");
        if (version == null || !version.isTextual()
                || !version.textValue().matches("\\d{1,6}\\.\\d{1,6}(\\.\\d{1,6})?")) {
            throw new ProfileException(
                    name + ": schema_version is " + version + ", expected \"" + SCHEMA_VERSION + '"');
        }
        String[] parts = version.textValue().split("\\.");
        int major = Integer.parseInt(parts[0]);
        int minor = Integer.parseInt(parts[1]);
        if (major != SCHEMA_MAJOR || minor > NEWEST_SCHEMA_MINOR) {
            throw new ProfileException(name + ": schema_version is " + version.textValue() + ", expected "
                    + SCHEMA_MAJOR + ".0 to " + SCHEMA_MAJOR + '.' + NEWEST_SCHEMA_MINOR
                    + "; another version of Trellis wrote this file");
        }
    }

    private static void checkFormat(String name, ObjectNode extension) {
        JsonNode version = extension.get("formatVersion");
        if (version == null || !version.isInt() || version.intValue() < 1) {
            throw new ProfileException(name + ": trellis.formatVersion is " + version + ", expected " + FORMAT_VERSION);
        }
        if (version.intValue() > FORMAT_VERSION) {
            throw new ProfileException(name + ": trellis.formatVersion is " + version + ", expected at most "
                    + FORMAT_VERSION + "; a newer Trellis wrote this file, use that version");
        }
    }

    private static void checkChecksum(String name, ObjectNode root, ObjectNode extension) {
        JsonNode found = extension.get(CHECKSUM);
        String expected = checksum(root);
        if (found == null || !expected.equals(found.asText())) {
            throw new ProfileException(name + ": trellis.checksum is " + found + ", expected \"" + expected
                    + "\": the file was changed after Trellis wrote it. If that was meant, "
                    + "'trellis profile check --accept' checks the contents and signs them anew");
        }
    }

    /** The digest of everything but itself, whatever the order of names and the white space. */
    static String checksum(ObjectNode root) {
        ObjectNode copy = root.deepCopy();
        ((ObjectNode) copy.get(EXTENSION)).remove(CHECKSUM);
        try {
            byte[] text = CANONICAL.writeValueAsString(copy).getBytes(StandardCharsets.UTF_8);
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text);
            return "sha256:" + HexFormat.of().formatHex(digest);
        } catch (JsonProcessingException | NoSuchAlgorithmException e) {
            throw new IllegalStateException("a tree cannot be written", e);
        }
    }

    /** Writes a signed profile. */
    static String text(ObjectNode root) {
        ObjectNode copy = root.deepCopy();
        // Numbers as they will be read back, so that the checksum is that of the reader's tree.
        try {
            ObjectNode read = (ObjectNode) MAPPER.readTree(MAPPER.writeValueAsString(copy));
            ((ObjectNode) read.get(EXTENSION)).put(CHECKSUM, checksum(read));
            return PRETTY.writeValueAsString(read) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree cannot be written", e);
        }
    }
}
