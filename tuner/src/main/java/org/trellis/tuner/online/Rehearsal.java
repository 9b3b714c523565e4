package org.trellis.tuner.online;

import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.trellis.backend.Backend;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.CsrSegment;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/**
 * Lets the JVM compile a kernel before its first product counts. A loop of the Vector API that the JVM has not compiled
 * yet takes a hundred times as long as one that it has; so the kernel multiplies the first few rows of the matrix for
 * some milliseconds, once in a process for each kind of kernel. On a GPU kernels are compiled by
 * {@link SpmvOperator#makeReady()} and nothing is rehearsed.
 */
final class Rehearsal {
    private static final int LARGEST_NON_ZEROS = 30_000;
    private static final int LARGEST_COLUMNS = 1 << 23;
    private static final long LONGEST_NANOS = 2_000_000_000L;
    private static final long STEADY_NANOS = 60_000_000L;
    private static final int PRODUCTS_OF_A_ROUND = 16;
    private static final double STEADY = 1.1;
    private static final Set<String> DONE = ConcurrentHashMap.newKeySet();

    private Rehearsal() {}

    /** Rehearses a way of running unless that was done, or cannot be with so few rows. */
    static void rehearse(Backend backend, CsrMatrix matrix, SpmvParameters parameters) {
        String kind = backend.name() + ' ' + parameters.family() + ' ' + parameters.simd() + ' '
                + (parameters.blockSize() > 0) + ' ' + matrix.precision();
        if (matrix.columns() > LARGEST_COLUMNS || matrix.rows() == 0 || DONE.contains(kind)) {
            return;
        }
        CsrMatrix few = firstRows(matrix);
        SparseKernels kernels = backend.kernels(SparseKernels.class);
        if (few.nonZeros() == 0 || kernels.constraint(few, parameters).isPresent()) {
            return;
        }
        DONE.add(kind);
        try (SpmvOperator operator = kernels.prepare(few, parameters);
                DenseVector x = backend.vector(matrix.precision(), few.columns());
                DenseVector y = backend.vector(matrix.precision(), few.rows())) {
            run(operator, x, y);
        }
    }

    /** Until the fastest round has not become notably faster for a while, or the time is over. */
    private static void run(SpmvOperator operator, DenseVector x, DenseVector y) {
        long start = System.nanoTime();
        long fastest = Long.MAX_VALUE;
        long improved = start;
        long now = start;
        while (now - improved < STEADY_NANOS && now - start < LONGEST_NANOS) {
            long before = now;
            for (int i = 0; i < PRODUCTS_OF_A_ROUND; i++) {
                operator.multiply(x, y);
            }
            now = System.nanoTime();
            if ((now - before) * STEADY < fastest) {
                improved = now;
            }
            fastest = Math.min(fastest, now - before);
        }
    }

    private static CsrMatrix firstRows(CsrMatrix matrix) {
        CsrSegment segment = matrix.segments().getFirst();
        int[] offsets = segment.rowOffsets();
        int rows = 1;
        while (rows < segment.rows() && offsets[rows + 1] <= LARGEST_NON_ZEROS) {
            rows++;
        }
        int count = offsets[rows];
        HostVector values = HostVector.zeros(matrix.precision(), count);
        for (int k = 0; k < count; k++) {
            values.set(k, segment.values().get(k));
        }
        return CsrMatrix.of(rows, matrix.columns(), Arrays.copyOf(offsets, rows + 1),
                Arrays.copyOf(segment.columnIndices(), count), values);
    }
}
