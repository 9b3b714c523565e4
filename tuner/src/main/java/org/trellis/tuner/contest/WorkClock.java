package org.trellis.tuner.contest;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.OptionalDouble;
import org.trellis.backend.Backend;
import org.trellis.backend.DeviceStopwatch;
import org.trellis.backend.DeviceTiming;

/** Times products, or other work of a backend, without waiting for them. */
public interface WorkClock extends AutoCloseable {
    /** The product begins. */
    void begin();

    /** Everything of the product was asked for. */
    void end();

    /**
     * Returns the time of the last product.
     *
     * @return seconds, if they are known by now
     */
    OptionalDouble seconds();

    /** Gives back what it holds. Idempotent. */
    @Override
    void close();

    /**
     * Chooses a clock: the device's own where it works asynchronously, else the host's. On a device that is
     * asynchronous and has no such clock, products are not timed and tuning ends at once.
     *
     * @param backend an open backend
     * @return a clock that the caller closes, or null
     */
    @MustBeClosed
    static WorkClock of(Backend backend) {
        return backend.optionalKernels(DeviceStopwatch.class).<WorkClock>map(DeviceClock::new)
                .orElseGet(() -> backend.optionalKernels(DeviceTiming.class).isPresent() ? null : new HostClock());
    }
}
