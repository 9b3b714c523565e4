package org.trellis.matrices.market;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.trellis.common.MatrixFormatException;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.testing.SharedData;

/** The corpus of valid, odd and invalid files and all real matrices, against their manifests. */
class SharedDataTest {
    private static final ReadOptions OPTIONS =
            ReadOptions.DEFAULT.withComplexPolicy(ComplexPolicy.REAL_PART);

    /** Odd files that are refused; docs/reference/file-formats.md says why. The other odd ones are read. */
    private static final Set<String> REFUSED_ODD = Set.of(
            "fast_matrix_market/python/matrix_coordinate_complex_hermitian.mtx",
            "fast_matrix_market/python/misc/windows_newlines.mtx",
            "fast_matrix_market/python/long_double/longcomplex_array.mtx",
            "fast_matrix_market/python/long_double/longcomplex_coordinate.mtx",
            "fast_matrix_market/python/long_double/longdouble_coordinate.mtx",
            "fast_matrix_market/overflow/overflow_value_gt_complex128.mtx",
            "fast_matrix_market/overflow/overflow_value_gt_float64.mtx",
            "fast_matrix_market/permissive/permissive_banner_one_percent_eye3.mtx",
            "lagraph/mangled6.mtx", "lagraph/full_noheader.mtx", "lagraph/west0067_noheader.mtx",
            "lagraph/matrix_fp32.mtx", "cholmod/cha.mtx", "cholmod/fullcha.mtx");

    /** Valid, but with dimensions that no int holds. */
    private static final String TOO_LARGE = "fast_matrix_market/python/scipy_crashes/dim_over_32_bit.mtx";

    @TestFactory
    Stream<DynamicTest> corpus() throws IOException {
        Path folder = SharedData.folder("mm-corpus");
        return SharedData.manifest(folder.resolve("manifest.csv")).stream()
                .filter(row -> !row.get(0).endsWith(".rb"))
                .map(row -> dynamicTest(row.get(1) + " " + row.get(0), () -> checkVerdict(folder, row)));
    }

    private static void checkVerdict(Path folder, List<String> row) throws IOException {
        String name = row.get(0);
        Path file = folder.resolve(name);
        boolean read = switch (row.get(1)) {
            case "valid" -> !name.equals(TOO_LARGE);
            case "odd" -> !REFUSED_ODD.contains(name);
            default -> false;
        };
        if (read) {
            MarketHeader header = MatrixMarket.readHeader(file);
            CsrMatrix matrix = MatrixMarket.read(file, OPTIONS);
            assertEquals(header.rows(), matrix.rows());
            assertEquals(header.columns(), matrix.columns());
            assertTrue(matrix.firstViolation().isEmpty());
        } else {
            MatrixFormatException failure =
                    assertThrows(MatrixFormatException.class, () -> MatrixMarket.read(file, OPTIONS));
            assertEquals(file.toString(), failure.file());
            assertTrue(failure.line() > 0 && failure.column() > 0, failure.getMessage());
        }
    }

    @TestFactory
    Stream<DynamicTest> pairsOfTheCorpusAgree() {
        Path folder = SharedData.folder("mm-corpus/fast_matrix_market");
        return Stream.of("symmetry_array/array_symmetric", "symmetry_array/array_skew-symmetric",
                "symmetry_array/array_hermitian", "symmetry/coordinate_hermitian_real_row",
                "symmetry/coordinate_pattern_symmetric_row", "symmetry/coordinate_skew_symmetric_row")
                .map(name -> dynamicTest(name, () -> {
                    CsrMatrix folded = MatrixMarket.read(folder.resolve(name + ".mtx"), OPTIONS);
                    String suffix = name.endsWith("skew_symmetric_row") ? "_general_zero.mtx" : "_general.mtx";
                    CsrMatrix general = MatrixMarket.read(folder.resolve(name + suffix), OPTIONS);
                    for (int i = 0; i < folded.rows(); i++) {
                        for (int j = 0; j < folded.columns(); j++) {
                            assertEquals(general.get(i, j), folded.get(i, j), i + ", " + j);
                        }
                    }
                }));
    }

    @TestFactory
    Stream<DynamicTest> realMatrices() throws IOException {
        Path folder = SharedData.folder("matrices");
        return SharedData.manifest(folder.resolve("manifest.csv")).stream()
                .map(row -> dynamicTest(row.get(0), () -> {
                    if (row.get(1).equals("array")) {
                        checkVector(folder, row);
                    } else {
                        checkMatrix(folder, row);
                    }
                }));
    }

    private static void checkVector(Path folder, List<String> row) throws IOException {
        double[] values = MatrixMarket.readVector(folder.resolve(row.get(0)), OPTIONS).doubles();
        assertEquals(Integer.parseInt(row.get(4)), values.length);
    }

    private static void checkMatrix(Path folder, List<String> row) throws IOException {
        Path file = folder.resolve(row.get(0));
        MarketHeader header = MatrixMarket.readHeader(file);
        CsrMatrix matrix = MatrixMarket.read(file, OPTIONS);
        assertEquals(row.get(2), header.field().word());
        assertEquals(row.get(3), header.symmetry().word());
        assertEquals(row.get(4), Integer.toString(matrix.rows()));
        assertEquals(row.get(5), Integer.toString(matrix.columns()));
        assertEquals(row.get(6), Long.toString(header.entries()));
        assertEquals(row.get(7), Long.toString(matrix.nonZeros()));
        int[] lengths = matrix.rowLengths();
        assertEquals(row.get(9), Long.toString(Arrays.stream(lengths).filter(n -> n == 0).count()));
        assertEquals(row.get(10), Integer.toString(Arrays.stream(lengths).max().orElse(0)));
        if (header.field() == MarketField.COMPLEX) {
            MatrixMarket.read(file, OPTIONS.withComplexPolicy(ComplexPolicy.IMAGINARY_PART));
        } else {
            CsrSegment segment = matrix.onlySegment();
            long zeros = Arrays.stream(segment.values().doubles(), 0, segment.nonZeros()).filter(v -> v == 0).count();
            assertEquals(row.get(8), Long.toString(zeros));
        }
    }
}
