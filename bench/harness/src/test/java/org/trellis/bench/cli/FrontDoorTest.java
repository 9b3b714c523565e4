package org.trellis.bench.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.solve.StackFile;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.memory.HostVector;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.SolverConfig;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.LinearSystems;
import org.trellis.systems.Solution;
import org.trellis.systems.Solvers;
import org.trellis.testing.JsonSchemas;

/** Completion of shells, suggestions, and documents of commands that list something. */
class FrontDoorTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return JsonSchemas.checked(
                TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), arguments),
                arguments);
    }

    @ParameterizedTest
    @CsvSource({"bash, bash -n", "zsh, bash -n", "fish, "})
    void shellsAreCompleted(String shell, String check) throws IOException, InterruptedException {
        assertEquals(ExitCode.OK, run("completion", shell), err::toString);
        String script = out.toString();
        for (String word : List.of("trellis", "solve", "preconditioner", "elasticity2d", "backends")) {
            assertTrue(script.contains(word), () -> shell + " has no " + word);
        }
        if (check == null) {
            return;
        }
        String program = check.substring(0, check.indexOf(' '));
        assumeTrue(Files.isExecutable(Path.of("/bin", program)) || Files.isExecutable(Path.of("/usr/bin", program)),
                program + " is not here to read the script");
        Path file = Files.writeString(folder.resolve("script"), script);
        Process reading = new ProcessBuilder(program, check.substring(check.indexOf(' ') + 1), file.toString())
                .redirectErrorStream(true).start();
        String said = new String(reading.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, reading.waitFor(), said);
    }

    @ParameterizedTest
    @CsvSource({"slove x, solve", "solve --metod cg x, --method", "solve poisson2d:nx=3 --method bicgstb, bicgstab",
        "solve poisson2d:nx=3 --method tund, tuned", "solve poisson2d:nx=3 --preconditioner jacobbi, jacobi",
        "solve poisson2d:nx=3 --precision f23, f32",
        "completion bush, bash", "solve poisson2d:nx=3 --preset elastcity, elasticity",
        "spmv poisson2d:nx=3 --backend simdd, simd"})
    void whatIsMistypedIsSuggested(String line, String meant) {
        assertTrue(run(line.split(" ")) != ExitCode.OK);
        assertTrue(err.toString().contains("Did you mean " + meant), err::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"solve poison2d:nx=3 | near matches: poisson2d",
        "solve poisson2d:nx=3 --tolerance abc | 'abc' is no number",
        "solve poisson2d:nx=3 --rounds 1.5 | '1.5' is no whole number"})
    void wrongValuesAreNamedInWords(String line, String said) {
        assertTrue(run(line.split(" ")) != ExitCode.OK);
        assertTrue(err.toString().contains(said), err::toString);
    }

    @ParameterizedTest
    @CsvSource({"list, trellis-list, entries, kind", "backends, trellis-backends, backends, available",
        "config, trellis-config, settings, value"})
    void listsAreDocuments(String command, String format, String array, String field) throws IOException {
        Path json = folder.resolve(command + ".json");
        assertEquals(ExitCode.OK, run(command, "--json", json.toString()), err::toString);
        JsonNode root = new ObjectMapper().readTree(json.toFile());
        assertEquals(format, root.get("format").asText());
        assertTrue(root.get(array).size() > 2, root::toString);
        root.get(array).forEach(entry -> assertTrue(entry.hasNonNull("name") && entry.has(field), entry::toString));
        assertEquals(ExitCode.USAGE, run(command, "--json", folder.resolve("none/x.json").toString()));
    }

    @Test
    void solutionsSayHowAccurateTheyAre() throws IOException {
        Path json = folder.resolve("solve.json");
        assertEquals(ExitCode.OK, run("solve", "-q", "poisson2d:nx=20", "--method", "cg", "--json", json.toString()),
                err::toString);
        JsonNode root = new ObjectMapper().readTree(json.toFile());
        assertEquals(178, root.get("conditionEstimate").asDouble(), 10);
        assertTrue(root.get("forwardErrorBound").asDouble() < 1e-5, root::toString);
        assertTrue(out.toString().contains("error up to ") && out.toString().contains(" of b, recomputed from x"),
                out::toString);
        assertEquals(ExitCode.OK, run("solve", "-q", "poisson2d:nx=20", "--method", "gmres", "--json",
                json.toString()));
        double frobenius = new ObjectMapper().readTree(json.toFile()).get("conditionEstimate").asDouble();
        assertTrue(frobenius > 178 && frobenius < 178 * 400, () -> frobenius + "");
        assertEquals(2, out.toString().split("error up to ", -1).length - 1, out::toString);
    }

    /** The one-line method, the automatic solver, the preset and the command line are one choice with one report. */
    @ParameterizedTest
    @ValueSource(strings = {"poisson2d:nx=20", "poisson2d:nx=150", "convection2d:nx=12", "helmholtz2d:nx=12"})
    void defaultsOfAllEntrancesAreOne(String name) throws IOException {
        Path json = folder.resolve("solve.json");
        Path saved = folder.resolve("stack.json");
        int code = run("solve", "-q", name, "--json", json.toString(), "--save-config", saved.toString());
        JsonNode root = new ObjectMapper().readTree(json.toFile());
        SolverConfig preset = SolverConfig.preset("default");
        assertEquals(preset, StackFile.read(saved));
        assertEquals(preset.criteria(), StoppingCriteria.defaults(Precision.F64));
        CsrMatrix a = MatrixSpec.parse(name).generate(Precision.F64, ProgressListener.NONE);
        double[] ones = new double[a.columns()];
        Arrays.fill(ones, 1);
        HostVector b = HostVector.of(a.multiply(ones));
        List<Solution> solutions = List.of(Solvers.auto(a).solve(b), Solvers.of(a, preset).solve(b),
                LinearSystems.solve(a, b));
        assertEquals(ExitCode.OK, code, err::toString);
        for (Solution solution : solutions) {
            SolveReport report = solution.report();
            assertEquals(root.get("preconditionerInWords").asText(), report.preconditioner());
            assertEquals(root.get("iterations").asInt(), report.iterations());
            assertEquals(root.get("notes").size(), report.facts().notes().size());
        }
        try (Backend own = Backends.openForSystem(Optional.empty(), Configuration.load())) {
            assertEquals(own.name(), root.get("backend").asText());
        }
    }
}
