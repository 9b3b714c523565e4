package org.trellis.matrices;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.ServiceLoader;
import org.trellis.common.Configuration;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.PrintableText;
import org.trellis.matrices.cache.MatrixCache;
import org.trellis.matrices.edges.EdgeLists;
import org.trellis.matrices.harwellboeing.HarwellBoeing;
import org.trellis.matrices.io.MatrixFormat;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.matrices.market.MarketField;
import org.trellis.matrices.market.MatrixMarket;
import org.trellis.matrices.numpy.SciPyFiles;
import org.trellis.matrices.support.TextLines;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseMatrix;

/**
 * Reads and writes matrix files of any format that Trellis knows. What a file is shows in its contents, and in its name
 * only if these decide nothing: Matrix Market ({@code .mtx}, {@code .mm}), Harwell-Boeing and Rutherford-Boeing ({@code
 * .rb}, {@code .hb}, {@code .rua}, {@code .rsa} and so on), each also compressed with gzip ({@code .gz}). Files of
 * SciPy ({@code .npz}) and lists of edges ({@code .el}, {@code .wel}, {@code .edges}, also with {@code .gz}) are known
 * by their names, and so are MATLAB's ({@code .mat}), which need the artifact {@code trellis-convert-matlab} on the
 * class path.
 */
public final class MatrixFiles {
    private static final List<String> MARKET_EXTENSIONS =
            List.of(".mtx", ".mm", ".mmx", ".mtx.gz", ".mm.gz", ".mmx.gz");
    private static final List<String> EDGE_EXTENSIONS =
            List.of(".el", ".wel", ".edges", ".el.gz", ".wel.gz", ".edges.gz");
    private static final String SCIPY_EXTENSION = ".npz";
    private static final String MATLAB_EXTENSION = ".mat";
    private static final String BOEING_EXTENSION = ".*\\.(rb|hb|[rcip][suhzr][ae])(\\.gz)?";
    private static final String BOEING_TYPE_LINE = "(?is)[rcip][suhzr][ae]\\s++\\d++\\s++\\d++\\s++\\d++.*+";
    private static final int BOEING_TYPE_LINE_NUMBER = 3;

    private MatrixFiles() {}

    /**
     * Reads a matrix with the default options, through the cache that the settings of this process describe.
     *
     * @param file a matrix file
     * @return the matrix in double precision, symmetric parts expanded
     * @throws MatrixFormatException if the contents are wrong
     * @throws IllegalArgumentException if the artifact that reads such files is missing; names it
     * @throws IOException if the file cannot be read, or is a folder, a pipe or a device
     */
    public static CsrMatrix read(Path file) throws IOException {
        return read(file, ReadOptions.DEFAULT, MatrixCache.of(Configuration.load()));
    }

    /**
     * Reads a matrix, without a cache.
     *
     * @param file    a matrix file
     * @param options how to read it
     * @return the matrix, symmetric parts expanded
     * @throws MatrixFormatException if the contents are wrong
     * @throws IllegalArgumentException if the artifact that reads such files is missing; names it
     * @throws IOException if the file cannot be read, or is a folder, a pipe or a device
     */
    public static CsrMatrix read(Path file, ReadOptions options) throws IOException {
        if (isSciPyName(file)) {
            return SciPyFiles.read(file, options);
        }
        if (isEdgeName(file)) {
            return EdgeLists.read(file, options);
        }
        if (isMatlabName(file)) {
            return readMatlab(file, options);
        }
        return isBoeing(file) ? HarwellBoeing.read(file, options) : MatrixMarket.read(file, options);
    }

    private static CsrMatrix readMatlab(Path file, ReadOptions options) throws IOException {
        MatrixFormat format = matlab();
        if (!format.isComplex(file)) {
            return format.read(file, options).realPart();
        }
        return switch (options.complexPolicy()) {
            case REFUSE -> throw new MatrixFormatException(file.toString(), 0, 0, "the values are complex",
                    "real ones; or MatrixFiles.readComplex, or a policy: ComplexPolicy.REAL_FORM, on the command line "
                            + "--complex=REAL_FORM");
            case REAL_FORM -> format.read(file, options).realForm();
            case REAL_PART -> format.read(file, options).realPart();
            case IMAGINARY_PART -> format.read(file, options).imaginaryPart();
        };
    }

    private static MatrixFormat matlab() {
        return ServiceLoader.load(MatrixFormat.class, MatrixFiles.class.getClassLoader()).stream()
                .map(ServiceLoader.Provider::get).filter(format -> format.ending().equals(MATLAB_EXTENSION)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no reader for " + MATLAB_EXTENSION
                        + " files is there, expected the artifact trellis-convert-matlab on the class path"));
    }

    /**
     * Reads a matrix of complex numbers, without a cache.
     *
     * @param file    a matrix file; of one with real values, imaginary parts are zero
     * @param options how to read it, but for its policy on complex values
     * @return the matrix, symmetric, skew-symmetric and Hermitian parts expanded
     * @throws MatrixFormatException if the contents are wrong
     * @throws IllegalArgumentException if the artifact that reads such files is missing; names it
     * @throws IOException if the file cannot be read, or is a folder, a pipe or a device
     */
    public static ComplexCsr readComplex(Path file, ReadOptions options) throws IOException {
        if (isSciPyName(file)) {
            return SciPyFiles.readComplex(file, options);
        }
        if (isMatlabName(file)) {
            return matlab().read(file, options);
        }
        if (isEdgeName(file)) {
            CsrMatrix real = read(file, options);
            return ComplexCsr.of(real, real.mapValues(value -> 0));
        }
        return isBoeing(file) ? HarwellBoeing.readComplex(file, options) : MatrixMarket.readComplex(file, options);
    }

    /**
     * Says whether the values of a file are complex, by its header, or the headers of its arrays.
     *
     * @param file a matrix file
     * @return true if they are
     * @throws MatrixFormatException if the header is wrong
     * @throws IllegalArgumentException if the artifact that reads such files is missing; names it
     * @throws IOException if the file cannot be read, or is a folder, a pipe or a device
     */
    public static boolean isComplex(Path file) throws IOException {
        if (isSciPyName(file)) {
            return SciPyFiles.isComplex(file);
        }
        if (isMatlabName(file)) {
            return matlab().isComplex(file);
        }
        if (isEdgeName(file)) {
            return false;
        }
        return isBoeing(file)
                ? HarwellBoeing.readHeader(file).values() == 'C'
                : MatrixMarket.readHeader(file).field() == MarketField.COMPLEX;
    }

    /**
     * Reads a matrix through a cache.
     *
     * @param file    a matrix file
     * @param options how to read it
     * @param cache   where parsed matrices are kept, {@link MatrixCache#OFF} for none
     * @return the matrix, symmetric parts expanded
     * @throws MatrixFormatException if the contents are wrong
     * @throws IllegalArgumentException if the artifact that reads such files is missing; names it
     * @throws IOException if the file cannot be read, or is a folder, a pipe or a device
     */
    public static CsrMatrix read(Path file, ReadOptions options, MatrixCache cache) throws IOException {
        return cache.read(file, options, () -> read(file, options));
    }

    /**
     * Writes a matrix in the format that its name asks for: Matrix Market, Harwell-Boeing, SciPy's, MATLAB's, or a list
     * of edges.
     *
     * @param file    the file, replaced if it exists; the name ends in {@code .mtx}, {@code .mm} or {@code .mmx}, in
     *                {@code .npz}, {@code .mat}, in {@code .hb}, {@code .rb} or a type such as {@code .rua}, or in
     *                {@code .el}, {@code .wel} or {@code .edges}; text also with
     *                {@code .gz} if it is to be compressed
     * @param matrix  a matrix in any storage format
     * @param options how to write it
     * @throws IllegalArgumentException if the name asks for no format that can be written, the matrix is not symmetric
     *                                  although the options claim it, or the format cannot do what they ask for
     * @throws IOException if the file cannot be written
     */
    public static void write(Path file, SparseMatrix matrix, WriteOptions options) throws IOException {
        if (isSciPyName(file)) {
            requireWhole(file, options);
            SciPyFiles.write(file, matrix);
        } else if (isEdgeName(file)) {
            EdgeLists.write(file, matrix, options);
        } else if (isMatlabName(file)) {
            matlab().write(file, matrix.toCsr(), options);
        } else if (isMarketName(file)) {
            MatrixMarket.write(file, matrix, options);
        } else if (hasBoeingName(file)) {
            HarwellBoeing.write(file, matrix, options);
        } else {
            throw new IllegalArgumentException("cannot choose a format for writing by the name "
                    + PrintableText.of(file.toString()) + ", expected one that ends in one of " + MARKET_EXTENSIONS
                    + ", " + EDGE_EXTENSIONS + ", " + SCIPY_EXTENSION + ", " + MATLAB_EXTENSION + ", .hb or .rb");
        }
    }

    private static void requireWhole(Path file, WriteOptions options) {
        if (options.symmetric() || options.pattern()) {
            throw new IllegalArgumentException("cannot write one triangle or no values into "
                    + PrintableText.of(file.toString()) + ", expected whole matrices in files of SciPy");
        }
    }

    /**
     * Writes a matrix of complex numbers, as Matrix Market, Harwell-Boeing, SciPy's or MATLAB's.
     *
     * @param file    the file, replaced if it exists; the name ends in {@code .mtx}, {@code .mm} or {@code .mmx}, in
     *                {@code .hb} or {@code .rb}, also with {@code .gz} if it is to be compressed, in {@code .npz} or in
     *                {@code .mat}
     * @param matrix  a matrix
     * @param options how to write it
     * @throws IllegalArgumentException if the name asks for another format, which has no complex values here, the
     *                                  format cannot do what the options ask for, or the matrix is neither symmetric
     *                                  nor Hermitian although they claim it
     * @throws IOException if the file cannot be written
     */
    public static void writeComplex(Path file, ComplexCsr matrix, WriteOptions options) throws IOException {
        if (isSciPyName(file)) {
            requireWhole(file, options);
            SciPyFiles.writeComplex(file, matrix);
            return;
        }
        if (isMatlabName(file)) {
            matlab().writeComplex(file, matrix, options);
            return;
        }
        if (hasBoeingName(file)) {
            HarwellBoeing.writeComplex(file, matrix, options);
            return;
        }
        if (!isMarketName(file)) {
            throw new IllegalArgumentException("cannot write complex values into "
                    + PrintableText.of(file.toString()) + ", expected a name that ends in one of " + MARKET_EXTENSIONS
                    + ", " + SCIPY_EXTENSION + ", " + MATLAB_EXTENSION + ", .hb or .rb");
        }
        MatrixMarket.writeComplex(file, matrix, options);
    }

    /**
     * Says whether a file looks like a matrix file by its name, for going through folders.
     *
     * @param file a path
     * @return true if the extension is one of a format that can be read
     */
    public static boolean hasMatrixName(Path file) {
        return isMarketName(file) || isSciPyName(file) || isEdgeName(file) || isMatlabName(file)
                || hasBoeingName(file);
    }

    private static boolean isSciPyName(Path file) {
        return lowerCaseName(file).endsWith(SCIPY_EXTENSION);
    }

    private static boolean isMatlabName(Path file) {
        return lowerCaseName(file).endsWith(MATLAB_EXTENSION);
    }

    private static boolean isEdgeName(Path file) {
        String name = lowerCaseName(file);
        return EDGE_EXTENSIONS.stream().anyMatch(name::endsWith);
    }

    private static boolean isMarketName(Path file) {
        String name = lowerCaseName(file);
        return MARKET_EXTENSIONS.stream().anyMatch(name::endsWith);
    }

    private static boolean hasBoeingName(Path file) {
        return lowerCaseName(file).matches(BOEING_EXTENSION);
    }

    private static String lowerCaseName(Path file) {
        return String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
    }

    /** The banner or the type line decide; if there is neither, the name. */
    private static boolean isBoeing(Path file) throws IOException {
        try (TextLines lines = TextLines.open(file, ReadOptions.DEFAULT::textLimit)) {
            String line = lines.next();
            if (line == null || line.stripLeading().startsWith("%")) {
                return false;
            }
            while (line != null && lines.number() < BOEING_TYPE_LINE_NUMBER) {
                line = lines.next();
            }
            return (line != null && line.matches(BOEING_TYPE_LINE)) || hasBoeingName(file);
        } catch (MatrixFormatException e) {
            // Lines too long or damaged data: whichever reader the name asks for says what is wrong.
            return hasBoeingName(file);
        }
    }
}
