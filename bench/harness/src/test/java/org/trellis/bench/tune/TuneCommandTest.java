package org.trellis.bench.tune;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.report.SolverSweepFile;
import org.trellis.testing.JsonSchemas;
import org.trellis.tuner.profile.Profile;
import org.trellis.tuner.solver.SolverModel;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Tuning and profiles as a user meets them. */
class TuneCommandTest {
    private static final String[] MATRICES = {"poisson2d:nx=20", "random:rows=300,mean=6", "banded:n=200,lower=3",
        "random:rows=200,lengths=power,max=50"};

    private static String searched;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return JsonSchemas.checked(
                TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), arguments),
                arguments);
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    /** Puts the profile of a search into the folder, which is done once for all tests. */
    private void searched() throws IOException {
        synchronized (TuneCommandTest.class) {
            if (searched == null) {
                search();
                searched = Files.readString(folder.resolve("p.json"));
            }
        }
        Files.writeString(folder.resolve("p.json"), searched);
    }

    private void search() {
        assertEquals(ExitCode.OK, run("tune", "-q", "--backend", "threads", "--threads", "2", "--exhaustive",
                "--export", path("p.json"), MATRICES[0], MATRICES[1], MATRICES[2], MATRICES[3]), err::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "tune | Missing required parameter: 'MATRIX'",
        "tune x --budget soon | 'soon' is no budget, expected seconds (30s), minutes (2m) or a number of trials (50)",
        "tune x --budget 0 | trials is 0, expected at least 1",
        "tune x --budget 5s --exhaustive | --exhaustive has no --budget",
        "tune x --leave-out y | --leave-out needs --evaluate or --solve",
        "tune x --processor-time | --processor-time without --solve, expected both",
        "tune x --solve --processor-time --backend threads --threads 2 | --processor-time with 2 threads of ",
        "tune x --solves 3 | --solves without --solve, expected both",
        "tune x --solve --solves 0 | --solves is 0, expected at least 1",
        "tune x --fixed direct | --fixed without --solve, expected both",
        "tune x --repeat 2 | --repeat without --solve, expected both",
        "tune x --solve --fixed direct --export y | --fixed with --export, --profile or --leave-out, expected none",
        "tune x --solve --fixed nonsense | --fixed is 'nonsense': ",
        "tune x --solve --budget 3s | --solve with --budget or --pictures, which are for products, expected matrices",
        "tune --solve x --pictures y | --solve with --budget or --pictures, which are for products, expected matrices",
        "tune x --solve y --evaluate | --solve with --evaluate, expected one of them",
        "tune x --solve y --fixed direct | --fixed with matrices before --solve, expected all of them after it",
        "tune x --solve y --processor-time | --processor-time with matrices before --solve, expected all of them",
        "tune x --solve y --budget 2 --exhaustive | --exhaustive has no --budget",
        "tune x --products 0 | --products is 0, expected at least 1",
        "tune x --backend nope | backend 'nope' is unknown, expected one of these or 'best'. ",
        "profile | a command is missing, expected one of show, merge, check, train, import, features",
        "profile merge x --export /nonexistent/a | there is no folder /nonexistent",
        "profile merge x --best 0 --export a | --best is 0, expected at least 1",
        "spmv x --profile /nonexistent/p | /nonexistent/p: there is no such file"})
    void refusesWrongCommandLines(String line, String message) {
        assertEquals(ExitCode.USAGE, run(line.strip().split(" ")), err::toString);
        assertTrue(err.toString().contains(message), err::toString);
    }

    @Test
    void solversAreTunedSweptAndKept() throws IOException, ParserConfigurationException, SAXException {
        assertEquals(ExitCode.OK,
                run("tune", "-q", "--backend", "threads", "--threads", "1", "--solve", "--solves", "3",
                        "--processor-time", "--exhaustive", "--export", path("s.json"), "--json", path("solvers.json"),
                        "--html", path("solvers.html"), "poisson2d:nx=8"),
                () -> err + "" + out);
        assertTrue(out.toString().contains("share of best"), out::toString);
        JsonNode root = new ObjectMapper().readTree(folder.resolve("solvers.json").toFile());
        assertEquals(3, root.get("solves").asInt());
        for (JsonNode system : root.get("systems")) {
            assertEquals("direct", system.get("firstGuess").asText());
            assertTrue(system.get("firstGuessReason").asText().contains("times the entries"), system::toString);
            assertEquals(3, system.get("secondsOfSolutions").size());
            assertTrue(system.get("tried").size() >= 3, system::toString);
            assertTrue(system.get("chosen").isTextual() && system.get("best").get("seconds").asDouble() > 0);
            assertTrue(system.get("shareOfBest").asDouble() <= 1.0001, system::toString);
            assertTrue(system.get("sweep").size() > 50 && system.get("sweep").size() <= 200);
            assertEquals(system.get("settled").asBoolean(), system.get("settledAfter").isInt(), system::toString);
            assertTrue(system.get("tried").get(0).get("relativeResidual").asDouble() < 1e-6, system::toString);
        }
        String text = Files.readString(folder.resolve("solvers.html"));
        Element page = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(new InputSource(new StringReader(text.substring(text.indexOf('\n') + 1)))).getDocumentElement();
        assertEquals("html", page.getTagName());
        assertTrue(text.contains("Time against accuracy for poisson2d:nx=8"), "who was tried");
        Profile kept = Profile.read(folder.resolve("s.json"));
        assertEquals(1, kept.systems().size());
        out.getBuffer().setLength(0);
        assertEquals(ExitCode.OK,
                run("tune", "-q", "--backend", "threads", "--threads", "1", "--solve", "--solves", "1",
                        "--profile", path("s.json"), "poisson2d:nx=8"),
                err::toString);
        assertTrue(out.toString().contains("by the profile, which knows the structure"), out::toString);
        assertSweepTeaches();
    }

    /** The same program with one choice alone, and both again in the same process. */
    @Test
    void tuningIsComparedWithOneChoiceAlone() throws IOException {
        for (String fixed : List.of("direct", "cg with ic0", "auto", "")) {
            List<String> line = new ArrayList<>(List.of("tune", "-q", "--backend", "threads", "--threads", "1",
                    "--solve", "--solves", "4", "--processor-time", "--repeat", "3", "--json", path("beside.json")));
            line.addAll(fixed.isEmpty() ? List.of() : List.of("--fixed", fixed));
            line.add("poisson2d:nx=8");
            assertEquals(ExitCode.OK, run(line.toArray(String[]::new)), err::toString);
            JsonNode system = new ObjectMapper().readTree(folder.resolve("beside.json").toFile()).at("/systems/0");
            JsonNode warm = system.get("warm");
            assertEquals(3, warm.get("runs").asInt());
            assertEquals(4, system.get("secondsOfSolutions").size());
            assertTrue(warm.get("leastSeconds").asDouble() <= warm.get("seconds").asDouble()
                    && warm.get("seconds").asDouble() <= warm.get("mostSeconds").asDouble(), warm::toString);
            assertTrue(warm.get("firstSeconds").asDouble() > 0 && warm.get("laterSeconds").asDouble() > 0);
            for (JsonNode residual : system.get("relativeResiduals")) {
                assertTrue(residual.asDouble() < 1e-6, system::toString);
            }
            if (!fixed.isEmpty()) {
                assertEquals(fixed, system.get("chosen").asText());
                assertEquals(fixed + ", which is fixed", system.get("firstGuessReason").asText());
                assertEquals(4, system.get("tried").size());
                assertEquals(0, warm.get("trials").asInt());
            }
        }
    }

    /** What was swept is neither measured again nor learnt from for its own family. */
    private void assertSweepTeaches() throws IOException {
        assertEquals(ExitCode.OK,
                run("tune", "-q", "--backend", "threads", "--threads", "1", "--solve", "--solves", "3",
                        "--leave-out", path("solvers.json"), "--json", path("again.json"), "poisson2d:nx=8"),
                err::toString);
        ObjectMapper reader = new ObjectMapper();
        JsonNode before = reader.readTree(folder.resolve("solvers.json").toFile()).get("systems").get(0);
        JsonNode again = reader.readTree(folder.resolve("again.json").toFile()).get("systems").get(0);
        assertEquals(before.get("best"), again.get("best"));
        List<String> files = new ArrayList<>(List.of("profile", "train-solvers", path("solvers.json")));
        for (String family : List.of("stokes", "jump", "graph")) {
            Path other = folder.resolve(family + ".json");
            Files.writeString(other, Files.readString(folder.resolve("solvers.json")).replace("poisson", family));
            files.add(other.toString());
        }
        files.addAll(List.of("--output", path("m.txt")));
        assertEquals(ExitCode.OK, run(files.toArray(String[]::new)), err::toString);
        assertTrue(out.toString().contains("leaving one family out, 4 systems"), out::toString);
        assertTrue(SolverModel.parse(Files.readString(folder.resolve("m.txt"))).candidates().size() > 1);
        assertEquals(ExitCode.FAILED, run("profile", "train-solvers", path("s.json")), out::toString);
        assertTrue(err.toString().contains("has no 'systems' with 'solves'"), err::toString);
    }

    @Test
    void searchesAreKeptAndGoOn() throws IOException {
        search();
        assertTrue(out.toString().contains("4 searches: rule is "), out::toString);
        JsonNode profile = new ObjectMapper().readTree(Files.readString(folder.resolve("p.json")));
        assertEquals(8, profile.get("results").size());
        assertEquals(4, profile.at("/trellis/matrices").size());
        out.getBuffer().setLength(0);
        search();
        assertTrue(out.toString().contains("2 known before"), out::toString);
        assertEquals(ExitCode.OK, run("profile", "show", path("p.json")), err::toString);
        assertTrue(out.toString().contains("poisson2d:nx=20 "), out::toString);
    }

    /** One call: what is named before --solve is tuned for products, what follows for solvers. */
    @Test
    void productsAndThenSolversAreTunedInOneCall() throws IOException {
        assertEquals(ExitCode.OK, run("tune", "-q", "--backend", "threads", "--threads", "2", "--budget", "2",
                MATRICES[0], MATRICES[2], "--solve", "poisson2d:nx=8", "--solves", "2", "--precision", "f64,f32",
                "--export", path("one.json"), "--json", path("tuned.json"), "--html", path("tuned.html"),
                "poisson3d:nx=4"), () -> err + "" + out);
        JsonNode root = new ObjectMapper().readTree(folder.resolve("tuned.json").toFile());
        assertEquals("trellis-solver-tuning", root.get("format").asText());
        assertEquals(List.of(MATRICES[0] + " f64", MATRICES[0] + " f32", MATRICES[2] + " f64", MATRICES[2] + " f32"),
                root.get("searches").valueStream()
                        .map(one -> one.get("matrix").asText() + ' ' + one.get("precision").asText()).toList());
        for (JsonNode search : root.get("searches")) {
            assertTrue(search.get("best").get("medianSeconds").doubleValue() > 0, search::toString);
            assertEquals(1, search.get("best").get("shareOfBest").doubleValue());
            assertEquals(2, search.get("results").size(), search::toString);
        }
        assertEquals(List.of("poisson2d:nx=8", "poisson2d:nx=8", "poisson3d:nx=4", "poisson3d:nx=4"),
                root.get("systems").valueStream().map(one -> one.get("system").asText()).toList());
        assertEquals(2, SolverSweepFile.read(List.of(folder.resolve("tuned.json"))).systems().size());
        Profile kept = Profile.read(folder.resolve("one.json"));
        assertEquals(2, kept.systems().size());
        assertEquals(4, kept.matrices().size());
        assertEquals(8, kept.results(kept.devices().getFirst()).size());
        Element page = page("tuned.html");
        assertEquals("Tuning of products and solvers",
                page.getElementsByTagName("h1").item(0).getTextContent());
        List<String> headings = texts(page, "h2");
        assertEquals(List.of("Each matrix", "All measurements", "Each system"),
                headings.stream().filter(one -> one.matches("Each .*|All .*")).toList());
        assertEquals(1, headings.stream().filter("Where"::equals).count());
        assertEquals(4, rows(table(page, 0)));
        assertEquals(8, rows(table(page, 1)));
        assertEquals(4, rows(table(page, 2)));
        assertTrue(page.getElementsByTagName("svg").getLength() >= 8, "solutions of each system, for desks and phones");
    }

    @Test
    void matricesBeforeSolveAreSystemsWhereNoneFollows() throws IOException {
        assertEquals(ExitCode.OK, run("tune", "-q", "--backend", "threads", "--threads", "1", "poisson2d:nx=6",
                "--solve", "--solves", "1", "--json", path("only.json")), err::toString);
        JsonNode root = new ObjectMapper().readTree(folder.resolve("only.json").toFile());
        assertFalse(root.has("searches"), root::toString);
        assertEquals(1, root.get("systems").size());
    }

    @Test
    void aNameThatStandsForNothingFailsAndTheRestGoOn() throws IOException {
        assertEquals(ExitCode.FAILED, run("tune", "-q", "--backend", "threads", "--threads", "1", "--budget", "1",
                "no-such-matrix", MATRICES[0], "--solve", "no-such-system", "poisson2d:nx=6", "--solves", "1",
                "--json", path("rest.json")));
        assertTrue(err.toString().contains("no-such-matrix") && err.toString().contains("no-such-system"),
                err::toString);
        JsonNode root = new ObjectMapper().readTree(folder.resolve("rest.json").toFile());
        assertEquals(1, root.get("searches").size());
        assertEquals(1, root.get("systems").size());
    }

    private static List<String> texts(Element page, String tag) {
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < page.getElementsByTagName(tag).getLength(); i++) {
            texts.add(page.getElementsByTagName(tag).item(i).getTextContent());
        }
        return texts;
    }

    private static int rows(Element table) {
        return table.getElementsByTagName("tr").getLength() - 1;
    }

    @Test
    void oneProfileAndOnePageHoldWhatWasTunedOfAnyKind() throws IOException {
        String one = path("all.json");
        assertEquals(ExitCode.OK, run("tune", "-q", "--backend", "threads", "--threads", "2", "--budget", "2",
                "--export", one, "poisson2d:nx=20"), err::toString);
        assertEquals(ExitCode.OK, run("tune", "-q", "--solve", "--solves", "2", "--backend", "threads", "--threads",
                "2", "--export", one, "poisson2d:nx=20"), err::toString);
        assertEquals(ExitCode.OK, run("run", "--ranks", "2", "solve", "-q", "--method", "cg", "--preconditioner",
                "chebyshev", "--rings", "tuned", "--profile", one, "poisson2d:nx=20"), err::toString);
        out.getBuffer().setLength(0);
        assertEquals(ExitCode.OK, run("profile", "show", one, "--html", path("all.html")), err::toString);
        String shown = out.toString();
        assertTrue(
                shown.contains("  products:") && shown.contains("  solvers:") && shown.contains("direct, chosen (f64, ")
                        && shown.contains("  rings of halos:") && shown.contains("2 ranks by threads"),
                shown);
        String page = Files.readString(folder.resolve("all.html"));
        assertTrue(page.contains(": products") && page.contains(": solvers") && page.contains(": rings of halos"),
                page);
        out.getBuffer().setLength(0);
        assertEquals(ExitCode.OK, run("profile", "show", one, "--all"), err::toString);
        assertTrue(out.toString().lines().count() >= shown.lines().count(), out::toString);
    }

    /** As if a machine of another processor had tuned: its solvers are calibrated, and tuning begins with them. */
    @Test
    void aProfileOfAnotherMachineIsCalibrated() throws IOException {
        assertEquals(ExitCode.OK, run("tune", "-q", "--backend", "threads", "--threads", "1", "--budget", "2",
                MATRICES[0], "--solve", "--solves", "3", MATRICES[0], "--export", path("there.json")), err::toString);
        Path there = folder.resolve("there.json");
        Files.writeString(there, Files.readString(there).replaceAll("\"processor\" : \"[^\"]*\"",
                "\"processor\" : \"Fast One\""));
        assertEquals(ExitCode.OK, run("profile", "check", "--accept", path("there.json")), err::toString);
        out.getBuffer().setLength(0);
        String[] importing = {"profile", "import", "-q", "--backend", "threads", "--threads", "1", path("there.json"),
            "--export", path("here.json")};
        assertEquals(ExitCode.OK, run(importing), err::toString);
        assertTrue(out.toString().contains("(Fast One) that are calibrated for threads on")
                && out.toString().contains("factorisations x "), out::toString);
        Profile here = Profile.read(folder.resolve("here.json"));
        assertEquals(2, here.devices().size());
        out.getBuffer().setLength(0);
        assertEquals(ExitCode.OK, run("profile", "show", path("here.json")), err::toString);
        assertTrue(out.toString().contains("direct, chosen, calibrated (f64, "), out::toString);
        out.getBuffer().setLength(0);
        assertEquals(ExitCode.OK, run("solve", "-q", "--backend", "threads", "--threads", "1", "--method", "tuned",
                "--profile", path("here.json"), MATRICES[0]), err::toString);
        assertTrue(out.toString().contains("knows the structure from another machine, calibrated"), out::toString);
        // A name that means something else here: nothing to calibrate by, unless the matrix is elsewhere.
        Files.writeString(there, Files.readString(there).replace("\"poisson2d:nx=20\"", "\"poisson2d:nx=7\""));
        assertEquals(ExitCode.OK, run("profile", "check", "--accept", path("there.json")), err::toString);
        assertEquals(ExitCode.OK, run(importing), err::toString);
        assertTrue(out.toString().contains("poisson2d:nx=7 is not solved again: no matrix of its structure is here"),
                out::toString);
        out.getBuffer().setLength(0);
        assertEquals(ExitCode.OK, run("profile", "import", "-q", "--backend", "threads", "--threads", "1", "--among",
                MATRICES[0], path("there.json"), "--export", path("again.json")), err::toString);
        assertTrue(out.toString().contains("that are calibrated for threads on"), out::toString);
    }

    @Test
    void profilesAreMergedCheckedLearntFromAndUsed() throws IOException {
        searched();
        assertEquals(ExitCode.OK, run("profile", "train", "-q", "--min-results", "2", path("p.json"), "--export",
                path("m.json")), err::toString);
        assertTrue(out.toString().contains("leaving one matrix out, 4 choices"), out::toString);
        assertEquals(ExitCode.OK, run("profile", "merge", path("p.json"), path("m.json"), "--best", "1", "--export",
                path("both.json")), err::toString);
        assertEquals(ExitCode.OK, run("profile", "check", path("both.json")), err::toString);
        assertTrue(out.toString().contains("4 results on 4 matrices and 1 devices with 1 models"), out::toString);
        assertEquals(ExitCode.OK, run("spmv", "-q", "--seconds", "0.01", "--backend", "threads", "--profile",
                path("both.json"), MATRICES[0]), err::toString);
        assertEquals(ExitCode.OK, run("solve", "-q", "--backend", "threads", "--method", "cg", "--profile",
                path("s.json"), MATRICES[0]), err::toString);
        assertTrue(Files.readString(folder.resolve("s.json")).contains("\"runtimes\""));
    }

    @Test
    void profilesThatCannotBeUsedAreNamed() throws IOException {
        searched();
        String text = Files.readString(folder.resolve("p.json"));
        Files.writeString(folder.resolve("edited.json"), text.replace("\"csr\"", "\"csr-balanced\""));
        Files.writeString(folder.resolve("cut.json"), text.substring(0, 500));
        assertEquals(ExitCode.FAILED, run("profile", "check", path("edited.json"), path("cut.json"), path("p.json")));
        assertTrue(err.toString().contains("edited.json: trellis.checksum"), err::toString);
        assertTrue(err.toString().contains("cut.json, line "), err::toString);
        Files.writeString(folder.resolve("edited.json"), text.replace("\"precision\" : \"f64\"",
                "\"precision\" : \"f32\""));
        assertEquals(ExitCode.OK, run("profile", "check", "--accept", path("edited.json")), err::toString);
        assertEquals(ExitCode.OK, run("profile", "check", path("edited.json")), err::toString);
        assertEquals(ExitCode.USAGE, run("spmv", "--profile", path("cut.json"), MATRICES[0]));
    }

    @Test
    void resultsAreImported() throws IOException {
        String[] files = new String[3];
        for (int i = 0; i < files.length; i++) {
            files[i] = path("results" + i + ".json");
            assertEquals(ExitCode.OK, run("spmv", "-q", "--seconds", "0.01", "--backend", "threads", "--threads", "2",
                    "--parameters", "all", "--json", files[i], MATRICES[i]), err::toString);
        }
        assertEquals(ExitCode.OK, run("profile", "import", "-q", files[0], files[1], files[2], "--export",
                path("i.json")), err::toString);
        assertTrue(out.toString().contains("6 results on 3 matrices and 1 devices"), out::toString);
        Files.writeString(folder.resolve("other.json"), "{\"format\": \"nothing\"}");
        assertEquals(ExitCode.FAILED, run("profile", "import", "-q", path("other.json"), "--export", path("j.json")));
        assertTrue(err.toString().contains("format is \"nothing\""), err::toString);
        String sound = Files.readString(Path.of(files[0]));
        for (String[] wrong : new String[][]{
            {sound.replaceFirst("\"records\" :", "\"records\" "), ", line ",
                "damaged, this is no JSON: Unexpected character ('['"},
            {sound.substring(0, sound.length() / 2), ", line ", "expected"},
            {sound.replace("\"minSeconds\"", "\"other\""), "records[0].minSeconds is missing, expected a number"},
            {sound.replaceFirst("\"date\" : \"", "\"date\" : \"x"), "date is \"x", "expected a date"},
            {sound.replace("\"records\"", "\"others\""), "records is missing, expected a list"},
            {"[]", "the whole is [], expected an object"}, {"", "the file is empty"}}) {
            Files.writeString(folder.resolve("other.json"), wrong[0]);
            err.getBuffer().setLength(0);
            assertEquals(ExitCode.FAILED,
                    run("profile", "import", "-q", path("other.json"), "--export", path("j.json")));
            assertTrue(err.toString().startsWith("trellis: " + path("other.json")), err::toString);
            for (int part = 1; part < wrong.length; part++) {
                assertTrue(err.toString().contains(wrong[part]), err::toString);
            }
        }
    }

    @Test
    @Tag("nightly")
    void featuresOfOldProfilesAreFoundAnew() throws IOException {
        searched();
        String text = Files.readString(folder.resolve("p.json"));
        // As an older version left it, and with a name that means nothing here.
        Files.writeString(folder.resolve("old.json"), text.replaceAll(
                "(\"columnSpan\" : [-0-9.E]+),[^}]*\"vectorLinesPerEntry\" : [-0-9.E]+", "$1"));
        assertEquals(ExitCode.OK, run("profile", "check", "--accept", path("old.json")), err::toString);
        assertFalse(Files.readString(folder.resolve("old.json")).contains("vectorLinesPerEntry"));
        assertEquals(ExitCode.OK, run("profile", "features", "-q", path("old.json"), "--export", path("new.json")),
                err::toString);
        assertEquals(Profile.read(folder.resolve("p.json")).matrices(),
                Profile.read(folder.resolve("new.json")).matrices());
        Files.writeString(folder.resolve("renamed.json"), Files.readString(folder.resolve("old.json"))
                .replace('"' + MATRICES[0] + '"', "\"poisson2d:nx=7\""));
        assertEquals(ExitCode.OK, run("profile", "check", "--accept", path("renamed.json")), err::toString);
        assertEquals(ExitCode.FAILED,
                run("profile", "features", "-q", path("renamed.json"), "--export", path("less.json")));
        assertTrue(err.toString().contains("poisson2d:nx=7: no matrix of the structure v1-"), err::toString);
        assertEquals(ExitCode.OK, run("profile", "features", "-q", path("renamed.json"), "--among", MATRICES[0],
                "--export", path("among.json")), err::toString);
    }

    @Test
    @Tag("nightly")
    void runTimeTuningIsJudged() throws IOException {
        assertEquals(ExitCode.OK, run("tune", "-q", "--evaluate", "--products", "12", "--backend", "threads",
                "--threads", "1", "--json", path("e.json"), "--pictures", path("pictures"), "--html", path("e.html"),
                "--precision", "f64,f32", MATRICES[0], MATRICES[3]), err::toString);
        assertTrue(out.toString().contains("f32, 2 matrices, share of the exhaustive optimum"), out::toString);
        JsonNode outcome = new ObjectMapper().readTree(Files.readString(folder.resolve("e.json"))).at("/outcomes/0");
        assertEquals(12, outcome.get("shareAfterProduct").size());
        assertTrue(outcome.get("shareAfterProduct").get(11).doubleValue() <= 1);
        assertTrue(outcome.get("measuredSeconds").size() >= 1
                && outcome.get("measuredSeconds").get(0).doubleValue() > 0, outcome::toString);
        Element page = page("e.html");
        assertEquals(4, page.getElementsByTagName("svg").getLength(),
                "a chart for each precision, for desks and phones");
        assertEquals(4, table(page, 0).getElementsByTagName("tr").getLength() - 1);
        byte[] picture = Files.readAllBytes(folder.resolve("pictures/tuning.png"));
        assertEquals("PNG", new String(picture, 1, 3, StandardCharsets.US_ASCII));
    }

    @Test
    void searchesAreReported() throws IOException {
        assertEquals(ExitCode.OK, run("tune", "-q", "--backend", "threads", "--threads", "2", "--exhaustive",
                "--html", path("s.html"), "--json", path("searches.json"), MATRICES[0], MATRICES[1]), err::toString);
        JsonNode root = new ObjectMapper().readTree(folder.resolve("searches.json").toFile());
        assertEquals("trellis-product-tuning", root.get("format").asText());
        assertEquals(2, root.get("searches").size());
        Element page = page("s.html");
        assertEquals("Search for parameters", page.getElementsByTagName("h1").item(0).getTextContent());
        assertEquals(2, table(page, 0).getElementsByTagName("tr").getLength() - 1);
        // The backend has two variants.
        assertEquals(4, table(page, 1).getElementsByTagName("tr").getLength() - 1);
        assertTrue(table(page, 1).getTextContent().contains("csr-balanced"), out::toString);
    }

    private static Element table(Element page, int number) {
        return (Element) page.getElementsByTagName("table").item(number);
    }

    /** Behind its first line the report is well-formed XML. */
    private Element page(String name) throws IOException {
        String text = Files.readString(folder.resolve(name));
        try {
            return DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder()
                    .parse(new InputSource(new StringReader(text.substring(text.indexOf('\n') + 1))))
                    .getDocumentElement();
        } catch (ParserConfigurationException | SAXException e) {
            throw new AssertionError(text, e);
        }
    }
}
