package org.trellis.bench.tune;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.trellis.tuner.profile.JsonFault;

/**
 * A place in a JSON file from outside. What is not there or is something else is an {@link IOException} that
 * names the file, the place, what is there and what was expected.
 *
 * @param file  the file
 * @param place its name in the file, empty for all of it
 * @param node  what is there, or null
 */
public record ResultsNode(Path file, String place, JsonNode node) {
    private static final int MOST_BYTES = 256 << 20;
    private static final int LONGEST = 60;
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

    /**
     * Reads a file.
     *
     * @param file JSON, which may be compressed by gzip
     * @param what what it should hold, for messages
     * @return all of it
     * @throws IOException if it cannot be read or is no JSON; says where
     */
    public static ResultsNode read(Path file, String what) throws IOException {
        String text = text(file, what);
        try {
            JsonNode root = MAPPER.readTree(text);
            if (root == null || root.isMissingNode()) {
                throw new IOException(file + ": the file is empty, expected " + what);
            }
            return new ResultsNode(file, "", root);
        } catch (JsonProcessingException e) {
            JsonFault fault = JsonFault.of(e);
            throw new IOException(
                    file + ", " + fault.place() + ": damaged, this is no JSON: " + fault.problem() + " (in "
                            + what + ")",
                    e);
        }
    }

    private static String text(Path file, String what) throws IOException {
        byte[] bytes;
        try (InputStream raw = new BufferedInputStream(Files.newInputStream(file));
                InputStream input = file.toString().endsWith(".gz") ? new GZIPInputStream(raw) : raw) {
            bytes = input.readNBytes(MOST_BYTES + 1);
        } catch (EOFException | ZipException e) {
            throw new IOException(file + ": this is no whole gzip file, as its name says: " + e.getMessage(), e);
        }
        if (bytes.length > MOST_BYTES) {
            throw new IOException(file + ": holds more than " + (MOST_BYTES >> 20) + " MiB, expected " + what);
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            throw new IOException(file + ": this is no UTF-8 text, expected " + what, e);
        }
    }

    /**
     * Describes that what is here is not what it should be.
     *
     * @param expected what it should be
     * @return names the file, the place, what is there and what was expected
     */
    public IOException problem(String expected) {
        String found = node == null ? "missing" : node.toString();
        return new IOException(file + ": " + (place.isEmpty() ? "the whole" : place) + " is "
                + (found.length() <= LONGEST ? found : found.substring(0, LONGEST) + "...") + ", expected " + expected);
    }

    /**
     * Whether this is an object with a member.
     *
     * @param name the member's name
     * @return whether it is there
     */
    public boolean has(String name) {
        return node != null && node.has(name);
    }

    /**
     * A member of an object, which may be missing.
     *
     * @param name its name
     * @return the member
     * @throws IOException if this is no object
     */
    public ResultsNode get(String name) throws IOException {
        if (node == null || !node.isObject()) {
            throw problem("an object");
        }
        return new ResultsNode(file, place.isEmpty() ? name : place + '.' + name, node.get(name));
    }

    /**
     * The members of an object.
     *
     * @return what each holds, by name, in their order
     * @throws IOException if this is no object
     */
    public Map<String, JsonNode> members() throws IOException {
        if (node == null || !node.isObject()) {
            throw problem("an object");
        }
        Map<String, JsonNode> members = new LinkedHashMap<>();
        node.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
        return members;
    }

    /**
     * The items of a list.
     *
     * @return the items in their order
     * @throws IOException if this is no list
     */
    public List<ResultsNode> items() throws IOException {
        if (node == null || !node.isArray()) {
            throw problem("a list");
        }
        List<ResultsNode> items = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            items.add(new ResultsNode(file, place + '[' + i + ']', node.get(i)));
        }
        return items;
    }

    /**
     * A text.
     *
     * @return the text
     * @throws IOException if this is none
     */
    public String text() throws IOException {
        if (node == null || !node.isTextual()) {
            throw problem("a text");
        }
        return node.textValue();
    }

    /**
     * A number.
     *
     * @return the number
     * @throws IOException if this is none
     */
    public double number() throws IOException {
        if (node == null || !node.isNumber()) {
            throw problem("a number");
        }
        return node.doubleValue();
    }

    /**
     * A text that is something.
     *
     * @param <T>      what it is
     * @param expected how it should look, for messages
     * @param parser   finds out; throws {@link IllegalArgumentException} or {@link DateTimeException} if it is not
     * @return what it is
     * @throws IOException if it is not
     */
    public <T> T parsed(String expected, Function<String, T> parser) throws IOException {
        String text = text();
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException | DateTimeException e) {
            throw (IOException) problem(expected).initCause(e);
        }
    }

    /** Does something with what is here that may refuse it. */
    <T> T at(Supplier<T> action) throws IOException {
        try {
            return action.get();
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": " + place + ": " + e.getMessage(), e);
        }
    }
}
