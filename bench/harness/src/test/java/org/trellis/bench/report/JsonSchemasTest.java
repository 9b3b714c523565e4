package org.trellis.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.testing.JsonSchemas;

class JsonSchemasTest {
    private static final String SUFFIX = ".schema.json";
    private static final Pattern NAMED =
            Pattern.compile("(?:JsonReport\\.start\\(|\"format\",)\\s*\"(trellis-[a-z-]+)\"");

    @TempDir
    private Path folder;

    /** Every format that sources of commands name has a schema and a row in the documents, and no other has. */
    @Test
    void everyFormatHasASchema() throws IOException {
        SortedSet<String> formats = new TreeSet<>(List.of("trellis-solver-stack"));
        for (Path sources : List.of(Path.of("src", "main"), Path.of("..", "adapters", "src", "main"),
                Path.of("..", "..", "examples", "src", "main"))) {
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    Matcher named = NAMED.matcher(Files.readString(file));
                    while (named.find()) {
                        formats.add(named.group(1));
                    }
                }
            }
        }
        SortedSet<String> schemas = new TreeSet<>();
        String listed = Files.readString(JsonSchemas.folder().resolveSibling("results-format.md"));
        try (Stream<Path> files = Files.list(JsonSchemas.folder())) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                schemas.add(name.substring(0, name.length() - SUFFIX.length()));
                assertTrue(listed.contains("schemas/" + name), () -> "results-format.md does not mention " + name);
                JsonNode schema = new ObjectMapper().readTree(file.toFile());
                assertTrue(schema.hasNonNull("title") && schema.hasNonNull("description"), name);
            }
        }
        assertEquals(formats, schemas);
    }

    @Test
    void numbersThatAreNotFiniteAreNull() throws IOException {
        ObjectNode root = JsonReport.start("trellis-eigenvalues", Provenance.of("trellis eigen"));
        ObjectNode result = root.putArray("results").addObject().put("matrix", "a").put("summary", "none")
                .put("products", 1).put("restarts", 0).put("converged", 1).put("seconds", 0.5);
        result.putArray("values").addObject().put("real", 1.5).put("imaginary", 0.0).put("residual", Double.NaN)
                .put("limit", Double.POSITIVE_INFINITY);
        root.putArray("failures");
        Path file = Files.writeString(folder.resolve("x.json"), JsonReport.finish(root));
        JsonSchemas.check(file);
        JsonNode value = new ObjectMapper().readTree(file.toFile()).at("/results/0/values/0");
        assertTrue(value.get("residual").isNull() && value.get("limit").isNull(), value::toString);
        assertEquals(1.5, value.get("real").doubleValue());
    }
}
