package org.trellis.sparse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.solve.IterationObserver;
import org.trellis.solve.LinearSolver;
import org.trellis.solve.SolveReport;
import org.trellis.solve.StoppingCriteria;
import org.trellis.solve.krylov.KrylovMethod;

/**
 * More than 2³¹ non-zeros, on every backend that there is: products, transposed products, the transpose, and conjugate
 * gradients. Takes a heap of 100 GB, {@code -Dtrellis.test.large=true -Dtrellis.test.heap=100g}, and some minutes on 16
 * cores.
 */
@EnabledIfSystemProperty(named = "trellis.test.large", matches = "true")
class LargeMatrixTest {
    /** Entries on each side of the diagonal. */
    private static final int HALF = 20;
    private static final int ROWS = 53_000_000;

    /** Minus ones beside a diagonal of their number and 2, columns multiplied by a factor. */
    private static CsrMatrix banded(boolean symmetric) {
        int[] lengths = new int[ROWS];
        Arrays.setAll(lengths, row -> Math.min(ROWS - 1, row + HALF) - Math.max(0, row - HALF) + 1);
        return CsrFill.fill(ROWS, Precision.F64, lengths, () -> (row, columns, values, at) -> {
            int first = Math.max(0, row - HALF);
            for (int k = 0; k < lengths[row]; k++) {
                int column = first + k;
                columns[at + k] = column;
                values.set(at + k, (column == row ? 2 * HALF + 2 : -1) * (symmetric ? 1 : factor(column)));
            }
        });
    }

    private static double factor(int column) {
        return 1 + column % 3;
    }

    /** What a row of the symmetric matrix sums up to. */
    private static double sum(int row) {
        int neighbours = Math.min(ROWS - 1, row + HALF) - Math.max(0, row - HALF);
        return 2 * HALF + 2 - neighbours;
    }

    private static void onEachBackend(java.util.function.Consumer<Backend> use) {
        for (BackendProvider provider : Backends.providers()) {
            if (provider.probe().available()) {
                try (Backend backend = Backends.open(provider.name(), Configuration.load())) {
                    use.accept(backend);
                }
            }
        }
    }

    private static HostVector result(Backend backend, CsrMatrix matrix, HostVector x, boolean transposed) {
        HostVector y = HostVector.zeros(Precision.F64, ROWS);
        try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                DenseVector from = backend.vector(Precision.F64, ROWS);
                DenseVector to = backend.vector(Precision.F64, ROWS)) {
            from.copyFrom(x);
            if (transposed) {
                product.applyTransposed(1, from, 0, to);
            } else {
                product.apply(from, to);
            }
            to.copyTo(y);
        }
        return y;
    }

    @Test
    void productsAndTransposes() {
        CsrMatrix matrix = banded(false);
        assertTrue(matrix.nonZeros() > 1L << 31 && matrix.segments().size() > 1, matrix::toString);
        assertEquals(Optional.empty(), matrix.firstViolation());
        HostVector inverse = HostVector.of(Precision.F64, ROWS, i -> 1 / factor(i));
        HostVector ones = HostVector.zeros(Precision.F64, ROWS).fill(1);
        onEachBackend(backend -> {
            HostVector y = result(backend, matrix, inverse, false);
            HostVector z = result(backend, matrix, ones, true);
            for (int i = 0; i < ROWS; i++) {
                if (Math.abs(y.get(i) - sum(i)) > 1e-9 || Math.abs(z.get(i) - factor(i) * sum(i)) > 1e-9) {
                    assertEquals(sum(i), y.get(i), 1e-9, backend.name() + ", row " + i);
                    assertEquals(factor(i) * sum(i), z.get(i), 1e-9, backend.name() + ", column " + i);
                }
            }
        });
        CsrMatrix transposed = matrix.transpose();
        assertEquals(matrix.nonZeros(), transposed.nonZeros());
        assertEquals(Optional.empty(), transposed.firstViolation());
        for (int i = ROWS - 1; i > 0; i -= 999_983) {
            for (int j = Math.max(0, i - HALF); j <= Math.min(ROWS - 1, i + HALF); j++) {
                assertEquals(matrix.get(i, j), transposed.get(j, i), "row " + i + ", column " + j);
            }
        }
    }

    @Test
    void conjugateGradients() {
        CsrMatrix matrix = banded(true);
        HostVector expected = HostVector.of(Precision.F64, ROWS, i -> 1 + i % 7);
        onEachBackend(backend -> {
            if (backend.name().equals("reference")) {
                return; // on one thread it takes too long
            }
            HostVector right = result(backend, matrix, expected, false);
            try (SpmvOperator product = backend.kernels(SparseKernels.class).prepare(matrix);
                    LinearSolver solver = KrylovMethod.CG.prepare(product, null, backend, Map.of());
                    DenseVector b = backend.vector(Precision.F64, ROWS);
                    DenseVector x = backend.vector(Precision.F64, ROWS)) {
                b.copyFrom(right);
                x.copyFrom(HostVector.zeros(Precision.F64, ROWS));
                SolveReport report = solver.solve(b, x, StoppingCriteria.relative(1e-10, 200),
                        IterationObserver.NONE);
                assertTrue(report.converged(), backend.name() + ": " + report);
                HostVector found = HostVector.zeros(Precision.F64, ROWS);
                x.copyTo(found);
                for (int i = 0; i < ROWS; i += 997) {
                    assertEquals(expected.get(i), found.get(i), 1e-6, backend.name() + ", row " + i);
                }
            }
        });
    }
}
