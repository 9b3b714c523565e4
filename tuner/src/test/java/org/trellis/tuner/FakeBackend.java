package org.trellis.tuner;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.trellis.backend.Backend;
import org.trellis.backend.Device;
import org.trellis.backend.DeviceStopwatch;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Precision;
import org.trellis.common.UnsupportedKernelException;
import org.trellis.memory.DenseVector;
import org.trellis.memory.HostVector;
import org.trellis.memory.MemorySpace;
import org.trellis.memory.MultiVector;
import org.trellis.sparse.SparseKernels;
import org.trellis.sparse.SparseMatrix;
import org.trellis.sparse.SpmvFamily;
import org.trellis.sparse.SpmvOperator;
import org.trellis.sparse.SpmvParameters;

/**
 * A device in plain Java whose products are right and take as long as a function says, on a clock of its own. Its
 * kernels are of the csr family with every size that the thesis varies, and of csr-balanced. It counts what is open.
 */
public final class FakeBackend implements Backend {
    /** What the rule proposes. */
    public static final SpmvParameters RULE =
            SpmvParameters.of(SpmvFamily.CSR).withBlockSize(128).withCooperatingThreads(4).withRowsPerGroup(4);

    private final ToDoubleFunction<SpmvParameters> seconds;
    private final Deque<SpmvParameters> queue = new ArrayDeque<>();
    private final List<SpmvParameters> products = new ArrayList<>();
    private RuntimeException preparationFailure;
    private SpmvParameters failing;
    private long bytesOfBalanced = 100;
    private int ready = Integer.MAX_VALUE;
    private int openOperators;
    private int openStretches;
    private int prepared;
    private int synchronised;
    private boolean asynchronous = true;
    private long preparationMillis;

    /** Creates a device. */
    public FakeBackend(ToDoubleFunction<SpmvParameters> seconds) {
        this.seconds = seconds;
    }

    /** Lets the device lag: times are not ready until {@link #finishWork()}. */
    public FakeBackend lagging() {
        ready = 0;
        return this;
    }

    /** Lets the device finish what is queued. */
    public void finishWork() {
        ready = Integer.MAX_VALUE;
    }

    /** Lets the device lag again. */
    public void lag() {
        ready = 0;
    }

    /** Makes the preparation of a set fail. */
    public FakeBackend failing(SpmvParameters parameters, RuntimeException failure) {
        failing = parameters;
        preparationFailure = failure;
        return this;
    }

    /** Makes csr-balanced take more memory. */
    public FakeBackend withBytesOfBalanced(long bytes) {
        bytesOfBalanced = bytes;
        return this;
    }

    /** Lets a preparation take a while. */
    public FakeBackend withPreparation(long milliseconds) {
        preparationMillis = milliseconds;
        return this;
    }

    /** Makes the device asynchronous without a stopwatch. */
    public FakeBackend withoutStopwatch() {
        asynchronous = false;
        return this;
    }

    /** Sets of the products so far. */
    public List<SpmvParameters> products() {
        return products;
    }

    /** Operators that were not closed. */
    public int openOperators() {
        return openOperators;
    }

    /** Stretches that were not closed. */
    public int openStretches() {
        return openStretches;
    }

    /** Operators that were made. */
    public int prepared() {
        return prepared;
    }

    /** How often a caller waited for the device. */
    public int synchronised() {
        return synchronised;
    }

    @Override
    public String name() {
        return "fake";
    }

    @Override
    public Device device() {
        return new Device("Fake", MemorySpace.HOST, Map.of());
    }

    @Override
    public <K> K kernels(Class<K> kernelInterface) {
        Supplier<Object> found = () -> {
            if (kernelInterface == SparseKernels.class) {
                return new Kernels();
            }
            if (kernelInterface == DeviceStopwatch.class && asynchronous) {
                return (DeviceStopwatch) FakeStretch::new;
            }
            return kernelInterface == DeviceTiming.class ? new Timing() : null;
        };
        Object kernels = found.get();
        if (kernels == null) {
            throw new UnsupportedKernelException(kernelInterface.getSimpleName(), name(), "the test has none");
        }
        return kernelInterface.cast(kernels);
    }

    @Override
    public DenseVector vector(Precision precision, int length) {
        return HostVector.zeros(precision, length);
    }

    @Override
    public void close() {}

    private final class Timing implements DeviceTiming {
        @Override
        public void synchronize() {
            synchronised++;
        }

        @Override
        public double[] time(int repetitions, Runnable work) {
            double[] times = new double[repetitions];
            for (int i = 0; i < repetitions; i++) {
                work.run();
                times[i] = seconds.applyAsDouble(queue.removeLast());
            }
            return times;
        }

        @Override
        public double copyBandwidth() {
            return 1;
        }
    }

    private final class FakeStretch implements DeviceStopwatch.Stretch {
        private int before;
        private double sum;
        private boolean open = true;

        FakeStretch() {
            openStretches++;
        }

        @Override
        public void begin() {
            before = queue.size();
        }

        @Override
        public void end() {
            if (queue.size() <= before) {
                throw new AssertionError("no product between two marks");
            }
            sum = (queue.size() - before) * seconds.applyAsDouble(queue.getLast());
        }

        @Override
        public OptionalDouble seconds() {
            return ready > 0 ? OptionalDouble.of(sum) : OptionalDouble.empty();
        }

        @Override
        public void close() {
            openStretches -= open ? 1 : 0;
            open = false;
        }
    }

    private final class Kernels implements SparseKernels {
        @Override
        public SpmvParameters rule(SparseMatrix matrix) {
            return RULE;
        }

        @Override
        public List<SpmvParameters> parameterSpace(SparseMatrix matrix) {
            List<SpmvParameters> space = new ArrayList<>();
            for (int threads = 1; threads <= 32; threads *= 2) {
                for (int rows = 1; rows <= 16; rows *= 2) {
                    for (int block : new int[]{128, 256}) {
                        space.add(SpmvParameters.of(SpmvFamily.CSR).withCooperatingThreads(threads)
                                .withRowsPerGroup(rows).withBlockSize(block));
                    }
                }
            }
            space.add(SpmvParameters.of(SpmvFamily.CSR_BALANCED).withBlockSize(256));
            return space;
        }

        @Override
        public Optional<String> constraint(SparseMatrix matrix, SpmvParameters parameters) {
            boolean fits = (parameters.family() == SpmvFamily.CSR || parameters.family() == SpmvFamily.CSR_BALANCED)
                    && parameters.blockSize() % 32 == 0 && parameters.blockSize() >= 32
                    && parameters.rowsPerGroup() <= 16;
            return fits ? Optional.empty() : Optional.of("the test does not have it");
        }

        @Override
        public SpmvOperator prepare(SparseMatrix matrix, SpmvParameters parameters) {
            if (constraint(matrix, parameters).isPresent()) {
                throw new UnsupportedKernelException("the product", name(), parameters.toString());
            }
            if (parameters.equals(failing)) {
                throw preparationFailure;
            }
            LockSupport.parkNanos(1_000_000 * preparationMillis);
            prepared++;
            openOperators++;
            return new Operator(matrix, parameters);
        }
    }

    private final class Operator extends SpmvOperator {
        Operator(SparseMatrix matrix, SpmvParameters parameters) {
            super(matrix, parameters, MemorySpace.HOST);
        }

        @Override
        public long preparedBytes() {
            return parameters().family() == SpmvFamily.CSR_BALANCED ? bytesOfBalanced : 100;
        }

        @Override
        protected void run(double alpha, DenseVector x, double beta, DenseVector y) {
            products.add(parameters());
            queue.add(parameters());
            HostVector in = (HostVector) x;
            HostVector out = (HostVector) y;
            for (int i = 0; i < out.length(); i++) {
                out.set(i, beta == 0 ? 0 : beta * out.get(i));
            }
            matrix().forEachEntry((row, column, value) -> out.set(row, out.get(row) + alpha * value * in.get(column)));
        }

        @Override
        protected void runTransposed(double alpha, DenseVector x, double beta, DenseVector y) {
            HostVector in = (HostVector) x;
            HostVector out = (HostVector) y;
            for (int i = 0; i < out.length(); i++) {
                out.set(i, beta == 0 ? 0 : beta * out.get(i));
            }
            matrix().forEachEntry(
                    (row, column, value) -> out.set(column, out.get(column) + alpha * value * in.get(row)));
        }

        @Override
        protected void runMultiple(double alpha, MultiVector x, double beta, MultiVector y) {
            throw new UnsupportedOperationException("not asked for by any test");
        }

        @Override
        protected void release() {
            openOperators--;
        }
    }
}
