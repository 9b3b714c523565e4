package org.trellis.cuda.sparse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trellis.common.Precision;
import org.trellis.cuda.CudaBackend;
import org.trellis.cuda.algebra.CudaAlgebra;
import org.trellis.cuda.algebra.CudaMatrix;
import org.trellis.cuda.emulation.EmulatedGpu;
import org.trellis.sparse.CsrBuilder;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.algebra.MatrixAlgebra;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Reads stencils that are laid out on the host and on a device back as {@code stencil.cu} does. */
class EmulatedStencilLayoutsTest {
    private static final int CHUNK = 128;

    /** One for all tests, so that they share what was compiled. */
    @TempDir
    private static Path folder;

    @ParameterizedTest
    @EnumSource(Precision.class)
    void chunksHoldEveryEntry(Precision precision) {
        SplittableRandom random = TestSeed.random("chunksHoldEveryEntry");
        Map<String, CsrMatrix> all = AwkwardMatrices.all(precision, random);
        all.put("33 diagonals", stencil(300, 33, precision));
        all.put("32 diagonals", stencil(300, 32, precision));
        all.put("13 diagonals", stencil(129, 13, precision));
        all.put("infinite", stencil(129, 3, precision).mapValues((i, j, a) -> i == j ? Double.NaN : a));
        int found = 0;
        try (CudaBackend backend = EmulatedGpu.in(folder).open()) {
            CudaAlgebra algebra = (CudaAlgebra) backend.kernels(MatrixAlgebra.class);
            ResidentLayouts layouts = new ResidentLayouts(algebra);
            for (Map.Entry<String, CsrMatrix> each : all.entrySet()) {
                CsrMatrix host = each.getValue();
                try (CudaMatrix matrix = algebra.upload(host)) {
                    Optional<StencilLayout> expected = StencilLayout.of(HostCsr.of(host), CHUNK);
                    assertEquals(expected.isPresent(), layouts.takes(matrix, CudaRule.stencil()), each.getKey());
                    if (expected.isPresent()) {
                        found++;
                        check(host, expected.get(), layouts, matrix, each.getKey());
                    }
                }
            }
        }
        assertTrue(found >= 5, found + " stencils");
    }

    private static void check(CsrMatrix host, StencilLayout expected, ResidentLayouts layouts, CudaMatrix matrix,
            String context) {
        MemorySegment values = HostCsr.of(host).gather(expected.source());
        check(host, new Chunks(MemorySegment.ofArray(expected.records()), MemorySegment.ofArray(expected.tables()),
                values, host.precision()), context + ", host");
        DeviceLayout layout = layouts.create(matrix, CudaRule.stencil());
        assertFalse(layout.takesValues(), "values stand for several entries");
        assertEquals(host.rows(), layout.argument(0), context);
        assertEquals(Math.ceilDiv(host.rows(), CHUNK), layout.argument(1), context);
        check(host, new Chunks(memory(layout.argument(7)), memory(layout.argument(8)), memory(layout.argument(9)),
                host.precision()), context + ", device");
        layout.release();
    }

    /** The memory of the emulated device is that of the host. */
    @SuppressWarnings("restricted")
    private static MemorySegment memory(long address) {
        return MemorySegment.ofAddress(address).reinterpret(Integer.MAX_VALUE);
    }

    private static void check(CsrMatrix matrix, Chunks chunks, String context) {
        for (int row = 0; row < matrix.rows(); row++) {
            Map<Integer, Double> expected = new TreeMap<>();
            matrix.submatrix(row, row + 1, 0, matrix.columns())
                    .forEachEntry((i, column, value) -> expected.put(column, value));
            int at = row;
            assertEquals(expected, chunks.row(row), () -> context + ", row " + at);
        }
    }

    @Test
    void constantCoefficientsTakeNoValues() {
        CsrMatrix stencil = AwkwardMatrices.constantStencil(512, 32, Precision.F64);
        StencilLayout layout = StencilLayout.of(HostCsr.of(stencil), CHUNK).orElseThrow();
        assertTrue(layout.source().length < 200, layout.source().length + " values");
        assertEquals(Optional.empty(),
                StencilLayout.of(HostCsr.of(stencil.mapValues((i, j, a) -> i == 7000 ? -a : a)), CHUNK));
    }

    /** A band with a value for each diagonal. */
    private static CsrMatrix stencil(int rows, int diagonals, Precision precision) {
        CsrBuilder builder = new CsrBuilder(rows, precision, (long) rows * diagonals);
        for (int row = 0; row < rows; row++) {
            for (int d = Math.max(0, row - 1); d < Math.min(rows, row - 1 + diagonals); d++) {
                builder.add(d, 1.0 / (2 + d - row));
            }
            builder.endRow();
        }
        return builder.build();
    }

    /** A layout as {@code stencil.cu} reads it. */
    private record Chunks(MemorySegment records, MemorySegment tables, MemorySegment values, Precision precision) {
        private int record(int row, int place) {
            return records.getAtIndex(ValueLayout.JAVA_INT, 16L * (row / CHUNK) + place);
        }

        Map<Integer, Double> row(int row) {
            Map<Integer, Double> found = new TreeMap<>();
            int diagonals = record(row, 2);
            boolean inlined = diagonals <= 12;
            int table = record(row, 1);
            for (int d = 0; d < diagonals; d++) {
                int masks = table + (inlined ? 0 : diagonals);
                if (record(row, 3) == 0 || (integer(masks + row % CHUNK) >> d & 1) != 0) {
                    int base = inlined ? record(row, 4 + d) : integer(table + d);
                    long slot = 32L * record(row, 0) + d;
                    found.put(base + row % CHUNK, precision == Precision.F64
                            ? values.getAtIndex(ValueLayout.JAVA_DOUBLE, slot)
                            : values.getAtIndex(ValueLayout.JAVA_FLOAT, slot));
                }
            }
            return found;
        }

        private int integer(long index) {
            return tables.getAtIndex(ValueLayout.JAVA_INT, index);
        }
    }
}
