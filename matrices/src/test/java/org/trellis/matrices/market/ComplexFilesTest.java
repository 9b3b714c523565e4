package org.trellis.matrices.market;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
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
import org.trellis.memory.HostVector;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrMatrix;
import org.trellis.systems.Solution;
import org.trellis.systems.Solvers;
import org.trellis.testing.SharedData;
import org.trellis.testing.TestSeed;

/** Complex files as complex matrices, and as their real forms. */
class ComplexFilesTest {
    private static final ReadOptions REAL_FORM = ReadOptions.DEFAULT.withComplexPolicy(ComplexPolicy.REAL_FORM);

    @TempDir
    private Path folder;

    private Texts texts;

    @BeforeEach
    void prepare() {
        texts = new Texts(folder);
    }

    /** Real and imaginary parts in turns, row by row. */
    private void check(String banner, String text, double[]... rows) throws IOException {
        Path file = texts.file("%%MatrixMarket matrix " + banner + "\n" + text);
        ComplexCsr a = MatrixMarket.readComplex(file, ReadOptions.DEFAULT);
        assertEquals(rows.length, a.rows());
        for (int i = 0; i < a.rows(); i++) {
            for (int j = 0; j < a.columns(); j++) {
                double[] expected = {rows[i][2 * j], rows[i][2 * j + 1]};
                assertArrayEquals(expected, a.get(i, j), banner + ' ' + i + ' ' + j);
            }
        }
        boolean complex = MatrixFiles.isComplex(file);
        CsrMatrix form = MatrixFiles.read(file, REAL_FORM);
        assertTrue(form.closeTo(complex ? a.realForm() : a.realPart(), 0, 0), banner);
        Path compressed = texts.file("m.mtx.gz", Texts.gzip(Files.readAllBytes(file)));
        assertTrue(MatrixMarket.read(compressed, REAL_FORM).sameAs(form), banner);
    }

    private static double[] row(double... values) {
        return values;
    }

    @Test
    void readsAllKindsOfFiles() throws IOException {
        check("coordinate complex general", "2 2 4\n1 2 3 4\n1 2 1 -1\n2 1 0 0\n2 2 -1e1 .5\n", row(0, 0, 4, 3),
                row(0, 0, -10, 0.5));
        check("coordinate complex symmetric", "2 2 2\n1 1 1 2\n2 1 3 4\n", row(1, 2, 3, 4), row(3, 4, 0, 0));
        check("coordinate complex hermitian", "2 2 2\n1 1 1 0\n2 1 3 4\n", row(1, 0, 3, -4), row(3, 4, 0, 0));
        check("coordinate complex skew-symmetric", "2 2 1\n2 1 3 4\n", row(0, 0, -3, -4), row(3, 4, 0, 0));
        check("array complex general", "2 2\n1 0\n0 2\n0 0\n3 4\n", row(1, 0, 0, 0), row(0, 2, 3, 4));
        check("array complex hermitian", "2 2\n1 0\n0 2\n3 0\n", row(1, 0, 0, -2), row(0, 2, 3, 0));
        check("coordinate real general", "1 2 1\n1 2 3\n", row(0, 0, 3, 0));
        check("coordinate pattern general", "1 2 1\n1 2\n", row(0, 0, 1, 0));
    }

    @Test
    void keepsZerosOfCoordinatesInBothParts() throws IOException {
        Path file = texts.file("%%MatrixMarket matrix coordinate complex general\n1 2 2\n1 1 0 0\n1 2 0 1\n");
        assertEquals(2, MatrixFiles.readComplex(file, ReadOptions.DEFAULT).nonZeros());
        assertEquals(8, MatrixFiles.read(file, REAL_FORM).nonZeros());
        assertEquals(Precision.F32,
                MatrixFiles.readComplex(file, ReadOptions.DEFAULT.withPrecision(Precision.F32)).precision());
    }

    @Test
    void interleavesVectors() throws IOException {
        Path file = texts.file("%%MatrixMarket matrix array complex general\n2 1\n1 2\n3 -4\n");
        assertArrayEquals(new double[]{1, 2, 3, -4}, MatrixMarket.readVector(file, REAL_FORM).doubles());
        Path written = folder.resolve("x.mtx");
        MatrixMarket.writeComplexVector(written, HostVector.of(1.0, 2, 3, -4), WriteOptions.DEFAULT);
        assertEquals(Files.readString(file), Files.readString(written));
        String odd = assertThrows(IllegalArgumentException.class,
                () -> MatrixMarket.writeComplexVector(written, HostVector.of(1.0), WriteOptions.DEFAULT)).getMessage();
        assertTrue(odd.contains("complex vector of 1 parts"), odd);
    }

    @Test
    void writesWhatItReads() throws IOException {
        SplittableRandom random = TestSeed.random("complex files");
        double[] values = random.doubles(12, -1, 1).toArray();
        ComplexCsr a = ComplexCsr.of(4, 5, new int[]{0, 2, 2, 3, 6}, new int[]{0, 4, 2, 1, 2, 3}, values);
        for (String name : List.of("a.mtx", "a.mtx.gz", "a.npz")) {
            Path file = folder.resolve(name);
            MatrixFiles.writeComplex(file, a, WriteOptions.DEFAULT);
            ComplexCsr back = MatrixFiles.readComplex(file, ReadOptions.DEFAULT);
            assertTrue(back.realForm().sameAs(a.realForm()), "seed " + TestSeed.value());
        }
        CsrMatrix b = CsrMatrix.of(2, 2, new int[]{0, 2, 4}, new int[]{0, 1, 0, 1}, new double[]{1, 2, 2, 3});
        CsrMatrix skew = CsrMatrix.of(2, 2, new int[]{0, 1, 2}, new int[]{1, 0}, new double[]{-5, 5});
        checkTriangle(ComplexCsr.of(b, b), "symmetric");
        checkTriangle(ComplexCsr.of(b, skew), "hermitian");
        Path file = folder.resolve("a.el");
        assertTrue(assertThrows(IllegalArgumentException.class,
                () -> MatrixFiles.writeComplex(file, a, WriteOptions.DEFAULT)).getMessage().contains(".mtx"));
        Path market = folder.resolve("b.mtx");
        assertTrue(assertThrows(IllegalArgumentException.class, () -> MatrixFiles.writeComplex(market, a,
                WriteOptions.DEFAULT.withSymmetric(true))).getMessage().contains("symmetric or Hermitian"));
        assertThrows(IllegalArgumentException.class, () -> MatrixFiles.writeComplex(market, a,
                WriteOptions.DEFAULT.withPattern(true)));
    }

    private void checkTriangle(ComplexCsr a, String symmetry) throws IOException {
        Path file = folder.resolve(symmetry + ".mtx");
        MatrixMarket.writeComplex(file, a, WriteOptions.DEFAULT.withSymmetric(true));
        String text = Files.readString(file);
        assertTrue(text.startsWith("%%MatrixMarket matrix coordinate complex " + symmetry + "\n2 2 3\n"), text);
        assertTrue(MatrixMarket.readComplex(file, ReadOptions.DEFAULT).realForm().closeTo(a.realForm(), 0, 0), text);
    }

    @Test
    void refusesWhereNothingElseWasChosen() {
        String text = "%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2 3\n";
        Path file = texts.file(text);
        String refused = assertThrows(MatrixFormatException.class,
                () -> MatrixFiles.read(file, ReadOptions.DEFAULT)).getMessage();
        assertTrue(refused.contains("MatrixFiles.readComplex"), refused);
        assertThrows(MatrixFormatException.class, () -> MatrixMarket.read(
                new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)), "stream", REAL_FORM));
        Path wrong = texts.file("%%MatrixMarket matrix coordinate complex general\n1 1 1\n1 1 2\n");
        String found = assertThrows(MatrixFormatException.class,
                () -> MatrixFiles.readComplex(wrong, ReadOptions.DEFAULT)).getMessage();
        assertTrue(found.contains("an imaginary part"), found);
    }

    /** Real matrices of acoustics and electromagnetics: multiplied and solved by factors and by GMRES. */
    @ParameterizedTest
    @ValueSource(strings = {"young1c", "w156", "arrowc", "ctina"})
    void solvesRealProblems(String name) throws IOException {
        Path file = SharedData.folder("matrices").resolve(name + ".mtx");
        assumeTrue(Files.exists(file), file::toString);
        ComplexCsr a = MatrixFiles.readComplex(file, ReadOptions.DEFAULT);
        CsrMatrix form = MatrixFiles.read(file, REAL_FORM);
        assertEquals(2 * a.rows(), form.rows());
        double[] x = TestSeed.random("complex " + name).doubles(2L * a.columns(), -1, 1).toArray();
        double[] b = a.multiply(x);
        double scale = Arrays.stream(b).map(Math::abs).max().orElse(1);
        assertArrayEquals(b, form.multiply(x), 1e-12 * scale, name);
        Solution solution = Solvers.auto(a).tolerance(1e-10).solve(b);
        assertTrue(solution.converged(), solution::toString);
    }
}
