package org.trellis.convert.matlab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.common.MatrixFormatException;
import org.trellis.common.Precision;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.io.ComplexPolicy;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.DenseBlocks;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Files that SciPy's {@code savemat} has written (see make-mat.py), and those that are written here. */
class MatlabFormatTest {
    private static final CsrMatrix EXPECTED =
            DenseBlocks.fromRows(new double[][]{{0, 1.5, 0}, {2, 0, -3}, {0, 0, 0}, {0.25, 4, 0}}, Precision.F64);

    @TempDir
    private Path folder;

    private Path resource(String name) throws IOException {
        try (InputStream input = MatlabFormatTest.class.getResourceAsStream("/matlab/" + name)) {
            return Files.write(folder.resolve(name), input.readAllBytes());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sparse.mat", "compressed.mat", "problem.mat", "named.mat", "dense.mat"})
    void readsWhatSciPyWrites(String name) throws IOException {
        Path file = resource(name);
        CsrMatrix matrix = MatrixFiles.read(file, ReadOptions.DEFAULT);
        assertTrue(matrix.closeTo(EXPECTED, 0, 0), matrix::toText);
        assertTrue(matrix.firstViolation().isEmpty());
        assertFalse(MatrixFiles.isComplex(file));
        assertTrue(MatrixFiles.hasMatrixName(file));
        assertEquals(Precision.F32,
                MatrixFiles.read(file, ReadOptions.DEFAULT.withPrecision(Precision.F32)).precision());
    }

    @Test
    void readsComplexAndLogicalMatrices() throws IOException {
        Path complex = resource("complex.mat");
        assertTrue(MatrixFiles.isComplex(complex));
        ComplexCsr a = MatrixFiles.readComplex(complex, ReadOptions.DEFAULT);
        assertTrue(a.realPart().closeTo(EXPECTED, 0, 0));
        assertTrue(a.imaginaryPart().closeTo(EXPECTED.scaled(-2), 0, 0));
        assertTrue(MatrixFiles.read(complex, ReadOptions.DEFAULT.withComplexPolicy(ComplexPolicy.REAL_FORM))
                .sameAs(a.realForm()));
        assertTrue(MatrixFiles.read(complex, ReadOptions.DEFAULT.withComplexPolicy(ComplexPolicy.IMAGINARY_PART))
                .closeTo(EXPECTED.scaled(-2), 0, 0));
        assertTrue(assertThrows(MatrixFormatException.class,
                () -> MatrixFiles.read(complex, ReadOptions.DEFAULT)).getMessage().contains("REAL_FORM"));
        CsrMatrix logical = MatrixFiles.read(resource("logical.mat"), ReadOptions.DEFAULT);
        assertTrue(logical.closeTo(EXPECTED.mapValues(value -> 1), 0, 0), logical::toText);
    }

    @Test
    void goesThereAndBack() throws IOException {
        for (Map.Entry<String, CsrMatrix> named : AwkwardMatrices.all(Precision.F64, TestSeed.random("mat"))
                .entrySet()) {
            Path file = folder.resolve("there.mat");
            MatrixFiles.write(file, named.getValue(), WriteOptions.DEFAULT);
            CsrMatrix back = MatrixFiles.read(file, ReadOptions.DEFAULT);
            assertTrue(back.sameAs(named.getValue()), named.getKey());
        }
        SplittableRandom random = TestSeed.random("complex mat");
        ComplexCsr a = ComplexCsr.of(3, 2, new int[]{0, 2, 2, 3}, new int[]{0, 1, 1},
                random.doubles(6, -1, 1).toArray());
        Path file = folder.resolve("complex-there.mat");
        MatrixFiles.writeComplex(file, a, WriteOptions.DEFAULT);
        assertArrayEquals(a.realForm().onlySegment().values().doubles(),
                MatrixFiles.readComplex(file, ReadOptions.DEFAULT).realForm().onlySegment().values().doubles());
        assertThrows(IllegalArgumentException.class,
                () -> MatrixFiles.write(file, EXPECTED, WriteOptions.DEFAULT.withPattern(true)));
    }

    private void refused(String expected, byte[] contents) throws IOException {
        Path file = Files.write(folder.resolve("wrong.mat"), contents);
        String message = assertThrows(MatrixFormatException.class,
                () -> MatrixFiles.read(file, ReadOptions.DEFAULT)).getMessage();
        assertTrue(message.contains(expected), message);
    }

    @Test
    void mistakesAreNamed() throws IOException {
        refused("save it with -v7", "MATLAB 7.3 MAT-file, Platform: GLNXA64".getBytes(StandardCharsets.US_ASCII));
        refused("the matrices [p, q]", Files.readAllBytes(resource("several.mat")));
        refused("no matrix", Files.readAllBytes(resource("text.mat")));
        refused("a MAT-file of level 5", new byte[0]);
        refused("a MAT-file of level 5", "not a MAT-file at all, but longer than its header is; ".repeat(9)
                .getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void damagedFilesAreRefusedOrReadOtherwise() throws IOException {
        byte[] whole = Files.readAllBytes(resource("sparse.mat"));
        SplittableRandom random = TestSeed.random("damaged mat");
        for (int run = 0; run < 300; run++) {
            byte[] damaged =
                    random.nextInt(4) == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
            for (int k = 0; k < 1 + random.nextInt(3) && damaged.length > 0; k++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            Path file = Files.write(folder.resolve("damaged.mat"), damaged);
            try {
                CsrMatrix matrix = MatrixFiles.read(file, ReadOptions.DEFAULT);
                assertTrue(matrix.firstViolation().isEmpty(), "run " + run + ", seed " + TestSeed.value());
            } catch (MatrixFormatException e) {
                assertTrue(e.getMessage().contains("damaged.mat"), e::getMessage);
            }
        }
    }
}
