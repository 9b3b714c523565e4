package org.trellis.cuda.runtime;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.trellis.cuda.driver.LaunchShape;

/**
 * Kernels that are kept back, one after the other, and queued together: one by one, until they have been the same
 * kernels twice in a row, and as a graph from then on.
 */
final class DeferredLaunches implements AutoCloseable {
    private static final long ALIGNMENT = 16;

    private final CudaContext context;
    private final List<Slot> slots = new ArrayList<>();
    private CudaGraph graph;
    /** How many were kept in the last run; 0 if they cannot be compared with. */
    private int last;
    private int count;
    private boolean same = true;

    /** A place for a kernel, with memory of its own for the arguments. */
    private static final class Slot {
        private final CudaKernel kernel;
        private final MemorySegment values;
        private final MemorySegment pointers;
        private LaunchShape shape;
        private boolean changed;

        Slot(CudaKernel kernel, LaunchShape shape, MemorySegment values, boolean struct) {
            this.kernel = kernel;
            this.shape = shape;
            Arena arena = Arena.ofAuto();
            this.values = arena.allocate(Math.max(1, values.byteSize()), ALIGNMENT).asSlice(0, values.byteSize())
                    .copyFrom(values);
            long count = struct ? 1 : values.byteSize() / Long.BYTES;
            this.pointers = arena.allocate(ValueLayout.JAVA_LONG, Math.max(1, count));
            for (long i = 0; i < count; i++) {
                pointers.setAtIndex(ValueLayout.JAVA_LONG, i, this.values.address() + i * Long.BYTES);
            }
        }

        @SuppressWarnings("ReferenceEquality") // a kernel is what it is
        boolean is(CudaKernel other, MemorySegment given) {
            return other == kernel && given.byteSize() == values.byteSize();
        }

        void renew(LaunchShape newShape, MemorySegment given) {
            if (values.mismatch(given) >= 0) {
                values.copyFrom(given);
                changed = true;
            }
            if (!newShape.equals(shape)) {
                shape = newShape;
                changed = true;
            }
        }
    }

    DeferredLaunches(CudaContext context) {
        this.context = context;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Keeps a kernel. */
    void keep(CudaKernel kernel, LaunchShape shape, MemorySegment values, boolean struct) {
        if (count < slots.size() && slots.get(count).is(kernel, values)) {
            slots.get(count).renew(shape, values);
        } else {
            same = false;
            Slot slot = new Slot(kernel, shape, values, struct);
            if (count < slots.size()) {
                slots.set(count, slot);
            } else {
                slots.add(slot);
            }
        }
        count++;
    }

    /** Queues what is kept. Says whether it was done as a whole. */
    boolean queue() {
        boolean again = same && count == last;
        if (!again) {
            closeGraph();
        }
        boolean whole = again && count > 1;
        if (whole) {
            runGraph();
        } else {
            for (int i = 0; i < count; i++) {
                Slot slot = slots.get(i);
                slot.changed = false;
                slot.kernel.run(slot.shape, slot.pointers, context.stream());
            }
        }
        last = count;
        count = 0;
        same = true;
        return whole;
    }

    private void runGraph() {
        if (graph == null) {
            CudaGraph made = context.newGraph();
            for (int i = 0; i < count; i++) {
                made.add(slots.get(i).kernel, slots.get(i).shape, slots.get(i).pointers);
                slots.get(i).changed = false;
            }
            graph = made.finish();
        }
        for (int i = 0; i < count; i++) {
            Slot slot = slots.get(i);
            if (slot.changed) {
                slot.changed = false;
                graph.change(i, slot.shape, slot.pointers);
            }
        }
        graph.run(context.stream());
    }

    /** Forgets what is kept, and what it could be compared with. */
    void forget() {
        count = 0;
        last = 0;
        same = true;
        slots.clear();
        closeGraph();
    }

    private void closeGraph() {
        if (graph != null) {
            graph.close();
            graph = null;
        }
    }

    @Override
    public void close() {
        forget();
    }
}
