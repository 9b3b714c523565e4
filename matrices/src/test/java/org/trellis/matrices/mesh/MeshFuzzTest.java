package org.trellis.matrices.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.matrices.FuzzRun;
import org.trellis.matrices.market.Mutator;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

/** Damaged mesh files of every format and encoding: a mesh that fits together, or an error that says what is wrong. */
class MeshFuzzTest {
    private static final int ROUNDS = TestLength.cases(500, 1_500);
    private static final int FEW_ROUNDS = TestLength.cases(100, 300);
    private static final long FREE_BYTES = 48 << 20;
    private static final long BYTES_PER_BYTE = 500;

    @TempDir
    private Path folder;

    private final SplittableRandom random = TestSeed.random("MeshFuzzTest");
    private final Mutator mutator = new Mutator(random);
    private final List<Seed> seeds = new ArrayList<>();

    /** A file that is right. */
    private record Seed(String name, byte[] bytes) {}

    private void add(String name, String text) {
        seeds.add(new Seed(name, text.getBytes(StandardCharsets.ISO_8859_1)));
    }

    @BeforeEach
    void makeSeeds() throws IOException {
        addVtk();
        addGmsh();
        addPlain();
        addWritten();
    }

    private void addVtk() {
        add("a.vtk", """
                # vtk DataFile Version 5.1
                t
                ASCII
                DATASET POLYDATA
                POINTS 5 float
                0 0 0 1 0 0
                1 1 0 0 1 0
                2 2 0
                METADATA
                INFORMATION 1
                DATA 2 0 1

                POLYGONS 3 7
                OFFSETS vtktypeint64
                0 3 7
                CONNECTIVITY vtktypeint64
                0 1 2 0 1 2 3
                LINES 1 4
                3 1 2 4
                POINT_DATA 5
                SCALARS t%20x double 1
                LOOKUP_TABLE default
                1 2 3 4 5
                VECTORS v float
                1 0 0 1 0 0 1 0 0 1 0 0 1 0 0
                CELL_DATA 3
                FIELD F 1
                r 1 3 int
                7 8 9
                """);
    }

    private void addGmsh() {
        add("a.msh", """
                $MeshFormat
                4.1 0 8
                $EndMeshFormat
                $PhysicalNames
                1
                2 12 "ll"
                $EndPhysicalNames
                $Entities
                0 0 1 0
                5 0 0 0 1 1 0 1 12 0
                $EndEntities
                $Nodes
                1 3 10 30
                2 5 1 3
                10
                30
                20
                0 0 0 0.5 0.5
                0 1 0 0.5 0.5
                1 0 0 0.5 0.5
                $EndNodes
                $Elements
                1 1 4 4
                2 5 2 1
                4 10 20 30
                $EndElements
                $NodeData
                1
                "x"
                1
                0.0
                3
                0
                1
                2
                10 5
                30 6
                $EndNodeData
                """);
    }

    private void addPlain() {
        add("a.14", """
                name
                1 3
                1 0.0 0.0 5.0
                2 1.0 0.0 6.0
                3 0.0 1.0 7.0
                1 3 1 2 3
                1 = open
                2 = nodes
                2 = of 1
                1
                2
                1 land
                2 nodes
                2 24 barrier
                2 3 1.0 1.0 1.0
                3 2 1.0 1.0 1.0
                """);
        add("a.dat", """
                4 1 0 4
                0 0
                1 0
                1 1
                0 1
                0 1 2 3
                0 1 0 1
                1 2 0 1
                2 3 0 2
                3 0 0 2
                """);
        add("a.poly", """
                3 2 1 1
                0 0 0 1.5 1
                1 1 0 2.5 0
                2 0 1 3.5 1
                2 1
                0 0 1 5
                1 1 2 6
                1
                0 0.2 0.2
                1
                0 0.5 0.5 7 0.1
                """);
        addTetrahedron();
    }

    private void addTetrahedron() {
        add("t.node", """
                # points
                4 3 1 1
                1 0 0 0 2.5 1
                2 1 0 0 3.5 0
                3 0 1 0 4.5 1
                4 0 0 1 0 0
                """);
        add("t.ele", """
                1 4 1
                1 1 2 3 4 7
                """);
        add("t.face", """
                2 1
                1 1 2 3 -1
                2 1 2 4 0
                """);
    }

    private void addWritten() throws IOException {
        boolean wide = false;
        for (MeshEncoding encoding : MeshEncoding.values()) {
            wide = !wide;
            for (boolean compressed : List.of(true, false)) {
                MeshWriteOptions options =
                        new MeshWriteOptions(encoding, compressed, ByteOrder.BIG_ENDIAN, wide);
                write("w.vtu", options, false);
                if (compressed) {
                    write("w.vtk", options, false);
                    write("w.msh", options, true);
                }
            }
        }
    }

    private void write(String name, MeshWriteOptions options, boolean gmsh) throws IOException {
        CellCollector cells = new CellCollector();
        cells.add(CellShape.TRIANGLE, new int[]{0, 1, 2}, 0, 3);
        cells.add(CellShape.TETRAHEDRON, new int[]{0, 1, 2, 3}, 0, 4);
        List<DataArray> cellData = new ArrayList<>();
        if (gmsh) {
            cellData.add(new DataArray(MeshData.PHYSICAL, 1, NumberType.INT32, new double[]{1, 2}));
            cellData.add(new DataArray(MeshData.GEOMETRICAL, 1, NumberType.INT32, new double[]{0, 3}));
        } else {
            cellData.add(new DataArray("u", 2, NumberType.UINT8, new double[]{1, 2, 3, 255}));
        }
        MeshData mesh = new MeshData(3, new double[]{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, cells.blocks(),
                List.of(DataArray.of("a name", 1, 1.5, 2, 3, 1e-300)), cellData, List.of());
        Path file = folder.resolve(name);
        MeshFiles.write(file, mesh, options);
        seeds.add(new Seed(name, Files.readAllBytes(file)));
        Files.delete(file);
    }

    private FuzzRun.Outcome check(String name, byte[] bytes, long textBytes) {
        Path file = folder.resolve(name);
        FuzzRun.Outcome outcome = FuzzRun.check(bytes, FREE_BYTES + BYTES_PER_BYTE * textBytes,
                () -> MeshFiles.read(Files.write(file, bytes)));
        if (outcome.result() instanceof MeshData mesh) {
            assertSound(mesh, bytes);
        }
        return outcome;
    }

    /** What the model does not check itself: that numbers are such as their types have. */
    private static void assertSound(MeshData mesh, byte[] bytes) {
        List<DataArray> arrays = new ArrayList<>(mesh.pointData());
        arrays.addAll(mesh.cellData());
        for (DataArray array : arrays) {
            assertEquals(-1, NumberBytes.firstUnfit(array.values(), array.type()), () -> FuzzRun.describe(bytes));
        }
        assertTrue(mesh.pointCount() <= bytes.length && mesh.cellCount() <= bytes.length,
                () -> FuzzRun.describe(bytes));
    }

    private Seed any() {
        return seeds.get(random.nextInt(seeds.size()));
    }

    @Test
    void mutatedFilesAreRefusedOrSound() throws IOException {
        for (Seed seed : seeds) {
            assertNotNull(check(seed.name, seed.bytes, seed.bytes.length).result(), seed.name);
        }
        FuzzRun.repeat(ROUNDS, () -> {
            Seed seed = any();
            restore();
            byte[] damaged = mutator.mutate(seed.bytes, any().bytes);
            check(seed.name, damaged, damaged.length);
        });
    }

    /** The files that belong together are as they should be but for one. */
    private void restore() {
        try {
            for (Seed seed : seeds) {
                if (seed.name.startsWith("t.")) {
                    Files.write(folder.resolve(seed.name), seed.bytes);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (OutputStream gzip = new GZIPOutputStream(compressed)) {
            gzip.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }

    @Test
    void flippedBitsOfCompressedFilesMakeNoDifferenceOrAreSeen() {
        List<Seed> alone = seeds.stream().filter(seed -> !seed.name.startsWith("t.")).toList();
        FuzzRun.repeat(FEW_ROUNDS, () -> {
            Seed seed = alone.get(random.nextInt(alone.size()));
            Object sound = check(seed.name, seed.bytes, seed.bytes.length).result();
            byte[] whole = gzip(seed.bytes);
            byte[] flipped = whole.clone();
            int bit = 16 + random.nextInt(8 * whole.length - 16);
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            FuzzRun.Outcome outcome = check(seed.name + ".gz", flipped, 10L * seed.bytes.length);
            if (outcome.failure() == null) {
                assertEquals(sound, outcome.result(), () -> FuzzRun.describe(flipped));
            }
            byte[] cut = Arrays.copyOf(whole, 2 + random.nextInt(whole.length - 2));
            assertNotNull(check(seed.name + ".gz", cut, 10L * seed.bytes.length).failure(),
                    () -> FuzzRun.describe(cut));
        });
    }
}
