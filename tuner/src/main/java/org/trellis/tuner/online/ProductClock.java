package org.trellis.tuner.online;

import java.util.OptionalDouble;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceStopwatch;
import org.trellis.backend.DeviceTiming;

/** Times products without waiting for them. */
interface ProductClock extends AutoCloseable {
    /** The product begins. */
    void begin();

    /** Everything of the product was asked for. */
    void end();

    /** The time of the last product if it is known by now. */
    OptionalDouble seconds();

    @Override
    void close();

    /**
     * Chooses a clock: the device's own where it works asynchronously, else the host's. On a device that is
     * asynchronous and has no such clock, products are not timed and tuning ends at once.
     */
    static ProductClock of(Backend backend) {
        return backend.optionalKernels(DeviceStopwatch.class).<ProductClock>map(DeviceClock::new)
                .orElseGet(() -> backend.optionalKernels(DeviceTiming.class).isPresent() ? null : new HostClock());
    }

    /** For backends that are done when their calls return. */
    final class HostClock implements ProductClock {
        private long start;
        private long nanos;

        @Override
        public void begin() {
            start = System.nanoTime();
        }

        @Override
        public void end() {
            nanos = Math.max(1, System.nanoTime() - start);
        }

        @Override
        public OptionalDouble seconds() {
            return OptionalDouble.of(nanos * 1e-9);
        }

        @Override
        public void close() {}
    }

    /** Marks in the device's queue. */
    final class DeviceClock implements ProductClock {
        private final DeviceStopwatch.Stretch stretch;

        DeviceClock(DeviceStopwatch stopwatch) {
            this.stretch = stopwatch.newStretch();
        }

        @Override
        public void begin() {
            stretch.begin();
        }

        @Override
        public void end() {
            stretch.end();
        }

        @Override
        public OptionalDouble seconds() {
            return stretch.seconds();
        }

        @Override
        public void close() {
            stretch.close();
        }
    }
}
