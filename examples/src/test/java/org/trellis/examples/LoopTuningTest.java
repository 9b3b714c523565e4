package org.trellis.examples;

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
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.testing.JsonSchemas;
import org.trellis.testing.TestLength;
import org.trellis.tuner.profile.Profile;
import picocli.CommandLine;

/** The loops of the applications tuned from the command line, as a user does it. */
final class LoopTuningTest {
    private static final String AIRFOIL = "airfoil c-mesh:i=12,j=16";
    private static final String TSUNAMI = "tsunami drop:n=12";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** Daily the one with fewer loops. */
    private static List<String> applications() {
        return TestLength.isLong() ? List.of(AIRFOIL, TSUNAMI) : List.of(TSUNAMI);
    }

    private int run(String application, String... options) {
        Console console = new Console(new PrintWriter(out, true), new PrintWriter(err, true), false);
        String[] arguments =
                (application + " -q --backend threads --threads 2 " + String.join(" ", options)).split(" ");
        return JsonSchemas.checked(((CommandLine) new ExamplePlugin().create(console)).setErr(console.err())
                .setOut(console.out()).setCaseInsensitiveEnumValuesAllowed(true).execute(arguments), arguments);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    @ParameterizedTest
    @MethodSource("applications")
    void withinTheIterations(String application) throws IOException {
        assertEquals(0, run(application, "--iterations", "3"), err::toString);
        String plain = out.toString().lines().filter(line -> line.matches(" +\\d.*")).findFirst().orElseThrow();
        out.getBuffer().setLength(0);
        assertEquals(0, run(application, "--iterations", "6000", "--tune", "--export", path("p.json")), err::toString);
        // The first iteration is the rule's, so that the first line is the same.
        assertTrue(out.toString().contains(plain), out::toString);
        assertTrue(out.toString().contains("initially") && out.toString().contains("(rule)"), out::toString);
        Profile profile = Profile.read(folder.resolve("p.json"));
        // How many loops have learnt something by now depends on the times that were measured.
        assertTrue(profile.loops().size() >= 2, profile::toString);
        out.getBuffer().setLength(0);
        assertEquals(0, run(application, "--iterations", "5", "--tune", "--profile", path("p.json")), err::toString);
        assertTrue(out.toString().contains("(profile)"), out::toString);
        out.getBuffer().setLength(0);
        assertEquals(0, run(application, "--iterations", "5", "--profile", path("p.json")), err::toString);
        assertFalse(out.toString().contains("initially"), out::toString);
    }

    @ParameterizedTest
    @MethodSource("applications")
    void beforeTheIterations(String application) throws IOException {
        assertEquals(0, run(application, "--iterations", "3", "--tune", "--budget", "28", "--layouts", "--export",
                path("p.json")), err::toString);
        assertTrue(out.toString().contains("rule us"), out::toString);
        assertTrue(out.toString().contains("aos: "), out::toString);
        assertTrue(Profile.read(folder.resolve("p.json")).loops().size() >= 8, out::toString);
    }

    @Test
    @Tag("nightly")
    void tuningIsJudged() throws IOException {
        assertEquals(0, run(TSUNAMI, "--iterations", "12", "--tune", "--evaluate", path("e.json")), err::toString);
        JsonNode root = new ObjectMapper().readTree(Files.readString(folder.resolve("e.json")));
        assertEquals(6, root.get("loops").size());
        for (JsonNode loop : root.get("loops")) {
            assertTrue(loop.get("tunedShare").doubleValue() <= 1, loop::toString);
            assertEquals(0, loop.get("failed").intValue(), loop::toString);
        }
        assertEquals(12, root.get("iterationSecondsDuring").size());
        for (String name : List.of("rule", "tuned", "best")) {
            assertEquals(60, root.get("iterationSeconds").get(name).size());
        }
    }

    private int runHarness(String command) {
        Console console = new Console(new PrintWriter(out, true), new PrintWriter(err, true), false);
        return TrellisCommand.run(console, command.split(" "));
    }

    @ParameterizedTest
    @MethodSource("applications")
    void theHarnessTunesAnyApplication(String application) throws IOException {
        String command = "tune-loops " + application + " -q --backend threads --threads 2 --export " + path("p.json");
        assertEquals(0, runHarness(command + " --iterations 1500"), err::toString);
        assertTrue(out.toString().contains("initially") && out.toString().contains("(rule)"), out::toString);
        assertTrue(Profile.read(folder.resolve("p.json")).loops().size() >= 2, out::toString);
        out.getBuffer().setLength(0);
        assertEquals(0, runHarness(command + " --budget 28 --layouts --order gps --precision f64"), err::toString);
        assertTrue(out.toString().contains("rule us") && out.toString().contains("aos: "), out::toString);
    }

    @Test
    void theHarnessKnowsTheApplications() {
        for (String command : List.of("tune-loops", "sweep-loops")) {
            assertEquals(2, runHarness(command), err::toString);
            assertTrue(err.toString().contains("an application is missing, expected one of airfoil, rotor, tsunami"),
                    err::toString);
        }
        assertEquals(2, runHarness("tune-loops " + AIRFOIL + " --budget 3 --exhaustive"), err::toString);
        assertEquals(2, runHarness("tune-loops " + AIRFOIL + " --scheme two-level"), err::toString);
        assertEquals(2, runHarness("tune-loops " + AIRFOIL + " --iterations 0"), err::toString);
        // The host has no clock that a sweep could use.
        assertEquals(1, runHarness("sweep-loops " + AIRFOIL + " --backend threads"), err::toString);
        assertTrue(err.toString().contains("DeviceTiming"), err::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--budget 3 | --budget and --exhaustive need --tune",
        "--tune --budget 3 --exhaustive | --exhaustive has no --budget, expected one of them",
        "--tune --layouts | --layouts needs --budget or --exhaustive",
        "--tune --exhaustive --evaluate x.json | --evaluate needs tuning within iterations, without --budget",
        "--export x.json | --export needs --tune",
        "--tune --scheme two-level | expected no --scheme, --block-size or --fission",
        "--profile none.json | --profile none.json: there is no such file",
        "--tune --budget soon | 'soon' is no budget"})
    void optionsThatDoNotGoTogether(String options, String message) {
        for (String application : List.of(AIRFOIL, TSUNAMI)) {
            assertEquals(2, run(application, options), out::toString);
            assertTrue(err.toString().contains(message), err::toString);
        }
    }
}
