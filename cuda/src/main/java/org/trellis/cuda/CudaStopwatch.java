package org.trellis.cuda;

import java.util.OptionalDouble;
import org.trellis.backend.DeviceStopwatch;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaEvent;

/** Marks are events on the context's own stream, asked whether they have happened. */
final class CudaStopwatch implements DeviceStopwatch {
    private final CudaContext context;

    CudaStopwatch(CudaContext context) {
        this.context = context;
    }

    @Override
    public Stretch newStretch() {
        CudaEvent first = context.newEvent();
        try {
            return new EventStretch(first, context.newEvent());
        } catch (RuntimeException e) {
            first.close();
            throw e;
        }
    }

    private static final class EventStretch implements Stretch {
        private final CudaEvent first;
        private final CudaEvent last;
        private boolean begun;
        private boolean ended;

        EventStretch(CudaEvent first, CudaEvent last) {
            this.first = first;
            this.last = last;
        }

        @Override
        public void begin() {
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
