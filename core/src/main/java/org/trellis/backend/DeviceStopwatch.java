package org.trellis.backend;

import java.util.OptionalDouble;

/**
 * Measures work on a device that works asynchronously, without waiting for it: marks are queued before and after the
 * work, and the time between them is read once the device has passed both. A backend whose kernels return before they
 * are done may have it among its kernel interfaces.
 *
 * <p>What lies between the marks is the device's time. So that it is not the host's, a backend may keep the device busy
 * for some microseconds while mark, work and mark are queued.
 */
public interface DeviceStopwatch {
    /**
     * Creates a stretch to be measured.
     *
     * @return a stretch that the caller closes; closed with the backend otherwise
     */
    Stretch newStretch();

    /** A stretch of the device's queue. Can be used again once its time was read. */
    interface Stretch extends AutoCloseable {
        /** Queues the mark at the beginning. */
        void begin();

        /** Queues the mark at the end; {@link #begin()} came before. */
        void end();

        /**
         * Returns the time between the marks if the device has passed both. Does not wait.
         *
         * @return seconds, or empty if the device is not that far
         * @throws IllegalStateException              if both marks have not been queued
         * @throws org.trellis.common.DeviceException if some of the work failed
         */
        OptionalDouble seconds();

        /** Gives the marks back. Idempotent. */
        @Override
        void close();
    }
}
