package org.trellis.cuda;

import java.util.OptionalDouble;
import org.trellis.backend.DeviceStopwatch;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaEvent;
import org.trellis.cuda.runtime.DeviceDelay;

/**
 * Marks are events on the context's own stream, asked whether they have happened. A kernel that waits for some
 * microseconds goes before the first: while it runs, the host queues mark, work and mark, so that the device goes from
 * one to the next without a gap. Without it, what is measured of a short product would be how fast the host hands it
 * over. The kernel waits for a little longer than the host took the last time: in the first moments of a process,
 * before the JVM has compiled what hands work over, that is ten times as long as later.
 */
final class CudaStopwatch implements DeviceStopwatch {
    /** Handing over a product takes the host 3 to 6 µs once the JVM has compiled it; it does so while this passes. */
    private static final long SHORTEST_DELAY_NANOS = 10_000;
    private static final long LONGEST_DELAY_NANOS = 200_000;

    private final CudaContext context;
    private final DeviceDelay delay;
    /** The same for all stretches: the host hands over what it has learnt to. */
    private long delayNanos = SHORTEST_DELAY_NANOS;

    CudaStopwatch(CudaContext context) {
        this.context = context;
        this.delay = new DeviceDelay(context);
    }

    @Override
    @SuppressWarnings("MustBeClosed") // the launch is closed with the context
    public Stretch newStretch() {
        delay.prepare();
        CudaEvent first = context.newEvent();
        try {
            return new EventStretch(first, context.newEvent());
        } catch (RuntimeException e) {
            first.close();
            throw e;
        }
    }

    private final class EventStretch implements Stretch {
        private final CudaEvent first;
        private final CudaEvent last;
        private boolean begun;
        private boolean ended;
        private long begunAt;

        EventStretch(CudaEvent first, CudaEvent last) {
            this.first = first;
            this.last = last;
        }

        @Override
        public void begin() {
            begunAt = System.nanoTime();
            delay.run(delayNanos);
            first.record();
            begun = true;
            ended = false;
        }

        @Override
        public void end() {
            if (!begun) {
                throw new IllegalStateException("a stretch ends that has not begun");
            }
            last.record();
            ended = true;
            long host = System.nanoTime() - begunAt;
            delayNanos = Math.clamp(host + host / 4, SHORTEST_DELAY_NANOS, LONGEST_DELAY_NANOS);
        }

        @Override
        public OptionalDouble seconds() {
            if (!ended) {
                throw new IllegalStateException("a stretch without its end has no time");
            }
            return last.hasHappened() ? OptionalDouble.of(last.secondsSince(first)) : OptionalDouble.empty();
        }

        @Override
        public void close() {
            first.close();
            last.close();
        }
    }
}
