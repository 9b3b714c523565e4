package org.trellis.examples.adaptive;

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
import org.trellis.adapt.geometry.SimplexMesh;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.testing.JsonSchemas;
import picocli.CommandLine;

final class AdaptivePoissonTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        Console console = new Console(new PrintWriter(out, true), new PrintWriter(err, true), false);
        return JsonSchemas.checked(new CommandLine(new AdaptivePoissonCommand(console)).setErr(console.err())
                .setOut(console.out()).execute(arguments), arguments);
    }

    /** Without a layer to speak of, the singular function alone: uniform meshes lose a third of the order. */
    @Test
    void elementsConverge() {
        CornerProblem problem = new CornerProblem(1);
        double[] errors = new double[2];
        for (int i = 0; i < 2; i++) {
            SimplexMesh mesh = CornerProblem.mesh(8 << i);
            assertEquals(3, mesh.measure(), 1e-12);
            errors[i] = problem.error(mesh, problem.solve(mesh));
        }
        double order = Math.log(errors[0] / errors[1]) / Math.log(2);
        assertTrue(order > 1.2 && order < 2.1, "order " + order);
    }

    @Test
    void adaptedMeshesNeedATenthOfTheElements() throws IOException {
        Path json = folder.resolve("run.json");
        Path picture = folder.resolve("u.png");
        assertEquals(ExitCode.OK, run("--levels", "4", "--elements", "100", "--json", json.toString(), "--picture",
                picture.toString(), "-q"), err::toString);
        JsonNode runs = new ObjectMapper().readTree(json.toFile()).get("runs");
        JsonNode adapted = runs.get(3);
        JsonNode uniform = runs.get(7);
        assertEquals("uniform", uniform.get("mesh").asText());
        assertTrue(adapted.get("error").asDouble() < uniform.get("error").asDouble(), runs.toString());
        assertTrue(runs.get(1).get("error").asDouble() < uniform.get("error").asDouble(), runs.toString());
        assertTrue(10 * runs.get(1).get("elements").asInt() < uniform.get("elements").asInt(), runs.toString());
        assertTrue(Files.size(picture) > 1000);
        assertTrue(out.toString().contains("adapted"), out.toString());
    }

    @Test
    void complainsAboutItsOptions() {
        assertEquals(ExitCode.USAGE, run("--levels", "0"));
        assertEquals(ExitCode.USAGE, run("--width", "-1"));
        assertEquals(ExitCode.USAGE, run("--elements", "3"));
        assertEquals(ExitCode.USAGE, run("--threads", "0"));
    }
}
