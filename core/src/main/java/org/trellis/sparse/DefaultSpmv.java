package org.trellis.sparse;

import java.lang.ref.SoftReference;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.trellis.backend.Backends;
import org.trellis.common.Configuration;
import org.trellis.memory.HostVector;

/**
 * The product of a matrix for those who ask for nothing special. Prepared operators hang on the matrix by soft
 * references: they go with the matrix, or before it when memory is short. They hold host memory only, so they need not
 * be closed. A caller takes an operator that no other thread is using, or prepares a further one: no caller waits for
 * another, and there are never more operators than threads that multiplied the matrix at once.
 */
final class DefaultSpmv {
    /** Matrices of fewer non-zeros are multiplied on the calling thread, without a backend. */
    static final int MIN_BACKEND_NON_ZEROS = 1 << 15;

    private final CsrMatrix matrix;
    private final ConcurrentLinkedDeque<SoftReference<SpmvOperator>> idle = new ConcurrentLinkedDeque<>();

    DefaultSpmv(CsrMatrix matrix) {
        this.matrix = matrix;
    }

    HostVector multiply(HostVector x) {
        if (x.length() != matrix.columns() || x.precision() != matrix.precision()) {
            throw new IllegalArgumentException("product of " + matrix + " and a " + x + ", expected "
                    + matrix.columns() + " elements of " + matrix.precision().label());
        }
        HostVector y = HostVector.zeros(matrix.precision(), matrix.rows());
        if (matrix.nonZeros() < MIN_BACKEND_NON_ZEROS) {
            multiplyHere(x, y);
            return y;
        }
        SpmvOperator operator = take();
        try {
            operator.multiply(x, y);
        } finally {
            idle.addFirst(new SoftReference<>(operator));
        }
        return y;
    }

    @SuppressWarnings("MustBeClosed") // nothing but arrays and shared threads
    private SpmvOperator take() {
        for (SoftReference<SpmvOperator> next = idle.pollFirst(); next != null; next = idle.pollFirst()) {
            SpmvOperator known = next.get();
            if (known != null) {
                return known;
            }
        }
        return Backends.openHost(Configuration.load()).kernels(SparseKernels.class).prepare(matrix);
    }

    private void multiplyHere(HostVector x, HostVector y) {
        for (int row = 0; row < matrix.rows(); row++) {
            CsrSegment segment = matrix.segmentOf(row);
            double sum = 0;
            for (int k = segment.rowStart(row); k < segment.rowEnd(row); k++) {
                sum += segment.values().get(k) * x.get(segment.columnIndices()[k]);
            }
            y.set(row, sum);
        }
    }
}
