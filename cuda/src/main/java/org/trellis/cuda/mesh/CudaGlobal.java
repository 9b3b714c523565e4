package org.trellis.cuda.mesh;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.PinnedBuffer;
import org.trellis.mesh.Global;

/**
 * A global as the device has it. Loops that reduce into it write its value to device memory, where later loops find it
 * without the host, and to page-locked memory, from where the host fetches it when it is read. If the host has a
 * newer value, loops get that with their arguments.
 */
final class CudaGlobal {
    private final CudaContext context;
    private final Global global;
    private final Runnable fetch = this::fetch;
    private CudaBuffer value;
    private PinnedBuffer result;
    private int users;

    CudaGlobal(CudaContext context, Global global) {
        this.context = context;
        this.global = global;
    }

    /** Counts a loop that uses the global. */
    CudaGlobal retain() {
        users++;
        return this;
    }

    /** Counts a loop that is closed. A reader after the last one gets what is on the device now. */
    boolean giveBack() {
        users--;
        if (users > 0) {
            return false;
        }
        if (onDevice() && context.isOpen()) {
            global.get(0);
        }
        if (value != null) {
            value.close();
            result.close();
        }
        return true;
    }

    Global global() {
        return global;
    }

    private long bytes() {
        return (long) global.components() * Double.BYTES;
    }

    /** What is made before something fails is kept: it is used at the next attempt, or closed with this. */
    @SuppressWarnings("MustBeClosed") // closed with this
    private void allocate() {
        if (value == null) {
            value = context.buffer(bytes());
        }
        if (result == null) {
            result = context.pinned(bytes());
        }
    }

    /** Returns where reductions put the value for the device. */
    long valueAddress() {
        allocate();
        return value.address();
    }

    /** Returns where reductions put the value for the host. */
    long resultAddress() {
        allocate();
        return result.address();
    }

    /** Says whether the device has, or is going to have, a value that the host has not seen. */
    boolean onDevice() {
        return global.awaits(fetch);
    }

    /** Notes that what has been queued, or is about to be, gives the global its value. */
    void produced() {
        global.pending(fetch);
    }

    private void fetch() {
        context.synchronize();
        MemorySegment memory = result.memory();
        for (int c = 0; c < global.components(); c++) {
            if (global.real()) {
                global.doubles()[c] = memory.getAtIndex(ValueLayout.JAVA_DOUBLE, c);
            } else {
                global.ints()[c] = memory.getAtIndex(ValueLayout.JAVA_INT, c);
            }
        }
    }
}
