package org.trellis.sparse;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.ref.SoftReference;
import java.util.List;
import org.trellis.backend.Availability;
import org.trellis.backend.Backend;
import org.trellis.backend.BackendProvider;
import org.trellis.backend.Backends;
import org.trellis.common.BackendUnavailableException;
import org.trellis.common.Configuration;
import org.trellis.common.ConfigurationKeys;
import org.trellis.memory.HostVector;

/**
 * The product of a matrix for those who ask for nothing special. The prepared operator hangs on the matrix by a soft
 * reference: it goes with the matrix, or before it when memory is short. It holds host memory only, so nobody has to
 * close it.
 */
final class DefaultSpmv {
    /** Matrices of fewer non-zeros are multiplied on the calling thread, without a backend. */
    static final int SMALL = 1 << 15;
    /** CPU backends whose operators hold nothing but Java arrays, best first. */
    private static final List<String> CANDIDATES = List.of("cpu", "simd", "threads", "reference");

    private final CsrMatrix matrix;
    private SoftReference<SpmvOperator> prepared = new SoftReference<>(null);

    DefaultSpmv(CsrMatrix matrix) {
        this.matrix = matrix;
    }

    HostVector multiply(HostVector x) {
        if (x.length() != matrix.columns() || x.precision() != matrix.precision()) {
            throw new IllegalArgumentException("product of " + matrix + " and a " + x + ", expected "
                    + matrix.columns() + " elements of " + matrix.precision().label());
        }
        HostVector y = HostVector.zeros(matrix.precision(), matrix.rows());
        if (matrix.nonZeros() < SMALL) {
            multiplyHere(x, y);
            return y;
        }
        synchronized (Shared.LOCK) {
            operator().multiply(x, y);
        }
        return y;
    }

    /** Under the lock. */
    @SuppressWarnings("MustBeClosedChecker") // nothing but arrays, which the garbage collector takes
    private SpmvOperator operator() {
        SpmvOperator known = prepared.get();
        if (known == null) {
            known = Shared.kernels().prepare(matrix);
            prepared = new SoftReference<>(known);
        }
        return known;
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

    /** The backend of the whole program. */
    private static final class Shared {
        static final Object LOCK = new Object();
        private static SparseKernels kernels;

        private Shared() {}

        /** Under the lock: opens the backend when it is first called. */
        @SuppressWarnings("MustBeClosed") // open as long as the program runs
        static SparseKernels kernels() {
            if (kernels == null) {
                kernels = open(Configuration.load()).kernels(SparseKernels.class);
            }
            return kernels;
        }

        /** Opens the CPU backend that is configured, or else the best; open until the program ends. */
        @MustBeClosed
        private static Backend open(Configuration configuration) {
            String configured = configuration.get(ConfigurationKeys.BACKEND);
            if (CANDIDATES.contains(configured)) {
                return Backends.open(configured, configuration);
            }
            for (String name : CANDIDATES) {
                for (BackendProvider provider : Backends.providers()) {
                    Availability availability = provider.probe();
                    if (provider.name().equals(name) && availability.available()) {
                        return provider.open(configuration);
                    }
                }
            }
            throw new BackendUnavailableException("none of the backends " + CANDIDATES + " is available");
        }
    }
}
