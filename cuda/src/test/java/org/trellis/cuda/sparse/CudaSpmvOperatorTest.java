package org.trellis.cuda.sparse;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.TestGpu;
import org.trellis.cuda.algebra.CudaAlgebra;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Products that only the GPU has, and variants that parameters do not name. */
class CudaSpmvOperatorTest {
    private static final int SIZE = 3000;

    @ParameterizedTest
    @EnumSource(Precision.class)
    void multipliesAndDots(Precision precision) {
        SplittableRandom random = TestSeed.random("multipliesAndDots");
        CsrMatrix matrix = skewed(precision, random);
        HostVector x = draw(precision, random);
        HostVector w = draw(precision, random);
        HostVector product = reference(matrix, x);
        double expected = 0;
        double scale = 0;
        for (int i = 0; i < SIZE; i++) {
            expected += 2 * product.get(i) * w.get(i);
            scale += Math.abs(2 * product.get(i) * w.get(i));
        }
        try (CudaBackend backend = TestGpu.open();
                CudaVector onX = upload(backend, x);
                CudaVector onW = upload(backend, w);
                CudaVector onY = backend.vector(precision, SIZE);
                CudaVector result = backend.vector(Precision.F64, 1)) {
            for (SpmvParameters parameters : everyFamily()) {
                try (CudaSpmvOperator operator = new CudaSparseKernels(backend.context()).prepare(matrix, parameters)) {
                    operator.multiplyAndDot(2, onX, 0, onY, onW, result, 0);
                    double dot = download(result).get(0);
                    assertEquals(expected, dot, 1000 * precision.unitRoundoff() * scale, parameters::toString);
                    assertClose(product, 2, download(onY), parameters.toString());
                    for (int i = 0; i < 5; i++) {
                        operator.multiplyAndDot(2, onX, 0, onY, onW, result, 0);
                        assertTrue(dot == download(result).get(0), parameters + ": other bits");
                    }
                }
            }
        }
    }

    /** More blocks than one group, so that groups are added up too. */
    @Test
    void dotsOverManyBlocks() {
        SplittableRandom random = TestSeed.random("dotsOverManyBlocks");
        int size = 200_000;
        int columns = 500;
        CsrMatrix matrix = AwkwardMatrices.random(size, columns, row -> row % 5, Precision.F64, random);
        HostVector x = HostVector.of(Precision.F64, columns, i -> random.nextDouble(-1, 1));
        double[] sums = new double[size];
        matrix.forEachEntry((row, column, value) -> sums[row] += value * x.get(column));
        double expected = 0;
        for (double sum : sums) {
            expected += sum * sum;
        }
        try (CudaBackend backend = TestGpu.open();
                CudaVector onX = upload(backend, x);
                CudaVector onY = backend.vector(Precision.F64, size);
                CudaVector result = backend.vector(Precision.F64, 1)) {
            SpmvParameters parameters =
                    SpmvParameters.of(SpmvFamily.CSR).withBlockSize(32).withCooperatingThreads(4);
            try (CudaSpmvOperator operator = new CudaSparseKernels(backend.context()).prepare(matrix, parameters)) {
                for (int run = 0; run < 3; run++) {
                    operator.multiplyAndDot(1, onX, 0, onY, onY, result, 0);
                    assertEquals(expected, download(result).get(0), 1e-11 * expected);
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Precision.class)
    void doesJacobiSteps(Precision precision) {
        SplittableRandom random = TestSeed.random("doesJacobiSteps");
        CsrMatrix matrix = skewed(precision, random);
        HostVector x = draw(precision, random);
        HostVector b = draw(precision, random);
        HostVector inverse = draw(precision, random);
        HostVector product = reference(matrix, x);
        HostVector expected = HostVector.of(precision, SIZE,
                i -> x.get(i) + 0.75 * inverse.get(i) * (b.get(i) - product.get(i)));
        try (CudaBackend backend = TestGpu.open();
                CudaVector onX = upload(backend, x);
                CudaVector onB = upload(backend, b);
                CudaVector onD = upload(backend, inverse);
                CudaVector onY = backend.vector(precision, SIZE)) {
            for (SpmvParameters parameters : everyFamily()) {
                try (CudaSpmvOperator operator = new CudaSparseKernels(backend.context()).prepare(matrix, parameters)) {
                    operator.jacobiStep(0.75, onX, onD, onB, onY);
                    assertClose(expected, 1, download(onY), parameters.toString());
                    assertThrows(IllegalArgumentException.class, () -> operator.jacobiStep(1, onX, onD, onB, onX));
                }
            }
        }
    }

    @Test
    void sumsFloatsInDouble() {
        SplittableRandom random = TestSeed.random("sumsFloatsInDouble");
        CsrMatrix matrix = skewed(Precision.F32, random);
        HostVector x = draw(Precision.F32, random);
        HostVector expected = reference(matrix, x);
        try (CudaBackend backend = TestGpu.open();
                CudaVector onX = upload(backend, x);
                CudaVector onY = backend.vector(Precision.F32, SIZE)) {
            CudaSparseKernels kernels = new CudaSparseKernels(backend.context()).withDoubleSums();
            for (SpmvParameters parameters : everyFamily()) {
                try (SpmvOperator operator = kernels.prepare(matrix, parameters)) {
                    operator.multiply(onX, onY);
                    HostVector actual = download(onY);
                    for (int i = 0; i < SIZE; i++) {
                        double rounding = 2 * Precision.F32.unitRoundoff() * Math.abs(expected.get(i)) + 1e-10;
                        assertEquals(expected.get(i), actual.get(i), rounding, parameters + ", row " + i);
                    }
                }
            }
        }
    }

    @Test
    void multipliesWithWideOffsets() {
        SplittableRandom random = TestSeed.random("multipliesWithWideOffsets");
        CsrMatrix matrix = skewed(Precision.F64, random);
        HostVector x = draw(Precision.F64, random);
        HostVector expected = reference(matrix, x);
        try (CudaBackend backend = TestGpu.open();
                CudaVector onX = upload(backend, x);
                CudaVector onY = backend.vector(Precision.F64, SIZE)) {
            CudaSparseKernels kernels = new CudaSparseKernels(backend.context(), new CudaAlgebra(backend.context()),
                    Precision.F32, true);
            SpmvParameters parameters =
                    SpmvParameters.of(SpmvFamily.CSR).withBlockSize(128).withCooperatingThreads(8).withRowsPerGroup(3);
            try (SpmvOperator operator = kernels.prepare(matrix, parameters)) {
                operator.multiply(onX, onY);
                assertClose(expected, 1, download(onY), "wide offsets");
            }
        }
    }

    @Test
    @SuppressWarnings("MustBeClosed") // closed by the test
    void givesMemoryBack() {
        SplittableRandom random = TestSeed.random("givesMemoryBack");
        CsrMatrix matrix = skewed(Precision.F64, random);
        try (CudaBackend backend = TestGpu.open()) {
            CudaSparseKernels kernels = new CudaSparseKernels(backend.context());
            long before = backend.context().memoryStatistics().usedBytes();
            for (SpmvParameters parameters : everyFamily()) {
                kernels.prepare(matrix, parameters).close();
            }
            kernels.dropLayout();
            assertEquals(before, backend.context().memoryStatistics().usedBytes());
        }
    }

    private static List<SpmvParameters> everyFamily() {
        return List.of(SpmvParameters.of(SpmvFamily.CSR).withBlockSize(128).withCooperatingThreads(4),
                SpmvParameters.of(SpmvFamily.CSR).withBlockSize(64).withCooperatingThreads(32).withIndexBits(16),
                CudaRule.tiles(128, 4, 32), CudaRule.tiles(256, 2, 16),
                Chunked.parameters(SpmvFamily.SELL, new ChunkShape(2, 1), 1, 128, 32),
                Chunked.parameters(SpmvFamily.SELL, new ChunkShape(1, 4), 1024, 256, 32),
                Chunked.parameters(SpmvFamily.SELL, new ChunkShape(8, 2), 64, 64, 16),
                Chunked.parameters(SpmvFamily.SELL_RUNS, new ChunkShape(1, 2), 1, 128, 16),
                Chunked.parameters(SpmvFamily.SELL_RUNS, new ChunkShape(4, 1), 1024, 128, 16));
    }

    /** Some rows are longer than any tile and any stored row. */
    private static CsrMatrix skewed(Precision precision, SplittableRandom random) {
        return AwkwardMatrices.random(SIZE, SIZE, row -> row % 1000 == 7 ? SIZE : row % 25, precision, random);
    }

    private static HostVector draw(Precision precision, SplittableRandom random) {
        return HostVector.of(precision, SIZE, i -> random.nextDouble(-1, 1));
    }

    private static HostVector reference(CsrMatrix matrix, HostVector x) {
        double[] sums = new double[SIZE];
        matrix.forEachEntry((row, column, value) -> sums[row] += value * x.get(column));
        return HostVector.of(sums);
    }

    private static void assertClose(HostVector expected, double factor, HostVector actual, String context) {
        double allowed = 2000 * actual.precision().unitRoundoff();
        double[] rows = new double[SIZE];
        double[] wanted = new double[SIZE];
        for (int i = 0; i < SIZE; i++) {
            rows[i] = actual.get(i);
            wanted[i] = factor * expected.get(i);
        }
        assertArrayEquals(wanted, rows, allowed, context);
    }

    @SuppressWarnings("MustBeClosed") // closed by the test
    private static CudaVector upload(CudaBackend backend, HostVector host) {
        CudaVector vector = backend.vector(host.precision(), host.length());
        vector.copyFrom(host);
        return vector;
    }

    private static HostVector download(CudaVector vector) {
        HostVector host = HostVector.zeros(vector.precision(), vector.length());
        vector.copyTo(host);
        return host;
    }
}
