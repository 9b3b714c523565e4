package org.trellis.matrices.mesh;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.function.IntPredicate;
import java.util.zip.GZIPOutputStream;
import org.trellis.common.BoundedInput;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.PrintableText;
import org.trellis.file.AtomicFile;

/**
 * Reads and writes mesh files; the name decides the format: VTK's legacy format ({@code .vtk}) and XML format ({@code
 * .vtu}), Gmsh ({@code .msh}), Triangle and TetGen ({@code .node}, {@code .ele}, {@code .poly}), ADCIRC ({@code .grd},
 * {@code .14}, {@code fort.14}) and OP2's Airfoil ({@code .dat}); each also compressed with gzip ({@code .gz}). CGNS
 * ({@code .cgns}, not compressed) needs the artifact {@code trellis-convert-cgns} on the class path.
 */
public final class MeshFiles {
    private static final int BUFFER_BYTES = 1 << 16;
    private static final List<String> READABLE =
            List.of(".vtk", ".vtu", ".msh", ".node", ".ele", ".edge", ".face", ".poly", ".grd", ".14", ".dat",
                    ".cgns");
    /** Formats whose readers need another library, and the artifacts that hold them. */
    private static final Map<String, String> ARTIFACTS = Map.of(".cgns", "trellis-convert-cgns");

    private MeshFiles() {}

    /**
     * Reads a mesh.
     *
     * @param file the file; of Triangle's formats, any one of those that belong together
     * @return the mesh
     * @throws MatrixFormatException    if the contents are wrong; names the line, or the array or offset of binary data
     * @throws IllegalArgumentException if the name stands for no format that can be read, or one whose artifact is
     *                                  missing
     * @throws IOException              if the file cannot be read, or is a folder, a pipe or a device
     */
    public static MeshData read(Path file) throws IOException {
        if (!hasMeshName(file)) {
            throw new IllegalArgumentException("cannot choose a mesh format by the name "
                    + PrintableText.of(file.toString())
                    + ", expected one that ends in one of " + READABLE + ", or that and .gz");
        }
        BoundedInput.requireFile(file, "a mesh file");
        if (ARTIFACTS.containsKey(extension(file))) {
            return format(file).read(file);
        }
        try {
            return readKnown(file);
        } catch (ArithmeticException | NegativeArraySizeException e) {
            throw unfit(file, "the mesh is too large", "tables of at most 2147483639 entries", e);
        } catch (IllegalArgumentException e) {
            throw unfit(file, e.getMessage(), "points, cells and data that fit together", e);
        }
    }

    private static MeshFormat format(Path file) {
        String ending = extension(file);
        if (!name(file).endsWith(ending)) {
            throw new IllegalArgumentException("file " + PrintableText.of(file.toString())
                    + " is compressed, expected one that ends in " + ending + ": unpack it first");
        }
        return ServiceLoader.load(MeshFormat.class, MeshFiles.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get).filter(format -> format.ending().equals(ending)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no reader for " + ending
                        + " files is there, expected the artifact " + ARTIFACTS.get(ending) + " on the class path"));
    }

    private static MatrixFormatException unfit(Path file, String problem, String expected, RuntimeException cause) {
        MatrixFormatException failure = new MatrixFormatException(file.toString(), 0, 0, problem, expected);
        failure.initCause(cause);
        return failure;
    }

    private static MeshData readKnown(Path file) throws IOException {
        return switch (extension(file)) {
            case ".vtk" -> VtkLegacyReader.read(MeshText.read(file, (char) 0));
            case ".vtu" -> VtuReader.read(MeshText.read(file, (char) 0));
            case ".msh" -> GmshReader.read(MeshText.read(file, (char) 0));
            case ".grd", ".14" -> AdcircReader.read(MeshText.read(file, (char) 0));
            case ".dat" -> AirfoilMesh.read(file).toMeshData();
            default -> TriangleReader.read(file);
        };
    }

    /**
     * Writes a mesh.
     *
     * @param file    replaced if it exists; the name ends in {@code .vtk}, {@code .vtu} or {@code .msh} (format 2.2),
     * and
     *                {@code .gz} if it is to be compressed as a whole
     * @param mesh    the mesh
     * @param options how to write it
     * @throws IllegalArgumentException if the name stands for no format that can be written, or the format has no such
     *                                  cells
     *                                  or data
     * @throws IOException              if it cannot be written
     */
    public static void write(Path file, MeshData mesh, MeshWriteOptions options) throws IOException {
        if (extension(file).equals(".node") || extension(file).equals(".ele")) {
            TriangleWriter.write(file, mesh);
            return;
        }
        Writer writer = switch (extension(file)) {
            case ".vtk" -> VtkLegacyWriter::write;
            case ".vtu" -> VtuWriter::write;
            case ".msh" -> GmshWriter::write;
            default -> throw new IllegalArgumentException("cannot choose a mesh format for writing by the name "
                    + PrintableText.of(file.toString())
                    + ", expected one that ends in .vtk, .vtu, .msh, .node or .ele, or that and .gz");
        };
        boolean compressed = name(file).endsWith(".gz");
        AtomicFile.write(file, raw -> {
            try (OutputStream output = new BufferedOutputStream(
                    compressed ? new GZIPOutputStream(raw, BUFFER_BYTES) : raw, BUFFER_BYTES)) {
                writer.write(mesh, options, output);
            }
        });
    }

    /**
     * Refuses names that a format cannot hold, so that nothing is written that no reader takes back.
     *
     * @param names  the names
     * @param format the format, for the message
     * @param unfit  says of a character whether the format cannot hold it
     * @throws IllegalArgumentException if a name has such a character or half of a surrogate pair
     */
    static void checkNames(List<String> names, String format, IntPredicate unfit) {
        for (String name : names) {
            name.codePoints().filter(character -> unfit.test(character)
                    || Character.getType(character) == Character.SURROGATE).findFirst().ifPresent(character -> {
                        throw new IllegalArgumentException(String.format(Locale.ROOT,
                                "the name %s has the character U+%04X; expected one without, for %s cannot hold it",
                                PrintableText.quote(name), character, format));
                    });
        }
    }

    /** Writes a format. */
    private interface Writer {
        void write(MeshData mesh, MeshWriteOptions options, OutputStream output) throws IOException;
    }

    /**
     * Says whether a file looks like a mesh file by its name.
     *
     * @param file a path
     * @return true if the extension is one of a format that can be read
     */
    public static boolean hasMeshName(Path file) {
        return READABLE.contains(extension(file));
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    }

    private static String extension(Path file) {
        String name = name(file).replaceAll("\\.gz$", "");
        int dot = name.lastIndexOf('.');
        return dot < 0 ? "" : name.substring(dot);
    }
}
