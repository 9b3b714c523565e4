package org.trellis.matrices.numpy;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.trellis.common.BoundedInput;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.common.PrintableText;
import org.trellis.file.AtomicFile;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.SparseMatrix;

/**
 * Reads and writes the files of SciPy's {@code sparse.save_npz} and {@code load_npz}: an archive of arrays. Formats
 * csr, csc, coo, bsr and dia are read, plain and compressed, with indices of 32 and 64 bits, in any order and with
 * entries of the same place added up, with real and complex values. Written is csr.
 *
 * @see <a href="https://docs.scipy.org/doc/scipy/reference/generated/scipy.sparse.save_npz.html">SciPy</a>
 */
public final class SciPyFiles {
    private static final int MOST_ARRAYS = 32;
    private static final String END = ".npy";
    /** Names of the arrays, of which each format has some. */
    private static final List<String> NAMES = List.of("format", "shape", "data", "indices", "indptr", "row", "col",
            "offsets");

    private SciPyFiles() {}

    /**
     * Reads a matrix.
     *
     * @param file    a file of {@code save_npz}
     * @param options precision, and how far the archive may expand; threads are not used
     * @return the matrix
     * @throws MatrixFormatException if the contents are wrong; names the array and what was expected
     * @throws IOException if the file cannot be read
     */
    public static CsrMatrix read(Path file, ReadOptions options) throws IOException {
        SciPyMatrix arrays = arrays(file, options);
        return options.complexPolicy() == ComplexPolicy.REAL_FORM && arrays.isComplex()
                ? readComplex(file, options).realForm()
                : arrays.read().toPrecision(options.precision());
    }

    /**
     * Reads a matrix of complex numbers.
     *
     * @param file    a file of {@code save_npz}; of a real one, imaginary parts are zero
     * @param options precision, and how far the archive may expand; the policy on complex values is ignored
     * @return the matrix
     * @throws MatrixFormatException if the contents are wrong; names the array and what was expected
     * @throws IOException if the file cannot be read
     */
    public static ComplexCsr readComplex(Path file, ReadOptions options) throws IOException {
        SciPyMatrix arrays = arrays(file, options.withComplexPolicy(ComplexPolicy.REAL_PART));
        CsrMatrix real = arrays.read();
        CsrMatrix imaginary = arrays.isComplex()
                ? arrays(file, options.withComplexPolicy(ComplexPolicy.IMAGINARY_PART)).read()
                : real.mapValues(value -> 0);
        return ComplexCsr.of(real, imaginary).toPrecision(options.precision());
    }

    /**
     * Says whether the values of a file are complex.
     *
     * @param file a file of {@code save_npz}
     * @return true if they are
     * @throws MatrixFormatException if the contents are wrong; names the array and what was expected
     * @throws IOException if the file cannot be read
     */
    public static boolean isComplex(Path file) throws IOException {
        return arrays(file, ReadOptions.DEFAULT).isComplex();
    }

    private static SciPyMatrix arrays(Path file, ReadOptions options) throws IOException {
        BoundedInput.requireFile(file, "matrix file");
        long size = Files.size(file);
        String name = file.toString();
        Map<String, NpyArray> arrays = new HashMap<>();
        try (ZipInputStream archive = new ZipInputStream(Files.newInputStream(file))) {
            long left = options.textLimit(size);
            ZipEntry entry = archive.getNextEntry();
            if (entry == null) {
                throw NpyArray.problem(name, "no archive", "a file of scipy.sparse.save_npz, which is a ZIP archive");
            }
            for (int count = 0; entry != null; entry = archive.getNextEntry(), count++) {
                String array = withoutEnd(entry.getName());
                if (count == MOST_ARRAYS) {
                    throw NpyArray.problem(name, "more than " + MOST_ARRAYS + " arrays", "those of one matrix");
                }
                byte[] bytes = bytes(archive, left, name, array);
                left -= bytes.length;
                if (NAMES.contains(array)) {
                    arrays.put(array, NpyArray.parse(name + ", array " + array, bytes));
                }
            }
        } catch (ZipException | EOFException e) {
            throw NpyArray.problem(name, "a damaged archive, " + PrintableText.of(String.valueOf(e.getMessage())),
                    "a whole ZIP archive");
        }
        return new SciPyMatrix(name, arrays, options.complexPolicy());
    }

    private static String withoutEnd(String name) {
        return name.endsWith(END) ? name.substring(0, name.length() - END.length()) : name;
    }

    private static byte[] bytes(InputStream archive, long most, String name, String array) throws IOException {
        byte[] bytes = archive.readNBytes((int) Math.min(most, Integer.MAX_VALUE - 8L));
        if (archive.read() >= 0) {
            throw NpyArray.problem(name, "array " + PrintableText.quote(array) + " is longer than the " + most
                    + " bytes left", "an archive that expands less, or another limit in the options");
        }
        return bytes;
    }

    /**
     * Writes a matrix in compressed rows, compressed.
     *
     * @param file   the file, replaced if it exists
     * @param matrix a matrix of fewer than 2³¹ non-zeros in any storage format
     * @throws IllegalStateException if it has more
     * @throws IOException           if the file cannot be written
     */
    public static void write(Path file, SparseMatrix matrix) throws IOException {
        CsrMatrix csr = matrix.toCsr();
        CsrSegment segment = csr.onlySegment();
        write(file, csr.rows(), csr.columns(), segment.rowOffsets(), segment.columnIndices(), segment.values(), 1);
    }

    /**
     * Writes a matrix of complex numbers in compressed rows, compressed.
     *
     * @param file   the file, replaced if it exists
     * @param matrix a matrix
     * @throws IOException if the file cannot be written
     */
    public static void writeComplex(Path file, ComplexCsr matrix) throws IOException {
        write(file, matrix.rows(), matrix.columns(), matrix.rowOffsets(), matrix.columnIndices(), matrix.values(), 2);
    }

    /** Writes values of one part or of two. */
    private static void write(Path file, int rows, int across, int[] offsets, int[] columns, HostVector values,
            int parts) throws IOException {
        int count = offsets[rows];
        boolean single = values.precision() == Precision.F32;
        String type = "<" + (parts == 1 ? "f" : "c") + (single ? 4 : 8) * parts;
        AtomicFile.write(file, output -> {
            ZipOutputStream archive = new ZipOutputStream(output);
            put(archive, "indices", "<i4", new int[]{count}, count, 4, k -> buffer -> buffer.putInt(columns[k]));
            put(archive, "indptr", "<i4", new int[]{rows + 1}, rows + 1, 4,
                    k -> buffer -> buffer.putInt(offsets[k]));
            put(archive, "format", "|S3", new int[0], 3, 1, k -> buffer -> buffer.put((byte) "csr".charAt(k)));
            put(archive, "shape", "<i8", new int[]{2}, 2, 8,
                    k -> buffer -> buffer.putLong(k == 0 ? rows : across));
            put(archive, "data", type, new int[]{count}, count, (single ? 4 : 8) * parts,
                    k -> buffer -> {
                        for (int part = parts * k; part < parts * (k + 1); part++) {
                            if (single) {
                                buffer.putFloat((float) values.get(part));
                            } else {
                                buffer.putDouble(values.get(part));
                            }
                        }
                    });
            archive.finish();
        });
    }

    private interface Element {
        void put(ByteBuffer buffer);
    }

    private static void put(ZipOutputStream archive, String name, String type, int[] shape, int count, int bytes,
            IntFunction<Element> elements) throws IOException {
        ZipEntry entry = new ZipEntry(name + END);
        // The same matrix makes the same file.
        entry.setTime(0);
        archive.putNextEntry(entry);
        archive.write(NpyArray.header(type, shape));
        int piece = 1 << 13;
        for (int from = 0; from < count; from += piece) {
            int to = Math.min(count, from + piece);
            ByteBuffer buffer = ByteBuffer.allocate((to - from) * bytes).order(ByteOrder.LITTLE_ENDIAN);
            for (int k = from; k < to; k++) {
                elements.apply(k).put(buffer);
            }
            archive.write(buffer.array());
        }
        archive.closeEntry();
    }
}
