package org.trellis.matrices.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.testing.TestSeed;

/** A name of an array or group comes back as it was, or is refused before anything is written. */
class MeshNamesTest {
    private static final List<String> FORMATS = List.of("a.vtu", "a.vtk", "a.msh");

    @TempDir
    private Path folder;

    private static MeshData mesh(boolean gmsh, String... names) {
        List<DataArray> cellData = gmsh
                ? List.of(new DataArray(MeshData.PHYSICAL, 1, NumberType.INT32, new double[1]),
                        new DataArray(MeshData.GEOMETRICAL, 1, NumberType.INT32, new double[1]))
                : List.of();
        CellBlock triangle = new CellBlock(CellShape.TRIANGLE, 3, new int[]{0, 1, 2}, new int[]{0});
        List<DataArray> pointData = List.of(names).stream().map(name -> DataArray.of(name, 1, 1, 2, 3)).toList();
        List<CellGroup> groups = gmsh ? List.of(new CellGroup(2, 1, names[0])) : List.of();
        return new MeshData(3, new double[]{0, 0, 0, 1, 0, 0, 0, 1, 0}, List.of(triangle), pointData, cellData, groups);
    }

    /** Whether the name was written; then it was read again. */
    private boolean comesBack(String format, MeshWriteOptions options, String name) throws IOException {
        Path file = folder.resolve(format);
        Files.deleteIfExists(file);
        MeshData mesh = mesh(format.endsWith("msh"), name);
        try {
            MeshFiles.write(file, mesh, options);
        } catch (IllegalArgumentException e) {
            assertTrue(e.getMessage().contains("expected") && e.getMessage().chars().noneMatch(Character::isISOControl),
                    e.getMessage());
            assertFalse(Files.exists(file), "nothing is written");
            return false;
        }
        assertEquals(mesh, MeshFiles.read(file), () -> format + ", seed " + TestSeed.value());
        return true;
    }

    @Test
    void namesComeBackOrAreRefused() throws IOException {
        for (MeshWriteOptions options : List.of(MeshWriteOptions.TEXT, MeshWriteOptions.DEFAULT)) {
            for (String format : FORMATS) {
                for (String name : List.of("a b", " a ", "say \"it\"", "100 %", "%41", "%", "a%4", "a+b", "<&>'", "ü€",
                        "\u007F", "METADATA", "\"", "a\u00A0b", "\uD83D\uDE00")) {
                    boolean control = name.chars().anyMatch(Character::isISOControl);
                    assertEquals(!(control && format.endsWith("msh")), comesBack(format, options, name),
                            format + " " + name);
                }
                for (String name : List.of("a\nb", "a\rb", "a\tb", "\n", "a\r\n")) {
                    assertEquals(!format.endsWith("msh"), comesBack(format, options, name), format);
                }
                for (String name : List.of("\u001B[31m", "\0", "a\u0001")) {
                    assertEquals(format.endsWith("vtk"), comesBack(format, options, name), format);
                }
                assertFalse(comesBack(format, options, "\uD800"), "half a pair has no UTF-8");
                assertEquals(!format.endsWith("vtu"), comesBack(format, options, "\uFFFE"));
            }
        }
    }

    @Test
    void randomNamesComeBackOrAreRefused() throws IOException {
        SplittableRandom random = TestSeed.random("MeshNamesTest");
        for (int round = 0; round < 300; round++) {
            StringBuilder name = new StringBuilder();
            int length = 1 + random.nextInt(8);
            for (int i = 0; i < length; i++) {
                name.append((char) random.nextInt(random.nextInt(4) == 0 ? 65536 : 256));
            }
            comesBack(FORMATS.get(random.nextInt(3)), MeshWriteOptions.TEXT, name.toString());
        }
    }

    @Test
    void twoArraysOfOneNameAreRefusedWhereTheyWouldBeOne() throws IOException {
        Path file = folder.resolve("two.vtu");
        MeshData twice = mesh(false, "a", "a");
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> MeshFiles.write(file, twice, MeshWriteOptions.DEFAULT)).getMessage().contains("different names"));
        Path steps = folder.resolve("two.msh");
        MeshFiles.write(steps, mesh(true, "a", "a"), MeshWriteOptions.DEFAULT);
        assertEquals(2, MeshFiles.read(steps).pointData().size());
    }
}
