package org.trellis.examples.airfoil;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.bench.cli.TrellisCommand;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.ExitCode;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.distributed.communicate.ThreadRanks;
import org.trellis.distributed.mesh.DistributedMesh;
import org.trellis.distributed.mesh.RankOptions;
import org.trellis.examples.OpenMpi;
import org.trellis.matrices.mesh.AirfoilMesh;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshChains;
import org.trellis.mesh.MeshOrder;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.ChainReport;
import org.trellis.mesh.loop.Layout;
import org.trellis.mesh.loop.MeshReport;
import org.trellis.mesh.loop.Tiling;
import org.trellis.mesh.order.Orderings;
import org.trellis.testing.JsonSchemas;
import org.trellis.testing.TestLength;

/** Airfoil on several ranks, its solver as it is. */
final class AirfoilRanksTest {
    private static final AirfoilMesh MESH = AirfoilGenerator.generate(10, 12);
    private static final Path SMALL =
            Path.of(System.getProperty("trellis.test.shared", "../../shared"), "data/meshes/airfoil-small.dat.gz");
    private static final int ITERATIONS = 20;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return JsonSchemas.checked(TrellisCommand.run(
                new Console(new PrintWriter(out, true), new PrintWriter(err, true), false), arguments), arguments);
    }

    /** The residual of each iteration, and the state at the end. */
    record Flow(double[] residuals, double[] state) {}

    /** There are more ranks than cores already. */
    static Configuration oneThread() {
        return Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
    }

    static Flow flow(Mesh mesh, Layout layout) {
        AirfoilSolver solver = new AirfoilSolver(mesh, MESH, Precision.F64);
        if (layout == Layout.SOA) {
            MeshOrder.reorder(solver.cells(), Orderings::reverseCuthillMcKee);
            mesh.dats().forEach(dat -> dat.layout(layout));
        }
        double[] residuals = new double[ITERATIONS];
        Arrays.setAll(residuals, i -> solver.iterate());
        return new Flow(residuals, solver.state().toArray());
    }

    /** Two, and with neighbours on two sides; at night also one and more. */
    static List<Integer> ranks() {
        return List.of(3, 2, 1, 5).subList(0, TestLength.cases(2, 4));
    }

    @ParameterizedTest
    @MethodSource("ranks")
    void flowsAsOnOneRank(int ranks) {
        for (Layout layout : Layout.values()) {
            Flow one;
            try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
                one = flow(mesh, layout);
            }
            // Each rank has a backend of its own kind.
            List<String> names = List.of("threads", "reference", "simd");
            List<Flow> flows = ThreadRanks.run(ranks, communicator -> {
                try (Backend backend = Backends.open(names.get(communicator.rank() % 3), oneThread());
                        Mesh mesh = DistributedMesh.on(backend, communicator)) {
                    return flow(mesh, layout);
                }
            });
            for (Flow several : flows) {
                for (int i = 0; i < ITERATIONS; i++) {
                    assertEquals(1, several.residuals()[i] / one.residuals()[i], 1e-11, "iteration " + i);
                }
                assertArrayEquals(one.state(), several.state(), 1e-12);
                assertArrayEquals(flows.getFirst().residuals(), several.residuals(), "not the same on all ranks");
            }
        }
    }

    /** Processes, against one rank directly: whatever threads have in common is not there. */
    @Test
    void processesFlowAsOneRank() throws IOException, InterruptedException {
        double[] found = OpenMpi.numbers(3, folder, AirfoilProcess.class);
        Flow one;
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            one = flow(mesh, Layout.AOS);
        }
        for (int i = 0; i < ITERATIONS; i++) {
            assertEquals(1, found[i] / one.residuals()[i], 1e-11, "iteration " + i);
        }
        assertArrayEquals(one.state(), Arrays.copyOfRange(found, ITERATIONS, found.length), 1e-12);
    }

    /** Once the JVM has compiled the loops; what two ranks take is for the sums over both of them. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void iterationsAllocateNothing(int ranks) {
        long most = ThreadRanks.run(ranks, communicator -> {
            try (Backend backend = Backends.open("threads", oneThread());
                    Mesh mesh = DistributedMesh.on(backend, communicator)) {
                AirfoilSolver solver = new AirfoilSolver(mesh, MESH, Precision.F64);
                ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
                long least = Long.MAX_VALUE;
                for (int round = 0; round < 8; round++) {
                    long before = threads.getCurrentThreadAllocatedBytes();
                    for (int i = 0; i < 200; i++) {
                        solver.iterate();
                    }
                    least = Math.min(least, (threads.getCurrentThreadAllocatedBytes() - before) / 200);
                }
                return least;
            }
        }).stream().mapToLong(Long::longValue).max().orElseThrow();
        assertTrue(most < (ranks == 1 ? 64 : 2048), most + " bytes an iteration");
    }

    /** An iteration exchanges once in each stage, both dats in one message. */
    @Test
    void exchangesWhatItMust() {
        MeshReport report = ThreadRanks.run(2, communicator -> {
            try (Backend backend = Backends.open("threads", oneThread());
                    Mesh mesh = DistributedMesh.on(backend, communicator)) {
                flow(mesh, Layout.AOS);
                return mesh.report();
            }
        }).getLast();
        report.ranks().orElseThrow().times().forEach(time -> {
            boolean flux = time.loop().endsWith("flux");
            assertEquals(flux ? 2 * ITERATIONS : 0, time.messages(), time.toString());
        });
        assertTrue(report.toString().contains("mesh on 2 ranks by multilevel of 'cells', 1 ring"), report.toString());
    }

    /** In tiles, an iteration of two stages exchanges once, with halos as deep as both. */
    @ParameterizedTest
    @CsvSource({"2,sparse,100", "3,redundant,150", "4,sparse,60"})
    void tilesExchangeOnceAnIteration(int ranks, String tiling, int size) {
        Flow one;
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            one = flow(mesh, Layout.SOA);
        }
        RankOptions usual = RankOptions.usual();
        RankOptions options = usual.withMesh(usual.mesh().withCheckPlans(true)
                .withChains(ChainOptions.EAGER.withTiling(Tiling.of(tiling), size)));
        ThreadRanks.run(ranks, communicator -> {
            try (Backend backend = Backends.open(communicator.rank() == 1 ? "simd" : "threads", oneThread());
                    Mesh mesh = DistributedMesh.on(backend, communicator, options)) {
                Flow several = flow(mesh, Layout.SOA);
                for (int i = 0; i < ITERATIONS; i++) {
                    assertEquals(1, several.residuals()[i] / one.residuals()[i], 1e-11, "iteration " + i);
                }
                assertArrayEquals(one.state(), several.state(), 1e-12);
                ChainReport report = MeshChains.reports(mesh).getFirst();
                assertEquals(ITERATIONS - 1, report.exchanges().orElseThrow().exchanges(), report.toString());
                // The first iteration begins with values that all ranks have.
                assertEquals(ITERATIONS + 1, report.exchanges().orElseThrow().saved(), "two stages, one exchange");
            }
            return null;
        });
    }

    @ParameterizedTest
    @MethodSource("ranksOfOp2")
    void residualsAreThoseOfOp2(int ranks) throws IOException {
        assumeTrue(Files.exists(SMALL), () -> SMALL + " is not there");
        AirfoilMesh file = AirfoilMesh.read(SMALL);
        double residual = ThreadRanks.run(ranks, communicator -> {
            try (Backend backend = Backends.open("threads", oneThread());
                    Mesh mesh = DistributedMesh.on(backend, communicator)) {
                AirfoilSolver solver = new AirfoilSolver(mesh, file, Precision.F64);
                for (int i = 0; i < 50; i++) {
                    solver.advance();
                }
                return solver.residual();
            }
        }).getFirst();
        assertEquals(1, residual / 8.057325889192224e-04, 1e-12);
    }

    static List<Integer> ranksOfOp2() {
        return List.of(4, 2).subList(0, TestLength.cases(1, 2));
    }

    /** Each rank reads its share of a file, and none has the whole mesh. */
    @ParameterizedTest
    @MethodSource("ranks")
    void flowsFromSharesOfAFile(int ranks) throws IOException {
        Path file = folder.resolve("new_grid.dat");
        MESH.write(file);
        double[] residuals = new double[ITERATIONS];
        double[] state;
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            AirfoilSolver solver = new AirfoilSolver(mesh, AirfoilMesh.read(file), Precision.F64);
            Arrays.setAll(residuals, i -> solver.iterate());
            state = solver.state().toArray();
        }
        ThreadRanks.run(ranks, communicator -> {
            try (Backend backend = Backends.open("threads", oneThread());
                    Mesh mesh = DistributedMesh.on(backend, communicator)) {
                AirfoilSolver solver =
                        new AirfoilSolver(mesh, AirfoilInput.read(file.toString(), communicator), Precision.F64);
                for (int i = 0; i < ITERATIONS; i++) {
                    assertEquals(1, solver.iterate() / residuals[i], 1e-11, "iteration " + i);
                }
                assertArrayEquals(state, solver.state().toArray(), 1e-12);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return null;
        });
    }

    @Test
    void runsByTheCommandLine() throws IOException {
        Path vtu = folder.resolve("owners.vtu");
        Path picture = folder.resolve("owners.png");
        Path json = folder.resolve("run.json");
        assertEquals(ExitCode.OK, run("run", "--ranks", "3", "example", "airfoil", "c-mesh:i=8,j=6", "--iterations",
                "3", "--report", "--owners", vtu.toString(), "--quiet", "--json", json.toString()), err::toString);
        JsonNode document = new ObjectMapper().readTree(Files.readString(json));
        assertEquals(3, document.get("ranks").intValue());
        assertEquals("threads", document.get("transport").textValue());
        assertEquals(1, document.get("rings").intValue());
        assertEquals(15, document.get("rankTimes").size());
        assertTrue(document.at("/rankTimes/6/bytes").longValue() > 0, document::toString);
        assertTrue(out.toString().contains("mesh on 3 ranks by multilevel of 'cells'"), out::toString);
        double[] ranks = MeshFiles.read(vtu).cellData().stream().filter(data -> data.name().equals("rank")).findFirst()
                .orElseThrow().values();
        assertEquals(144, ranks.length);
        assertEquals(List.of(0.0, 1.0, 2.0), Arrays.stream(ranks).distinct().sorted().boxed().toList());
        assertEquals(ExitCode.OK, run("run", "--ranks", "2", "--partitioner", "blocks", "example", "airfoil",
                "c-mesh:i=8,j=6", "--iterations", "1", "--owners", picture.toString(), "--quiet"), err::toString);
        assertTrue(Optional.ofNullable(ImageIO.read(picture.toFile())).isPresent());
        Path file = folder.resolve("new_grid.dat");
        AirfoilGenerator.generate(8, 6).write(file);
        String residuals = out.toString();
        assertEquals(ExitCode.OK, run("run", "--ranks", "3", "example", "airfoil", file.toString(), "--parallel-read",
                "--iterations", "3", "--quiet"), err::toString);
        String line = residuals.lines().filter(text -> text.matches(" +3 \\d.*")).findFirst().orElseThrow();
        assertTrue(out.toString().substring(residuals.length()).contains(line.substring(0, 25)), out::toString);
        // Only one rank prints: three residuals of the first run, one of the second.
        assertEquals(4, residuals.lines().filter(text -> text.matches(" +[123] \\d\\.\\d{16}e.*")).count(),
                out::toString);
    }

    @Test
    void aShareOfAMissingFileIsRefusedBeforeRanksStart() {
        assertEquals(ExitCode.FAILED, run("run", "--ranks", "2", "example", "airfoil",
                folder.resolve("missing.dat").toString(), "--parallel-read"), err::toString);
        assertTrue(err.toString().contains("missing.dat: there is no such file"), err::toString);
        assertFalse(err.toString().contains("the job of 2 ranks failed"), err::toString);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "run example adaptive-poisson x | does not run on several ranks, expected airfoil, elasticity, poisson",
                "run example airfoil c-mesh:i=8,j=6 --plain-c | --plain-c is for one rank",
                "example airfoil x.dat --parallel-read | --parallel-read is for several ranks that read a file",
                "run example airfoil c-mesh:i=8,j=6 --parallel-read | --parallel-read is for several ranks that read a",
                "run example airfoil x.dat --parallel-read --picture | --parallel-read is without --picture",
                "run example tsunami lake:n=4 --tune | --tune is for one rank",
                "example airfoil c-mesh:i=8,j=6 --owners x.vtu | owners of cells are asked for on one rank"})
    void refusesWhatRanksCannotDo(String line) {
        String[] halves = line.split(" \\| ", -1);
        assertEquals(ExitCode.USAGE, run(halves[0].split(" ", -1)), err::toString);
        assertTrue(err.toString().contains(halves[1]), err::toString);
    }
}
