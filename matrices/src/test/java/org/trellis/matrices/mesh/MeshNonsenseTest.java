package org.trellis.matrices.mesh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.MatrixFormatException;
import org.trellis.testing.SharedData;

/** Counts, indices and sizes that no mesh has: each is refused with a clear message, and costs no memory. */
class MeshNonsenseTest {
    private static final String VTK = "# vtk DataFile Version 3.0\nt\nASCII\nDATASET UNSTRUCTURED_GRID\n";
    private static final String GMSH = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n";
    private static final String NODES = "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n";
    private static final String ELEMENTS = "$Elements\n1\n1 2 2 0 0 1 2 3\n$EndElements\n";
    private static final String VTU = """
            <VTKFile type="UnstructuredGrid"><UnstructuredGrid><Piece NumberOfPoints="3" NumberOfCells="1">
            <PointData><DataArray type="UInt8" Name="u">7 8 9</DataArray></PointData>
            <Points><DataArray type="Float32" NumberOfComponents="3">0 0 0 1 0 0 0 1 0</DataArray></Points><Cells>
            <DataArray type="Int32" Name="connectivity">0 1 2</DataArray>
            <DataArray type="Int32" Name="offsets">3</DataArray>
            <DataArray type="UInt8" Name="types">5</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>
            """;
    private static final String ADCIRC = "name\n1 3\n1 0.0 0.0 5.0\n2 1.0 0.0 6.0\n3 0.0 1.0 7.0\n1 3 1 2 3\n";
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long FREE_BYTES = 16 << 20;

    @TempDir
    private Path folder;

    private MeshData read(String name, byte[] bytes) throws IOException {
        return MeshFiles.read(Files.write(folder.resolve(name), bytes));
    }

    private MeshData read(String name, String text) throws IOException {
        return read(name, text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private void refused(String name, byte[] bytes, String words) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        MatrixFormatException failure = assertThrows(MatrixFormatException.class, () -> read(name, bytes));
        long used = THREADS.getCurrentThreadAllocatedBytes() - before;
        String message = failure.getMessage().substring(failure.file().length());
        assertTrue(message.contains(words), message);
        assertTrue(message.length() < 500 && message.chars().noneMatch(Character::isISOControl), message);
        assertTrue(used < FREE_BYTES + 20L * bytes.length, used + " bytes");
    }

    private void refused(String name, String text, String words) {
        refused(name, text.getBytes(StandardCharsets.ISO_8859_1), words);
    }

    /** A text that is right, a part of it, what takes its place, and words of the message. */
    record Change(String name, String text, String part, String instead, String words) {
        @Override
        public String toString() {
            return name + ": " + part.strip() + " -> " + instead.strip();
        }
    }

    static Stream<Change> changes() {
        return Stream.of(
                new Change("a.msh", GMSH + NODES + ELEMENTS, "$Elements", NODES + "$Elements", "each section once"),
                new Change("a.msh", GMSH + NODES + ELEMENTS, "1 2 3\n$EndElements\n",
                        "1 2 3\n$EndElements\n" + ELEMENTS.replace("1 2 2", "2 2 2"), "each section once"),
                new Change("a.msh", GMSH + NODES + ELEMENTS, "$Nodes", GMSH + "$Nodes", "each section once"),
                new Change("a.msh", GMSH + NODES + ELEMENTS, "$Nodes\n3", "$Nodes\n-3", "a number of nodes"),
                new Change("a.msh", GMSH + NODES + ELEMENTS, "$Nodes\n3", "$Nodes\n2147483647", "can hold"),
                new Change("a.msh", GMSH + NODES + ELEMENTS, "1 2 3\n", "1 2 1.9\n", "the end of the number"),
                new Change("a.msh", GMSH + NODES + ELEMENTS, "3 0 1 0", "3 0 1e400 0", "within the range"),
                new Change("a.msh", GMSH + NODES + ELEMENTS, "3 0 1 0", "3 0 1\0 0", "the end of the number"),
                new Change("v.vtu", VTU, "\"3\" NumberOfCells", "\"-3\" NumberOfCells", "an integer from 0"),
                new Change("v.vtu", VTU, "NumberOfCells=\"1\"", "NumberOfCells=\"-1\"", "an integer from 0"),
                new Change("v.vtu", VTU, "NumberOfComponents=\"3\"", "NumberOfComponents=\"-3\"", "an integer from 1"),
                new Change("v.vtu", VTU, ">0 1 2<", ">0 1 1.9<", "INT32 can hold"),
                new Change("v.vtu", VTU, ">0 1 2<", ">0 1 3<", "an integer from 0 to 2"),
                new Change("v.vtu", VTU, "Int32\" Name=\"offsets\">3<", "Float64\" Name=\"offsets\">3.9<", "integer"),
                new Change("v.vtu", VTU, "UInt8\" Name=\"types\">5<", "Float32\" Name=\"types\">5.7<", "integer"),
                new Change("v.vtu", VTU, ">3<", ">-3<", "an integer from 0"),
                new Change("v.vtu", VTU, ">7 8 9<", ">7 8 999<", "UINT8 can hold"),
                new Change("v.vtu", VTU, ">7 8 9<", ">7 8 9.5<", "UINT8 can hold"),
                new Change("v.vtu", VTU, ">0 0 0 1 0 0", ">0 0 0 1e300 0 0", "FLOAT32 can hold"),
                new Change("v.vtu", VTU, "<Points>", "<Points></Points><Points>", "2 elements Points"),
                new Change("v.vtu", VTU, "<Cells>", "<Cells><DataArray type=\"Int8\" Name=\"offsets\">3</DataArray>",
                        "two arrays"),
                new Change("v.vtk", VTK + "POINTS 1 float\n0 0 0\n", "0 0 0", "0 0 1e300", "FLOAT32"),
                new Change("v.vtk", VTK + "POINTS 1 float\n0 0 0\n", "0 0 0\n", "0 0 0\nPOINTS 1 float\n0 0 0\n",
                        "each section once"),
                new Change("v.vtk", VTK + "POINTS 1 float\n0 0 0\n", "0 0 0\n", "0 0 0\nPOLYGONS 1 2\n1 0\n",
                        "a keyword of UNSTRUCTURED_GRID"),
                new Change("v.vtk", VTK + "POINTS 1 float\n0 0 0\nPOINT_DATA 1\nSCALARS a unsigned_char\n9\n", "9\n",
                        "999\n", "UINT8"),
                new Change("v.vtk", VTK + "POINTS 1 float\n0 0 0\nPOINT_DATA 1\nSCALARS a int\n9\n", "9\n", "1.9\n",
                        "INT32"),
                new Change("a.14", ADCIRC, "1 3 1 2 3\n", "1 3 1 2 3\n2 3 1 2 3\n", "the end of the line"),
                new Change("a.14", ADCIRC, "1 3\n1", "1 2\n1", "a number of nodes from 3 to 4"),
                new Change("a.14", ADCIRC + "0\n0\n0\n0\n", "0\n0\n0\n0\n", "0\n0\n0\n0\n1 3 1 2 3\n",
                        "nothing behind the boundaries"));
    }

    @ParameterizedTest
    @MethodSource("changes")
    void nonsenseIsRefused(Change change) throws IOException {
        assertTrue(change.text.contains(change.part), "the part is there");
        read(change.name, change.text);
        refused(change.name, change.text.replace(change.part, change.instead), change.words);
    }

    private static String data(String numbers, String values) {
        return GMSH + NODES + ELEMENTS + "$NodeData\n1\n\"x\"\n1\n0.0\n3\n0\n1\n" + numbers + "\n" + values
                + "$EndNodeData\n";
    }

    @Test
    void dataOfGmshHaveAsManyValuesAsTheySayAndOneEach() throws IOException {
        assertEquals(5, read("d.msh", data("2", "1 5\n3 6\n")).pointData().getFirst().values()[0]);
        refused("d.msh", data("-5", ""), "at most 3 values");
        refused("d.msh", data("4", "1 5\n2 6\n3 7\n1 8\n"), "at most 3 values");
        refused("d.msh", data("2", "1 5\n1 6\n"), "one value for each");
        refused("d.msh", data("1", "7 5\n"), "a number that is in the mesh");
        refused("d.msh", data("3", "1 5\n"), "");
    }

    @Test
    void sparseDataOfGmshStayInProportion() {
        int nodes = 20_000;
        StringBuilder text = new StringBuilder(GMSH).append("$Nodes\n").append(nodes).append('\n');
        for (int i = 1; i <= nodes; i++) {
            text.append(i).append(" 0 0 0\n");
        }
        text.append("$EndNodes\n");
        String step = "$NodeData\n1\n\"x\"\n1\n0.0\n3\n0\n9\n0\n$EndNodeData\n";
        refused("sparse.msh", text + step.repeat(3000), "data for most of the mesh");
    }

    @Test
    void trianglesFilesEndWhereTheySay() throws IOException {
        String points = "3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n";
        Files.writeString(folder.resolve("t.node"), points);
        assertEquals(1, read("t.ele", "1 3 0\n1 1 2 3\n# end\n").cellCount());
        refused("t.ele", "1 3 0\n1 1 2 3\n2 1 2 3\n", "nothing behind the last of the cells");
        Files.writeString(folder.resolve("t.ele"), "1 3 0\n1 1 2 3\n");
        refused("t.edge", "1 0\n1 1 2\n2 2 3\n", "nothing behind the last of the edges");
        refused("t.edge", "1 0\n1 1 2\nrubbish\n", "nothing behind the last of the edges");
        Files.delete(folder.resolve("t.edge"));
        refused("t.face", "1 0\n1 1 2 3\n2 2 3 1\n", "nothing behind the last of the faces");
        Files.delete(folder.resolve("t.face"));
        refused("t.node", points + "4 1 1\n", "nothing behind the last of the points");
        String outline = "3 2 0 0\n1 0 0\n2 1 0\n3 0 1\n2 0\n1 1 2\n2 2 3\n";
        assertEquals(2, read("p.poly", outline + "1\n1 0.2 0.2\n1\n1 0.5 0.5 7 0.1\n").cellCount());
        refused("p.poly", outline + "1\n1 0.2 0.2\n2 0.3 0.3\n", "");
        refused("p.poly", outline + "0\n0\n1\n", "nothing behind segments");
    }

    @Test
    void theBombOfAHundredBytesIsRefused() throws IOException {
        Path bomb = SharedData.folder("found").resolve("bomb1.vtk");
        refused("bomb1.vtk", Files.readAllBytes(bomb), "a number of cells");
    }

    @ParameterizedTest
    @ValueSource(strings = {"POINTS 2147483647 double\n", "POINTS 1 double\n0 0 0\nCELLS 2147483647 2147483647\n",
        "POINTS 1 double\n0 0 0\nCELLS 500000000 000\n", "CELLS 100000000 0\nOFFSETS vtktypeint64\n",
        "CELL_TYPES 500000000\n", "POINT_DATA 2147483647\nSCALARS a double\n1\n",
        "POINT_DATA 2147483647\nTENSORS a double\n1\n", "LOOKUP_TABLE a 500000000\n",
        "FIELD f 2147483647\n", "FIELD f 1\na 2147483647 2147483647 double\n",
        "POINT_DATA 1\nFIELD f 1\na 2147483647 2147483647 double\n"})
    void countsThatNothingCanFollowCostNothing(String body) {
        refused("count.vtk", VTK + body, "");
        refused("count.vtk", VTK.replace("ASCII", "BINARY") + body, "");
    }

    private static byte[] deflated(int size) {
        Deflater deflater = new Deflater(9);
        deflater.setInput(new byte[size]);
        deflater.finish();
        byte[] result = new byte[size / 500 + 100];
        int length = deflater.deflate(result);
        deflater.end();
        return Arrays.copyOf(result, length);
    }

    @Test
    void compressedBlocksAreNotBelievedBeforeWhatTheFileDeclares() {
        int size = 1 << 26;
        byte[] packed = deflated(size);
        ByteBuffer header = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        header.putInt(1).putInt(size).putInt(0).putInt(packed.length);
        String array = Base64.getEncoder().encodeToString(header.array()) + Base64.getEncoder().encodeToString(packed);
        refused("claim.vtu", VTU.replace("<VTKFile ", "<VTKFile compressor=\"vtkZLibDataCompressor\" ")
                .replace("NumberOfComponents=\"3\">0 0 0 1 0 0 0 1 0<",
                        "NumberOfComponents=\"3\" format=\"binary\">" + array + "<"),
                "9 numbers of 4 bytes");
    }

    private byte[] appended(MeshEncoding encoding, boolean compressed) throws IOException {
        MeshData mesh = read("sound.vtu", VTU);
        MeshFiles.write(folder.resolve("appended.vtu"), mesh,
                new MeshWriteOptions(encoding, compressed, ByteOrder.LITTLE_ENDIAN, false));
        return Files.readAllBytes(folder.resolve("appended.vtu"));
    }

    private static byte[] replaced(byte[] bytes, String part, String instead) {
        String text = new String(bytes, StandardCharsets.ISO_8859_1);
        assertTrue(text.contains(part), part);
        return text.replace(part, instead).getBytes(StandardCharsets.ISO_8859_1);
    }

    @Test
    void nothingMayFollowAppendedData() throws IOException {
        for (MeshEncoding encoding : List.of(MeshEncoding.APPENDED_RAW, MeshEncoding.APPENDED_BASE64)) {
            for (boolean compressed : List.of(true, false)) {
                byte[] sound = appended(encoding, compressed);
                read("a.vtu", sound);
                String close = "</AppendedData>";
                refused("a.vtu", replaced(sound, close, "x".repeat(99) + close), "the end of the appended data");
                refused("a.vtu", replaced(sound, close, close + "rubbish"), "at the end of the file");
                refused("a.vtu", replaced(sound, "</VTKFile>", "</VTKFile><x/>"), "at the end of the file");
                refused("a.vtu", replaced(sound, "</VTKFile>", ""), "at the end of the file");
                refused("a.vtu", replaced(sound, close, ""), "at the end of the file");
            }
        }
    }

    @Test
    void emptyAndOneByteArraysComeBackInEveryEncoding() throws IOException {
        CellBlock triangle = new CellBlock(CellShape.TRIANGLE, 3, new int[]{0, 0, 0}, new int[]{0});
        List<MeshData> meshes = List.of(new MeshData(3, new double[0], List.of(), List.of(), List.of(), List.of()),
                new MeshData(3, new double[3], List.of(triangle), List.of(), List.of(
                        new DataArray("u", 1, NumberType.UINT8, new double[]{255}),
                        new DataArray("l", 1, NumberType.UINT64, new double[]{0x1p64}),
                        new DataArray("i", 1, NumberType.INT64, new double[]{0x1p63})), List.of()));
        for (MeshData mesh : meshes) {
            for (MeshEncoding encoding : MeshEncoding.values()) {
                for (int choice = 0; choice < 4; choice++) {
                    MeshWriteOptions options = new MeshWriteOptions(encoding, choice % 2 == 0, ByteOrder.BIG_ENDIAN,
                            choice / 2 == 0);
                    MeshFiles.write(folder.resolve("small.vtu"), mesh, options);
                    assertEquals(mesh, MeshFiles.read(folder.resolve("small.vtu")), options.toString());
                }
            }
        }
    }

    @Test
    void arraysMayNotLieOverEachOther() throws IOException {
        byte[] sound = appended(MeshEncoding.APPENDED_RAW, false);
        ByteArrayOutputStream many = new ByteArrayOutputStream();
        for (int i = 0; i < 100; i++) {
            many.writeBytes(("<DataArray type=\"UInt8\" Name=\"n" + i + "\" format=\"appended\" offset=\"0\"/>\n")
                    .getBytes(StandardCharsets.ISO_8859_1));
        }
        refused("over.vtu", replaced(sound, "<PointData>", "<PointData>" + many.toString(StandardCharsets.ISO_8859_1)),
                "lies where another array is");
    }

    @Test
    void checksumsOfCompressedBlocksAreLookedAt() throws IOException {
        byte[] sound = appended(MeshEncoding.APPENDED_RAW, true);
        MeshData mesh = read("sound.vtu", sound);
        int start = new String(sound, StandardCharsets.ISO_8859_1).indexOf("<AppendedData");
        for (int bit = 8 * (start + 30); bit < 8 * sound.length; bit += 7) {
            byte[] flipped = sound.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            try {
                assertEquals(mesh, read("flipped.vtu", flipped), "bit " + bit);
            } catch (MatrixFormatException e) {
                assertTrue(e.getMessage().contains("expected"), e.getMessage());
            }
        }
    }

    @Test
    void messagesEscapeAndShortenWhatTheyQuote() {
        String escape = "x\u001B[31m";
        refused("e.msh", GMSH + escape + "\n", "found 'x'");
        refused("e.msh", GMSH + NODES.replace("3\n1", escape + "\n1"), "found 'x'");
        refused("e.vtk", VTK + "POINTS " + escape + "\n", "found 'x'");
        refused("e.vtk", VTK + "x".repeat(70_000) + "\n", "at most 65536 bytes");
        refused("e.vtu", VTU.replace(">7 8 9<", ">7 8 \u00C2\u009B31m<"), "");
        refused("e.vtu", VTU.replace("\"u\"", "\"" + "u".repeat(9000) + "\"").replace(">7 8 9<", ">7 8<"), "...");
        refused("e.14", ADCIRC.replace("1 3 1 2 3", "1 3 1 2 " + escape), "found 'x'");
        refused("e.dat", "\u001B[31m", "0x1B");
    }
}
