package org.trellis.cuda;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.trellis.backend.DeviceTiming;
import org.trellis.common.Checks;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaEvent;
import org.trellis.cuda.runtime.DeviceDelay;

/**
 * Times by events. A kernel that spins comes first, so that events and work are all in the queue before the device gets
 * to them; otherwise the time of a short kernel would be the time between two calls of the host.
 */
final class CudaTiming implements DeviceTiming {
    /** Runs from which the lengths of the others are judged. */
    private static final int PILOTS = 4;
    /** Events and runs of a batch fit the device's queue of about a thousand entries, at three kernels a run. */
    private static final int BATCH_RUNS = 256;
    private static final int BATCH_REPETITIONS = 32;
    /** A repetition is to last this long, against which recording an event (1 to 2 µs) is little. */
    private static final double REPETITION_SECONDS = 40e-6;
    private static final int LARGEST_REPETITION = 16;
    private static final long FIRST_DELAY_NANOS = 500_000;
    private static final long LONGEST_DELAY_NANOS = 20_000_000;
    private static final long COPY_BYTES = 1L << 30;
    private static final int COPIES = 15;

    private final CudaContext context;
    private final List<CudaEvent> starts = new ArrayList<>();
    private final List<CudaEvent> ends = new ArrayList<>();
    private final DeviceDelay delay;

    CudaTiming(CudaContext context) {
        this.context = context;
        this.delay = new DeviceDelay(context);
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
        Batch pilot = new Batch(PILOTS, 1, FIRST_DELAY_NANOS);
        double[] pilotSeconds = run(pilot, work);
        Arrays.sort(pilotSeconds);
        int runs = (int) Math.max(1, Math.min(LARGEST_REPETITION, REPETITION_SECONDS / pilotSeconds[PILOTS / 2]));
        int batch = Math.min(BATCH_REPETITIONS, BATCH_RUNS / runs);
        // Half as long again as the pilots' pace says, so that the whole batch is queued within the delay.
        long delayNanos = Math.min(LONGEST_DELAY_NANOS, FIRST_DELAY_NANOS / 4
                + 3 * pilot.hostNanos * batch * runs / (2L * PILOTS));
        for (int done = 0; done < repetitions; done += batch) {
            double[] some = run(new Batch(Math.min(batch, repetitions - done), runs, delayNanos), work);
            System.arraycopy(some, 0, seconds, done, some.length);
        }
        return seconds;
    }

    @SuppressWarnings("MustBeClosed") // closed with the context
    private void prepare() {
        delay.prepare();
        while (starts.size() < BATCH_REPETITIONS) {
            starts.add(context.newEvent());
            ends.add(context.newEvent());
        }
    }

    private double[] run(Batch batch, Runnable work) {
        long begin = System.nanoTime();
        delay.run(batch.delayNanos);
        for (int i = 0; i < batch.repetitions; i++) {
            starts.get(i).record();
            for (int run = 0; run < batch.runs; run++) {
                work.run();
            }
            ends.get(i).record();
        }
        batch.hostNanos = System.nanoTime() - begin;
        context.synchronize();
        double[] seconds = new double[batch.repetitions];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = ends.get(i).secondsSince(starts.get(i)) / batch.runs;
        }
        return seconds;
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

    /** What is queued at a time. */
    private static final class Batch {
        private final int repetitions;
        private final int runs;
        private final long delayNanos;
        private long hostNanos;

        Batch(int repetitions, int runs, long delayNanos) {
            this.repetitions = repetitions;
            this.runs = runs;
            this.delayNanos = delayNanos;
        }
    }
}
