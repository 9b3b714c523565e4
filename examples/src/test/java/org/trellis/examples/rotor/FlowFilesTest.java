package org.trellis.examples.rotor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.common.Precision;
import org.trellis.examples.rotor.mesh.CellKind;
import org.trellis.examples.rotor.mesh.FlowFiles;
import org.trellis.examples.rotor.mesh.FlowMesh;
import org.trellis.examples.rotor.mesh.FlowMeshes;
import org.trellis.examples.rotor.mesh.HybridMesh;
import org.trellis.examples.rotor.mesh.Patch;
import org.trellis.examples.rotor.mesh.Refinement;
import org.trellis.examples.rotor.solver.FlowSettings;
import org.trellis.examples.rotor.solver.FlowSolver;
import org.trellis.examples.rotor.solver.InitialFlows;
import org.trellis.matrices.mesh.CellBlock;
import org.trellis.matrices.mesh.CellGroup;
import org.trellis.matrices.mesh.CellShape;
import org.trellis.matrices.mesh.DataArray;
import org.trellis.matrices.mesh.MeshData;
import org.trellis.matrices.mesh.MeshFiles;
import org.trellis.matrices.mesh.MeshWriteOptions;
import org.trellis.mesh.Mesh;
import org.trellis.mesh.MeshOptions;

/** Meshes from files, and the volumes that are joined to coarser levels. */
final class FlowFilesTest {
    private static final int SECOND_SIDE = 50;

    @TempDir
    private Path folder;

    private static HybridMesh made(String text) {
        return FlowMeshes.of(text, 1).levels().getFirst().mesh();
    }

    private static int tag(Patch patch) {
        return 1 + List.of(Patch.values()).indexOf(patch);
    }

    /** A tag for each patch; the second of the periodic sides, where y is above 0, has another one. */
    private static int tag(HybridMesh mesh, int face) {
        boolean second = mesh.patches().get(face) == Patch.PERIODIC
                && mesh.points()[3 * mesh.faces()[4 * face] + 1] > 0;
        return second ? SECOND_SIDE : tag(mesh.patches().get(face));
    }

    /** What a file has: cells, faces with tags of groups that have these names, and a point that no cell has. */
    private static MeshData data(HybridMesh mesh, Function<Patch, String> name) {
        MeshData cells = mesh.toMeshData(List.of());
        List<CellBlock> blocks = new ArrayList<>(cells.blocks());
        int next = cells.cellCount();
        List<Double> tags = new ArrayList<>();
        for (int i = 0; i < next; i++) {
            tags.add(100.0);
        }
        for (CellShape shape : List.of(CellShape.TRIANGLE, CellShape.QUADRILATERAL)) {
            List<Integer> nodes = new ArrayList<>();
            int first = next;
            for (int face = 0; face < mesh.patches().size(); face++) {
                if (mesh.cornersOf(face) == shape.leastNodes()) {
                    for (int k = 0; k < shape.leastNodes(); k++) {
                        nodes.add(mesh.faces()[4 * face + k]);
                    }
                    tags.add((double) tag(mesh, face));
                    next++;
                }
            }
            if (!nodes.isEmpty()) {
                int[] numbers = new int[next - first];
                Arrays.setAll(numbers, i -> first + i);
                blocks.add(new CellBlock(shape, shape.leastNodes(), nodes.stream().mapToInt(n -> n).toArray(),
                        numbers));
            }
        }
        List<CellGroup> groups = new ArrayList<>();
        for (Patch patch : Set.copyOf(mesh.patches())) {
            groups.add(new CellGroup(2, tag(patch), name.apply(patch)));
        }
        if (mesh.patches().contains(Patch.PERIODIC)) {
            groups.add(new CellGroup(2, SECOND_SIDE, "periodic-right"));
        }
        groups.add(new CellGroup(3, 100, "fluid"));
        double[] points = Arrays.copyOf(mesh.points(), mesh.points().length + 3);
        return new MeshData(3, points, blocks, List.of(), List.of(DataArray.of(MeshData.PHYSICAL, 1,
                tags.stream().mapToDouble(tag -> tag).toArray())), groups);
    }

    private static String usual(Patch patch) {
        return switch (patch) {
            case PERIODIC -> "periodic-left";
            case NO_SLIP -> "Wall-1";
            case SLIP -> "symmetry";
            default -> patch.name() + "_2";
        };
    }

    /** A mesh of all kinds of cells comes back from a file of Gmsh's with the same dual. */
    @Test
    void gmshFilesGiveTheSameDual() throws IOException {
        HybridMesh mesh = made("channel:nx=12,ny=4,nz=4,mix=mixed,distort=0.2,ends=given");
        Path file = folder.resolve("bump.msh");
        MeshFiles.write(file, data(mesh, FlowFilesTest::usual), MeshWriteOptions.DEFAULT);
        assertTrue(FlowFiles.isFile(file.toString()));
        FlowMesh.Level read = FlowFiles.read(file, 1).levels().getFirst();
        FlowMesh.Level made = FlowMeshes.of("channel:nx=12,ny=4,nz=4,mix=mixed,distort=0.2,ends=given", 1).levels()
                .getFirst();
        assertEquals(mesh.nodes(), read.mesh().nodes());
        for (CellKind kind : CellKind.values()) {
            assertTrue(mesh.count(kind) > 0 && mesh.count(kind) == read.mesh().count(kind), kind::name);
        }
        assertTrue(Arrays.equals(made.dual().edges(), read.dual().edges()));
        for (int i = 0; i < made.dual().normals().length; i++) {
            assertEquals(made.dual().normals()[i], read.dual().normals()[i], 1e-15);
        }
        for (Patch patch : Patch.values()) {
            assertTrue(Arrays.equals(made.dual().boundary(patch).nodes(), read.dual().boundary(patch).nodes()));
            for (int i = 0; i < made.dual().boundary(patch).normals().length; i++) {
                assertEquals(made.dual().boundary(patch).normals()[i], read.dual().boundary(patch).normals()[i], 1e-15);
            }
        }
    }

    /** Joined volumes are a partition, closed, and a few times fewer on each level. */
    @Test
    void agglomeratesAreClosed() {
        FlowMesh mesh = FlowFiles.of("box", data(made("box:n=8,mix=mixed,distort=0.3"), FlowFilesTest::usual), 4);
        assertEquals(4, mesh.levels().size());
        for (int l = 0; l < 4; l++) {
            FlowMesh.Level level = mesh.levels().get(l);
            assertEquals(1, Arrays.stream(level.dual().volumes()).sum(), 1e-12);
            assertTrue(level.dual().largestGap() < 1e-14, () -> "gap " + level.dual().largestGap());
            if (l > 0) {
                FlowMesh.Level finer = mesh.levels().get(l - 1);
                double ratio = (double) finer.mesh().nodes() / level.mesh().nodes();
                assertTrue(ratio > 3 && ratio < 16, () -> "ratio of nodes " + ratio);
                int[] sizes = new int[level.mesh().nodes()];
                for (int node = 0; node < finer.mesh().nodes(); node++) {
                    sizes[finer.transfer().parents()[Refinement.PARENTS * node]]++;
                }
                assertTrue(Arrays.stream(sizes).min().orElse(0) > 0);
                for (int node = 0; node < level.mesh().nodes(); node++) {
                    int seed = finer.transfer().same()[node];
                    assertEquals(node, finer.transfer().parents()[Refinement.PARENTS * seed]);
                }
            }
        }
    }

    /** A sector of an annulus from a file has the pairs and the angle of the one that was made. */
    @ParameterizedTest
    @ValueSource(strings = {"hex", "mixed"})
    void periodicSidesAreFound(String mix) throws IOException {
        FlowMesh made = FlowMeshes.of("annulus:nx=4,ny=4,nz=4,blades=12,mix=" + mix, 1);
        Path file = folder.resolve("sector.msh");
        MeshFiles.write(file, data(made.levels().getFirst().mesh(), FlowFilesTest::usual), MeshWriteOptions.DEFAULT);
        FlowMesh read = FlowFiles.read(file, 1);
        assertEquals(made.angle(), read.angle(), 1e-12);
        assertEquals(pairs(made), pairs(read));
    }

    private static Set<List<Integer>> pairs(FlowMesh mesh) {
        int[] pairs = mesh.levels().getFirst().pairs();
        Set<List<Integer>> all = new HashSet<>();
        for (int p = 0; p < pairs.length; p += 2) {
            all.add(List.of(pairs[p], pairs[p + 1]));
        }
        return all;
    }

    /** Sides that are opposite to each other are shifted, not turned: here the planes of symmetry of a channel. */
    @Test
    void shiftedSidesAreFound() {
        MeshData data = data(sidesOfAChannel(Patch.PERIODIC), FlowFilesTest::usual);
        FlowMesh read = FlowFiles.of("channel", data, 2);
        assertEquals(0, read.angle(), 0);
        double[] x = read.levels().getFirst().mesh().points();
        int[] pairs = read.levels().getFirst().pairs();
        assertEquals(2 * 13 * 5, pairs.length);
        for (int p = 0; p < pairs.length; p += 2) {
            assertEquals(0, x[3 * pairs[p] + 1], 0);
            assertEquals(1, x[3 * pairs[p + 1] + 1], 0);
            assertEquals(x[3 * pairs[p] + 2], x[3 * pairs[p + 1] + 2], 1e-15);
        }
        assertTrue(read.levels().getLast().pairs().length > 0);
    }

    /** A channel whose sides y = 0 and y = 1 are something else. */
    private static HybridMesh sidesOfAChannel(Patch sides) {
        HybridMesh channel = made("channel:nx=12,ny=4,nz=4,mix=mixed");
        List<Patch> patches = new ArrayList<>(channel.patches());
        for (int face = 0; face < patches.size(); face++) {
            double y = channel.points()[3 * channel.faces()[4 * face] + 1];
            boolean flat = y == 0 || y == 1;
            for (int k = 1; k < channel.cornersOf(face); k++) {
                flat &= channel.points()[3 * channel.faces()[4 * face + k] + 1] == y;
            }
            if (flat) {
                patches.set(face, sides);
            }
        }
        return new HybridMesh(channel.points(), channel.cells(), channel.faces(), patches);
    }

    /** On joined volumes, too, free streams stay in sectors, and nodes of pairs have the same state, turned. */
    @Test
    void periodicAgglomeratesKeepPairs() {
        FlowSettings.Flow still = new FlowSettings.Flow(0.4, 0, 0, 0, false, 1);
        FlowSettings.Flow turning = new FlowSettings.Flow(0.4, 0.3, 0, 0, false, 1);
        assertFreeStreamStays(FlowMeshes.of("annulus:nx=8,ny=6,nz=4,distort=0.2,mix=mixed,coarse=joined", 3), still);
        assertFreeStreamStays(FlowMeshes.of("annulus:nx=8,ny=6,nz=4,distort=0.2,coarse=joined", 3), turning);
        FlowMesh blades = FlowMeshes.of("blade:nx=16,ny=6,nz=4,blades=12,coarse=joined", 3);
        double[] state = march(blades, FlowSettings.usual(turning).with(new FlowSettings.Cycle(1, 1, 2, 2)),
                InitialFlows.freeStream(turning), 4);
        double cos = Math.cos(blades.angle());
        double sin = Math.sin(blades.angle());
        int[] pairs = blades.levels().getFirst().pairs();
        double most = 0;
        for (int p = 0; p < pairs.length; p += 2) {
            int a = 6 * pairs[p];
            int b = 6 * pairs[p + 1];
            assertEquals(state[a + 4], state[b + 4], 1e-12);
            assertEquals(cos * state[a + 2] + sin * state[a + 3], state[b + 2], 1e-12);
            most = Math.max(most, Math.abs(state[a + 4] - turning.freeStream()[4]));
        }
        assertTrue(most > 1e-3, "the flow feels the blades");
    }

    private static void assertFreeStreamStays(FlowMesh mesh, FlowSettings.Flow flow) {
        for (FlowMesh.Level level : mesh.levels()) {
            assertTrue(level.pairs().length > 0 && level.dual().largestGap() < 1e-14);
            assertEquals(level.pairs().length, Arrays.stream(level.pairs()).distinct().count());
        }
        double[] state = march(mesh, FlowSettings.usual(flow), InitialFlows.freeStream(flow), 3);
        for (int i = 0; i < state.length; i++) {
            assertEquals(flow.freeStream()[i % 6], state[i], 2e-14);
        }
    }

    private static double[] march(FlowMesh geometry, FlowSettings settings, FlowSolver.Problem problem, int cycles) {
        Configuration configuration = Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
        try (Backend backend = Backends.open("threads", configuration);
                Mesh mesh = Mesh.on(backend, MeshOptions.of(Configuration.load()))) {
            FlowSolver solver = new FlowSolver(mesh, geometry, settings, problem, Precision.F64);
            solver.start();
            for (int i = 0; i < cycles; i++) {
                solver.advance();
            }
            return solver.state().toArray();
        }
    }

    /** Cycles over agglomerates need less than a third of the work of a single level. */
    @Test
    void agglomeratesSpeedUpABump() {
        MeshData data = data(made("channel:nx=16,ny=4,nz=8,height=0.05,shape=sine,mix=mixed"), FlowFilesTest::usual);
        double multi = work(FlowFiles.of("bump", data, 3), 150);
        double single = work(FlowFiles.of("bump", data, 1), (int) (3 * multi) + 1);
        assertTrue(3 * multi < single, () -> "work " + multi + " with three levels, " + single + " with one");
    }

    private static double work(FlowMesh geometry, int most) {
        FlowSettings.Flow flow = new FlowSettings.Flow(0.5, 0, 0, 0, false, 1);
        Configuration configuration = Configuration.builder().set(ConfigurationKeys.THREADS, 1).build();
        try (Backend backend = Backends.open("threads", configuration);
                Mesh mesh = Mesh.on(backend, MeshOptions.of(Configuration.load()))) {
            FlowSolver solver = new FlowSolver(mesh, geometry, FlowSettings.usual(flow), InitialFlows.freeStream(flow),
                    Precision.F64);
            solver.start();
            double largest = solver.iterate();
            double residual = largest;
            int cycles = 1;
            while (residual > 1e-4 * largest && cycles < most) {
                residual = solver.iterate();
                largest = Math.max(largest, residual);
                cycles++;
            }
            return cycles * solver.workOfCycle();
        }
    }

    private static void assertRefused(MeshData data, int levels, String expected) {
        String message = assertThrows(IllegalArgumentException.class, () -> FlowFiles.of("a.msh", data, levels))
                .getMessage();
        assertTrue(message.startsWith("mesh a.msh: ") && message.contains(expected), message);
    }

    @Test
    void meshesWithoutNamesAndWithStrangeOnesAreRefused() {
        HybridMesh box = made("box:n=2");
        MeshData good = data(box, FlowFilesTest::usual);
        assertRefused(data(box, patch -> "wallpaper"), 1, "the group 'wallpaper' of faces is unknown");
        assertRefused(box.toMeshData(List.of()), 1, "no named groups");
        assertRefused(new MeshData(3, good.points(), good.blocks(), List.of(), good.cellData(), List.of()), 1,
                "has no name");
        assertRefused(new MeshData(2, new double[]{0, 0}, List.of(), List.of(), List.of(), List.of()), 1,
                "points have 2 coordinates");
        assertRefused(good, 6, "take fewer levels");
        HybridMesh sector = made("annulus:nx=4,ny=2,nz=2");
        MeshData one = data(sector, patch -> patch == Patch.PERIODIC ? "periodic-right" : usual(patch));
        assertRefused(one, 1, "there are 1 groups of periodic faces");
        double[] moved = sector.points().clone();
        moved[3 * FlowMeshes.of("annulus:nx=4,ny=2,nz=2", 1).levels().getFirst().pairs()[0]] += 0.01;
        assertRefused(data(sector.at(moved), FlowFilesTest::usual), 1, "expected a node there");
        CellBlock faces = new CellBlock(CellShape.QUADRILATERAL, 4, new int[]{0, 1, 2, 3}, new int[]{0});
        assertRefused(new MeshData(3, new double[12], List.of(faces), List.of(), List.of(), List.of()), 1,
                "there are no cells");
    }
}
