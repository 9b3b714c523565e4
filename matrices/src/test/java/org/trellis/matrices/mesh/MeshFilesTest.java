package org.trellis.matrices.mesh;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.MatrixFormatException;
import org.trellis.testing.TestLength;
import org.trellis.testing.TestSeed;

class MeshFilesTest {
    @TempDir
    private Path folder;

    /** Cells of all kinds in mixed order, with data of every type. */
    private static MeshData mixed(boolean gmsh) {
        SplittableRandom random = TestSeed.random("MeshFilesTest");
        double[] points = random.doubles(3 * 40L, -10, 10).toArray();
        List<String> kinds =
                List.of("LINE 2", "LINE 3", "TRIANGLE 3", "TRIANGLE 6", "QUADRILATERAL 4", "QUADRILATERAL 9",
                        "HEXAHEDRON 8", "HEXAHEDRON 20", "HEXAHEDRON 27", "TETRAHEDRON 4", "TETRAHEDRON 10", "WEDGE 15",
                        "WEDGE 18", "PYRAMID 13", "VERTEX 1");
        CellCollector cells = new CellCollector();
        for (int i = 0; i < 60; i++) {
            String[] kind = kinds.get(random.nextInt(kinds.size())).split(" ");
            int[] nodes = IntStream.generate(() -> random.nextInt(40)).limit(Integer.parseInt(kind[1])).toArray();
            cells.add(CellShape.valueOf(kind[0]), nodes, 0, nodes.length);
        }
        if (!gmsh) {
            cells.add(CellShape.POLYGON, new int[]{1, 2, 3, 4, 5, 6, 7}, 0, 7);
            cells.add(CellShape.POLYLINE, new int[]{1, 2, 3, 4, 5}, 0, 5);
            cells.add(CellShape.TRIANGLE, IntStream.range(0, 15).toArray(), 0, 15);
        }
        List<DataArray> pointData = new ArrayList<>();
        List<DataArray> cellData = new ArrayList<>();
        int count = cells.count();
        if (gmsh) {
            cellData.add(new DataArray(MeshData.PHYSICAL, 1, NumberType.INT32, random.ints(count, 0, 9).asDoubleStream()
                    .toArray()));
            cellData.add(new DataArray(MeshData.GEOMETRICAL, 1, NumberType.INT32, random.ints(count, 0, 9)
                    .asDoubleStream().toArray()));
            pointData.add(DataArray.of("velocity of \"it\"", 3, random.doubles(120).toArray()));
            cellData.add(DataArray.of("pressure", 1, random.doubles(count).toArray()));
        } else {
            for (NumberType type : NumberType.values()) {
                double[] values = type.isReal()
                        ? random.doubles(80).map(x -> type == NumberType.FLOAT32 ? (float) x : x).toArray()
                        : random.ints(80, 0, 100).asDoubleStream().toArray();
                pointData.add(new DataArray("of type " + type, 2, type, values));
            }
            cellData.add(DataArray.of("100 % <odd> & \"ü\"", 1, random.doubles(count).toArray()));
        }
        List<CellGroup> groups = gmsh ? List.of(new CellGroup(2, 7, "the wall"), new CellGroup(3, 1, "a")) : List.of();
        return new MeshData(3, points, cells.blocks(), pointData, cellData, groups);
    }

    static Stream<MeshWriteOptions> options() {
        return Stream.of(MeshEncoding.values()).flatMap(encoding -> Stream.of(true, false)
                .flatMap(compressed -> Stream.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)
                        .flatMap(order -> Stream.of(true, false)
                                .map(wide -> new MeshWriteOptions(encoding, compressed, order, wide)))));
    }

    @ParameterizedTest
    @MethodSource("options")
    void whatIsWrittenIsReadAgain(MeshWriteOptions options) throws IOException {
        for (String name : List.of("mesh.vtu", "mesh.vtk", "mesh.msh", "mesh.vtu.gz", "mesh.msh.gz")) {
            MeshData mesh = mixed(name.contains(".msh"));
            Path file = folder.resolve(name);
            MeshFiles.write(file, mesh, options);
            assertEquals(mesh, MeshFiles.read(file), name + ", seed " + TestSeed.value());
        }
    }

    @Test
    void namesThatXmlCannotHoldAreRefused() throws IOException {
        Path file = folder.resolve("a.vtu");
        MeshData mesh = new MeshData(3, new double[3], List.of(), List.of(DataArray.of("a\u001b[2J\u0000", 1, 1)),
                List.of(), List.of());
        assertThrows(IllegalArgumentException.class, () -> MeshFiles.write(file, mesh, MeshWriteOptions.TEXT));
        assertFalse(Files.exists(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a.vtu", "a.vtk", "a.msh"})
    void emptyMeshesAndTheExtremesOfNumbers(String name) throws IOException {
        MeshData empty = new MeshData(3, new double[0], List.of(), List.of(), name.endsWith("msh")
                ? List.of(new DataArray(MeshData.PHYSICAL, 1, NumberType.INT32, new double[0]),
                        new DataArray(MeshData.GEOMETRICAL, 1, NumberType.INT32, new double[0]))
                : List.of(), List.of());
        double[] extremes = {Double.MIN_VALUE, -Double.MAX_VALUE, Double.NaN, Double.POSITIVE_INFINITY, -0.0, 1.0 / 3};
        MeshData points = new MeshData(3, new double[18], List.of(), List.of(DataArray.of("x", 1, extremes)),
                empty.cellData(), List.of());
        for (MeshWriteOptions options : List.of(MeshWriteOptions.TEXT, MeshWriteOptions.DEFAULT)) {
            Path file = folder.resolve(name);
            MeshFiles.write(file, empty, options);
            assertEquals(empty, MeshFiles.read(file));
            MeshFiles.write(file, points, options);
            assertArrayEquals(extremes, MeshFiles.read(file).pointData().getFirst().values());
        }
    }

    @ParameterizedTest
    @MethodSource("options")
    void damagedFilesAreRefusedOrRead(MeshWriteOptions options) throws IOException {
        SplittableRandom random = TestSeed.random("MeshFilesTest damaged");
        for (String name : List.of("mesh.vtu", "mesh.vtk", "mesh.msh")) {
            Path file = folder.resolve(name);
            MeshFiles.write(file, mixed(name.endsWith("msh")), options);
            byte[] whole = Files.readAllBytes(file);
            for (int round = 0; round < TestLength.cases(6, 16); round++) {
                byte[] damaged = round % 4 == 0
                        ? Arrays.copyOf(whole, random.nextInt(whole.length))
                        : whole.clone();
                for (int k = 0; round % 4 != 0 && k < 3; k++) {
                    damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
                }
                Files.write(file, damaged);
                try {
                    MeshFiles.read(file);
                } catch (MatrixFormatException e) {
                    assertTrue(e.getMessage().contains("expected"), e.getMessage());
                } catch (RuntimeException e) {
                    throw new AssertionError(name + ", " + options + ", seed " + TestSeed.value(), e);
                }
            }
        }
    }

    private MeshData read(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.write(file, text.getBytes(StandardCharsets.ISO_8859_1));
        return MeshFiles.read(file);
    }

    @Test
    void legacyVersion5PolygonsAndAttributes() throws IOException {
        MeshData mesh = read("poly.vtk", """
                # vtk DataFile Version 5.1
                title
                ASCII
                DATASET POLYDATA
                POINTS 5 float
                0 0 0 1 0 0 1 1 0 0 1 0 2 2 0
                METADATA
                INFORMATION 1
                NAME L2_NORM_RANGE LOCATION vtkDataArray
                DATA 2 0 1

                POLYGONS 3 7
                OFFSETS vtktypeint64
                0 3 7
                CONNECTIVITY vtktypeint64
                0 1 2 0 1 2 3
                LINES 1 4
                3 1 2 4
                POINT_DATA 5
                SCALARS temperature%20here double 1
                LOOKUP_TABLE default
                1 2 3 4 5
                VECTORS v float
                1 0 0 1 0 0 1 0 0 1 0 0 1 0 0
                CELL_DATA 3
                FIELD FieldData 1
                region 1 3 int
                7 8 9
                """);
        assertEquals(1, mesh.cellCount(CellShape.TRIANGLE));
        assertEquals(1, mesh.cellCount(CellShape.QUADRILATERAL));
        assertEquals(1, mesh.cellCount(CellShape.POLYLINE));
        assertEquals(5, mesh.pointArray("temperature here").orElseThrow().values()[4]);
        assertEquals(3, mesh.pointArray("v").orElseThrow().components());
        assertEquals(9, mesh.cellArray("region").orElseThrow().values()[2]);
        assertEquals(2, mesh.flattened().dimensions());
        assertSame(mesh.flattened().flattened().getClass(), mesh.getClass());
    }

    @Test
    void piecesOfAVtuFileAreJoined() throws IOException {
        String piece = """
                <Piece NumberOfPoints="4" NumberOfCells="1"><CellData><DataArray type="Int8" Name="a">%d</DataArray>
                </CellData><Points><DataArray type="Float32" NumberOfComponents="3">0 0 0 1 0 0 0 1 0 1 1 0
                </DataArray></Points><Cells><DataArray type="Int32" Name="connectivity">0 1 2 3</DataArray>
                <DataArray type="Int32" Name="offsets">4</DataArray><DataArray type="UInt8" Name="types">8</DataArray>
                </Cells></Piece>
                """;
        String text = "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>" + piece.replace("%d", "5")
                + piece.replace("%d", "6")
                + "</UnstructuredGrid></VTKFile>";
        MeshData mesh = read("two.vtu", text);
        assertEquals(8, mesh.pointCount());
        // A pixel lists its corners by rows.
        assertArrayEquals(new int[]{0, 1, 3, 2, 4, 5, 7, 6}, mesh.blocks().getFirst().nodes());
        assertArrayEquals(new double[]{5, 6}, mesh.cellArray("a").orElseThrow().values());
    }

    @Test
    void externalEntitiesAreRefused() throws IOException {
        Path secret = Files.writeString(folder.resolve("secret"), "0");
        String text = "<!DOCTYPE VTKFile [<!ENTITY e SYSTEM \"" + secret.toUri() + "\">]>"
                + "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>&e;</UnstructuredGrid></VTKFile>";
        assertTrue(assertThrows(MatrixFormatException.class, () -> read("entity.vtu", text)).getMessage()
                .contains("DOCTYPE"));
    }

    @Test
    void numbersOfTriangleStartWhereThePointsDo() throws IOException {
        Files.writeString(folder.resolve("t.node"), "# points\n3 2 1 1\n1 0 0 2.5 1\n2 1 0 3.5 0\n3 0 1 4.5 1\n");
        Files.writeString(folder.resolve("t.ele"), "1 3 1\n1 1 2 3 7\n");
        MeshData mesh = read("t.edge", "1 1\n1 3 1 -1 # the wall\n");
        assertEquals(2, mesh.dimensions());
        assertArrayEquals(new int[]{0, 1, 2}, mesh.blocks().getFirst().nodes());
        assertArrayEquals(new int[]{2, 0}, mesh.blocks().getLast().nodes());
        assertArrayEquals(new double[]{7, -1}, mesh.cellArray("attribute").orElseThrow().values());
        assertArrayEquals(new double[]{2.5, 3.5, 4.5}, mesh.pointArray("attribute0").orElseThrow().values());
        assertArrayEquals(new double[]{1, 0, 1}, mesh.pointArray("marker").orElseThrow().values());
        MeshData outline = read("p.poly", "3 2 0 0\n0 0 0\n1 1 0\n2 0 1\n2 0\n0 0 1\n1 1 2\n0\n");
        assertEquals(2, outline.cellCount(CellShape.LINE));
        assertThrows(MatrixFormatException.class, () -> read("lonely.ele", "0 3 0\n"));
    }

    @Test
    void gmsh41HasEntitiesAndParametricNodes() throws IOException {
        MeshData mesh = read("g.msh", """
                $MeshFormat
                4.1 0 8
                $EndMeshFormat
                $PhysicalNames
                1
                2 12 "lower left"
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
                $Periodic
                whatever
                $EndPeriodic
                """);
        assertArrayEquals(new int[]{0, 2, 1}, mesh.blocks().getFirst().nodes());
        assertArrayEquals(new double[]{12}, mesh.cellArray(MeshData.PHYSICAL).orElseThrow().values());
        assertArrayEquals(new double[]{5}, mesh.cellArray(MeshData.GEOMETRICAL).orElseThrow().values());
        assertEquals(List.of(new CellGroup(2, 12, "lower left")), mesh.groups());
    }

    @Test
    void gmsh41IsReadInBinary() throws IOException {
        ByteBuffer b = ByteBuffer.allocate(4096).order(ByteOrder.BIG_ENDIAN);
        b.put("$MeshFormat\n4.1 1 8\n".getBytes(StandardCharsets.US_ASCII)).putInt(1);
        b.put("\n$EndMeshFormat\n$Entities\n".getBytes(StandardCharsets.US_ASCII));
        b.putLong(0).putLong(0).putLong(1).putLong(0);
        b.putInt(5).putDouble(0).putDouble(0).putDouble(0).putDouble(1).putDouble(1).putDouble(0);
        b.putLong(1).putInt(-12).putLong(0);
        b.put("\n$EndEntities\n$Nodes\n".getBytes(StandardCharsets.US_ASCII));
        b.putLong(1).putLong(3).putLong(10).putLong(12).putInt(2).putInt(5).putInt(0).putLong(3);
        b.putLong(10).putLong(11).putLong(12);
        b.putDouble(0).putDouble(0).putDouble(0).putDouble(1).putDouble(0).putDouble(0);
        b.putDouble(0).putDouble(2).putDouble(0);
        b.put("\n$EndNodes\n$Elements\n".getBytes(StandardCharsets.US_ASCII));
        b.putLong(1).putLong(1).putLong(4).putLong(4).putInt(2).putInt(5).putInt(2).putLong(1);
        b.putLong(4).putLong(12).putLong(10).putLong(11);
        b.put("\n$EndElements\n".getBytes(StandardCharsets.US_ASCII));
        byte[] bytes = Arrays.copyOf(b.array(), b.position());
        Files.write(folder.resolve("b.msh"), bytes);
        MeshData mesh = MeshFiles.read(folder.resolve("b.msh"));
        assertArrayEquals(new int[]{2, 0, 1}, mesh.blocks().getFirst().nodes());
        assertArrayEquals(new double[]{0, 0, 0, 1, 0, 0, 0, 2, 0}, mesh.points());
        assertArrayEquals(new double[]{12}, mesh.cellArray(MeshData.PHYSICAL).orElseThrow().values());
    }

    @Test
    void adcircBoundariesBecomeLines() throws IOException {
        MeshData mesh = read("fort.14", """
                a name
                1 3
                1 0.0 0.0 5.0
                2 1.0 0.0 6.0
                3 0.0 1.0 7.0
                1 3 1 2 3
                1 = number of open boundaries
                2 = nodes
                2 = nodes of boundary 1
                1
                2
                1 land boundaries
                2 nodes
                2 24 a barrier
                2 3 1.0 1.0 1.0
                3 2 1.0 1.0 1.0
                """);
        assertArrayEquals(new double[]{5, 6, 7}, mesh.pointArray("depth").orElseThrow().values());
        assertArrayEquals(new int[]{0, 1, 1, 2}, mesh.blocks().getLast().nodes());
        assertArrayEquals(new double[]{0, 1, -1}, mesh.cellArray("boundary").orElseThrow().values());
        assertArrayEquals(new double[]{0, -1, 24}, mesh.cellArray("kind").orElseThrow().values());
    }

    @ParameterizedTest
    @ValueSource(strings = {"POINTS 2 double|0 0 0 1 0|a coordinate", "POINTS 1000000 double|0|1000000",
        "POINTS 1 real|0 0 0|a number type", "POINTS 1 double|0 0 0|1 0|keyword",
        "POINTS 1 double|0 0 0|CELLS 1 2|1 1|CELL_TYPES 1|1|points from 0 to 0",
        "POINTS 1 double|0 0 0|CELLS 1 2|1 0|CELL_TYPES 1|5|of type 5",
        "POINTS 1 double|0 0 0|CELLS 1 3|1 0|expected a number of nodes",
        "POINTS 1 double|0 0 0|CELLS 1 2|1 0|CELL_TYPES",
        "POINTS 1 double|0 0 0|POINT_DATA 2|SCALARS a int|1 2|2 points"})
    void wrongLegacyFilesAreNamed(String lines) {
        String[] parts = lines.split("\\|");
        String body = String.join("\n", Arrays.copyOf(parts, parts.length - 1));
        MatrixFormatException error = assertThrows(MatrixFormatException.class, () -> read("wrong.vtk",
                "# vtk DataFile Version 3.0\ntitle\nASCII\nDATASET UNSTRUCTURED_GRID\n" + body + "\n"));
        assertTrue(error.getMessage().contains(parts[parts.length - 1]), error.getMessage());
    }

    @Test
    void namesWithoutAFormat() {
        assertThrows(IllegalArgumentException.class, () -> MeshFiles.read(folder.resolve("mesh.xyz")));
        MeshData mesh = mixed(false);
        assertThrows(IllegalArgumentException.class,
                () -> MeshFiles.write(folder.resolve("mesh.node"), mesh, MeshWriteOptions.DEFAULT));
        assertThrows(IllegalArgumentException.class,
                () -> MeshFiles.write(folder.resolve("mesh.msh"), mesh, MeshWriteOptions.DEFAULT));
        assertTrue(MeshFiles.hasMeshName(Path.of("a/b.VTU.gz")));
        assertTrue(MeshFiles.hasMeshName(Path.of("fort.14")));
    }

    @Test
    void meshesThatDoNotFitAreRefused() {
        CellBlock triangle = new CellBlock(CellShape.TRIANGLE, 3, new int[]{0, 1, 2}, new int[]{0});
        assertThrows(IllegalArgumentException.class,
                () -> new MeshData(2, new double[4], List.of(triangle), List.of(), List.of(), List.of()));
        assertThrows(IllegalArgumentException.class,
                () -> new CellBlock(CellShape.TRIANGLE, 2, new int[2], new int[1]));
        assertThrows(IllegalArgumentException.class, () -> new MeshData(2, new double[6], List.of(triangle),
                List.of(DataArray.of("x", 1, 0, 1)), List.of(), List.of()));
        assertThrows(IllegalArgumentException.class, () -> new MeshData(4, new double[8], List.of(), List.of(),
                List.of(), List.of()));
    }
}
