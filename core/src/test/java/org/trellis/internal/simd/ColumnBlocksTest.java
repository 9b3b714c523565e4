package org.trellis.internal.simd;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trellis.backend.Backend;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.internal.threads.product.PreparedProduct;
import org.trellis.internal.threads.team.WorkerTeam;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;
import org.trellis.testing.AwkwardMatrices;
import org.trellis.testing.TestSeed;

/** Products in blocks of columns, which the contract test's matrices are too small for. */
final class ColumnBlocksTest {
    @ParameterizedTest
    @ValueSource(ints = {1, 7, 64, 400, 1000})
    void addsUpToTheWholeProduct(int blockColumns) {
        SplittableRandom random = TestSeed.random("addsUp" + blockColumns);
        for (Precision precision : Precision.values()) {
            CsrMatrix matrix = AwkwardMatrices.random(333, 700, row -> row == 5 ? 690 : row % 21, precision, random);
            HostVector x = HostVector.of(precision, 700, i -> random.nextDouble(-1, 1));
            HostVector y = HostVector.of(precision, 333, i -> random.nextDouble(-1, 1));
            for (double[] scalars : new double[][]{{1, 0}, {1, 1}, {-2, 0.5}, {2, 0}}) {
                HostVector expected = y.copy();
                reference(matrix, scalars, x, expected);
                HostVector actual = y.copy();
                blocks(matrix, blockColumns, scalars, x, actual);
                for (int i = 0; i < 333; i++) {
                    assertEquals(expected.get(i), actual.get(i), 3000 * precision.unitRoundoff(), "row " + i);
                }
            }
        }
    }

    private static void reference(CsrMatrix matrix, double[] scalars, HostVector x, HostVector y) {
        try (Backend backend = Backends.open("reference", Configuration.load());
                SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix)) {
            product.multiply(scalars[0], x, scalars[1], y);
        }
    }

    private static void blocks(CsrMatrix matrix, int blockColumns, double[] scalars, HostVector x, HostVector y) {
        List<PreparedProduct> parts = matrix.precision() == Precision.F64
                ? DoubleColumnBlocks.prepare(matrix.onlySegment(), 700, blockColumns, 256, 1, 2)
                : FloatColumnBlocks.prepare(matrix.onlySegment(), 700, blockColumns, 256, 1, 2);
        assertEquals(blockColumns >= 700 ? 1 : (700 + blockColumns - 1) / blockColumns + 1, parts.size());
        try (WorkerTeam team = new WorkerTeam(2)) {
            for (PreparedProduct part : parts) {
                team.run(part.units(), unit -> part.run(unit, scalars[0], x, scalars[1], y));
                part.finish(scalars[0], scalars[1], y);
            }
        }
    }

    @Test
    void areTakenForRandomColumnsOnly() {
        SplittableRandom random = TestSeed.random("areTaken");
        CsrMatrix jumping = AwkwardMatrices.random(300, 40_000, row -> 12, Precision.F64, random);
        assertTrue(ColumnPattern.gainsFromBlocks(jumping, 10_000));
        assertFalse(ColumnPattern.gainsFromBlocks(jumping, 1000), "too few entries a block");
        CsrMatrix stencil = AwkwardMatrices.stencil(300, 20, Precision.F64, random);
        assertFalse(ColumnPattern.gainsFromBlocks(stencil, 3000), "neighbours share cache lines");
    }

    @Test
    void areOfferedForWideMatrices() {
        CsrMatrix wide = CsrMatrix.of(1, 3_000_000, new int[]{0, 2}, new int[]{0, 2_999_999}, new double[]{2, 3});
        try (SimdBackend backend = new SimdBackend(2)) {
            SparseKernels kernels = backend.kernels(SparseKernels.class);
            List<SpmvParameters> blocked = kernels.parameterSpace(wide).stream()
                    .filter(p -> p.family() == SpmvFamily.SELL && p.blockSize() > 0).toList();
            HostVector x = HostVector.zeros(Precision.F64, 3_000_000).fill(1);
            for (SpmvParameters parameters : blocked) {
                try (SpmvOperator product = kernels.prepare(wide, parameters)) {
                    HostVector y = HostVector.zeros(Precision.F64, 1);
                    product.multiply(x, y);
                    assertEquals(5, y.get(0));
                }
            }
            assertEquals(DoubleLanes.SPECIES.vectorBitSize() >= 256, !blocked.isEmpty());
        }
    }
}
