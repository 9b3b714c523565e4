package org.trellis.cuda;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Checks;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaEvent;
import org.trellis.cuda.runtime.KernelLaunch;

/**
 * Times by events. A kernel that spins comes first, so that events and work are all in the queue before the device gets
 * to them; otherwise the time of a short kernel would be the time between two calls of the host.
 */
final class CudaTiming implements DeviceTiming {
    private static final int FIRST_BATCH = 4;
    private static final int BATCH = 32;
    private static final long FIRST_DELAY_NANOS = 500_000;
    private static final long LONGEST_DELAY_NANOS = 20_000_000;
    private static final long COPY_BYTES = 1L << 30;
    private static final int COPIES = 15;

    private final CudaContext context;
    private final List<CudaEvent> starts = new ArrayList<>();
    private final List<CudaEvent> ends = new ArrayList<>();
    private KernelLaunch delay;

    CudaTiming(CudaContext context) {
        this.context = context;
    }

    @Override
    public void synchronize() {
        context.synchronize();
    }

    @Override
    public double[] time(int repetitions, Runnable work) {
        Checks.positive("repetitions", repetitions);
        prepare();
        double[] seconds = new double[repetitions];
        long delayNanos = FIRST_DELAY_NANOS;
        int done = 0;
        int batch = FIRST_BATCH;
        while (done < repetitions) {
            int count = Math.min(batch, repetitions - done);
            long hostNanos = queue(count, delayNanos, work);
            context.synchronize();
            for (int i = 0; i < count; i++) {
                seconds[done + i] = ends.get(i).secondsSince(starts.get(i));
            }
            done += count;
            // The next batch is to be queued within its delay: half as long again as this one took, for its size.
            delayNanos = Math.min(LONGEST_DELAY_NANOS,
                    Math.max(FIRST_DELAY_NANOS / 4, 3 * hostNanos * BATCH / (2L * count)));
            batch = BATCH;
        }
        return seconds;
    }

    private void prepare() {
        if (delay == null) {
            delay = context.kernel(KernelSource.resource(CudaTiming.class, "vector/delay.cu"), "trellisDelay")
                    .launch(LaunchShape.of(1, 1), 1);
        }
        while (starts.size() < BATCH) {
            starts.add(context.newEvent());
            ends.add(context.newEvent());
        }
    }

    private long queue(int count, long delayNanos, Runnable work) {
        long begin = System.nanoTime();
        delay.setLong(0, delayNanos).run();
        for (int i = 0; i < count; i++) {
            starts.get(i).record();
            work.run();
            ends.get(i).record();
        }
        return System.nanoTime() - begin;
    }

    @Override
    public double copyBandwidth() {
        context.trimMemory();
        long bytes = Math.min(COPY_BYTES, context.driver().freeMemory() / 4);
        try (CudaBuffer source = context.buffer(bytes); CudaBuffer target = context.buffer(bytes)) {
            source.clear();
            target.copyFrom(source);
            double[] seconds = time(COPIES, () -> target.copyFrom(source));
            Arrays.sort(seconds);
            return 2.0 * bytes / seconds[COPIES / 2];
        }
    }
}
