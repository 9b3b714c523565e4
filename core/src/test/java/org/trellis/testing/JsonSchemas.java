package org.trellis.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Validates what commands write as JSON by the schemas of the documents; needs the validator on the class path. */
public final class JsonSchemas {
    /** Where a module's tests find them. */
    private static final List<Path> FOLDERS = List.of(Path.of("..", "docs", "reference", "schemas"),
            Path.of("..", "..", "docs", "reference", "schemas"));
    private static final List<String> OPTIONS = List.of("--json", "--timeline-json", "--save-config", "--evaluate");
    private static final Pattern FORMAT = Pattern.compile("\"format\" ?: ?\"([a-z-]+)\"");
    private static final Map<String, JsonSchema> READ = new ConcurrentHashMap<>();

    private JsonSchemas() {}

    /**
     * Validates the files that options of a command name.
     *
     * @param code      the exit code of the command
     * @param arguments its arguments
     * @return the exit code
     */
    public static int checked(int code, String... arguments) {
        for (int i = 0; i + 1 < arguments.length; i++) {
            Path file = OPTIONS.contains(arguments[i]) ? Path.of(arguments[i + 1]) : null;
            if (file != null && Files.isRegularFile(file)) {
                check(file);
            }
        }
        return code;
    }

    /**
     * Validates a document by the schema of the format that it names.
     *
     * @param file the document
     */
    public static void check(Path file) {
        try {
            String text = Files.readString(file);
            Matcher format = FORMAT.matcher(text);
            assertTrue(format.find(), () -> file + " names no format: " + text);
            assertEquals("[]", schema(format.group(1)).validate(text, InputFormat.JSON).toString(), format.group(1));
        } catch (IOException e) {
            throw new AssertionError(file + " cannot be read", e);
        }
    }

    /**
     * Returns the folder of the schemas.
     *
     * @return a relative path
     */
    public static Path folder() {
        return FOLDERS.stream().filter(Files::isDirectory).findFirst()
                .orElseThrow(() -> new AssertionError("none of " + FOLDERS + " is there"));
    }

    private static JsonSchema schema(String format) {
        return READ.computeIfAbsent(format, name -> {
            Path file = folder().resolve(name + ".schema.json");
            try {
                return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(Files.readString(file));
            } catch (IOException e) {
                throw new AssertionError("no schema " + file, e);
            }
        });
    }
}
