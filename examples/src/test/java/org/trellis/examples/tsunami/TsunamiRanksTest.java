package org.trellis.examples.tsunami;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
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
import org.trellis.examples.OpenMpi;
import org.trellis.examples.tsunami.TriangleMesh.Bounds;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.mesh.Mesh;

/** The tsunami on several ranks, its solver as it is. */
final class TsunamiRanksTest {
    private static final int STEPS = 40;

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** There are more ranks than cores already. */
    static Configuration oneThread() {
        return Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
    }

    private static MeshTopology hills() {
        Bounds bounds = new Bounds(0, 0, 130, 70);
        return MeshTopology
                .of(Rectangles.of(bounds, 26, 14, ShallowWater.WALL).withBed(Shapes.bumps(bounds, -4, 6, 40)));
    }

    /** Levels, volume and time after some steps. */
    record Sea(double[] before, double[] state, double volume, double volumeBefore, double time) {}

    static Sea sail(Mesh mesh, MeshTopology topology, double[] initial, Precision precision) {
        TsunamiSolver solver = new TsunamiSolver(mesh, topology, initial, Settings.DEFAULT, precision);
        double[] before = solver.state().toArray();
        double volume = solver.measure().volume();
        for (int step = 0; step < STEPS; step++) {
            solver.step(ShallowWater.NOWHERE);
            solver.noteCrest();
        }
        return new Sea(before, solver.state().toArray(), solver.measure().volume(), volume, solver.time());
    }

    /** A wave over hills, as it is on any mesh. */
    static Sea wave(Mesh mesh) {
        MeshTopology topology = hills();
        return sail(mesh, topology, InitialState.of(topology, Shapes.bumps(new Bounds(0, 0, 130, 70), 0, 1.5, 30),
                Shapes.flat(0)), Precision.F64);
    }

    /** Processes, against one rank directly: whatever threads have in common is not there. */
    @Test
    void processesSailAsOneRank() throws IOException, InterruptedException {
        double[] found = OpenMpi.numbers(3, folder, TsunamiProcess.class);
        Sea one;
        try (Backend backend = Backends.open("reference", Configuration.load()); Mesh mesh = Mesh.on(backend)) {
            one = wave(mesh);
        }
        assertEquals(1, found[0] / one.time(), 1e-12);
        assertEquals(1, found[1] / one.volume(), 1e-12);
        assertArrayEquals(one.state(), Arrays.copyOfRange(found, 2, found.length), 1e-9);
        assertTrue(IntStream.range(0, one.state().length)
                .anyMatch(i -> Math.abs(one.state()[i] - one.before()[i]) > 1e-3), "nothing moves");
    }

    private static List<Sea> onRanks(int ranks, Function<Mesh, Sea> program) {
        return ThreadRanks.run(ranks, communicator -> {
            try (Backend backend = Backends.open("threads", oneThread());
                    Mesh mesh = DistributedMesh.on(backend, communicator)) {
                return program.apply(mesh);
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void lakeAtRestStaysAtRest(int ranks) {
        MeshTopology topology = hills();
        double[] level = InitialState.of(topology, Shapes.flat(0), Shapes.flat(0));
        for (Sea sea : onRanks(ranks, mesh -> sail(mesh, topology, level, Precision.F64))) {
            assertArrayEquals(sea.before(), sea.state());
            assertEquals(sea.volumeBefore(), sea.volume());
        }
    }

    private int run(String... arguments) {
        return TrellisCommand.run(new Console(new PrintWriter(out, true), new PrintWriter(err, true), false),
                arguments);
    }

    /** All cells are in the pieces, with the values of one file; what is printed is printed once. */
    @Test
    void writesOneFileOrPieces() throws IOException {
        String[] sea = {"run", "--ranks", "3", "example", "tsunami", "drop:n=6", "--iterations", "5", "--crest", "-q",
            "--vtu"};
        Path whole = folder.resolve("whole");
        Path parts = folder.resolve("parts");
        assertEquals(ExitCode.OK, run(with(sea, whole.toString())), err::toString);
        assertEquals(ExitCode.OK, run(with(sea, parts.toString(), "--pieces")), err::toString);
        double[] levels = MeshFiles.read(folder.resolve("whole-0001.vtu")).cellData().getFirst().values();
        List<Double> inPieces = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            MeshData piece = MeshFiles.read(folder.resolve("parts-0001-" + rank + ".vtu"));
            assertEquals(List.of("level", "depth", "velocity", "bed", "crest"),
                    piece.cellData().stream().map(DataArray::name).toList());
            Arrays.stream(piece.cellData().getFirst().values()).forEach(inPieces::add);
        }
        assertEquals(Arrays.stream(levels).sorted().boxed().toList(), inPieces.stream().sorted().toList());
        assertTrue(
                Files.readString(folder.resolve("parts-0001.pvtu")).contains("<Piece Source=\"parts-0001-2.vtu\"/>"));
        assertTrue(Files.readString(folder.resolve("parts.pvd")).contains("file=\"parts-0001.pvtu\""));
        assertEquals(2, out.toString().lines().filter(line -> line.startsWith("volume changed")).count());
        assertEquals(ExitCode.USAGE, run("example", "tsunami", "drop:n=6", "--vtu", whole.toString(), "--pieces"));
        assertTrue(err.toString().contains("--pieces is for --vtu on several ranks"), err::toString);
    }

    private static String[] with(String[] words, String... more) {
        return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 4})
    void wavesAreThoseOfOneRank(int ranks) {
        MeshTopology topology = hills();
        double[] dam = InitialState.of(topology, Shapes.dam(60, 1.5, -1), Shapes.flat(0));
        Sea one;
        try (Backend backend = Backends.open("threads", oneThread()); Mesh mesh = Mesh.on(backend)) {
            one = sail(mesh, topology, dam, Precision.F64);
        }
        for (Sea sea : onRanks(ranks, mesh -> sail(mesh, topology, dam, Precision.F64))) {
            assertArrayEquals(one.state(), sea.state(), 1e-10);
            assertEquals(one.time(), sea.time(), 1e-12);
            double change = one.volume() - one.volumeBefore();
            assertEquals(change, sea.volume() - sea.volumeBefore(), 1e-12 * one.volume());
        }
    }
}
