package org.trellis.bench.adapt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.testing.JsonSchemas;

class AdaptCommandTest {
    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return JsonSchemas.checked(
                TrellisCommand.run(new Console(new PrintWriter(out), new PrintWriter(err), false), arguments),
                arguments);
    }

    private JsonNode json(Path file) throws IOException {
        return new ObjectMapper().readTree(Files.readString(file));
    }

    @Test
    void writesTheResultAndItsFigures() throws IOException {
        Path json = folder.resolve("a.json");
        Path mesh = folder.resolve("a.vtu");
        Path picture = folder.resolve("a.png");
        Path before = folder.resolve("b.png");
        Path histogram = folder.resolve("h.png");
        assertEquals(ExitCode.OK, run("adapt", "square:n=8", "--metric", "analytic:linear", "--elements", "300",
                "--backend", "threads", "--threads", "2", "--json", json.toString(), "--output", mesh.toString(),
                "--picture", picture.toString(), "--before", before.toString(), "--histogram", histogram.toString()),
                err::toString);
        JsonNode root = json(json);
        assertEquals("trellis-adapt-results", root.get("format").asText());
        for (String name : new String[]{"vertices", "elements", "qualityMean", "qualityMinimum", "edgeLengthMean",
            "inverted", "sweeps", "seconds"}) {
            assertTrue(root.get(name).isNumber(), name);
        }
        assertEquals(0, root.get("inverted").asInt());
        assertEquals(128, root.get("before").get("elements").asInt());
        assertTrue(root.get("qualityMean").asDouble() > 0.85, root.toString());
        assertEquals(1, root.get("measure").asDouble(), 1e-12);
        for (Path file : new Path[]{mesh, picture, before, histogram}) {
            assertTrue(Files.size(file) > 500, file.toString());
        }
        assertTrue(out.toString().contains("after"), out.toString());
        Path again = folder.resolve("again.json");
        assertEquals(ExitCode.OK, run("adapt", mesh.toString(), "--metric", "file:" + mesh, "--backend", "reference",
                "--json", again.toString()), err::toString);
        assertTrue(json(again).get("before").get("qualityMean").asDouble() > 0.85);
    }

    /** Tensors of a file that are indefinite or not numbers: the vertex is named, and nothing is adapted. */
    @ParameterizedTest
    @ValueSource(strings = {"1 0 -1", "nan 0 1", "1 2 1", "0 0 0"})
    void metricsOfFilesAreChecked(String tensor) throws IOException {
        Path file = folder.resolve("m.vtk");
        Files.writeString(file, """
                # vtk DataFile Version 3.0
                x
                ASCII
                DATASET UNSTRUCTURED_GRID
                POINTS 4 double
                0 0 0  1 0 0  1 1 0  0 1 0
                CELLS 2 8
                3 0 1 2
                3 0 2 3
                CELL_TYPES 2
                5
                5
                POINT_DATA 4
                FIELD FieldData 1
                metric 3 4 double
                9 0 9  9 0 9  %s  9 0 9
                """.replace("%s", tensor));
        for (String[] more : new String[][]{{}, {"--gradation", "1.5"}, {"--elements", "50"}, {"--raster", "9"}}) {
            String[] all = Stream.concat(Stream.of("adapt", file.toString(), "--metric", "file:" + file),
                    Arrays.stream(more)).toArray(String[]::new);
            assertEquals(ExitCode.USAGE, run(all), out::toString);
            assertTrue(err.toString().contains("the metric of vertex 2 at [1.0, 1.0] is ["), err.toString());
            assertEquals("", out.toString());
        }
    }

    @Test
    void theResultDoesNotDependOnTheBackend() throws IOException {
        Path one = folder.resolve("one.vtk");
        Path two = folder.resolve("two.vtk");
        for (String[] choice : new String[][]{{"reference", one.toString()}, {"threads", two.toString()}}) {
            assertEquals(ExitCode.OK, run("adapt", "cube:n=2", "--metric", "uniform:h=0.35", "--sweeps", "3",
                    "--backend", choice[0], "--output", choice[1], "-q"), err::toString);
        }
        assertEquals(-1, Files.mismatch(one, two));
    }

    /** Loops over colours, as devices run them, do what the host does, and stop there too. */
    @Test
    void smoothsByLoops() throws IOException {
        double[] quality = new double[2];
        for (int i = 0; i < 2; i++) {
            Path json = folder.resolve("smooth" + i + ".json");
            assertEquals(ExitCode.OK, run("adapt", "square:n=9", "--metric", "analytic:layer", "--elements", "160",
                    "--raster", "33", "--only", "smooth", "--sweeps", "4", "--backend", "threads",
                    i == 0 ? "--quiet" : "--loops", "--json", json.toString()), err::toString);
            quality[i] = json(json).get("qualityMean").asDouble();
            assertEquals(4, json(json).get("sweeps").asInt());
            assertTrue(json(json).get("rasterErrorMaximum").asDouble() > 0);
        }
        assertEquals(quality[0], quality[1], 1e-9);
    }

    /** All of it, in the plane and in space; what ran where is said. */
    @Test
    void adaptsWithLoops() throws IOException {
        for (String mesh : new String[]{"square:n=6", "cube:n=2"}) {
            JsonNode[] roots = new JsonNode[2];
            for (int i = 0; i < 2; i++) {
                Path json = folder.resolve("loops" + i + ".json");
                assertEquals(ExitCode.OK, run(("adapt " + mesh + " --metric uniform:h=0.3 --raster 5 --sweeps 2 -q"
                        + " --polish 2 --backend threads --threads 2 --json " + json + (i == 0 ? "" : " --loops"))
                        .split(" ")), err::toString);
                roots[i] = json(json);
            }
            assertEquals(roots[0].get("elements"), roots[1].get("elements"));
            assertEquals(roots[0].get("qualityMean").asDouble(), roots[1].get("qualityMean").asDouble(), 1e-8);
            assertTrue(roots[0].path("loops").isMissingNode());
            JsonNode loops = roots[1].get("loops");
            assertEquals("threads", loops.get("backend").asText());
            assertTrue(loops.get("bytesSent").asLong() > 1000 && loops.get("bytesFetched").asLong() > 1000,
                    loops.toString());
        }
        assertTrue(out.toString().contains("threads: vertices moved"), out.toString());
        assertEquals(ExitCode.USAGE, run(("adapt cube:n=2 --metric uniform:h=0.5 --raster 3 --loops --texture"
                + " --backend reference").split(" ")));
        assertTrue(err.toString().contains("none in space"), err.toString());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"--texture | --loops", "--loops,--precision,f32,--raster,9 | --only smooth",
        "--loops,--precision,f32,--only,smooth,--polish,3,--raster,9 | --polish 0",
        "--loops,--interpolated-metric,--raster,9 | --interpolated-metric",
        "--loops,--only,smooth,--raster,9,--frames,. | frames of --only smooth"})
    void saysWhatLoopsCannotDo(String options, String complaint) {
        String[] fixed = {"adapt", "square:n=4", "--metric", "analytic:linear", "--backend", "reference"};
        String[] arguments = Stream.concat(Arrays.stream(fixed), Arrays.stream(options.split(",")))
                .toArray(String[]::new);
        assertEquals(ExitCode.USAGE, run(arguments), out::toString);
        assertTrue(err.toString().contains(complaint), err.toString());
    }

    @Test
    void recoversHessiansAndRefinesOnly() throws IOException {
        Path json = folder.resolve("h.json");
        assertEquals(ExitCode.OK, run("adapt", "square:n=12", "--metric", "hessian:pragmatic2d", "--error", "0.05",
                "--only", "refine", "--gradation", "2", "--raster", "64", "--interpolation", "log-euclidean", "--json",
                json.toString()), err::toString);
        JsonNode root = json(json);
        assertTrue(root.get("splits").asInt() > 0);
        assertEquals(0, root.get("collapses").asInt() + root.get("swaps").asInt());
    }

    /** Carried tensors have grown where the mesh was smoothed, so elements look larger in them. */
    @Test
    void verticesMayCarryTheirMetric() throws IOException {
        Path json = folder.resolve("carried.json");
        assertEquals(ExitCode.OK, run(("adapt square:n=16 --metric analytic:layer --only smooth --bold --sweeps 40"
                + " -q --interpolated-metric --json " + json).split(" ")), err::toString);
        JsonNode root = json(json);
        assertTrue(root.get("edgeLengthMean").asDouble() > 1.02 * root.get("asked").get("edgeLengthMean").asDouble(),
                root.toString());
        assertTrue(out.toString().contains("after, as asked"), out.toString());
    }

    /** All facets of a coarse cube have their corners on a sphere, which the mesh then becomes. */
    @Test
    void surfacesAreForMeshesInSpace() {
        for (String shape : new String[]{"--cylinder 0,0,0,0,0,1,3", "--cylinder 0,0,0,1", "--circle 0,0,1"}) {
            assertEquals(ExitCode.USAGE,
                    run(("adapt cube:n=1 --metric uniform:h=1 -q " + shape).split(" ")), shape);
        }
        assertTrue(err.toString().contains("expected --sphere or --cylinder in space"), err.toString());
        assertEquals(ExitCode.OK, run(("adapt cube:n=1 --metric uniform:h=0.7 --sweeps 2 -q"
                + " --sphere 0.5,0.5,0.5,0.8660254037844386").split(" ")), err::toString);
    }

    /** Loops sample a metric that is no raster as finely as it takes, and report it. */
    @Test
    void loopsSampleTheMetric() throws IOException {
        Path json = folder.resolve("sampled.json");
        String line =
                "adapt square:n=6 --metric analytic:linear --sweeps 2 --polish 1 -q --loops --backend threads --json "
                        + json;
        assertEquals(ExitCode.OK, run(line.split(" ")), err::toString);
        int points = json(json).get("rasterPoints").get(0).asInt();
        double error = json(json).get("rasterErrorMean").asDouble();
        assertTrue(points > 17 && error < 0.01 && error > 1e-5, points + " points, " + error);
        assertTrue(out.toString().contains("raster of " + points + " x " + points + " differ"), out.toString());
        assertEquals(ExitCode.OK, run((line + " --raster 5").split(" ")), err::toString);
        assertTrue(json(json).get("rasterErrorMean").asDouble() > 2 * error, json(json).toString());
    }

    /** A metric sampled, written, read again: the same mesh; and the error of the sampling falls with its points. */
    @Test
    void rastersComeFromFiles() throws IOException {
        double[] errors = new double[2];
        Path raster = folder.resolve("metric.vtk");
        Path json = folder.resolve("raster.json");
        Path one = folder.resolve("one.vtk");
        Path two = folder.resolve("two.vtk");
        int[] points = {9, 33};
        for (int i = 0; i < 2; i++) {
            assertEquals(ExitCode.OK, run(("adapt square:n=6 --metric analytic:sine --sweeps 3 -q --raster " + points[i]
                    + " --raster-output " + raster + " --output " + one + " --json " + json).split(" ")),
                    err::toString);
            errors[i] = json(json).get("rasterErrorMaximum").asDouble();
            assertTrue(json(json).get("rasterErrorMean").asDouble() < errors[i]);
        }
        assertTrue(errors[0] > 0.02 && errors[1] < errors[0] / 4, errors[0] + " and " + errors[1]);
        assertTrue(out.toString().contains("lengths in the raster of 33 x 33 differ"), out.toString());
        assertEquals(ExitCode.OK, run(("adapt square:n=6 --sweeps 3 -q --metric raster:" + raster + " --output "
                + two).split(" ")), err::toString);
        assertEquals(-1, Files.mismatch(one, two));
        assertEquals(ExitCode.USAGE, run("adapt", "cube:n=1", "--metric", "raster:" + raster));
        assertEquals(ExitCode.USAGE, run("adapt", "cube:n=1", "--metric", "uniform:h=1", "--raster-output", "x.vtk"));
    }

    /** Every format that a mesh can be in, there and back: the same vertices and elements in the same order. */
    @ParameterizedTest
    @ValueSource(strings = {".vtu", ".vtk", ".msh", ".node", ".ele.gz"})
    void meshesInEveryFormatAreTheSame(String ending) throws IOException {
        for (String shape : new String[]{"square:n=4", "cube:n=2"}) {
            Path file = folder.resolve("mesh" + ending);
            Path first = folder.resolve("first.json");
            Path again = folder.resolve("again.json");
            assertEquals(ExitCode.OK,
                    run(("adapt " + shape + " --metric uniform:h=0.4 --sweeps 2 --polish 0 -q --output "
                            + file + " --json " + first).split(" ")),
                    err::toString);
            assertEquals(ExitCode.OK, run(("adapt " + file + " --metric uniform:h=0.4 --sweeps 1 -q --json "
                    + again).split(" ")), err::toString);
            for (String name : new String[]{"vertices", "elements", "qualityMean", "qualityMinimum", "measure"}) {
                assertEquals(json(first).get(name), json(again).get("before").get(name), name);
            }
        }
    }

    /** An octagon that stands for a circle: the area becomes the circle's. */
    @Test
    void boundariesMayBeCurved() throws IOException {
        Path file = folder.resolve("octagon.node");
        StringBuilder points = new StringBuilder("9 2 0 0\n1 0 0\n");
        StringBuilder cells = new StringBuilder("8 3 0\n");
        for (int k = 0; k < 8; k++) {
            points.append(k + 2).append(' ').append(Math.cos(Math.PI * k / 4)).append(' ')
                    .append(Math.sin(Math.PI * k / 4)).append('\n');
            cells.append(k + 1).append(" 1 ").append(k + 2).append(' ').append(k == 7 ? 2 : k + 3).append('\n');
        }
        Files.writeString(file, points.toString());
        Files.writeString(folder.resolve("octagon.ele"), cells.toString());
        Path json = folder.resolve("disc.json");
        for (String curve : new String[]{"--curved 60", "--circle 0,0,1"}) {
            assertEquals(ExitCode.OK, run(("adapt " + file + " --metric uniform:h=0.2 --sweeps 6 --polish 2 -q --json "
                    + json + " " + curve).split(" ")), err::toString);
            assertEquals(Math.PI, json(json).get("measure").asDouble(), curve.startsWith("--circle") ? 0.03 : 0.08);
            assertEquals(0, json(json).get("inverted").asInt());
            assertTrue(json(json).get("qualityMinimum").asDouble() > 0.5, json(json).toString());
        }
        assertEquals(ExitCode.USAGE, run("adapt", file.toString(), "--metric", "uniform:h=1", "--circle", "0,0"));
        assertEquals(ExitCode.USAGE, run("adapt", file.toString(), "--metric", "uniform:h=1", "--sphere", "0,0,0,1"));
        assertEquals(ExitCode.USAGE, run("adapt", file.toString(), "--metric", "uniform:h=1", "--circle", "5,0,1"));
        assertEquals(ExitCode.USAGE, run("adapt", "cube:n=1", "--metric", "uniform:h=1", "--curved", "90"));
    }

    /** Pictures and files of the same sweeps; looking does not change the result. */
    @Test
    void writesFrames() throws IOException {
        Path plain = folder.resolve("plain.vtk");
        Path watched = folder.resolve("watched.vtk");
        Path pictures = Files.createDirectory(folder.resolve("pictures"));
        Path files = Files.createDirectory(folder.resolve("files"));
        String line = "adapt square:n=5 --metric uniform:h=0.3 --sweeps 4 -q --output ";
        assertEquals(ExitCode.OK, run((line + plain).split(" ")), err::toString);
        assertEquals(ExitCode.OK, run((line + watched + " --frames " + pictures + " --frame-every 2").split(" ")),
                err::toString);
        assertEquals(-1, Files.mismatch(plain, watched));
        assertTrue(Files.size(pictures.resolve("frame-0001.png")) > 500);
        assertEquals(ExitCode.OK, run(("adapt square:n=5 --metric analytic:linear --only smooth --sweeps 3 -q --frames "
                + files + " --frame-format vtu").split(" ")), err::toString);
        assertTrue(Files.readString(files.resolve("frame.pvd")).contains("timestep=\"3.00000000\""));
        assertEquals(ExitCode.USAGE, run("adapt", "square:n=5", "--metric", "uniform:h=1", "--frame-every", "2"));
        assertEquals(ExitCode.USAGE, run("adapt", "square:n=5", "--metric", "uniform:h=1", "--frames", "nowhere"));
        assertEquals(ExitCode.USAGE, run("adapt", "square:n=5", "--metric", "uniform:h=1", "--frames",
                files.toString(), "--frame-format", "gif"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "square:n=3 --metric nothing                          | expected uniform:h=H",
        "square:n=3 --metric uniform:h=-1                     | above 0",
        "square:n=3 --metric uniform:h=x                      | number after h=",
        "square:n=3 --metric analytic:pragmatic3d             | 3 dimensions",
        "square:n=3 --metric hessian:u                        | generated mesh has no data",
        "square:n=0 --metric uniform:h=1                      | n from 1",
        "square:n=3 --metric uniform:h=1 --only paint         | refine",
        "square:n=3 --metric uniform:h=1 --smoothing sand     | metric-laplacian",
        "square:n=3 --metric uniform:h=1 --recovery guess     | double-projection",
        "square:n=3 --metric uniform:h=1 --interpolation no   | log-euclidean",
        "square:n=3 --metric uniform:h=1 --sweeps 0           | sweeps"})
    void complainsAboutTheCommandLine(String line, String wanted) {
        assertEquals(ExitCode.USAGE, run(("adapt " + line).split(" ")));
        assertTrue(err.toString().contains(wanted), err.toString());
    }
}
