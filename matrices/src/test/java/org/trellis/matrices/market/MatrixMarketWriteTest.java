package org.trellis.matrices.market;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trellis.common.Precision;
import org.trellis.matrices.io.ReadOptions;
import org.trellis.matrices.io.WriteOptions;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SymmetricMatrix;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** What is written is what was meant, and comes back bit by bit. */
class MatrixMarketWriteTest {
    private static final CsrMatrix SMALL = CsrMatrix.of(2, 3, new int[]{0, 2, 3}, new int[]{0, 2, 1},
            new double[]{1.5, -2, 1e-300});
    private static final CsrMatrix SYMMETRIC = CsrMatrix.of(2, 2, new int[]{0, 2, 3}, new int[]{0, 1, 0},
            new double[]{4, 7, 7});

    @TempDir
    private Path folder;

    private String written(CsrMatrix matrix, WriteOptions options) throws IOException {
        Path file = folder.resolve("small.mtx");
        MatrixMarket.write(file, matrix, options);
        return Files.readString(file, StandardCharsets.US_ASCII);
    }

    @Test
    void generalMatrices() throws IOException {
        assertEquals("%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 1.5\n1 3 -2\n2 2 1.0E-300\n",
                written(SMALL, WriteOptions.DEFAULT));
    }

    @Test
    void commentsAndPattern() throws IOException {
        WriteOptions options = WriteOptions.DEFAULT.withPattern(true).withComments(List.of(" made by a test", ""));
        assertEquals("%%MatrixMarket matrix coordinate pattern general\n% made by a test\n%\n2 3 3\n1 1\n1 3\n2 2\n",
                written(SMALL, options));
        assertThrows(IllegalArgumentException.class, () -> WriteOptions.DEFAULT.withComments(List.of("a\nb")));
    }

    @Test
    void symmetricMatricesAsOneTriangle() throws IOException {
        String expected = "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 4\n2 1 7\n";
        assertEquals(expected, written(SYMMETRIC, WriteOptions.DEFAULT.withSymmetric(true)));
        Path file = folder.resolve("view.mtx");
        MatrixMarket.write(file, SymmetricMatrix.from(SYMMETRIC), WriteOptions.DEFAULT);
        assertEquals(expected, Files.readString(file));
        assertTrue(MatrixMarket.read(file).sameAs(SYMMETRIC));
    }

    @Test
    void asymmetricMatricesAreNotWrittenAsSymmetric() throws IOException {
        Path file = Files.writeString(folder.resolve("kept.mtx"), "before");
        WriteOptions symmetric = WriteOptions.DEFAULT.withSymmetric(true);
        assertThrows(IllegalArgumentException.class, () -> MatrixMarket.write(file, SMALL, symmetric));
        assertEquals("before", Files.readString(file));
    }

    @Test
    void specialValues() throws IOException {
        double[] values = {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, -0.0, 0.0, Double.MIN_VALUE,
            Double.MAX_VALUE, 1e23, 9007199254740994.0};
        Path file = folder.resolve("vector.mtx");
        MatrixMarket.writeVector(file, HostVector.of(values), WriteOptions.DEFAULT);
        assertEquals("nan\ninf\n-inf\n-0\n0\n", Files.readString(file).split("9 1\n", -1)[1].substring(0, 18));
        assertArrayEquals(values, MatrixMarket.readVector(file, ReadOptions.DEFAULT).doubles());
    }

    @Test
    void everyAwkwardMatrixComesBack() throws IOException {
        for (Precision precision : Precision.values()) {
            Map<String, CsrMatrix> matrices = AwkwardMatrices.all(precision, TestSeed.random("write " + precision));
            for (Map.Entry<String, CsrMatrix> each : matrices.entrySet()) {
                for (String name : List.of("m.mtx", "m.mtx.gz")) {
                    Path file = folder.resolve(name);
                    MatrixMarket.write(file, each.getValue(), WriteOptions.DEFAULT.withThreads(3));
                    CsrMatrix read = MatrixMarket.read(file, ReadOptions.DEFAULT.withPrecision(precision));
                    assertTrue(each.getValue().sameAs(read),
                            each.getKey() + " " + precision + " " + name + ", seed " + TestSeed.value());
                }
            }
        }
    }

    @Test
    void randomBitsComeBack() throws IOException {
        SplittableRandom random = TestSeed.random("random bits");
        double[] doubles = random.longs(100_000).mapToDouble(Double::longBitsToDouble)
                .map(v -> Double.isFinite(v) ? v : 1).toArray();
        float[] floats = new float[100_000];
        for (int k = 0; k < floats.length; k++) {
            float value = Float.intBitsToFloat(random.nextInt());
            floats[k] = Float.isFinite(value) ? value : 1;
        }
        Path file = folder.resolve("bits.mtx.gz");
        MatrixMarket.writeVector(file, HostVector.of(doubles), WriteOptions.DEFAULT);
        assertArrayEquals(doubles, MatrixMarket.readVector(file, ReadOptions.DEFAULT).doubles());
        MatrixMarket.writeVector(file, HostVector.of(floats), WriteOptions.DEFAULT);
        assertArrayEquals(floats,
                MatrixMarket.readVector(file, ReadOptions.DEFAULT.withPrecision(Precision.F32)).floats());
    }

    @Test
    void denseArraysComeBack() throws IOException {
        Path file = folder.resolve("dense.mtx");
        DenseArray array = new DenseArray(2, 3, new double[]{1, 2, 3, 4, 0, 6});
        MatrixMarket.writeDense(file, array, WriteOptions.DEFAULT);
        assertEquals(array, MatrixMarket.readDense(file, ReadOptions.DEFAULT));
    }

    @Test
    void theFileDoesNotDependOnThreads() throws IOException {
        CsrMatrix matrix = AwkwardMatrices.stencil(300, 300, Precision.F64, TestSeed.random("threads"));
        List<byte[]> files = new ArrayList<>();
        for (int threads : new int[]{1, 2, 5}) {
            Path file = folder.resolve("t.mtx.gz");
            MatrixMarket.write(file, matrix, WriteOptions.DEFAULT.withThreads(threads));
            files.add(Files.readAllBytes(file));
        }
        assertArrayEquals(files.get(0), files.get(1));
        assertArrayEquals(files.get(0), files.get(2));
    }

    @Test
    void aFailedWriteLeavesNothingBehind() throws IOException {
        Path file = Files.writeString(folder.resolve("kept.mtx"), "before");
        WriteOptions failing = WriteOptions.DEFAULT.withProgress((stage, done, total) -> {
            throw new IllegalStateException("enough");
        });
        assertThrows(IllegalStateException.class, () -> MatrixMarket.write(file, SMALL, failing));
        assertEquals("before", Files.readString(file));
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(List.of(file), left.toList());
        }
        Path nowhere = folder.resolve("missing/m.mtx");
        String message = assertThrows(FileSystemException.class,
                () -> MatrixMarket.write(nowhere, SMALL, WriteOptions.DEFAULT)).getMessage();
        assertTrue(message.contains("there is no folder " + nowhere.getParent()), message);
        assertThrows(IOException.class, () -> MatrixMarket.write(folder, SMALL, WriteOptions.DEFAULT));
    }

    @Test
    void linksAreFollowed() throws IOException {
        Path file = Files.writeString(folder.resolve("file.mtx"), "before");
        Path link = Files.createSymbolicLink(folder.resolve("link.mtx"), file);
        MatrixMarket.write(link, SMALL, WriteOptions.DEFAULT);
        assertTrue(Files.isSymbolicLink(link));
        assertTrue(MatrixMarket.read(file).sameAs(SMALL));
    }
}
