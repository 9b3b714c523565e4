package org.trellis.examples.poisson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.bench.ranks.RankJob;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.testing.JsonSchemas;
import picocli.CommandLine;

/** The command line of the example. */
final class PoissonMeshCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        Console console = new Console(new PrintWriter(out, true), new PrintWriter(err, true), false);
        return JsonSchemas.checked(new CommandLine(new PoissonMeshCommand(console, RankJob.alone()))
                .setErr(console.err()).setOut(console.out()).execute(arguments), arguments);
    }

    private List<String> lines() {
        return out.toString().lines().toList();
    }

    /** Without arguments but those that make it short: all variants, on the mesh that needs no file. */
    @Test
    void byDefault() throws IOException {
        Path json = folder.resolve("run.json");
        assertEquals(0, run("--backend", "threads", "--threads", "2", "--refine", "2", "--levels", "--json",
                json.toString(), "--vtu", folder.resolve("u.vtu").toString(), "--picture",
                folder.resolve("u.png").toString(), "--aggregates", folder.resolve("a.png").toString(), "--plot",
                folder.resolve("plot.png").toString()), err::toString);
        assertTrue(lines().getFirst().equals("disc:rings=8 refined 2 times: 3,169 nodes, 2,977 of them inside, "
                + "6,144 triangles, 9,312 edges; threads, f64"), out.toString());
        assertEquals(1, lines().stream().filter(line -> line.contains("matrix-free, chebyshev")).count());
        assertEquals(2, lines().stream().filter(line -> line.contains("assembled, amg")).count());
        assertEquals(2, lines().stream().filter(line -> line.contains("multigrid, chebyshev, V(1,1)")).count());
        assertTrue(err.toString().contains("matrix-free, chebyshev ..."), err.toString());

        JsonNode root = new ObjectMapper().readTree(json.toFile());
        assertEquals("trellis-poisson-mesh-results", root.get("format").asText());
        assertEquals(3, root.get("runs").size());
        JsonNode last = root.get("runs").get(2);
        assertEquals("multigrid, chebyshev, V(1,1)", last.get("solver").asText());
        assertTrue(last.get("converged").asBoolean());
        assertEquals(last.get("iterations").asInt() + 1, last.get("residualHistory").size());
        assertEquals(last.get("iterations").asInt(), last.get("iterationSeconds").size());
        assertEquals(2.16e-4, last.get("meanError").asDouble(), 1e-6);
        assertEquals(3, last.get("levels").size());
        assertEquals(217, last.get("levels").get(2).get("rows").asInt());

        assertTrue(Files.size(folder.resolve("a.png")) > 10_000);

        MeshData vtu = MeshFiles.read(folder.resolve("u.vtu"));
        assertEquals(6144, vtu.cellCount(CellShape.TRIANGLE));
        double[] u = vtu.pointArray("u").orElseThrow().values();
        double[] exact = vtu.pointArray("exact").orElseThrow().values();
        double[] error = vtu.pointArray("error").orElseThrow().values();
        for (int node = 0; node < u.length; node++) {
            assertEquals(error[node], u[node] - exact[node], 1e-12);
        }
        assertTrue(ImageIO.read(folder.resolve("u.png").toFile()).getWidth() > 500);
        assertTrue(ImageIO.read(folder.resolve("plot.png").toFile()).getWidth() > 500);
    }

    /** Loops that are noted, fused and tiled solve the same problem in as many iterations. */
    @Test
    void chainsOfLoopsChangeNothing() throws IOException {
        Path json = folder.resolve("chains.json");
        List<List<String>> variants =
                List.of(List.of(), List.of("--lazy", "--fusion", "on"), List.of("--fusion", "tuned"),
                        List.of("--lazy", "--tiling", "sparse", "--tile-size", "50"));
        List<String> found = new ArrayList<>();
        for (List<String> variant : variants) {
            List<String> arguments = new ArrayList<>(List.of("disc:rings=4", "--refine", "1", "--backend", "threads",
                    "--threads", "2", "--solver", "matrix-free,multigrid", "-q", "--json", json.toString()));
            arguments.addAll(variant);
            assertEquals(0, run(arguments.toArray(String[]::new)), err::toString);
            StringBuilder runs = new StringBuilder();
            for (JsonNode each : new ObjectMapper().readTree(json.toFile()).get("runs")) {
                runs.append(each.get("iterations").asInt()).append(' ')
                        .append(Math.round(each.get("meanError").asDouble() * 1e9)).append(' ');
            }
            found.add(runs.toString());
        }
        assertEquals(Collections.nCopies(variants.size(), found.getFirst()), found);
    }

    /** Checkpoints see what solvers do with noted, fused and tiled loops, too. */
    @Test
    void startsAgainWithinASolution() throws IOException {
        Path json = folder.resolve("run.json");
        for (List<String> variant : List.of(List.<String>of(), List.of("--lazy", "--fusion", "on"),
                List.of("--lazy", "--tiling", "sparse", "--tile-size", "50"))) {
            List<String> common = new ArrayList<>(List.of("disc:rings=4", "--refine", "1", "--backend", "threads",
                    "--threads", "2", "-q", "--json", json.toString()));
            common.addAll(variant);
            String state = folder.resolve("state" + variant.size() + String.join("", variant)).toString();
            List<String> found = new ArrayList<>();
            for (List<String> more : List.of(List.<String>of(),
                    List.of("--checkpoint", state, "--checkpoint-every", "2iterations"), List.of("--restart", state))) {
                List<String> arguments = new ArrayList<>(common);
                arguments.addAll(more);
                assertEquals(0, run(arguments.toArray(String[]::new)), err::toString);
                StringBuilder runs = new StringBuilder();
                for (JsonNode each : new ObjectMapper().readTree(json.toFile()).get("runs")) {
                    runs.append(each.get("residualHistory")).append(each.get("meanError"));
                }
                found.add(runs.toString());
            }
            assertTrue(out.toString().contains("went on from checkpoint"), out.toString());
            assertEquals(Collections.nCopies(found.size(), found.getFirst()), found, variant.toString());
        }
        assertNotEquals(0, run("disc:rings=4", "--study", "--checkpoint", folder.resolve("other").toString()));
        assertTrue(err.toString().contains("are without --study"), err.toString());
    }

    @Test
    void study() {
        assertEquals(0, run("square:n=4,shake=0.2", "--solver", "multigrid,assembled", "--study", "--refine", "2",
                "--contrast", "1,20", "--order", "rcm", "--shuffle", "5", "--backend", "threads", "-q"), err::toString);
        List<String> rows = lines().stream().filter(line -> line.contains("multigrid, ")).toList();
        assertEquals(4, rows.size(), out::toString);
        // The order of convergence stands beside the second mesh.
        assertTrue(rows.getLast().matches(".* (1\\.9|2\\.0)\\d .*"), rows.getLast());
        assertEquals("", err.toString());
    }

    @ParameterizedTest
    @CsvSource({"matrix-free, none", "matrix-free, jacobi", "assembled, ic0", "assembled, none", "assembled, ssor"})
    void preconditioners(String solver, String preconditioner) {
        assertEquals(0, run("disc:rings=3", "--refine", "1", "--solver", solver, "--preconditioner", preconditioner,
                "--backend", "threads", "-q"), err::toString);
        assertTrue(out.toString().contains(solver + ", " + preconditioner), out.toString());
    }

    @Test
    void saysWhenItDoesNotConverge() {
        assertEquals(ExitCode.NOT_CONVERGED, run("disc:rings=3", "--solver", "matrix-free", "--preconditioner", "none",
                "--max-iterations", "3", "-q"));
        assertTrue(out.toString().contains("matrix-free, none: iteration limit"), out.toString());
    }

    /** Meshes of several formats and shapes, one of them of quadrilaterals around an aerofoil. */
    @Test
    void realMeshes() {
        String shared = System.getProperty("trellis.test.shared", "");
        Path meshes = Path.of(shared).resolve("data/meshes");
        assumeTrue(!shared.isBlank() && Files.exists(meshes),
                "no test data: the system property trellis.test.shared is '" + shared + "'");
        for (String name : List.of("triangle/disk_984_elements.node", "op2/airfoil_1800_new_grid.dat",
                "gmsh/sq_2D_9_tri.msh", "vtk/box20x20.vtu")) {
            assertEquals(0, run(meshes.resolve(name).toString(), "--refine", "1", "--solver", "multigrid", "--backend",
                    "threads", "-q"), err::toString);
        }
        List<String> rows = lines().stream().filter(line -> line.contains("V(1,1)")).toList();
        assertEquals(4, rows.size(), out::toString);
        for (String row : rows) {
            assertTrue(Integer.parseInt(row.strip().split("V\\(1,1\\) +")[1].split(" ")[0]) <= 12, row);
        }
    }

    @Test
    void wrongOptions() {
        assertEquals(2, run("disc:rings=0"));
        assertEquals(2, run("mesh.txt"));
        assertEquals(2, run("--solver", "magic"));
        assertEquals(2, run("--preconditioner", "ic0"));
        assertEquals(2, run("--solver", "matrix-free", "--preconditioner", "amg"));
        assertEquals(2, run("--solver", "assembled", "--preconditioner", "magic"));
        assertEquals(2, run("--smoother", "magic"));
        assertEquals(2, run("--cycle", "x"));
        assertEquals(2, run("--sweeps", "0"));
        assertEquals(2, run("--degree", "0"));
        assertEquals(2, run("--contrast", "-1"));
        assertEquals(2, run("--tolerance", "2"));
        assertEquals(2, run("--refine", "99"));
        assertEquals(2, run("--magic"));
        assertEquals(2, run("--backend", "magic"));
        assertEquals(2, run("--json", folder.resolve("none/run.json").toString()));
        assertEquals(1, run(folder.resolve("none.msh").toString()));
        assertEquals(1, run("square:n=1", "--refine", "0"));
        String text = err.toString();
        for (String expected : List.of("mesh is 'disc:rings=0', expected disc:rings=R", "MESH is 'mesh.txt', expected",
                "solver is 'magic', expected matrix-free, assembled or multigrid",
                "expected none, jacobi or chebyshev with --solver matrix-free",
                "preconditioner 'magic', expected one of",
                "smoother is 'magic', expected jacobi or chebyshev", "--refine is 99, expected 0 to 12",
                "Unknown option: '--magic'", "none.msh",
                "all its 4 nodes on the boundary")) {
            assertTrue(text.contains(expected), () -> expected + " is not in " + text);
        }
    }
}
