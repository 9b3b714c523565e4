package org.trellis.examples.tsunami;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.bench.console.Console;
import org.trellis.bench.ranks.RankJob;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellGroup;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.matrices.mesh.MeshWriteOptions;
import org.trellis.testing.JsonSchemas;
import org.w3c.dom.Document;
import org.xml.sax.SAXException;
import picocli.CommandLine;

/** The command line of the example. */
final class TsunamiCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        Console console = new Console(new PrintWriter(out, true), new PrintWriter(err, true), false);
        return JsonSchemas.checked(new CommandLine(new TsunamiCommand(console, RankJob.alone())).setErr(console.err())
                .setOut(console.out()).execute(arguments), arguments);
    }

    private List<String> lines() {
        return out.toString().lines().toList();
    }

    @Test
    void damBreak() throws IOException {
        Path json = folder.resolve("run.json");
        assertEquals(0, run("dambreak:nx=60,ny=2", "--time", "10", "--every", "4", "--backend", "threads", "--threads",
                "2", "--report", "--json", json.toString(), "--quiet"), err::toString);
        String text = out.toString();
        assertTrue(
                lines().getFirst().startsWith("dambreak:nx=60,ny=2: 240 cells, 422 edges (124 on the boundary), f32"),
                text);
        assertEquals(List.of("0.0000", "4.0000", "8.0000", "10.0000"),
                lines().stream().skip(2).limit(4).map(line -> line.strip().split(" +")[1]).toList());
        assertTrue(text.contains("depth differs from the exact solution by 0.0"), text);
        assertTrue(text.contains("ShallowWater.computeFlux"), text);
        assertEquals("", err.toString());

        JsonNode root = new ObjectMapper().readTree(json.toFile());
        assertEquals("trellis-tsunami-results", root.get("format").asText());
        assertEquals(240, root.get("cells").asInt());
        assertEquals(4, root.get("measures").size());
        assertEquals(10, root.get("measures").get(3).get("time").asDouble(), 1e-9);
        assertTrue(root.get("meanDepthError").asDouble() < 0.2);
        assertTrue(Math.abs(root.get("volumeChange").asDouble()) < 1e-6);
        assertEquals(8, root.get("loops").size());
    }

    @Test
    void lakeAtRest() {
        assertEquals(0, run("lake:n=20", "--iterations", "12", "--precision", "f64", "--refine", "1", "--order", "gps",
                "--shuffle", "3", "--layout", "soa", "--scheme", "two-level", "--backend", "threads", "-q"),
                err::toString);
        assertTrue(lines().getFirst().contains("3,200 cells"), out.toString());
        assertTrue(out.toString().contains("the lake at rest has changed by 0.00e+00 at most"), out.toString());
        assertTrue(out.toString().contains("volume changed by 0.00e+00 of itself"), out.toString());
    }

    /** With islands, and the mesh another one every few steps: not one bit of the level, and no momentum. */
    @ParameterizedTest
    @ValueSource(strings = {"f32", "f64"})
    void lakeAtRestOnMeshesThatFollowIt(String precision) throws IOException {
        Path json = folder.resolve("lake.json");
        assertEquals(0, run("lake:n=8", "--iterations", "6", "--precision", precision, "--adapt", "--adapt-every", "2",
                "--backend", "reference", "-q", "--json", json.toString()), err::toString);
        assertTrue(out.toString().contains("the lake at rest has changed by 0.00e+00 at most"), out.toString());
        JsonNode root = new ObjectMapper().readTree(json.toFile());
        assertEquals(3, root.get("adaptation").get("adaptations").asInt());
        assertTrue(root.get("adaptation").get("volumeChange").asDouble() < 1e-14);
        assertTrue(Math.abs(root.get("volumeChange").asDouble()) < (precision.equals("f32") ? 1e-6 : 1e-13));
    }

    /** As many cells, and less than half the error; and a mesh with an open side, renumbered after each adaptation. */
    @Test
    void meshesFollowWaves() throws IOException {
        Path frames = Files.createDirectory(folder.resolve("frames"));
        Path files = Files.createDirectory(folder.resolve("files"));
        Path json = folder.resolve("dam.json");
        assertEquals(0, run("dambreak:nx=30,ny=6,right=5", "--time", "6", "--adapt", "--adapt-every", "40",
                "--adapt-threads", "2", "--precision", "f64", "--backend", "reference", "-q", "--frames",
                frames.toString(), "--frame-every", "60", "--json", json.toString()), err::toString);
        JsonNode root = new ObjectMapper().readTree(json.toFile());
        assertEquals(0.0, root.get("volumeChange").asDouble(), 1e-13);
        double adapted = root.get("meanDepthError").asDouble();
        assertTrue(root.get("cells").asInt() < 500, root.toString());
        assertTrue(ImageIO.read(frames.resolve("frame-0001.png").toFile()).getWidth() > 500);
        assertEquals(0, run("dambreak:nx=30,ny=6,right=5", "--time", "6", "--precision", "f64", "--backend",
                "reference", "-q", "--json", json.toString()), err::toString);
        double uniform = new ObjectMapper().readTree(json.toFile()).get("meanDepthError").asDouble();
        assertTrue(adapted < uniform / 2, adapted + " and " + uniform);
        assertEquals(0, run("channel:nx=16,ny=8,ends=sea", "--surface", "hump:height=0.5", "--iterations", "6",
                "--adapt", "--adapt-every", "3", "--adapt-elements", "200", "--adapt-shortest", "5", "--adapt-longest",
                "300", "--adapt-transfer", "interpolate", "--order", "rcm", "--crest", "-q", "--frames",
                files.toString(), "--frame-every", "4", "--frame-format", "vtu"), err::toString);
        assertEquals(3, Files.readAllLines(files.resolve("frame.pvd")).stream()
                .filter(line -> line.startsWith("<DataSet")).count());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--adapt-every 3                                 | are for --adapt",
        "--adapt --adapt-transfer throw                  | project or interpolate",
        "--adapt --adapt-aspect 0.5                      | at least 1",
        "--adapt --adapt-shortest 0                      | more than 0",
        "--adapt --adapt-shortest 9 --adapt-longest 4    | below the second",
        "--adapt --adapt-elements 0                      | --adapt-elements",
        "--adapt --dry-run --checkpoint x                 | --adapt is for one rank"})
    void complainsAboutAdaptation(String line, String wanted) {
        assertEquals(2, run(("basin:n=4 " + line).split(" ")), line);
        assertTrue(err.toString().contains(wanted), err.toString());
    }

    /** A bed of one's own takes the exact solution away. */
    @Test
    void ownBedAndUplift() {
        assertEquals(0, run("basin:n=10", "--cut", "2", "--bed", "slope:from=-20,to=5", "--uplift",
                "fault:up=2,strike=45", "--surface", "hump:height=0.5", "--sea-level", "1", "--minimum-depth", "0.01",
                "--courant", "0.5", "-q"), err::toString);
        assertEquals(0, run("lake:n=8", "--surface", "dam:left=3", "-q"), err::toString);
        assertTrue(!out.toString().contains("at rest"), out.toString());
    }

    @Test
    void listsFilesOfAnyName() throws IOException, ParserConfigurationException, SAXException {
        String name = "a & \"b\" <c>";
        assertEquals(0, run("drop:n=4", "--iterations", "2", "--vtu", folder.resolve(name).toString(), "-q"),
                err::toString);
        Document list = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(folder.resolve(name + ".pvd").toFile());
        assertEquals(name + "-0000.vtu", list.getElementsByTagName("DataSet").item(0).getAttributes()
                .getNamedItem("file").getNodeValue());
    }

    /** A Gmsh file in, VTU files and their list out. */
    @Test
    void files() throws IOException {
        Path file = folder.resolve("square.msh");
        MeshFiles.write(file, new MeshData(3, new double[]{0, 0, -5, 9, 0, -5, 9, 9, -3, 0, 9, -3}, List.of(
                new CellBlock(CellShape.TRIANGLE, 3, new int[]{0, 1, 2, 0, 2, 3}, new int[]{0, 1}),
                new CellBlock(CellShape.LINE, 2, new int[]{1, 2}, new int[]{2})), List.of(),
                List.of(DataArray.of(MeshData.PHYSICAL, 1, 1, 1, 6)), List.of(new CellGroup(1, 6, "mouth"))),
                MeshWriteOptions.TEXT);
        assertEquals(0, run(file.toString(), "--boundary", "mouth=open", "--refine", "2", "--time", "3", "--every", "2",
                "--surface", "hump:height=0.5", "--vtu", folder.resolve("wave").toString(), "--crest", "-q",
                "--picture", folder.resolve("wave.png").toString()),
                err::toString);
        assertTrue(lines().getFirst().contains("32 cells, 56 edges (16 on the boundary)"), out.toString());
        assertEquals(3, Files.readAllLines(folder.resolve("wave.pvd")).stream()
                .filter(line -> line.startsWith("<DataSet")).count());
        assertTrue(ImageIO.read(folder.resolve("wave.png").toFile()).getWidth() > 500);
        MeshData last = MeshFiles.read(folder.resolve("wave-0002.vtu"));
        assertEquals(32, last.cellCount(CellShape.TRIANGLE));
        double[] level = last.cellArray("level").orElseThrow().values();
        double[] depth = last.cellArray("depth").orElseThrow().values();
        double[] bed = last.cellArray("bed").orElseThrow().values();
        double[] crest = last.cellArray("crest").orElseThrow().values();
        for (int cell = 0; cell < 32; cell++) {
            assertEquals(level[cell], depth[cell] + bed[cell], 1e-5);
            assertTrue(crest[cell] >= level[cell]);
        }
        assertEquals(3, last.cellArray("velocity").orElseThrow().components());
        assertTrue(!out.toString().contains("at rest"), out.toString());
    }

    /** The bed of a real river, with an open boundary: water at rest stays at rest, and a wave runs. */
    @Test
    void realRiver() {
        String shared = System.getProperty("trellis.test.shared", "");
        Path river = Path.of(shared).resolve("data/meshes/adcirc/ms-riv.grd.gz");
        assumeTrue(!shared.isBlank() && Files.exists(river),
                "no test data: the system property trellis.test.shared is '" + shared + "'");
        assertEquals(0, run(river.toString(), "--degrees", "--iterations", "20", "-q"), err::toString);
        assertTrue(lines().getFirst().contains("27,191 cells, 42,280 edges (2,987 on the boundary)"), out.toString());
        assertTrue(out.toString().contains("the lake at rest has changed by 0.00e+00 at most"), out.toString());
        assertEquals(0, run(river.toString(), "--degrees", "--cut", "2", "--surface", "hump:height=2,radius=2000",
                "--iterations", "20", "-q"), err::toString);
        assertTrue(out.toString().contains("108,764 cells"), out.toString());
    }

    @Test
    void wrongOptions() {
        assertEquals(2, run("lake:m=3"));
        assertEquals(2, run("lake", "--time", "-1"));
        assertEquals(2, run("lake", "--iterations", "0"));
        assertEquals(2, run("lake", "--bed", "hill"));
        assertEquals(2, run("lake", "--scheme", "magic"));
        assertEquals(2, run("lake", "--refine", "99"));
        assertEquals(2, run("lake", "--json", folder.resolve("none/run.json").toString()));
        assertEquals(2, run("river.txt"));
        assertEquals(1, run(folder.resolve("none.msh").toString()));
        assertEquals(2, run());
        assertTrue(err.toString().contains("lake:n=,size=,depth=,height="), err.toString());
        assertTrue(err.toString().contains("parameter 'm' is unknown, expected one of depth, height, n, size"),
                err.toString());
        assertTrue(err.toString().contains("scheme is 'magic', expected one of"), err.toString());
    }
}
