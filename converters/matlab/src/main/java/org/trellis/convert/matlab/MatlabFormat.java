package org.trellis.convert.matlab;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.trellis.common.BoundedInput;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.PrintableText;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.io.MatrixFormat;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.memory.HostVector;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import us.hebi.matlab.mat.format.Mat5;
import us.hebi.matlab.mat.format.Mat5File;
import us.hebi.matlab.mat.types.Source;
import us.hebi.matlab.mat.types.Sources;

/**
 * Reads and writes MAT-files of level 5, as MATLAB's {@code save -v7} and {@code -v6} and SciPy's {@code savemat} make
 * them: the one sparse matrix in a file or in a structure in it, such as {@code Problem.A} of the SuiteSparse Matrix
 * Collection; if there are several, the one that is called A; if there is none, the one dense matrix of numbers.
 * Written is a sparse matrix that is called A, not compressed. Files of {@code -v7.3} are HDF5 and refused.
 *
 * <p>Memory is some four times that of the file when it is unpacked. Found as a service by {@link MatrixFiles}.
 */
public final class MatlabFormat implements MatrixFormat {
    private static final int HEADER_BYTES = 116;

    /** Creates the format; services need a constructor. */
    public MatlabFormat() {
        // Has nothing to keep.
    }

    @Override
    public String ending() {
        return ".mat";
    }

    @Override
    public boolean isComplex(Path file) throws IOException {
        return open(file, MatlabMatrix::isComplex);
    }

    @Override
    public ComplexCsr read(Path file, ReadOptions options) throws IOException {
        return open(file, MatlabMatrix::read).toPrecision(options.precision());
    }

    private interface Use<T> {
        T of(MatlabMatrix matrix);
    }

    private static <T> T open(Path file, Use<T> use) throws IOException {
        BoundedInput.requireFile(file, "matrix file");
        String name = file.toString();
        requireLevelFive(file, name);
        ElementSizes.check(file);
        try (Source source = Sources.openFile(file.toFile());
                Mat5File contents = Mat5.newReader(source).disableSubsystemProcessing().readMat()) {
            return use.of(MatlabMatrix.in(name, contents));
        } catch (MatrixFormatException e) {
            throw e;
        } catch (IOException | RuntimeException | OutOfMemoryError e) {
            // The library trusts the sizes in a file, and fails in many places where they are damaged.
            MatrixFormatException failure = new MatrixFormatException(name, 0, 0,
                    e instanceof OutOfMemoryError
                            ? "sizes in the file ask for more memory than the heap of this JVM has"
                            : "the file is damaged: " + PrintableText.of(String.valueOf(e.getMessage())),
                    "a MAT-file of level 5, as save -v7 makes it");
            failure.initCause(e);
            throw failure;
        }
    }

    private static void requireLevelFive(Path file, String name) throws IOException {
        try (InputStream input = Files.newInputStream(file)) {
            String header = new String(input.readNBytes(HEADER_BYTES), StandardCharsets.ISO_8859_1);
            if (header.startsWith("MATLAB 7.3")) {
                throw new MatrixFormatException(name, 1, 1, "this is a MAT-file of version 7.3, which is HDF5",
                        "one of level 5: save it with -v7");
            }
        }
    }

    @Override
    public void write(Path file, CsrMatrix matrix, WriteOptions options) throws IOException {
        requirePlain(file, options);
        CsrSegment columns = matrix.transpose().onlySegment();
        new MatlabWriter(matrix.rows(), matrix.columns(), columns.rowOffsets(), columns.columnIndices(),
                columns.values(), null).write(file);
    }

    @Override
    public void writeComplex(Path file, ComplexCsr matrix, WriteOptions options) throws IOException {
        requirePlain(file, options);
        ComplexCsr columns = matrix.transpose();
        HostVector parts = columns.values();
        int count = parts.length() / 2;
        new MatlabWriter(matrix.rows(), matrix.columns(), columns.rowOffsets(), columns.columnIndices(),
                HostVector.of(parts.precision(), count, k -> parts.get(2 * k)),
                HostVector.of(parts.precision(), count, k -> parts.get(2 * k + 1))).write(file);
    }

    private static void requirePlain(Path file, WriteOptions options) {
        if (options.symmetric() || options.pattern()) {
            throw new IllegalArgumentException("cannot write one triangle or no values into "
                    + PrintableText.of(file.toString()) + ", expected whole matrices in MAT-files");
        }
    }
}
