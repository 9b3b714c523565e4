package org.trellis.cuda;

import org.trellis.backend.DeviceQueues;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaEvent;
import org.trellis.cuda.runtime.CudaStream;

/** A second stream, ordered with the first by events; made when it is first used. */
final class CudaQueues implements DeviceQueues {
    private final CudaContext context;
    private CudaStream second;
    private CudaEvent marked;
    private CudaEvent done;

    CudaQueues(CudaContext context) {
        this.context = context;
    }

    @Override
    public void mark() {
        if (second == null) {
            second = context.newStream();
            marked = context.newOrderEvent();
            done = context.newOrderEvent();
        }
        marked.record();
    }

    @Override
    public void aside() {
        if (second == null) {
            throw new IllegalStateException(
                    "work aside of " + context.device().name() + " without a mark, expected one");
        }
        second.await(marked);
        context.queueOn(second);
    }

    @Override
    public void join() {
        done.record(second);
        context.queueOn(null);
        context.stream().await(done);
    }
}
