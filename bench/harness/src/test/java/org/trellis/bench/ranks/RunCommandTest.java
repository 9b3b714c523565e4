package org.trellis.bench.ranks;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.option.BackendOptions;
import org.trellis.common.Precision;
import org.trellis.common.ProgressListener;
import org.trellis.distributed.communicate.ParallelPartitioner;
import org.trellis.matrices.generate.MatrixSpec;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.JsonSchemas;
import org.trellis.tuner.features.Fingerprint;
import org.trellis.tuner.features.MatrixFeatures;
import org.trellis.tuner.features.SystemFeatures;
import org.trellis.tuner.profile.Invalidity;
import org.trellis.tuner.profile.ProfileFile;
import org.trellis.tuner.profile.SolverResult;
import org.trellis.tuner.profile.SolverSetting;
import org.trellis.tuner.profile.TuningDevice;
import org.trellis.tuner.solver.SolverChoice;
import org.xml.sax.InputSource;

/** Commands on several ranks as a user meets them: over threads, and over MPI where it is installed. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class RunCommandTest {
    private static final String OPEN_MPI = "mpirun.openmpi";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return JsonSchemas.checked(TrellisCommand.run(
                new Console(new PrintWriter(out, true), new PrintWriter(err, true), false), arguments), arguments);
    }

    private String text() {
        return out + "\n" + err;
    }

    private JsonNode json(Path file) throws IOException {
        return new ObjectMapper().readTree(Files.readString(file));
    }

    /** Open MPI's launcher with what lets tests run anywhere. */
    private String openMpi() throws IOException {
        boolean installed = Arrays.stream(System.getenv("PATH").split(":", -1))
                .anyMatch(path -> Files.isExecutable(Path.of(path, OPEN_MPI)));
        assumeTrue(installed, () -> OPEN_MPI + " is not installed (Debian's package is openmpi-bin)");
        Path script = folder.resolve("mpirun.sh");
        Files.writeString(script, """
                #!/bin/sh
                export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_pml=ob1
                export OMPI_MCA_btl=self,vader OMPI_MCA_osc=^ucx OMPI_MCA_plm=isolated
                exec mpirun.openmpi --oversubscribe --bind-to none "$@"
                """);
        assertTrue(script.toFile().setExecutable(true));
        return script.toString();
    }

    /** The table, the page and the document of what ranks were at. */
    @Test
    void timelinesTellWhatRanksWereAt() throws Exception {
        Path page = folder.resolve("timeline.html");
        Path json = folder.resolve("timeline.json");
        assertEquals(ExitCode.OK, run("run", "--ranks", "2", "--report", "--timeline", page.toString(),
                "--timeline-json", json.toString(), "--partitioner", "blocks", "powers", "poisson2d:nx=20", "--steps",
                "4", "--rings", "2", "--seconds", "0.01", "-q"), this::text);
        assertTrue(out.toString().contains("load balance      "), this::text);
        assertTrue(out.toString().lines().anyMatch(line -> line.contains("1  product, 2 rings")), this::text);
        JsonNode root = json(json);
        assertEquals("trellis-timeline", root.get("format").asText());
        assertEquals(2, root.get("ranks").size());
        JsonNode activity = root.get("ranks").get(1).get("activities").get(1);
        assertEquals("product, 2 rings", activity.get("name").asText());
        assertEquals(activity.get("runs").asLong(), 2 * activity.get("messages").asLong());
        // Blocks of ten rows of twenty points: two rows of them in each message.
        assertEquals(2 * 20 * 8 * activity.get("messages").asLong(), activity.get("bytes").asLong());
        assertTrue(activity.get("interiorSeconds").asDouble() > 0);
        assertFalse(root.get("ranks").get(1).get("iteration").isEmpty());
        String text = Files.readString(page);
        DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new InputSource(new StringReader(text.substring(text.indexOf('\n')))));
        assertTrue(text.contains("rank 1") && text.contains("product, 2 rings, interior: "), text);
    }

    /** What one rank has of choices, precisions and limits, ranks have. */
    @Test
    void choicesPrecisionsAndLimitsAreThoseOfOneRank() throws IOException {
        Path one = folder.resolve("one.json");
        Path three = folder.resolve("three.json");
        String[] solve = {"solve", "poisson2d:nx=30", "--max-seconds", "100", "--backend", "threads", "--json"};
        for (String extra : new String[]{"--method=auto", "--mixed-precision", "--preset=default"}) {
            assertEquals(ExitCode.OK, run(append(solve, one.toString(), extra)), this::text);
            assertEquals(ExitCode.OK, run(append(new String[]{"run", "--ranks", "3"},
                    append(solve, three.toString(), extra))), this::text);
            assertEquals(json(one).get("method"), json(three).get("method"), extra);
            assertEquals(json(one).get("status"), json(three).get("status"), extra);
        }
        assertTrue(out.toString().contains("auto: the matrix is symmetric"), this::text);
        assertEquals(ExitCode.NOT_CONVERGED, run("run", "--ranks", "2", "solve", "poisson2d:nx=300", "--max-seconds",
                "0.01", "--tolerance", "1e-12", "--method", "cg"), this::text);
        assertTrue(out.toString().contains("time limit"), this::text);
        assertEquals(ExitCode.OK, run("run", "--ranks", "2", "solve", "poisson2d:nx=40", "--preconditioner", "amg",
                "--preconditioner-option", "levels=f32"), this::text);
    }

    private static String[] append(String[] words, String... more) {
        return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new);
    }

    @Test
    void solutionsAreThoseOfOneRank() throws IOException {
        Path one = folder.resolve("one.json");
        Path four = folder.resolve("four.json");
        assertEquals(ExitCode.OK, run("solve", "poisson2d:nx=30", "--method", "cg", "--json", one.toString(),
                "--backend", "cpu"), this::text);
        assertEquals(ExitCode.OK, run("run", "--ranks", "4", "solve", "poisson2d:nx=30", "--method", "cg", "--json",
                four.toString(), "--output", folder.resolve("x.mtx").toString()), this::text);
        assertTrue(out.toString().contains("4 ranks over threads, 1 ring, rows divided by multilevel"), this::text);
        JsonNode alone = json(one);
        JsonNode together = json(four);
        for (String name : List.of("matrix", "rows", "nonZeros", "backend", "method", "preconditionerInWords", "status",
                "iterations")) {
            assertEquals(alone.get(name), together.get(name), name);
        }
        assertEquals(alone.get("trueResidual").doubleValue(), together.get("trueResidual").doubleValue(), 1e-9);
        assertTrue(together.get("largestError").doubleValue() < 1e-6);
        assertEquals(4, together.get("ranks").intValue());
        assertEquals("threads", together.get("transport").textValue());
        assertEquals(1, together.get("rings").intValue());
        assertFalse(alone.has("ranks"));
        // What was written is a right-hand side for others.
        assertEquals(ExitCode.OK, run("run", "--ranks", "3", "--partitioner", "blocks", "solve", "poisson2d:nx=30",
                "--rhs", folder.resolve("x.mtx").toString(), "--compare", "cg+none,bicgstab", "--rounds", "1"),
                this::text);
    }

    @Test
    void multigridHasTheLevelsOfOneRank() throws IOException {
        Path one = folder.resolve("one.json");
        Path three = folder.resolve("three.json");
        String[] rest = {"poisson2d:nx=30", "--preconditioner", "amg", "--preconditioner-option", "aggregates=mis2",
            "--preconditioner-option", "coarse-rows=20", "--quiet"};
        assertEquals(ExitCode.OK, run(concat(rest, "solve", "--json", one.toString())), this::text);
        assertEquals(ExitCode.OK, run(concat(rest, "run", "--ranks", "3", "solve", "--rings", "2", "--json",
                three.toString())), this::text);
        assertTrue(out.toString().contains("3 ranks, 2 rings;"), this::text);
        JsonNode alone = json(one);
        JsonNode together = json(three);
        assertEquals(alone.get("iterations").intValue(), together.get("iterations").intValue(), 1);
        assertEquals(alone.get("levels").size(), together.get("levels").size());
        for (int l = 0; l < alone.get("levels").size(); l++) {
            for (String name : List.of("rows", "nonZeros", "smoother")) {
                assertEquals(alone.at("/levels/" + l + "/" + name), together.at("/levels/" + l + "/" + name), name);
            }
        }
        assertEquals(ExitCode.OK, run("run", "--ranks", "2", "solve", "poisson2d:nx=20", "--method", "multigrid",
                "--cycle", "w", "--quiet"), this::text);
        assertEquals(ExitCode.OK, run("run", "--ranks", "2", "solve", "elasticity2d:nx=8", "--preconditioner", "amg",
                "--preconditioner-option", "block-size=2", "--quiet"), this::text);
    }

    private static String[] concat(String[] rest, String... first) {
        String[] all = Arrays.copyOf(first, first.length + rest.length);
        System.arraycopy(rest, 0, all, first.length, rest.length);
        return all;
    }

    @Test
    void sStepsAreAMethodOverRanks() {
        assertEquals(ExitCode.OK, run("run", "--ranks", "2", "solve", "poisson2d:nx=20", "--method", "s-step",
                "--option", "steps=4", "--option", "basis=newton", "--quiet"), this::text);
        assertTrue(out.toString().contains("s-step"), this::text);
        assertEquals(ExitCode.OK, run("run", "--ranks", "2", "solve", "poisson2d:nx=20", "--method", "s-step-gmres",
                "--option", "steps=5", "--option", "restart=60", "--rings", "2", "--quiet"), this::text);
        assertEquals(ExitCode.FAILED, run("solve", "poisson2d:nx=20", "--method", "s-step", "--quiet"));
        assertTrue(err.toString().contains("method s-step on one rank"), this::text);
    }

    @Test
    void subdomainsOfSchwarzMethodsAreRanks() throws IOException {
        Path file = folder.resolve("schwarz.json");
        String[] rest = {"poisson2d:nx=20", "--preconditioner", "schwarz", "--preconditioner-option", "local=direct",
            "--preconditioner-option", "variant=additive", "--json", file.toString(), "--quiet"};
        assertEquals(ExitCode.OK, run(concat(rest, "solve")), this::text);
        assertEquals(1, json(file).get("iterations").intValue());
        assertEquals(ExitCode.OK, run(concat(rest, "run", "--ranks", "2", "solve", "--preconditioner-option",
                "overlap=2")), this::text);
        assertTrue(json(file).get("iterations").intValue() > 1, this::text);
        assertEquals(ExitCode.USAGE, run("run", "--ranks", "2", "solve", "poisson2d:nx=20", "--preconditioner",
                "schwarz"), this::text);
        assertTrue(err.toString().contains("expected variant=additive or overlap=0"), this::text);
    }

    @Test
    void ringsThatMakeNoSenseAreRefused() {
        assertEquals(ExitCode.USAGE, run("solve", "poisson2d:nx=20", "--rings", "2"));
        assertTrue(err.toString().contains("--rings on one rank"), this::text);
        assertEquals(ExitCode.USAGE, run("run", "--ranks", "2", "solve", "poisson2d:nx=20", "--method", "cg",
                "--rings", "2"));
        assertTrue(err.toString().contains("--rings with preconditioner jacobi, expected amg, chebyshev or ssor"),
                this::text);
        assertEquals(ExitCode.USAGE, run("run", "--ranks", "2", "solve", "poisson2d:nx=20", "--rings", "2",
                "--method", "gmres", "--preconditioner", "schwarz"));
        assertTrue(err.toString().contains("schwarz has its option overlap"), this::text);
        assertEquals(ExitCode.USAGE, run("run", "--ranks", "2", "solve", "poisson2d:nx=20", "--rings", "none",
                "--preconditioner", "amg"));
        assertEquals(ExitCode.USAGE, run("run", "--ranks", "2", "solve", "poisson2d:nx=20", "--preconditioner", "amg",
                "--smoother", "ssor"));
        assertTrue(err.toString().contains("smoother ssor of multigrid over ranks"), this::text);
    }

    @Test
    void productsAreMeasuredAndRight() throws IOException {
        Path file = folder.resolve("products.json");
        assertEquals(ExitCode.OK, run("run", "--ranks", "3", "spmv", "poisson2d:nx=40", "random:rows=500,mean=5",
                "--seconds", "0.02", "--precision", "f64,f32", "--json", file.toString()), this::text);
        JsonNode root = json(file);
        assertEquals(3, root.get("ranks").intValue());
        assertEquals(4, root.get("records").size());
        assertEquals("ranks", root.at("/records/0/backend").textValue());
        assertEquals(1, root.at("/records/0/parameters/rings").intValue());
    }

    @Test
    void ringsAreChosenAndKept() throws IOException {
        Path profile = folder.resolve("profile.json");
        Path file = folder.resolve("powers.json");
        String[] line = {"run", "--ranks", "2", "powers", "poisson2d:nx=16", "--program", "jacobi", "--latency", "1ms",
            "--rings", "1,auto", "--max-rings", "4", "--steps", "8", "--seconds", "0.02", "--profile",
            profile.toString(), "--json", file.toString()};
        assertEquals(ExitCode.OK, run(line), this::text);
        assertTrue(out.toString().contains("2 ranks over threads, messages delayed by 1000 us"), this::text);
        JsonNode first = json(file);
        int rings = first.at("/choice/rings").intValue();
        assertTrue(rings > 1, this::text);
        assertEquals("tuning", first.at("/choice/from").textValue());
        assertEquals(first.at("/results/0/checksum"), first.at("/results/1/checksum"), "the same bits");
        assertEquals(ExitCode.OK, run(line), this::text);
        assertEquals("profile", json(file).at("/choice/from").textValue());
        assertEquals(rings, json(file).at("/choice/rings").intValue());
    }

    /** Levels choose their rings within the iterations; the profile knows them the next time, for the same cycle. */
    @Test
    void ringsOfLevelsAreTunedAndKept() throws IOException {
        Path profile = folder.resolve("levels.json");
        String[] line = {"run", "--ranks", "2", "--latency", "500us", "solve", "poisson2d:nx=24", "--preconditioner",
            "amg", "--preconditioner-option", "coarse-rows=20", "--smoother", "chebyshev,kind=4,degree=4", "--quiet",
            "--profile", profile.toString()};
        assertEquals(ExitCode.OK, run(line), this::text);
        assertTrue(out.toString().contains("2 ranks over threads, messages delayed by 500 us"), this::text);
        String chosen = out.toString().lines().filter(text -> text.contains("rings             level 0"))
                .findFirst().orElseThrow();
        assertTrue(chosen.matches(" +rings +level 0 [124] \\(tried [124]: .*"), chosen);
        JsonNode kept = json(profile);
        assertEquals("amg {coarse-rows=20, smoother=chebyshev,kind=4,degree=4}",
                kept.at("/results/0/trellis/program").textValue(), kept::toString);
        assertFalse(kept.at("/results/0/trellis").has("level"));
        out.getBuffer().setLength(0);
        assertEquals(ExitCode.OK, run(line), this::text);
        String known = out.toString().lines().filter(text -> text.contains("rings             level 0"))
                .findFirst().orElseThrow();
        assertTrue(chosen.startsWith(known.replaceFirst(";.*", "")), chosen + " and then " + known);
        assertEquals(ExitCode.OK, run("run", "--ranks", "2", "solve", "poisson2d:nx=24", "--preconditioner",
                "chebyshev", "--rings", "tuned", "--quiet"), this::text);
    }

    /** The first rank alone prints and writes; the profile says with which choice all ranks begin the next time. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void solversTuneThemselves(int ranks) throws IOException {
        Path profile = folder.resolve("solvers.json");
        Path report = folder.resolve("run.json");
        String[] line = {"run", "--ranks", String.valueOf(ranks), "solve", "poisson2d:nx=24", "--method", "tuned",
            "--rounds", "6", "--quiet", "--profile", profile.toString(), "--json", report.toString()};
        assertEquals(ExitCode.OK, run(line), this::text);
        assertEquals(1, out.toString().lines().filter(text -> text.startsWith("  first guess  ")).count(), this::text);
        assertTrue(out.toString().contains("first guess       auto, by rules"), this::text);
        String chosen = out.toString().lines().filter(text -> text.startsWith("  chosen  ")).findFirst().orElseThrow()
                .replaceFirst(" +chosen +", "");
        assertEquals("converged", json(report).findValue("status").textValue());
        assertEquals(chosen, json(report).at("/tuning/chosen").textValue());
        assertEquals(ranks, json(profile).at("/results/0/trellis/ranks").intValue(), () -> text() + profile);
        out.getBuffer().setLength(0);
        assertEquals(ExitCode.OK, run(line), this::text);
        assertTrue(out.toString().contains("first guess       " + chosen + ", by the profile"), this::text);
        out.getBuffer().setLength(0);
        String[] others = line.clone();
        others[2] = "4";
        assertEquals(ExitCode.OK, run(others), this::text);
        assertTrue(out.toString().contains("first guess       auto, by rules"), "other ranks: " + text());
    }

    /** What is tried tunes its rings, too; the profile then knows both, for any way to solve. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void solversTuneThemselvesAndTheirRings(int ranks) throws IOException {
        Path profile = folder.resolve("both.json");
        String amg = "cg with amg(coarse-rows=20, smoother=chebyshev,kind=4,degree=4)";
        knowsSolver(profile, ranks, amg);
        String[] line = {"run", "--ranks", String.valueOf(ranks), "--latency", "300us", "solve", "poisson2d:nx=24",
            "--method", "tuned", "--rounds", "4", "--rings", "tuned", "--quiet", "--profile", profile.toString()};
        assertEquals(ExitCode.OK, run(line), this::text);
        assertTrue(out.toString().contains("first guess       cg with amg("), this::text);
        String rings = out.toString().lines().filter(text -> text.startsWith("  rings  ") && text.contains("degree=4"))
                .findFirst().orElseThrow(() -> new AssertionError(text()));
        assertTrue(rings.matches(" +rings +cg with amg\\(.*\\): level 0 [124] \\(tried [124]: .*"), rings);
        JsonNode results = json(profile).get("results");
        List<String> programs = new ArrayList<>();
        results.forEach(result -> programs.add(result.at("/trellis/program").asText()));
        assertTrue(programs.contains("amg {coarse-rows=20, smoother=chebyshev,kind=4,degree=4}"), programs::toString);
        // Neither of both measures again what the other has measured.
        out.getBuffer().setLength(0);
        assertEquals(ExitCode.OK, run(line), this::text);
        assertTrue(
                out.toString().lines().anyMatch(text -> text.matches(" +rings +cg with amg\\(.*: level 0 [124](;.*)?")),
                this::text);
        out.getBuffer().setLength(0);
        assertEquals(ExitCode.OK, run("run", "--ranks", String.valueOf(ranks), "--latency", "300us", "solve",
                "poisson2d:nx=24", "--preconditioner", "amg", "--preconditioner-option", "coarse-rows=20", "--smoother",
                "chebyshev,kind=4,degree=4", "--quiet", "--profile", profile.toString()), this::text);
        assertTrue(out.toString().lines().anyMatch(text -> text.matches(" +rings +level 0 [124](;.*)?")), this::text);
    }

    /** One call over ranks: the profile, the document and the page hold solvers and rings. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void solversAndRingsAreTunedInOneCall(int ranks) throws Exception {
        Path profile = folder.resolve("both.json");
        Path report = folder.resolve("tuned.json");
        Path page = folder.resolve("tuned.html");
        knowsSolver(profile, ranks, "cg with amg(coarse-rows=20, smoother=chebyshev,kind=4,degree=4)");
        String[] line = {"run", "--ranks", String.valueOf(ranks), "--latency", "100us", "tune", "--solve", "--solves",
            "4", "--export", profile.toString(), "--no-defaults", "--json", report.toString(), "--html",
            page.toString(), "--quiet", "poisson2d:nx=24", "poisson3d:nx=6"};
        assertEquals(ExitCode.OK, run(line), this::text);
        JsonNode root = json(report);
        assertEquals("trellis-solver-tuning", root.get("format").asText());
        assertEquals(2, root.get("systems").size());
        JsonNode system = root.at("/systems/0");
        assertTrue(system.get("firstGuess").asText().startsWith("cg with amg("), system::toString);
        assertTrue(system.get("firstGuessReason").asText().contains("by the profile"), system::toString);
        for (JsonNode one : root.get("systems")) {
            assertEquals(4, one.get("secondsOfSolutions").size());
            one.get("relativeResiduals").forEach(residual -> assertTrue(residual.asDouble() < 1e-6, one::toString));
        }
        String text = Files.readString(page);
        DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new InputSource(new StringReader(text.substring(text.indexOf('\n')))));
        assertEquals(ranks, root.get("ranks").asInt());
        assertEquals(0, system.at("/rings/0/level").asInt(-1), system::toString);
        assertFalse(system.at("/rings/0/tried").isEmpty(), system::toString);
        assertTrue(text.contains("Rings of halos") && text.contains(ranks + " ranks over threads"), text);
        assertEquals(1, out.toString().lines().filter(one -> one.startsWith("poisson2d:nx=24: ")).count());
        assertTrue(out.toString().contains("  rings             cg with amg("), this::text);
        out.getBuffer().setLength(0);
        assertEquals(ExitCode.OK, run("profile", "show", profile.toString()), this::text);
        assertTrue(out.toString().contains("  solvers:") && out.toString().contains("  rings of halos:")
                && out.toString().contains(ranks + " ranks"), this::text);
    }

    /** As if an earlier program had chosen it: what is tried first does not depend on times then. */
    private static void knowsSolver(Path profile, int ranks, String choice) throws IOException {
        CsrMatrix matrix = MatrixSpec.parse("poisson2d:nx=24").generate(Precision.F64, ProgressListener.NONE);
        try (Backend rank = new BackendOptions().openForRank()) {
            SolverResult chosen = new SolverResult(Fingerprint.of(matrix), new SolverSetting(Precision.F64, 8, ranks,
                    false), SolverChoice.parse(choice).toMap(), new double[]{1e-6}, 1e-6, Invalidity.CORRECT, true,
                    Instant.EPOCH);
            new ProfileFile(profile).update(before -> before.withSolvers(TuningDevice.of(rank), "poisson2d:nx=24",
                    MatrixFeatures.of(matrix), SystemFeatures.of(matrix), List.of(chosen)));
        }
    }

    @Test
    void solversTuneThemselvesBesideConstants() throws IOException {
        int n = 60;
        StringBuilder matrix = new StringBuilder("%%MatrixMarket matrix coordinate real symmetric\n" + n + ' ' + n + ' '
                + (2 * n - 1) + '\n');
        for (int i = 1; i <= n; i++) {
            matrix.append(i).append(' ').append(i).append(i == 1 || i == n ? " 1\n" : " 2\n");
            if (i < n) {
                matrix.append(i + 1).append(' ').append(i).append(" -1\n");
            }
        }
        Path neumann = Files.writeString(folder.resolve("neumann.mtx"), matrix);
        assertEquals(ExitCode.OK, run("run", "--ranks", "2", "solve", neumann.toString(), "--method", "tuned",
                "--null-space", "constants", "--rounds", "3", "--quiet"), this::text);
        assertTrue(out.toString().contains("converged"), this::text);
    }

    @Test
    void tunedSolversNeedAProfile() throws IOException {
        Path wrong = Files.writeString(folder.resolve("wrong.json"), "{\"a\": 1}");
        assertEquals(ExitCode.FAILED, run("run", "--ranks", "2", "solve", "poisson2d:nx=24", "--method", "tuned",
                "--profile", wrong.toString(), "--quiet"), this::text);
        assertTrue(err.toString().contains("wrong.json"), this::text);
        assertEquals("{\"a\": 1}", Files.readString(wrong));
    }

    /** Sweeps by colours and bases of several steps choose theirs, too, and profiles distinguish them. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--preconditioner ssor|ssor {}",
        "--method s-step --option steps=3|s-step {steps=3}, jacobi {}"})
    void ringsOfSweepsAndBasesAreTunedAndKept(String options, String program) throws IOException {
        Path profile = folder.resolve("sweeps.json");
        String[] line = append(new String[]{"run", "--ranks", "2", "--latency", "300us", "solve",
            "poisson2d:nx=24", "--quiet", "--profile", profile.toString()}, options.split(" ", -1));
        assertEquals(ExitCode.OK, run(line), this::text);
        assertTrue(out.toString().lines().anyMatch(text -> text.matches(" +rings +level 0 [1-4] \\(tried .*")),
                this::text);
        assertEquals(program, json(profile).at("/results/0/trellis/program").textValue());
        out.getBuffer().setLength(0);
        assertEquals(ExitCode.OK, run(line), this::text);
        assertTrue(out.toString().lines().anyMatch(text -> text.matches(" +rings +level 0 [1-4]")), this::text);
    }

    @Test
    void exitCodesAreThoseOfOneRank() {
        assertEquals(ExitCode.NOT_CONVERGED, run("run", "solve", "poisson2d:nx=20", "--method", "cg",
                "--max-iterations", "3"), this::text);
        assertEquals(ExitCode.FAILED, run("run", "solve", "random:rows=30,columns=20,mean=3", "--method", "cg"),
                this::text);
        assertTrue(err.toString().contains("expected a square matrix"), this::text);
        assertEquals(ExitCode.FAILED, run("run", "spmv", "no-such-matrix"), this::text);
        assertEquals(ExitCode.FAILED, run("run", "spmv", "random:rows=30,columns=20,mean=3", "--seconds", "0.01"),
                this::text);
        assertTrue(err.toString().contains("columns of a matrix to divide is 20, expected 30"), this::text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "run info x | 'info' does not run on several ranks, expected one of powers, solve, spmv, tune, example",
        "run tune x | tune on several ranks with matrices for products, expected --solve and systems",
        "run tune y --solve x | tune on several ranks with matrices for products, expected --solve and systems",
        "run tune --solve x --exhaustive | --exhaustive, --fixed, --repeat, --processor-time or --leave-out on several",
        "run tune --solve x --fixed auto | --exhaustive, --fixed, --repeat, --processor-time or --leave-out on several",
        "run --transport gpus --gpus-per-rank 0 solve x | GPUs per rank is 0, expected 1 with transport gpus",
        "run --gpus-per-rank 2 solve x | GPUs per rank is 2, expected 1 or 0",
        "run --backend reference,none solve x | backend 'none' is unknown",
        "run --backend reference --gpus-per-rank 1 solve x | ranks with GPUs have backends [reference], expected cuda",
        "run --ranks 0 solve x | number of ranks is 0, expected at least 1",
        "run --partitioner none solve x | none",
        "run --partitioner ptscotch solve x | processes of MPI, and these are on transport threads",
        "run --transport gpus --partitioner ptscotch powers x | processes of MPI, and these are on transport gpus",
        "run | Missing required parameter: 'COMMAND'",
        "run solve x --method s-step --preconditioner ic0 | method s-step with preconditioner ic0, which takes jacobi",
        "run solve x --method cg --profile p.json | --profile on several ranks",
        "run solve x --preconditioner amg --rings 2 --profile p.json | --profile with --rings [2], expected tuned",
        "run solve x --method tuned --rings 2 | --method tuned with --rings [2], expected auto or tuned",
        "solve x --method tuned --rings tuned | --method tuned with --rings, for which one rank has no use",
        "run --transport gpus --latency 1us solve x | a latency of 1 us between GPUs",
        "run --latency 1us powers x --latency 1us | --latency of powers and of run, expected one of them",
        "run spmv x --peer ejml --search | --peer, --search on several ranks",
        "powers x --rings one | number of rings is 'one', expected 1 to 64, or auto",
        "powers x --latency 5 | '5' is no time, expected a number with ns, us, ms or s",
        "powers x --bandwidth 5 | --bandwidth without --latency"
    })
    void whatCannotBeIsRefused(String line, String message) {
        assertEquals(ExitCode.USAGE, run(line.split(" ", -1)), this::text);
        assertTrue(err.toString().contains(message), this::text);
    }

    @Test
    void missingLaunchersAreNamed() {
        assertEquals(ExitCode.FAILED, run("run", "--transport", "mpi", "--mpirun", "no-such-mpirun", "solve", "x"));
        assertTrue(err.toString().contains("no-such-mpirun cannot be started"), this::text);
    }

    @Test
    void processesOfMpiPrintOnce() throws IOException {
        String launcher = openMpi();
        Path file = folder.resolve("mpi.json");
        assertEquals(ExitCode.OK, run("run", "--ranks", "2", "--transport", "mpi", "--mpirun", launcher, "solve",
                "poisson2d:nx=25", "--json", file.toString()), this::text);
        assertEquals(1, out.toString().lines().filter(line -> line.contains("result            converged")).count(),
                this::text);
        assertTrue(json(file).get("transport").textValue().startsWith("mpi (Open MPI v"), this::text);
        assertEquals(2, json(file).get("ranks").intValue());
    }

    @Test
    void processesOfMpiTuneSolvers() throws IOException {
        String launcher = openMpi();
        Path file = folder.resolve("tuned.json");
        assertEquals(ExitCode.OK, run("run", "--ranks", "2", "--transport", "mpi", "--mpirun", launcher, "tune",
                "--solve", "--solves", "3", "--json", file.toString(), "poisson2d:nx=25", "poisson2d:nx=12"),
                this::text);
        assertEquals(2, out.toString().lines().filter(line -> line.startsWith("  chosen  ")).count(), this::text);
        assertEquals(2, json(file).get("ranks").intValue());
        assertEquals(2, json(file).get("systems").size());
    }

    /** The launcher's remarks about an exit code that is no failure are left out. */
    @Test
    @Tag("nightly")
    void launchersSayNothingAboutExitCodes() throws IOException {
        String launcher = openMpi();
        assertEquals(ExitCode.NOT_CONVERGED, run("run", "--ranks", "2", "--transport", "mpi", "--mpirun", launcher,
                "solve", "poisson2d:nx=25", "--method", "cg", "--max-iterations", "2"), this::text);
        assertFalse(err.toString().contains("-----"), this::text);
    }

    /** Divided by a library that calls MPI itself; tests of ranks do that without the command line. */
    @Test
    @Tag("nightly")
    void processesOfMpiAreDividedByPtScotch() throws IOException {
        String launcher = openMpi();
        assumeTrue(ParallelPartitioner.PTSCOTCH.installed().available(),
                () -> ParallelPartitioner.PTSCOTCH.installed().reason());
        assertEquals(ExitCode.OK, run("run", "--ranks", "2", "--transport", "mpi", "--mpirun", launcher,
                "--partitioner", "ptscotch", "solve", "poisson2d:nx=30"), this::text);
        assertTrue(out.toString().contains("rows divided by ptscotch"), this::text);
    }

    /** A rank that is killed ends the job within ten seconds, with one message and a code. */
    @Test
    @Tag("nightly")
    void killedRanksEndTheJob() throws Exception {
        String launcher = openMpi();
        CompletableFuture<Integer> job = CompletableFuture.supplyAsync(() -> run("run", "--ranks", "2", "--transport",
                "mpi", "--mpirun", launcher, "powers", "poisson2d:nx=30", "--seconds", "100"));
        for (int i = 0; i < 600 && !err.toString().contains("divide and measure"); i++) {
            Thread.sleep(50);
        }
        Thread.sleep(300);
        List<ProcessHandle> ranks = new ArrayList<>(ProcessHandle.current().descendants()
                .filter(process -> process.info().command().orElse("").endsWith("java")).toList());
        assertEquals(2, ranks.size(), this::text);
        long began = System.nanoTime();
        ranks.getLast().destroyForcibly();
        assertNotEquals(ExitCode.OK, job.get(30, TimeUnit.SECONDS), this::text);
        assertTrue(System.nanoTime() - began < 10_000_000_000L, "the others ended too late");
        assertEquals(1, err.toString().lines().filter(line -> line.contains("the job of 2 ranks failed")).count(),
                this::text);
        assertTrue(err.toString().contains("signal 9") || err.toString().contains("ended with 137"), this::text);
        // What has ended and was not waited for has no command any more.
        assertTrue(ranks.stream().noneMatch(rank -> rank.isAlive() && rank.info().command().isPresent()),
                () -> "still there: " + ranks);
    }
}
