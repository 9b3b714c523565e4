package org.trellis.cuda.runtime;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.DeviceBatch;
import org.trellis.cuda.driver.LaunchShape;

/**
 * Kernels of the context's own stream that are kept back and queued together, as a graph where the same ones come
 * again. What is kept are copies of arguments, so callers may change theirs at once, as after a launch. Each stretch,
 * counted from the beginning of a run, has a graph of its own; kernels whose arguments or shapes differ from those of
 * the run before are changed in it.
 */
public final class CudaBatch implements DeviceBatch {
    private final CudaContext context;
    private final List<DeferredLaunches> stretches = new ArrayList<>();
    private int at;
    private Runnable gate;
    private boolean waiting;
    private boolean queueing;
    private boolean joined;
    private int interruptions;

    /**
     * Makes a batch without stretches.
     *
     * @param context whose driver has graphs
     */
    public CudaBatch(CudaContext context) {
        this.context = context;
    }

    @Override
    public void begin(Runnable first) {
        context.keepBy(this);
        gate = first;
        waiting = first != null;
        at = 0;
        joined = false;
        interruptions = 0;
    }

    /** Keeps a kernel; the arguments are copied. */
    void keep(CudaKernel kernel, LaunchShape shape, MemorySegment values, boolean struct) {
        if (at == stretches.size()) {
            stretches.add(new DeferredLaunches(context));
        }
        stretches.get(at).keep(kernel, shape, values, struct);
    }

    /** Queues what is kept, unless that is being done. */
    void submit() {
        if (queueing || at == stretches.size() || stretches.get(at).isEmpty()) {
            return;
        }
        queueing = true;
        try {
            pass();
            joined |= stretches.get(at).queue();
            at++;
        } finally {
            queueing = false;
        }
    }

    /** Queues what is kept, since something else is asked of the stream. */
    void interrupt() {
        if (!queueing) {
            interruptions++;
            submit();
        }
    }

    private void pass() {
        if (waiting) {
            waiting = false;
            gate.run();
        }
    }

    @Override
    public void end() {
        submit();
        pass();
        context.keepBy(null);
    }

    @Override
    public void abandon() {
        context.keepBy(null);
        stretches.forEach(DeferredLaunches::forget);
    }

    @Override
    public boolean isJoined() {
        return joined;
    }

    @Override
    public int interruptions() {
        return interruptions;
    }

    @Override
    public void close() {
        stretches.forEach(DeferredLaunches::close);
        stretches.clear();
        at = 0;
    }
}
