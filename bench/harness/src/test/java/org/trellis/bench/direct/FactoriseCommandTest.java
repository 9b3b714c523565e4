package org.trellis.bench.direct;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;

class FactoriseCommandTest {
    @TempDir
    private Path folder;
    private final StringWriter out = new StringWriter();

    private JsonNode run(String... options) throws IOException {
        return runWith("poisson2d:nx=6", options);
    }

    private JsonNode runWith(String matrix, String... options) throws IOException {
        Path json = folder.resolve("direct.json");
        Files.deleteIfExists(json);
        String[] arguments = new String[options.length + 6];
        System.arraycopy(new String[]{"factorise", matrix, "--quiet", "--rounds=1", "--json",
            json.toString()}, 0, arguments, 0, 6);
        System.arraycopy(options, 0, arguments, 6, options.length);
        PrintWriter writer = new PrintWriter(out);
        assertEquals(0, TrellisCommand.run(new Console(writer, writer, false), arguments), out::toString);
        return new ObjectMapper().readTree(json.toFile()).get("matrices");
    }

    @Test
    void eachMatrixAndItsShuffledTwinAreFactorised() throws IOException {
        JsonNode matrices = run("--shuffled", "--processor-time");
        assertEquals(2, matrices.size());
        assertEquals("trellis lu", matrices.get(0).at("/solvers/0/solver").asText());
        assertEquals("trellis cholesky", matrices.get(0).at("/solvers/1/solver").asText());
        assertEquals(1, matrices.get(1).get("solvers").size());
        double error = matrices.get(1).at("/solvers/0/backwardError").asDouble(1);
        assertTrue(error < 1e-14, error + " is the backward error");
        assertTrue(out.toString().contains("shuffled"), out::toString);
    }

    @Test
    void choleskyAloneIsMeasuredWithoutLu() throws IOException {
        JsonNode matrices = run("--without-lu");
        assertEquals(1, matrices.get(0).get("solvers").size());
        assertEquals("trellis cholesky", matrices.get(0).at("/solvers/0/solver").asText());
        assertFalse(out.toString().contains("trellis lu"), out::toString);
    }

    @Test
    void matrixWithoutRowsHasNoError() throws IOException {
        Path empty = folder.resolve("empty.mtx");
        Files.writeString(empty, "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
        JsonNode matrices = runWith(empty.toString());
        assertEquals(0, matrices.get(0).at("/solvers/0/backwardError").asDouble(1));
        assertTrue(out.toString().contains("n u: 1 of 1"), out::toString);
    }
}
