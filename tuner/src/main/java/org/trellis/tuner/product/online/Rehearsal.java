package org.trellis.tuner.product.online;

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
 * some tenths of a second, once in a process for each kind of kernel. On a GPU kernels are compiled by
 * {@link SpmvOperator#makeReady()} and nothing is rehearsed.
 */
final class Rehearsal {
    private static final int LARGEST_NON_ZEROS = 30_000;
    private static final int LARGEST_COLUMNS = 1 << 23;
    private static final double WINDOW = 0.3;
    private static final double LONGEST = 2;
    private static final Set<String> DONE = ConcurrentHashMap.newKeySet();

    private Rehearsal() {}

    /** Rehearses a way of running unless that was done, or cannot be with so few rows. */
    static void rehearse(Backend backend, CsrMatrix matrix, SpmvParameters parameters) {
        String kind = ProductWarmUp.kind(backend, parameters, matrix.precision());
        if (matrix.columns() > LARGEST_COLUMNS || matrix.rows() == 0 || DONE.contains(kind)) {
            return;
        }
        CsrMatrix few = firstRows(matrix);
        SparseKernels kernels = backend.kernels(SparseKernels.class);
        if (few.nonZeros() == 0 || kernels.constraint(few, parameters).isPresent()) {
            return;
        }
        try (SpmvOperator operator = kernels.prepare(few, parameters);
                DenseVector x = backend.vector(matrix.precision(), few.columns());
                DenseVector y = backend.vector(matrix.precision(), few.rows())) {
            ProductWarmUp.run(() -> operator.multiply(x, y), WINDOW, LONGEST);
        }
        DONE.add(kind);
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
