package org.trellis.tuner.contest;

import java.util.OptionalDouble;
import org.trellis.backend.DeviceStopwatch;

/** Marks in the device's queue. */
final class DeviceClock implements WorkClock {
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
