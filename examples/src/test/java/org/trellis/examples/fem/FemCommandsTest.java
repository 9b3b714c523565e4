package org.trellis.examples.fem;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.ranks.RankJob;
import org.trellis.fem.element.ElementShape;
import org.trellis.fem.element.LagrangeElement;
import org.trellis.fem.element.NodeFamily;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.testing.JsonSchemas;
import picocli.CommandLine;

/** The command lines of finite elements. */
final class FemCommandsTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String command, String... arguments) {
        Console console = new Console(new PrintWriter(out, true), new PrintWriter(err, true), false);
        Object problem = command.equals("poisson")
                ? new PoissonCommand(console, RankJob.alone())
                : new ElasticityCommand(console, RankJob.alone());
        return JsonSchemas.checked(new CommandLine(problem).setErr(console.err()).setOut(console.out())
                .execute(arguments), arguments);
    }

    private JsonNode json(Path file) throws IOException {
        return new ObjectMapper().readTree(file.toFile());
    }

    /** The solver's state is saved; a program that starts again makes the system anew, and ends with the same bits. */
    @ParameterizedTest
    @CsvSource({"poisson, csr, jacobi", "poisson, matrix-free, chebyshev", "poisson, csr, ssor",
        "elasticity, local-matrices, block-jacobi"})
    void startsAgainWithinASolution(String command, String storage, String preconditioner) throws IOException {
        Path state = folder.resolve("state");
        List<String> common = Stream.concat(Stream.of("quads:n=12", "--storage", storage, "--preconditioner",
                preconditioner, "--backend", "threads", "--threads", "2"),
                command.equals("poisson") ? Stream.of("--distort", "--form", "variable") : Stream.empty()).toList();
        JsonNode expected = solved(command, common);
        solved(command, common, "--checkpoint", state.toString(), "--checkpoint-every", "3iterations");
        JsonNode again = solved(command, common, "--restart", state.toString());
        assertTrue(out.toString().contains("went on from checkpoint"), out.toString());
        for (String figure : List.of("iterations", "relativeResidual", "errorL2", "errorH1")) {
            assertEquals(expected.get(figure), again.get(figure), figure);
        }
        assertNotEquals(0, run(command, with(common, "--restart", state.toString(), "--degree", "2")));
        assertTrue(err.toString().contains("is of another program, mesh or options"), err.toString());
        assertNotEquals(0, run(command, with(common, "--restart", state.toString(), "--ranks", "2")));
        assertTrue(err.toString().contains("are for one rank"), err.toString());
    }

    private static String[] with(List<String> arguments, String... more) {
        return Stream.concat(arguments.stream(), Stream.of(more)).toArray(String[]::new);
    }

    private JsonNode solved(String command, List<String> arguments, String... more) throws IOException {
        Path json = folder.resolve("solved.json");
        assertEquals(0, run(command, with(arguments, Stream.concat(Stream.of("--json", json.toString()),
                Stream.of(more)).toArray(String[]::new))), err::toString);
        return json(json);
    }

    @Test
    void studiesGiveRatesAndFiles() throws IOException {
        Path json = folder.resolve("run.json");
        assertEquals(0, run("poisson", "quads:n=4", "--degree", "2", "--study", "1", "--backend", "threads",
                "--threads", "2", "--json", json.toString(), "--vtu", folder.resolve("u.vtu").toString(), "--picture",
                folder.resolve("u.png").toString(), "--report", "-q"), err::toString);
        List<String> lines = out.toString().lines().toList();
        assertEquals("quads:n=4: 16 cells, Q2 on a quadrilateral, 81 nodes; threads, f64", lines.getFirst());
        assertTrue(out.toString().contains("Fem.assemble.global-reuse"), out.toString());
        JsonNode root = json(json);
        assertEquals("trellis-fem-results", root.get("format").asText());
        assertEquals(2, root.get("runs").size());
        assertEquals(2, root.get("degree").asInt());
        assertEquals("csr", root.get("storage").asText());
        assertEquals("global-reuse", root.get("formulation").asText());
        assertEquals(225, root.get("unknowns").asInt());
        // FEniCSx gives these errors for 4 and 8 cells
        double coarse = root.get("runs").get(0).get("errorL2").asDouble();
        double fine = root.get("errorL2").asDouble();
        assertEquals(3, Math.log(coarse / fine) / Math.log(2), 0.05);
        assertTrue(root.get("iterations").asInt() > 0 && root.get("assemblySeconds").asDouble() > 0
                && root.get("solveSeconds").asDouble() > 0 && root.get("errorH1").asDouble() > fine);
        MeshData vtu = MeshFiles.read(folder.resolve("u.vtu"));
        assertEquals(64, vtu.cellCount(CellShape.QUADRILATERAL));
        assertEquals(9, vtu.blocks().getFirst().nodesPerCell());
        double most = 0;
        for (double u : vtu.pointArray("u").orElseThrow().values()) {
            most = Math.max(most, u);
        }
        assertEquals(1 / (2 * Math.PI * Math.PI), most, 1e-4);
        assertTrue(ImageIO.read(folder.resolve("u.png").toFile()).getWidth() > 100);
    }

    @ParameterizedTest
    @CsvSource({"hexes:n=2, 3, matrix-free-factored, sum-factorised, jacobi, variable",
        "hexes:n=2, 2, local-matrices, local-storage, ssor, sine", "tets:n=2, 2, ellpack, global-reuse, none, tensor",
        "triangles:n=4, 3, lazy-ellpack, redundant-compute, chebyshev, tensor",
        "quads:n=6, 4, matrix-free, sum-factorised, p-multigrid, variable",
        "quads:n=8, 2, matrix-free, sum-factorised, geometric, variable",
        "quads:n=6, 1, csr-search, sum-factorised, p-multigrid, tensor",
        "quads:n=5, 2, csr, global-reuse, ic0, tensor"})
    void everyWaySolvesTheProblem(String mesh, int degree, String storage, String formulation, String preconditioner,
            String form) throws IOException {
        Path json = folder.resolve("run.json");
        assertEquals(0, run("poisson", mesh, "--degree", Integer.toString(degree), "--storage", storage,
                "--formulation", formulation, "--preconditioner", preconditioner, "--form", form, "--distort",
                "--backend", "threads", "--threads", "2", "--json", json.toString(), "-q"), err::toString);
        Path usual = folder.resolve("usual.json");
        assertEquals(0, run("poisson", mesh, "--degree", Integer.toString(degree), "--storage", "csr", "--formulation",
                "global-reuse", "--form", form, "--distort", "--backend", "threads", "--threads", "2", "--dirichlet",
                "rows", "--json", usual.toString(), "-q"), err::toString);
        double expected = json(usual).get("errorL2").asDouble();
        assertEquals(expected, json(json).get("errorL2").asDouble(), 1e-6 * expected);
    }

    @Test
    void tuningMeasuresWaysAndProfilesKeepThem() throws IOException {
        Path json = folder.resolve("run.json");
        String profile = folder.resolve("p.json").toString();
        assertEquals(0, run("poisson", "quads:n=6", "--degree", "2", "--backend", "threads", "--threads", "2", "--tune",
                "--budget", "9", "--formulation", "sum-factorised", "--export", profile, "--json", json.toString(),
                "-q"), err::toString);
        assertTrue(out.toString().contains("9 variants, judged by an assembly and 100 products"), out::toString);
        assertEquals("tuning", json(json).get("chosenBy").asText());
        String taken = json(json).get("storage").asText();
        assertEquals("sum-factorised", json(json).get("formulation").asText());
        assertEquals(0, run("poisson", "quads:n=7", "--degree", "2", "--backend", "threads", "--threads", "2",
                "--formulation", "sum-factorised", "--profile", profile, "--json", json.toString(), "-q"),
                err::toString);
        assertEquals("profile", json(json).get("chosenBy").asText(), "49 cells are of the same class as 36");
        assertEquals(taken, json(json).get("storage").asText());
        assertEquals(0, run("poisson", "quads:n=9", "--degree", "2", "--backend", "threads", "--threads", "2",
                "--profile", profile, "--json", json.toString(), "-q"), err::toString);
        assertEquals("rule", json(json).get("chosenBy").asText());
    }

    @Test
    void thePatchTestIsExact() throws IOException {
        Path json = folder.resolve("run.json");
        assertEquals(0, run("elasticity", "hexes:n=2", "--degree", "2", "--patch", "--tolerance", "1e-13", "--backend",
                "threads", "--json", json.toString()), err::toString);
        assertEquals(0, json(json).get("errorL2").asDouble(), 1e-12);
        assertEquals(0, json(json).get("errorH1").asDouble(), 1e-11);
    }

    @Test
    void theCantileverBendsAsABeamDoes() throws IOException {
        Path vtu = folder.resolve("u.vtu");
        assertEquals(0, run("elasticity", "quads:n=8", "--degree", "3", "--poisson", "0", "--backend", "threads",
                "--vtu", vtu.toString(), "--picture", folder.resolve("u.png").toString()), err::toString);
        // Timoshenko: P L^3 / (3 E I) + P L / (k G A) with P = 1e-3, L = 5, I = 1/12, G = 1/2, k = 5/6
        double expected = 1e-3 * (125 * 12 / 3.0 + 5 / (5 / 6.0 * 0.5));
        double most = 0;
        for (double u : MeshFiles.read(vtu).pointArray("u").orElseThrow().values()) {
            most = Math.max(most, Math.abs(u));
        }
        assertEquals(expected, most, 0.01 * expected);
    }

    @Test
    void filesOfMeshesAreRead() throws IOException {
        Path file = folder.resolve("mesh.msh");
        Files.writeString(file, """
                $MeshFormat
                2.2 0 8
                $EndMeshFormat
                $Nodes
                5
                1 0 0 0
                2 1 0 0
                3 1 1 0
                4 0 1 0
                5 0.4 0.45 0
                $EndNodes
                $Elements
                5
                1 1 2 1 1 1 2
                2 2 2 1 1 1 2 5
                3 2 2 1 1 2 3 5
                4 2 2 1 1 3 4 5
                5 2 2 1 1 4 1 5
                $EndElements
                """);
        assertEquals(0, run("poisson", file.toString(), "--degree", "3", "--backend", "threads", "-q"), err::toString);
        assertTrue(out.toString().contains("4 cells, P3 on a triangle, 25 nodes"), out.toString());
    }

    @ParameterizedTest
    @CsvSource({"quads:n=9, 2, matrix-free, 3", "tets:n=3, 2, csr, 2"})
    void severalRanksDoAsOne(String mesh, int degree, String storage, int ranks) throws IOException {
        Path one = folder.resolve("one.json");
        Path several = folder.resolve("several.json");
        String[] options = {mesh, "--degree", Integer.toString(degree), "--storage", storage, "--form", "variable",
            "--distort", "--backend", "threads", "--threads", "1", "-q", "--json"};
        assertEquals(0, run("poisson", with(options, one.toString())), err::toString);
        out.getBuffer().setLength(0);
        assertEquals(0, run("poisson", with(options, several.toString(), "--ranks", Integer.toString(ranks), "--vtu",
                folder.resolve("u.vtu").toString())), err::toString);
        assertTrue(out.toString().contains("of the cells run by several ranks"), out::toString);
        assertEquals(ranks, json(several).get("ranks").asInt());
        assertEquals("threads", json(several).get("transport").asText());
        assertEquals(1, json(several).get("rings").asInt());
        for (String error : List.of("errorL2", "errorH1")) {
            double expected = json(one).get(error).asDouble();
            assertEquals(expected, json(several).get(error).asDouble(), 1e-7 * expected);
        }
        assertEquals(json(one).get("iterations").asInt(), json(several).get("iterations").asInt(), 1);
        assertEquals(json(one).get("unknowns").asInt(), json(several).get("unknowns").asInt());
        assertTrue(MeshFiles.read(folder.resolve("u.vtu")).pointCount() > 0);
    }

    /** The same solution, and where nothing depends on how cells are divided, the same number of iterations but one. */
    @ParameterizedTest
    @CsvSource({"poisson, amg, csr, 2", "poisson, p-multigrid, matrix-free, 1",
        "poisson, geometric, local-matrices, 1", "poisson, ilu0, csr, 30", "elasticity, amg, csr, 6"})
    void severalRanksHaveThePreconditionersOfOne(String command, String name, String storage, int apart)
            throws IOException {
        compareRanks(command, name, storage, apart);
    }

    @ParameterizedTest
    @Tag("nightly")
    @CsvSource({"poisson, none, csr, 1", "poisson, chebyshev, matrix-free-factored, 1", "poisson, ssor, csr, 30",
        "poisson, l1-jacobi, csr-search, 1", "elasticity, p-multigrid, csr, 1", "elasticity, geometric, ellpack, 1"})
    void severalRanksHaveMorePreconditionersOfOne(String command, String name, String storage, int apart)
            throws IOException {
        compareRanks(command, name, storage, apart);
    }

    private void compareRanks(String command, String name, String storage, int apart) throws IOException {
        Path one = folder.resolve("one.json");
        Path several = folder.resolve("several.json");
        String[] options = {"quads:n=8", "--degree", "2", "--storage", storage, "--preconditioner", name, "--backend",
            "threads", "--threads", "1", "--json"};
        assertEquals(0, run(command, with(options, one.toString())), err::toString);
        assertEquals(0, run(command, with(options, several.toString(), "--ranks", "3", "--report")), err::toString);
        assertEquals(json(one).get("iterations").asInt(), json(several).get("iterations").asInt(), apart,
                json(several)::toString);
        if (command.equals("poisson")) {
            double expected = json(one).get("errorL2").asDouble();
            assertEquals(expected, json(several).get("errorL2").asDouble(), 1e-6 * expected);
        }
    }

    @Test
    void elasticBodiesAreSolvedBySeveralRanksToo() throws IOException {
        Path one = folder.resolve("one.json");
        Path several = folder.resolve("several.json");
        String[] options = {"quads:n=6", "--degree", "2", "--preconditioner", "block-jacobi", "--backend", "threads",
            "--threads", "1", "--json"};
        assertEquals(0, run("elasticity", with(options, one.toString())), err::toString);
        String displacement = out.toString().lines().filter(line -> line.startsWith("greatest")).findFirst().get();
        out.getBuffer().setLength(0);
        assertEquals(0, run("elasticity", with(options, several.toString(), "--ranks", "3")), err::toString);
        assertTrue(out.toString().contains(displacement), () -> out + " instead of " + displacement);
        assertEquals(json(one).get("iterations").asInt(), json(several).get("iterations").asInt(), 1);
        assertNotEquals(0, run("elasticity", "quads:n=2", "--ranks", "0"));
        assertTrue(err.toString().contains("--ranks"), err::toString);
    }

    /** On even squares some ranks have a constant diagonal and others do not: all must take the same steps. */
    @Test
    void ranksAgreeOnDiagonals() {
        for (String preconditioner : List.of("jacobi", "block-jacobi", "chebyshev")) {
            assertEquals(0,
                    run("poisson", "quads:n=12", "--ranks", "3", "--preconditioner", preconditioner, "--backend",
                            "threads", "--threads", "1", "-q"),
                    () -> preconditioner + ": " + err);
        }
    }

    @Test
    void whatRoundingLeavesOfAResidualIsSaid() {
        assertEquals(ExitCode.NOT_CONVERGED,
                run("elasticity", "quads:n=8", "--degree", "4", "--tolerance", "1e-13", "--backend", "threads"));
        assertTrue(out.toString().contains("rounding of one product alone is about"), out::toString);
        assertTrue(out.toString().contains("or more"), out::toString);
        assertEquals(0, run("elasticity", "quads:n=8", "--degree", "4", "--backend", "threads"), err::toString);
    }

    private static String[] with(String[] some, String... more) {
        return Stream.concat(Stream.of(some), Stream.of(more)).toArray(String[]::new);
    }

    @Test
    void refinedMeshesAreSolvedInAFewIterations() throws IOException {
        Path json = folder.resolve("run.json");
        assertEquals(0, run("elasticity", "quads:n=4", "--refine", "3", "--degree", "2", "--preconditioner",
                "geometric", "--tolerance", "1e-8", "--backend", "threads", "--json", json.toString()), err::toString);
        assertEquals(32 * 32, json(json).get("cells").asInt());
        assertTrue(json(json).get("iterations").asInt() < 80, json(json)::toString);
        assertTrue(json(json).get("preconditioner").asText().contains("256 cells"), json(json)::toString);
    }

    /** Conjugate gradients get the variant of a Schwarz method that is symmetric over ranks. */
    @Test
    void schwarzMethodsOverRanksAreSymmetric() throws IOException {
        Path json = folder.resolve("run.json");
        for (int ranks = 1; ranks <= 3; ranks += 2) {
            assertEquals(0, run("poisson", "quads:n=12", "--distort", "--storage", "csr", "--preconditioner",
                    "schwarz", "--ranks", Integer.toString(ranks), "--backend", "threads", "--json", json.toString()),
                    err::toString);
            int iterations = json(json).get("iterations").asInt();
            assertTrue(iterations < 40, iterations + " iterations on " + ranks + " ranks");
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"quads:n=0 | MESH is 'quads:n=0', expected a file",
        "quads:n=4 --degree 9 | degree of a Lagrange element is 9", "quads:n=4 --form x | --form is 'x'",
        "quads:n=4 --storage x | storage is 'x'", "quads:n=4 --study 11 | --study is 11",
        "quads:n=4 --storage ellpack --preconditioner ic0 | expected csr or csr-search",
        "triangles:n=4 --formulation sum-factorised | quadrilaterals and hexahedra only",
        "quads:n=4 --preconditioner foo | 'foo'", "quads:n=4 --budget 3 | need --tune",
        "quads:n=4 --ranks 2 --preconditioner ssor --storage ellpack | expected storage csr or csr-search",
        "quads:n=4 --ranks 2 --tune | are for one rank",
        "quads:n=5 --preconditioner geometric | expected an even number of cells",
        "quads:n=4 --storage csr-search --conflicts temporary --threads 2 --tune | rows are added to in place"})
    void whatIsWrongIsRefused(String arguments, String message) {
        int code = run("poisson", (arguments + " -q --backend threads").split(" "));
        assertNotEquals(ExitCode.OK, code);
        assertTrue(err.toString().contains(message), err.toString());
    }

    /** VTK's order of the nodes of a bicubic quadrilateral, a cubic triangle and a quadratic hexahedron. */
    @Test
    void nodesInFilesAreInTheOrderOfVtk() {
        assertArrayEquals(new int[]{0, 3, 15, 12, 1, 2, 7, 11, 13, 14, 4, 8, 5, 6, 9, 10},
                FemPictures.order(LagrangeElement.of(ElementShape.QUADRILATERAL, 3, NodeFamily.EQUISPACED)));
        assertArrayEquals(new int[]{0, 3, 9, 1, 2, 6, 8, 7, 4, 5},
                FemPictures.order(LagrangeElement.of(ElementShape.TRIANGLE, 3)));
        assertArrayEquals(new int[]{0, 2, 8, 6, 18, 20, 26, 24, 1, 5, 7, 3, 19, 23, 25, 21, 9, 11, 17, 15, 12, 14, 10,
            16, 4, 22, 13}, FemPictures.order(LagrangeElement.of(ElementShape.HEXAHEDRON, 2)));
    }
}
