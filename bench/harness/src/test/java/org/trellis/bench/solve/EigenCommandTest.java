package org.trellis.bench.solve;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
import org.trellis.bench.console.ExitCode;
import org.trellis.testing.JsonSchemas;

/** Eigenvalues on the command line. */
class EigenCommandTest {
    private static final String GRID = "poisson2d:nx=8";
    private static final double LEAST = 4 - 4 * Math.cos(Math.PI / 9);

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        String[] all = new String[arguments.length + 2];
        all[0] = "eigen";
        all[1] = "-q";
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        return JsonSchemas.checked(
                TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), all), all);
    }

    private JsonNode results(String... arguments) throws IOException {
        Path json = folder.resolve("eigen.json");
        String[] all = new String[arguments.length + 2];
        all[0] = "--json";
        all[1] = json.toString();
        System.arraycopy(arguments, 0, all, 2, arguments.length);
        assertEquals(ExitCode.OK, run(all), err::toString);
        return new ObjectMapper().readTree(json.toFile()).get("results").get(0);
    }

    @Test
    void everyMethodFindsTheSame() throws IOException {
        String[][] variants = {{"--which", "smallest"}, {"--which", "nearest=0"},
            {"--which", "smallest", "--method", "lobpcg", "--preconditioner", "jacobi"},
            {"--which", "smallest", "--method", "krylov-schur"}, {"--which", "smallest", "--method", "svd"},
            {"--which", "smallest", "--backend", "reference"}, {"--which", "nearest=0", "--backend", "threads"},
            {"--which", "smallest", "--method", "svd", "--backend", "threads", "--threads", "2"}};
        for (String[] variant : variants) {
            String[] all = new String[variant.length + 3];
            all[0] = GRID;
            all[1] = "--count";
            all[2] = "3";
            System.arraycopy(variant, 0, all, 3, variant.length);
            JsonNode found = results(all);
            assertEquals(LEAST, found.get("values").get(0).get("real").asDouble(), 1e-8, found::toString);
            assertTrue(found.get("converged").asInt() >= 3, found::toString);
            assertTrue(found.get("products").asInt() > 0, found::toString);
        }
        assertTrue(out.toString().contains("thick-restart Lanczos with the inverse of A - 0.0"), out::toString);
        assertTrue(out.toString().lines().anyMatch(line -> line.startsWith("3 ")), out::toString);
    }

    /** With B = 2 I, eigenvalues are half as large. */
    @Test
    void takesAMassMatrix() throws IOException {
        StringBuilder twice = new StringBuilder("%%MatrixMarket matrix coordinate real symmetric\n64 64 64\n");
        for (int i = 1; i <= 64; i++) {
            twice.append(i).append(' ').append(i).append(" 2\n");
        }
        Path mass = Files.writeString(folder.resolve("mass.mtx"), twice);
        for (String which : new String[]{"smallest", "nearest=0"}) {
            JsonNode found = results(GRID, "--count", "2", "--which", which, "--mass", mass.toString());
            assertEquals(LEAST / 2, found.get("values").get(0).get("real").asDouble(), 1e-10, which);
        }
        assertEquals(ExitCode.USAGE, run(GRID, "--method", "svd", "--mass", mass.toString()));
        assertEquals(ExitCode.FAILED, run(GRID, "--mass", folder.resolve("none.mtx").toString()));
        assertEquals(ExitCode.FAILED, run("poisson2d:nx=7", "--mass", mass.toString()));
    }

    @Test
    void unsymmetricMatricesHaveComplexEigenvalues() throws IOException {
        Path turn = Files.writeString(folder.resolve("turn.mtx"),
                "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 -2\n2 1 2\n");
        JsonNode found = results(turn.toString(), "--count", "2");
        assertEquals(2, found.get("values").get(0).get("imaginary").asDouble(), 1e-14);
        assertTrue(out.toString().contains("Krylov-Schur"), out::toString);
    }

    @Test
    void saysIfSomethingHasNotConverged() {
        assertEquals(ExitCode.NOT_CONVERGED,
                run("poisson2d:nx=40", "--which", "smallest", "--max-products", "20"));
        assertTrue(out.toString().contains("not converged"), out::toString);
    }

    @Test
    void refusesWhatItDoesNotKnow() {
        assertEquals(ExitCode.USAGE, run(GRID, "--which", "middle"));
        assertEquals(ExitCode.USAGE, run(GRID, "--which", "nearest=x"));
        assertEquals(ExitCode.USAGE, run(GRID, "--method", "arnoldi"));
        assertEquals(ExitCode.USAGE, run(GRID, "--preconditioner", "amg"));
        assertEquals(ExitCode.USAGE, run(GRID, "--count", "0"));
        assertEquals(ExitCode.USAGE, run(GRID, "--backend", "abacus"));
        assertTrue(err.toString().contains("backend 'abacus' is unknown"), err::toString);
        assertEquals(ExitCode.USAGE, run(GRID, "--tolerance", "0"));
        assertEquals(ExitCode.USAGE, run(GRID, "--method", "svd", "--which", "nearest=1"));
    }
}
