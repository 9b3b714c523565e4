package org.trellis.bench.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.testing.JsonSchemas;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import picocli.CommandLine;

/** The commands as a user meets them: exit codes, messages and files. */
class CommandLineTest {
    private static final String SMALL = """
            %%MatrixMarket matrix coordinate real symmetric
            3 3 4
            1 1 2
            2 2 2
            3 3 2
            2 1 -1
            """;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return JsonSchemas.checked(
                TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), arguments),
                arguments);
    }

    private Path file(String name, String content) throws IOException {
        return Files.writeString(folder.resolve(name), content);
    }

    private Path small() throws IOException {
        return file("small.mtx", SMALL);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "spmv --precison f32 x | Unknown option: '--precison'",
        "solve --preconditoner amg x | Unknown option: '--preconditoner'",
        "spmv | no matrix is given, expected MATRIX or --demo",
        "spmv x --backend nope | backend 'nope' is unknown, expected one of these or 'best'. ",
        "spmv x --peer nope | peer 'nope' is unknown",
        "spmv x --threads 0 | '0' is no number of threads, expected 1 to 1024",
        "spmv x --precision f16 | 'f16' is unknown, expected f32 or f64",
        "spmv x --seconds -1 | seconds is -1.0, expected more than 0",
        "spmv x --parameters foo=1 | have no family",
        "spmv x --parameters family=nope | kernel family 'nope' is unknown",
        "spmv x --json /nonexistent/a.json | there is no folder /nonexistent",
        "spmv x --html / | is a folder, expected a file",
        "spmv --html poisson2d:nx=9 | expected a file that ends in .html or .htm; without a name, put --html last",
        "solve x --plot b.mtx | --plot names 'b.mtx', expected a file that ends in .png",
        "solve | MATRIX: The matrix A.",
        "example airfoil c-mesh:i=4,j=6 --iterations 3 | the applications are not on the class path",
        "info | Missing required parameter",
        "solve x --backend nope | backend 'nope' is unknown, expected one of these or 'best'. ",
        "solve x --tolerance -1 | relativeTolerance is -1.0",
        "generate | a kind is missing",
        "generate poisson2d --nx=a out.mtx | nx is 'a', expected a whole number",
        "read x --peer nope | peer 'nope' is unknown",
        "nope | 'nope' is no command of trellis",
        "nope --tolerance 1 | 'nope' is no command of trellis",
        "backends y | 'y' is one argument too many for trellis backends",
        "nope.mtx | 'nope.mtx' is no command of trellis"})
    void rejectsAWrongCommandLine(String line, String message) {
        assertEquals(ExitCode.USAGE, run(line.strip().split(" ")), err::toString);
        assertTrue(err.toString().contains(message.stripTrailing()), err::toString);
        assertTrue(err.toString().contains(" --help'."), err::toString);
    }

    @Test
    void suggestsAnOption() {
        run("spmv", "--precison", "f32", "x");
        assertTrue(err.toString().contains("Did you mean --precision?"), err::toString);
        run("solve", "--perconditioner=jacobi", "x");
        assertTrue(err.toString().contains("Did you mean --preconditioner?"), err::toString);
        run("slove", "x");
        assertTrue(err.toString().contains("Did you mean solve?"), err::toString);
    }

    @Test
    void saysAtOnceThatAFileIsBroken() throws IOException {
        Path broken = file("broken.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 x 1.0\n");
        assertEquals(ExitCode.FAILED, run("spmv", broken.toString()));
        assertTrue(err.toString().contains("broken.mtx:3:3: "), err::toString);
        assertTrue(!out.toString().contains("Memory on"), out::toString);
        assertTrue(!err.toString().contains("bandwidth"), err::toString);
    }

    @Test
    void reportsAMissingMatrixAndGoesOn() throws IOException {
        Path json = folder.resolve("facts.json");
        int code = run("info", "--no-pictures", "--json", json.toString(), "absent.mtx", small().toString());
        assertEquals(ExitCode.FAILED, code);
        assertTrue(err.toString().contains("'absent.mtx' is no file"), err::toString);
        JsonNode document = new ObjectMapper().readTree(json.toFile());
        assertEquals(5, document.at("/matrices/0/nonZeros").asInt());
        assertTrue(document.at("/matrices/0/symmetric").asBoolean());
        assertEquals("absent.mtx", document.at("/failures/0/matrix").asText());
    }

    @Test
    void drawsPictures() throws IOException {
        Path pictures = folder.resolve("made");
        assertEquals(ExitCode.OK, run("info", small().toString(), "--pictures", pictures.toString()), err::toString);
        byte[] spy = Files.readAllBytes(pictures.resolve("small-spy.png"));
        assertEquals("PNG", new String(spy, 1, 3, java.nio.charset.StandardCharsets.US_ASCII));
        assertTrue(Files.size(pictures.resolve("small-rows.png")) > 1000);
    }

    @Test
    void picturesOfMatricesOfOneNameAreKeptApart() throws IOException {
        Path[] files = new Path[2];
        for (int i = 0; i < files.length; i++) {
            files[i] = Files.createDirectory(folder.resolve("folder" + i)).resolve("x.mtx");
            Files.writeString(files[i], SMALL);
        }
        Path pictures = folder.resolve("made");
        assertEquals(ExitCode.OK, run("info", files[0].toString(), files[1].toString(), "--pictures",
                pictures.toString()), err::toString);
        assertTrue(Files.exists(pictures.resolve("x-spy.png")) && Files.exists(pictures.resolve("x-2-rows.png")));
        assertTrue(out.toString().contains("named x-2, as x is taken by " + files[0]), out::toString);
    }

    @Test
    void nothingFromAFileMovesTheCursor() throws IOException {
        String hidden = "\u001b[2J\u009b31m\u0007";
        Path named = folder.resolve("a" + hidden + ".mtx");
        Files.writeString(named, SMALL);
        Path html = folder.resolve("r.html");
        assertEquals(ExitCode.FAILED, run("info", "--no-pictures", named.toString(), "absent" + hidden + "\nforged"));
        assertEquals(ExitCode.OK, run("spmv", "-q", "--seconds", "0.01", "--backend", "reference", "--html",
                html.toString(), named.toString()), err::toString);
        assertEquals(ExitCode.USAGE, run("info", "--o" + hidden));
        for (String printed : new String[]{out.toString(), err.toString(), Files.readString(html)}) {
            assertTrue(printed.contains("\\u001b[2J\\u009b31m\\u0007"), printed);
            assertTrue(printed.chars().noneMatch(c -> (c < ' ' && c != '\n') || (c >= 0x7f && c < 0xa0)), printed);
        }
        assertTrue(err.toString().lines().noneMatch(line -> line.startsWith("forged")), err::toString);
    }

    @Test
    void aReportThatCannotBeWrittenLeavesTheOldOne() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "there is no " + full);
        assertEquals(ExitCode.FAILED, run("info", "--no-pictures", "--json", full.toString(), small().toString()));
        assertTrue(err.toString().contains(full + ": writing failed: "), err::toString);
        Path json = file("good.json", "good");
        Files.setPosixFilePermissions(json, PosixFilePermissions.fromString("rw-------"));
        assertEquals(ExitCode.OK, run("info", "--no-pictures", "--json", json.toString(), small().toString()));
        assertTrue(Files.readString(json).contains("nonZeros"));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(json)));
    }

    @Test
    void resultsThatDoNotArriveAreAFailure() {
        PrintWriter full = new PrintWriter(new java.io.Writer() {
            @Override
            public void write(char[] characters, int offset, int length) throws IOException {
                throw new IOException("the device is full");
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        });
        Console console = new Console(full, new PrintWriter(err), false);
        assertEquals(ExitCode.FAILED, TrellisCommand.run(console, "list"));
        assertTrue(err.toString().contains("the results could not be written to the standard output"), err::toString);
        assertEquals(ExitCode.FAILED, TrellisCommand.run(console, "--help"));
        assertEquals(ExitCode.USAGE, TrellisCommand.run(console, "nope"));
    }

    private static ProcessBuilder process(String... arguments) {
        List<String> command = new java.util.ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), org.trellis.bench.Main.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    @Test
    void aFullDeviceAndAClosedPipeAreTold() throws IOException, InterruptedException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "there is no " + full);
        Process process = process("list").redirectOutput(full.toFile()).start();
        String complaint = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(ExitCode.FAILED, process.waitFor());
        assertTrue(complaint.contains("trellis: the results could not be written to the standard output: "), complaint);
        Process pipe = process("list").start();
        pipe.getInputStream().close();
        String nothing = new String(pipe.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(ExitCode.CLOSED_PIPE, pipe.waitFor(), nothing);
        assertFalse(nothing.contains("trellis"), nothing);
    }

    @Test
    void namesThePlaceOfASyntaxError() throws IOException {
        Path broken = file("broken.mtx", SMALL.replace("2 1 -1", "2 x -1"));
        assertEquals(ExitCode.FAILED, run("info", "--no-pictures", broken.toString()));
        assertTrue(err.toString().contains("broken.mtx:6:"), err::toString);
    }

    @Test
    void showsDrawsAndConvertsAMesh() throws IOException {
        Path mesh = folder.resolve("mesh.vtk");
        Files.writeString(mesh, """
                # vtk DataFile Version 3.0
                a square
                ASCII
                DATASET UNSTRUCTURED_GRID
                POINTS 4 double
                0 0 0 1 0 0 1 1 0 0 1 0
                CELLS 1 5
                4 0 1 2 3
                CELL_TYPES 1
                9
                POINT_DATA 4
                SCALARS height double
                LOOKUP_TABLE default
                1 2 3 4
                """);
        Path picture = folder.resolve("mesh.png");
        Path converted = folder.resolve("mesh.vtu");
        assertEquals(ExitCode.OK, run("mesh", mesh.toString(), "--picture", picture.toString(), "--field", "height",
                "--window", "0,2,0,1", "--output", converted.toString(), "--encoding", "ascii"), err::toString);
        assertTrue(out.toString().contains("quadrilateral     1 with 4 nodes each"), out::toString);
        assertTrue(out.toString().contains("height (1 component, FLOAT64): 1.00000 to 4.00000"), out::toString);
        assertTrue(Files.size(picture) > 1000);
        assertTrue(Files.readString(converted).contains("format=\"ascii\""));
        assertEquals(ExitCode.FAILED, run("mesh", mesh.toString(), "--picture", picture.toString(), "--field", "x"));
        assertEquals(ExitCode.USAGE, run("mesh", mesh.toString(), "--window", "0,1,0"));
        Path json = folder.resolve("mesh.json");
        assertEquals(ExitCode.OK, run("mesh", mesh.toString(), "--json", json.toString()), err::toString);
        JsonNode facts = new ObjectMapper().readTree(json.toFile());
        assertEquals("trellis-mesh-facts", facts.get("format").asText());
        assertEquals(4, facts.get("points").asInt());
        assertEquals("quadrilateral", facts.at("/blocks/0/shape").asText());
        assertEquals(1, facts.at("/blocks/0/cells").asInt());
        assertEquals(List.of(1.0, 4.0), List.of(facts.at("/pointData/0/ranges/0/least").asDouble(),
                facts.at("/pointData/0/ranges/0/greatest").asDouble()));
        assertEquals(3, facts.at("/numbering/bandwidth").asInt());
        assertEquals(ExitCode.FAILED, run("mesh", "absent.vtk"));
    }

    @Test
    void meshesThatAdaptationMendsAreRemarkedOn() throws IOException {
        Path mesh = file("cracked.vtk", """
                # vtk DataFile Version 3.0
                x
                ASCII
                DATASET UNSTRUCTURED_GRID
                POINTS 7 double
                0 0 0 1 0 0 1 1 0 0 0 0 1 1 0 0 1 0 7 7 0
                CELLS 2 8
                3 0 1 2
                3 3 5 4
                CELL_TYPES 2
                5 5
                """);
        String[] remarks = {"1 of 7 points belong to no cell, such as point 6 at [7.0, 7.0]",
            "2 of 7 points lie exactly where an earlier one does, such as point 3 where point 0 is",
            "1 of 2 triangles have their corners clockwise, such as cell 1"};
        assertEquals(ExitCode.OK, run("mesh", mesh.toString()), err::toString);
        assertEquals(ExitCode.OK, run("adapt", mesh.toString(), "--metric", "analytic:linear", "--elements", "20",
                "--sweeps", "1", "--backend", "threads"), err::toString);
        for (String remark : remarks) {
            assertTrue(out.toString().contains("  remark            " + remark), out::toString);
            assertTrue(err.toString().contains("cracked.vtk: " + remark), err::toString);
        }
    }

    /** Thrown by the command itself, and behind what a thread has thrown. */
    @Test
    void aLackOfMemoryIsNoDefect() {
        OutOfMemoryError lack = new OutOfMemoryError("Java heap space");
        Callable<Integer> direct = () -> {
            throw lack;
        };
        Callable<Integer> behind = () -> {
            throw new IllegalStateException(new ExecutionException(lack));
        };
        for (Callable<Integer> command : List.of(direct, behind)) {
            Console console = new Console(new PrintWriter(out), new PrintWriter(err), false);
            CommandLine line = TrellisCommand.create(console);
            line.addSubcommand("hungry", CommandLine.Model.CommandSpec.wrapWithoutInspection(command));
            err.getBuffer().setLength(0);
            assertEquals(ExitCode.FAILED, TrellisCommand.execute(line, console, "hungry"));
            assertTrue(err.toString().startsWith(
                    "trellis: there is not enough memory (Java heap space): the heap of this JVM has at most "),
                    err::toString);
            assertTrue(err.toString().endsWith("; TRELLIS_OPTS=-Xmx... gives more" + System.lineSeparator()),
                    err::toString);
        }
    }

    @Test
    void saysWhatIsMissingBeforeItMeasures() {
        assertEquals(ExitCode.FAILED, run("spmv", "absent", "nowhere:n=3"));
        assertTrue(err.toString().contains("'absent'"), err::toString);
        assertEquals("", out.toString(), "the memory was not measured");
    }

    @Test
    void complexFilesAreSolvedMultipliedAndConverted() throws IOException {
        Path complex = file("complex.mtx", """
                %%MatrixMarket matrix coordinate complex symmetric
                2 2 3
                1 1 2 3
                2 1 0 1
                2 2 4 0
                """);
        assertEquals(ExitCode.FAILED, run("solve", "--complex=REFUSE", complex.toString()));
        assertTrue(err.toString().contains("--complex=REAL_FORM"), err::toString);
        // (2 + 3i) 1 + i (1 + i) = 1 + 4i; i + 4 (1 + i) = 4 + 5i
        Path b = file("b.mtx", "%%MatrixMarket matrix array complex general\n2 1\n1 4\n4 5\n");
        Path x = folder.resolve("x.mtx");
        for (String method : List.of("direct", "gmres", "qr")) {
            assertEquals(ExitCode.OK, run("solve", "-q", complex.toString(), "--rhs", b.toString(), "--method", method,
                    "--output", x.toString()), err::toString);
            double[] solution = MatrixMarket.readVector(x,
                    ReadOptions.DEFAULT.withComplexPolicy(ComplexPolicy.REAL_FORM)).doubles();
            assertArrayEquals(new double[]{1, 0, 1, 1}, solution, 1e-6, method);
        }
        assertTrue(out.toString().contains("equivalent real matrix"), out::toString);
        Path real = file("real.mtx", "%%MatrixMarket matrix array real general\n2 1\n2\n4\n");
        assertEquals(ExitCode.OK, run("solve", "-q", complex.toString(), "--rhs", real.toString(), "--method",
                "cocg"), err::toString);
        assertEquals(ExitCode.OK, run("info", "-q", "--no-pictures", complex.toString()), err::toString);
        assertTrue(out.toString().contains("4 x 4"), out::toString);
        Path copy = folder.resolve("copy.mtx");
        assertEquals(ExitCode.OK, run("convert", "-q", "--symmetric", complex.toString(), copy.toString()),
                err::toString);
        assertTrue(Files.readString(copy).endsWith("2 2 3\n1 1 2 3\n2 1 0 1\n2 2 4 0\n"), Files.readString(copy));
    }

    @Test
    void namesOfPicturesMayBeLeftOut() throws IOException {
        assertTrue(TrellisCommand.create(new Console(new PrintWriter(out), new PrintWriter(err), false))
                .parseArgs("solve", small().toString(), "--plot").subcommand().commandSpec().findOption("--plot")
                .getValue().equals(Path.of("trellis-convergence.png")));
    }

    @Test
    void takesFoldersAndGlobs() throws IOException {
        small();
        file("other.mtx", SMALL);
        assertEquals(ExitCode.OK, run("info", "--no-pictures", "-q", folder.toString()), err::toString);
        assertEquals(ExitCode.OK, run("info", "--no-pictures", "-q", folder + "/o*.mtx"), err::toString);
        assertEquals(3, out.toString().split("rows x columns", -1).length - 1);
        assertEquals(ExitCode.FAILED, run("info", "--no-pictures", folder + "/absent*.mtx"));
        assertTrue(err.toString().contains("matches no file"), err::toString);
    }

    @Test
    void writesResultsThatTheSchemaAccepts() throws IOException {
        Path json = folder.resolve("results.json");
        Path html = folder.resolve("report.html");
        Path empty = file("empty.mtx", "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
        int code = run("spmv", "-q", "--seconds", "0.02", "--threads", "2", "--precision", "f64,f32", "--json",
                json.toString(), "--html", html.toString(), small().toString(), empty.toString(), "absent",
                "random:rows=50,columns=20");
        assertEquals(ExitCode.FAILED, code);
        JsonNode document = new ObjectMapper().readTree(json.toFile());
        assertEquals("absent", document.at("/failures/0/matrix").asText());
        assertEquals(1, document.at("/failures").size());
        checkRecords(document);
        checkHtml(Files.readString(html), document.get("records").size());
    }

    private static void checkRecords(JsonNode document) {
        assertTrue(document.get("records").size() >= 6);
        for (JsonNode one : document.get("records")) {
            double rows = one.get("rows").asDouble();
            double entries = one.get("nonZeros").asDouble();
            double size = one.get("precision").asText().equals("f64") ? 8 : 4;
            double median = one.get("medianSeconds").asDouble();
            double minimum = entries * (size + 4) + rows * (size + 4) + one.get("columns").asDouble() * size;
            assertEquals(2 * entries / median * 1e-9, one.get("gflops").asDouble(), 1e-9);
            assertEquals((entries * (2 * size + 4) + rows * (size + 4)) / median * 1e-9,
                    one.get("effectiveGBs").asDouble(), 1e-9);
            assertEquals(minimum / median * 1e-9, one.get("minimumGBs").asDouble(), 1e-9);
            assertEquals(one.get("samples").asInt(), one.get("sampleSeconds").size());
        }
    }

    private static void checkHtml(String html, int records) throws IOException {
        Document document = parse(html.substring(html.indexOf('\n')));
        assertEquals("html", document.getDocumentElement().getTagName());
        assertFalse(html.contains("http://") && html.replace("http://www.w3.org/1999/xhtml", "").contains("http://"));
        assertFalse(html.contains("src="));
        int rows = 0;
        for (int i = 0; i < document.getElementsByTagName("tbody").getLength(); i++) {
            String text = document.getElementsByTagName("tbody").item(i).getTextContent();
            rows = Math.max(rows, text.split(" × 1|×", -1).length - 1);
        }
        assertTrue(rows >= records, rows + " of " + records);
        assertTrue(document.getElementsByTagName("svg").getLength() >= 3);
    }

    private static Document parse(String xml) throws IOException {
        try {
            return DocumentBuilderFactory.newInstance().newDocumentBuilder()
                    .parse(new InputSource(new StringReader(xml)));
        } catch (SAXException | ParserConfigurationException e) {
            throw new AssertionError(e);
        }
    }

    /** Searches parameters and says what the rule loses. */
    @Test
    void searchesParameters() throws IOException {
        int code = run("spmv", "-q", "--search", "--backend", "reference,threads", "--parameters", "rule",
                "--parameters", "all", "--threads", "2", small().toString());
        assertEquals(ExitCode.OK, code, err::toString);
        assertTrue(out.toString().contains(" f64, 5 non-zeros: best "), out::toString);
        assertTrue(out.toString().contains("f64, 1 matrices: rule is "), out::toString);
    }

    @Test
    void failsWhenEveryBackendRefusesTheParameters() throws IOException {
        int code = run("spmv", "-q", "--seconds", "0.01", "--backend", "reference", "--parameters", "family=ellpack",
                small().toString());
        assertEquals(ExitCode.FAILED, code);
        assertTrue(err.toString().contains("backend reference refuses ellpack"), err::toString);
    }

    @Test
    void solvesAndWritesTheSolution() throws IOException {
        Path json = folder.resolve("report.json");
        Path solution = folder.resolve("x.mtx");
        Path plot = folder.resolve("plot.png");
        int code = run("solve", "-q", small().toString(), "--backend", "reference", "--json", json.toString(),
                "--output", solution.toString(), "--plot", plot.toString());
        assertEquals(ExitCode.OK, code, err::toString);
        assertTrue(out.toString().contains("A times the vector of ones"), out::toString);
        JsonNode document = new ObjectMapper().readTree(json.toFile());
        assertTrue(document.get("converged").asBoolean());
        assertTrue(document.get("largestError").asDouble() < 1e-8);
        assertEquals(document.get("iterations").asInt() + 1, document.get("residualHistory").size());
        assertTrue(Files.size(plot) > 1000);
        out.getBuffer().setLength(0);
        assertEquals(ExitCode.OK, run("solve", "-q", small().toString(), "--rhs", solution.toString()));
        assertFalse(out.toString().contains("largest error"), out::toString);
    }

    @Test
    void tellsThatASolutionDidNotConverge() {
        assertEquals(ExitCode.NOT_CONVERGED,
                run("solve", "-q", "poisson2d:nx=20", "--max-iterations", "2", "--preconditioner", "none"));
        assertTrue(out.toString().contains("iteration limit"), out::toString);
    }

    @Test
    void tellsThatASolutionStagnated() {
        assertEquals(ExitCode.NOT_CONVERGED,
                run("solve", "-q", "poisson2d:nx=40", "--method", "cg", "--precision", "f32", "--tolerance", "1e-10"));
        assertTrue(out.toString().contains("stagnated: recomputed residual"), out::toString);
        assertTrue(out.toString().contains(", restarts "), out::toString);
    }

    @Test
    void refusesAnInfiniteRightHandSide() throws IOException {
        Path b = file("binf.mtx", "%%MatrixMarket matrix array real general\n9 1\n1\n1\ninf\n" + "1\n".repeat(6));
        assertEquals(ExitCode.FAILED, run("solve", "-q", "poisson2d:nx=3", "--rhs", b.toString()));
        assertTrue(err.toString().contains("right-hand side: row 2 is Infinity, expected a finite number"),
                err::toString);
    }

    @Test
    void solvesForATinyRightHandSide() throws IOException {
        Path b = file("btiny.mtx", "%%MatrixMarket matrix array real general\n9 1\n" + "1e-170\n".repeat(9));
        Path solution = folder.resolve("tiny.mtx");
        assertEquals(ExitCode.OK, run("solve", "-q", "poisson2d:nx=3", "--rhs", b.toString(), "--output",
                solution.toString()), err::toString);
        assertTrue(Files.readString(solution).contains("e-171") || Files.readString(solution).contains("E-171"),
                () -> "the solution is not of the size of the right-hand side");
        assertFalse(out.toString().contains("iterations        0 "), out::toString);
    }

    @Test
    void refusesToSolveARectangularSystem() {
        assertEquals(ExitCode.FAILED, run("solve", "-q", "random:rows=5,columns=3,mean=2", "--method", "cg"));
        assertTrue(err.toString().contains("expected a square matrix"), err::toString);
    }

    @Test
    void convertsAndGenerates() throws IOException {
        Path generated = folder.resolve("generated.mtx");
        Path converted = folder.resolve("converted.mtx.gz");
        assertEquals(ExitCode.OK, run("generate", "poisson2d", "--nx=4", generated.toString()), err::toString);
        assertEquals(ExitCode.OK, run("convert", "-q", "--symmetric", generated.toString(), converted.toString()));
        assertTrue(out.toString().contains("generated.mtx: 16 x 16, 64 non-zeros"), out::toString);
        assertEquals(ExitCode.FAILED, run("convert", "-q", generated.toString(), folder.resolve("a.foo").toString()));
        assertEquals(ExitCode.USAGE, run("convert", "-q", folder.toString(), folder.resolve("b.mtx").toString()));
        assertTrue(err.toString().contains("stands for 2 matrices, expected 1"), err::toString);
    }

    @Test
    void timesReading() throws IOException {
        Path json = folder.resolve("read.json");
        assertEquals(ExitCode.OK, run("read", "-q", "--seconds", "0.01", "--threads", "2", "--json", json.toString(),
                small().toString()), err::toString);
        JsonNode document = new ObjectMapper().readTree(json.toFile());
        assertEquals(5, document.at("/records/0/entries").asInt());
        assertEquals(Files.size(small()), document.at("/records/0/textBytes").asLong());
        assertEquals(ExitCode.FAILED, run("read", "-q", folder.resolve("absent.mtx").toString()));
    }

    @Test
    void listsWhatThereIs() {
        assertEquals(ExitCode.OK, run("list", "--kind", "surrogate"));
        assertTrue(out.toString().contains("surrogate, not the original"), out::toString);
        assertEquals(ExitCode.OK, run("backends"));
        assertTrue(out.toString().contains("reference"), out::toString);
        assertEquals(ExitCode.OK, run("config"));
        assertTrue(out.toString().contains("trellis.threads = "), out::toString);
        assertEquals(ExitCode.OK, run("--version"));
        assertTrue(out.toString().contains("Trellis "), out::toString);
    }
}
