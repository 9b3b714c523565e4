package org.trellis.bench.measure;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.sparse.CsrMatrix;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/** A backend of Trellis with given parameters. */
public final class BackendContender implements Contender {
    private final Backend backend;
    private final SpmvParameters parameters;
    private final Precision precision;

    /**
     * Creates a contender.
     *
     * @param backend    an open backend; not closed by this object
     * @param parameters how its products are run
     * @param precision  the type of the values
     */
    public BackendContender(Backend backend, SpmvParameters parameters, Precision precision) {
        this.backend = Objects.requireNonNull(backend);
        this.parameters = Objects.requireNonNull(parameters);
        this.precision = Objects.requireNonNull(precision);
    }

    @Override
    public String name() {
        return backend.name();
    }

    @Override
    public Map<String, Object> parameters() {
        return parameters.toMap();
    }

    @Override
    public Precision precision() {
        return precision;
    }

    /** Returns what the backend's device says of its threads. A backend that says nothing uses one. */
    @Override
    public int threads() {
        return Integer.parseInt(backend.device().properties().getOrDefault("threads", "1"));
    }

    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with the product
    public TimedProduct prepare(CsrMatrix matrix, HostVector x) {
        Optional<DeviceTiming> timing = backend.optionalKernels(DeviceTiming.class);
        SpmvOperator operator = backend.kernels(SparseKernels.class).prepare(matrix, parameters);
        DenseVector ownX = null;
        try {
            ownX = backend.vector(precision, matrix.columns());
            ownX.copyFrom(x);
            return new BackendProduct(operator, ownX, backend.vector(precision, matrix.rows()), timing);
        } catch (RuntimeException | OutOfMemoryError e) {
            operator.close();
            if (ownX != null) {
                ownX.close();
            }
            throw e;
        }
    }

    private record BackendProduct(SpmvOperator operator, DenseVector x, DenseVector y, Optional<DeviceTiming> timing)
            implements
                TimedProduct {
        @Override
        public void run() {
            operator.multiply(x, y);
            if (timing.isPresent()) {
                timing.get().synchronize();
            }
        }

        @Override
        public boolean isSettled() {
            return operator.isSettled();
        }

        @Override
        public double[] deviceSeconds(int repetitions) {
            return timing.isPresent()
                    ? timing.get().time(repetitions, () -> operator.multiply(x, y))
                    : new double[0];
        }

        @Override
        public HostVector result() {
            HostVector copy = HostVector.zeros(y.precision(), y.length());
            y.copyTo(copy);
            return copy;
        }

        @Override
        public long preparedBytes() {
            return operator.preparedBytes();
        }

        @Override
        public void close() {
            operator.close();
            x.close();
            y.close();
        }
    }
}
