package org.trellis.bench.tune;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Optional;
import org.trellis.backend.Backend;
import org.trellis.backend.Device;
import org.trellis.common.Precision;
import org.trellis.memory.DenseVector;
import org.trellis.solve.CollectiveClock;

/**
 * A backend whose solvers count the processor time of the thread that solves, not the time on the wall: for
 * measurements beside other work. Fair only where one thread does everything.
 */
final class ProcessorTimeBackend implements Backend {
    private final Backend inner;
    private final CollectiveClock clock = new ThreadClock(ManagementFactory.getThreadMXBean());

    /** What the thread has used so far. */
    private record ThreadClock(ThreadMXBean threads) implements CollectiveClock {
        @Override
        public double agree(double seconds) {
            return seconds;
        }

        @Override
        public long nanoTime() {
            return threads.getCurrentThreadCpuTime();
        }
    }

    /**
     * Wraps a backend.
     *
     * @param inner computes; closed with this
     */
    ProcessorTimeBackend(Backend inner) {
        this.inner = inner;
    }

    @Override
    public String name() {
        return inner.name();
    }

    @Override
    public Device device() {
        return inner.device();
    }

    @Override
    public <K> K kernels(Class<K> kernelInterface) {
        return kernelInterface == CollectiveClock.class ? kernelInterface.cast(clock) : inner.kernels(kernelInterface);
    }

    @Override
    public <K> Optional<K> optionalKernels(Class<K> kernelInterface) {
        return kernelInterface == CollectiveClock.class
                ? Optional.of(kernelInterface.cast(clock))
                : inner.optionalKernels(kernelInterface);
    }

    @Override
    @MustBeClosed
    public DenseVector vector(Precision precision, int length) {
        return inner.vector(precision, length);
    }

    @Override
    public void close() {
        inner.close();
    }

    @Override
    public String toString() {
        return inner + ", by processor time";
    }
}
