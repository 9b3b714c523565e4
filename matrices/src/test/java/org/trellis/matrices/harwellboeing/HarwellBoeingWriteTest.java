package org.trellis.matrices.harwellboeing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.matrices.MatrixFiles;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.sparse.ComplexCsr;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Written files, by the standard and as they are read back. */
class HarwellBoeingWriteTest {
    private static final WriteOptions TITLED = WriteOptions.DEFAULT.withComments(List.of("A title", "and more"));

    @TempDir
    private Path folder;

    private static CsrMatrix small() {
        return dense(new double[][]{{1, 0, -2.5}, {0, 1e-300, 4}});
    }

    @Test
    void standsInTheFieldsOfItsFormats() throws IOException {
        Path file = folder.resolve("m.rra");
        HarwellBoeing.write(file, small(), TITLED);
        assertEquals("A title" + " ".repeat(65) + "trellis \n"
                + "             4             1             1             2             0\n"
                + "RRA                        2             3             4             0\n"
                + "(40I2)          (40I2)          (3E25.16)\n"
                + " 1 2 3 5\n"
                + " 1 2 1 2\n"
                + "                      1.0                 1.0E-300                     -2.5\n"
                + "                      4.0\n", Files.readString(file));
        Path rutherford = folder.resolve("m.rb");
        HarwellBoeing.write(rutherford, small(), WriteOptions.DEFAULT.withPattern(true));
        assertEquals("             2             1             1             0",
                Files.readAllLines(rutherford).get(1));
        assertEquals('P', HarwellBoeing.readHeader(rutherford).values());
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void isReadBackBitForBit(Precision precision) throws IOException {
        SplittableRandom random = TestSeed.random("isReadBackBitForBit");
        ReadOptions reading = ReadOptions.DEFAULT.withPrecision(precision);
        for (Map.Entry<String, CsrMatrix> each : AwkwardMatrices.all(precision, random).entrySet()) {
            for (String name : new String[]{"m.hb", "m.rb.gz"}) {
                Path file = folder.resolve(name);
                MatrixFiles.write(file, each.getValue(), WriteOptions.DEFAULT);
                assertEquals(entries(each.getValue()), entries(MatrixFiles.read(file, reading)),
                        each.getKey() + ", " + name);
            }
        }
    }

    @Test
    void writesOneTriangleAndPatterns() throws IOException {
        CsrMatrix symmetric = dense(new double[][]{{4, 1, 0}, {1, 5, -2}, {0, -2, 6}});
        Path file = folder.resolve("m.rsa");
        HarwellBoeing.write(file, symmetric, WriteOptions.DEFAULT.withSymmetric(true));
        assertEquals(new HarwellBoeingHeader("written by Trellis", 'R', 'S', 3, 3, 5), HarwellBoeing.readHeader(file));
        assertEquals(entries(symmetric), entries(MatrixFiles.read(file)));
        Path pattern = folder.resolve("m.psa");
        HarwellBoeing.write(pattern, symmetric, WriteOptions.DEFAULT.withSymmetric(true).withPattern(true));
        assertEquals(entries(symmetric.mapValues(value -> 1)), entries(MatrixFiles.read(pattern)));
    }

    @Test
    void writesComplexMatrices() throws IOException {
        ComplexCsr matrix = ComplexCsr.of(small(), small().mapValues(value -> 1 / value));
        Path file = folder.resolve("m.hb");
        MatrixFiles.writeComplex(file, matrix, WriteOptions.DEFAULT);
        assertTrue(MatrixFiles.isComplex(file));
        ComplexCsr read = MatrixFiles.readComplex(file, ReadOptions.DEFAULT);
        assertEquals(entries(matrix.realPart()), entries(read.realPart()));
        assertEquals(entries(matrix.imaginaryPart()), entries(read.imaginaryPart()));
        assertThrows(IllegalArgumentException.class,
                () -> MatrixFiles.writeComplex(file, matrix, WriteOptions.DEFAULT.withSymmetric(true)));
    }

    @Test
    void saysWhatItCannotWrite() throws IOException {
        Path file = folder.resolve("m.rsa");
        assertEquals("a matrix of type RRA for " + file + ", expected a name that ends in .rra, .hb or .rb, or a "
                + "symmetric matrix and the option for it", refusal(file, small(), WriteOptions.DEFAULT));
        assertFalse(Files.exists(file));
        Path other = folder.resolve("m.hb");
        assertTrue(refusal(other, small().mapValues(value -> value < 0 ? Double.NaN : value), WriteOptions.DEFAULT)
                .startsWith("value NaN in row 1, expected finite ones"));
        assertFalse(Files.exists(other));
        assertTrue(refusal(other, dense(new double[][]{{1, 2}, {3, 4}}),
                WriteOptions.DEFAULT.withSymmetric(true)).contains("symmetric"));
    }

    private static String refusal(Path file, CsrMatrix matrix, WriteOptions options) {
        return assertThrows(IllegalArgumentException.class, () -> HarwellBoeing.write(file, matrix, options))
                .getMessage();
    }

    @Test
    void anyFormatIsConvertedIntoAnyOther() throws IOException {
        CsrMatrix matrix = AwkwardMatrices.stencil(7, 5, Precision.F64, TestSeed.random("anyFormat"));
        List<String> endings = List.of(".mtx", ".mtx.gz", ".hb", ".rua.gz", ".rb", ".npz", ".wel", ".el.gz");
        for (String from : endings) {
            Path first = folder.resolve("first" + from);
            MatrixFiles.write(first, matrix, WriteOptions.DEFAULT);
            for (String to : endings) {
                Path second = folder.resolve("second" + to);
                MatrixFiles.write(second, MatrixFiles.read(first), WriteOptions.DEFAULT);
                assertEquals(entries(matrix), entries(MatrixFiles.read(second)), from + " into " + to);
            }
        }
    }

    private static CsrMatrix dense(double[][] rows) {
        CsrBuilder builder = new CsrBuilder(rows[0].length, Precision.F64, 9);
        for (double[] row : rows) {
            for (int j = 0; j < row.length; j++) {
                if (row[j] != 0) {
                    builder.add(j, row[j]);
                }
            }
            builder.endRow();
        }
        return builder.build();
    }

    private static List<List<Number>> entries(CsrMatrix matrix) {
        List<List<Number>> all = new ArrayList<>();
        all.add(List.of(matrix.rows(), matrix.columns()));
        matrix.forEachEntry((row, column, value) -> all.add(List.of(row, column, value)));
        return all;
    }
}
