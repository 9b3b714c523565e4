package org.trellis.bench.spgemm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.testing.JsonSchemas;

/** The command for products of sparse matrices on small ones. */
final class SpgemmCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return JsonSchemas.checked(
                TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), arguments),
                arguments);
    }

    @Test
    void timesBothProductsInBothPrecisions() throws IOException {
        Path json = folder.resolve("spgemm.json");
        for (String product : new String[]{"square", "galerkin"}) {
            assertEquals(0,
                    run("spgemm", "poisson2d:nx=20", "--product", product, "--precision", "f64,f32", "--seconds",
                            "0.01", "--json", json.toString()),
                    err.toString());
            JsonNode root = new ObjectMapper().readTree(json.toFile());
            assertEquals("trellis-spgemm-results", root.get("format").asText());
            assertEquals(4, root.get("records").size());
            for (JsonNode record : root.get("records")) {
                assertEquals(product, record.get("product").asText());
                assertTrue(record.get("sameStructure").asBoolean());
                assertEquals(0, record.get("largestError").asDouble());
                assertTrue(record.get("medianSeconds").asDouble() > 0);
            }
        }
        assertTrue(out.toString().contains("known structure"), out.toString());
    }

    @Test
    void multipliesInTheMemoryOfABackend() throws IOException {
        Path json = folder.resolve("spgemm.json");
        assertEquals(0, run("spgemm", "poisson2d:nx=20", "--product", "galerkin", "--backend", "threads", "--seconds",
                "0.01", "--json", json.toString()), err.toString());
        JsonNode records = new ObjectMapper().readTree(json.toFile()).get("records");
        assertEquals(4, records.size());
        records.forEach(record -> assertEquals(0, record.get("largestError").asDouble()));
        assertTrue(out.toString().contains("trellis, threads, known structure"), out.toString());
    }

    /** The square of the five-point stencil has 13 entries in rows away from the boundary. */
    @Test
    void countsTermsAndEntries() throws IOException {
        Path json = folder.resolve("spgemm.json");
        assertEquals(0, run("spgemm", "poisson2d:nx=4", "--seconds", "0", "--json", json.toString()));
        JsonNode record = new ObjectMapper().readTree(json.toFile()).get("records").get(0);
        // Rows of 5 (4 of them), 4 (8) and 3 (4) entries in a symmetric pattern: the sum of the squares.
        assertEquals(4 * 25 + 8 * 16 + 4 * 9, record.get("terms").asLong());
    }

    @Test
    void refusesWhatItCannotDo() {
        assertEquals(2, run("spgemm", "poisson2d:nx=4", "--peer", "nope"));
        assertTrue(err.toString().contains("peer 'nope' is unknown"), err.toString());
        assertEquals(2, run("spgemm"));
        assertEquals(1, run("spgemm", "poisson2d:nx=1", "--product", "galerkin"));
        assertTrue(err.toString().contains("cannot be coarsened by aggregates"), err.toString());
    }
}
