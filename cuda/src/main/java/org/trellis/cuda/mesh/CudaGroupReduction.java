package org.trellis.cuda.mesh;

import com.google.errorprone.annotations.MustBeClosed;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.trellis.common.Checks;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaVector;
import org.trellis.cuda.runtime.NcclCommunicator;
import org.trellis.cuda.runtime.StructLaunch;
import org.trellis.memory.DenseVector;
import org.trellis.mesh.Global;
import org.trellis.mesh.PreparedReduction;

/**
 * Numbers of all ranks of a group, brought to each by NCCL and combined there by the kernel of {@link CudaReduction},
 * in the order of ranks: the library's own sums would have bits of their own. Two numbers have one sum, whatever the
 * order, so that sums over two ranks are left to the library.
 */
final class CudaGroupReduction implements PreparedReduction {
    private static final int PAIR = 2;

    private final CudaContext context;
    private final CudaGlobals globals;
    private final NcclCommunicator communicator;
    private final int most;
    /** This rank's numbers, if they come from the host; then those of all ranks. */
    private final CudaBuffer slots;
    private final StructLaunch sending;
    private final StructLaunch combining;
    private final LaunchShape shape = LaunchShape.of(1, CudaReduction.THREADS);
    private boolean closed;

    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed with this
    CudaGroupReduction(CudaContext context, CudaGlobals globals, NcclCommunicator communicator, int most) {
        this.context = context;
        this.globals = globals;
        this.communicator = communicator;
        this.most = CudaReduction.requireMost(most);
        this.slots = context.zeros((communicator.ranks() + 1L) * most * Double.BYTES);
        this.sending = context.kernel(CudaReduction.source(), "trellisSend").structLaunch(CudaReduction.BYTES);
        this.combining = context.kernel(CudaReduction.source(), "trellisCombine").structLaunch(CudaReduction.BYTES);
        // What is sent goes to one place, whichever rank reads it there.
        sending.block().set(ValueLayout.JAVA_INT, CudaReduction.RANKS, 1);
        sending.block().set(ValueLayout.JAVA_LONG, CudaReduction.TARGETS, slots.address());
        combining.block().set(ValueLayout.JAVA_INT, CudaReduction.RANKS, communicator.ranks());
    }

    @Override
    public byte[] invitation() {
        return new byte[0];
    }

    @Override
    public boolean connect(int peer, byte[] invitation) {
        return true;
    }

    /** Nothing is sent before all are known to take part. */
    @Override
    public void send(DenseVector values, int first, int count) {
        Checks.index("number of values to combine", count, most + 1);
    }

    @Override
    public void combine(Operation operation, DenseVector values, int first, int count) {
        long address = ((CudaVector) values).address() + (long) first * Double.BYTES;
        if (operation == Operation.SUM && communicator.ranks() == PAIR) {
            communicator.sum(address, count);
            return;
        }
        combine(operation, address, address, 0, count);
    }

    @Override
    public void send(Global global) {
        Checks.index("number of components to combine", global.components(), most + 1);
        CudaGlobal own = globals.retain(global);
        MemorySegment block = sending.block();
        boolean there = own.onDevice();
        for (int c = 0; c < global.components() && !there; c++) {
            block.set(ValueLayout.JAVA_DOUBLE, CudaReduction.GIVEN + (long) c * Double.BYTES, global.get(c));
        }
        block.set(ValueLayout.JAVA_LONG, CudaReduction.VALUES, there ? own.valueAddress() : 0);
        block.set(ValueLayout.JAVA_INT, CudaReduction.COUNT, global.components());
        sending.run(shape);
        globals.giveBack(own);
    }

    @Override
    public void combine(Operation operation, Global global) {
        CudaGlobal own = globals.retain(global);
        combine(operation, slots.address(), own.valueAddress(), own.resultAddress(), global.components());
        own.produced();
        globals.giveBack(own);
    }

    private void combine(Operation operation, long source, long values, long result, int count) {
        long all = slots.address() + (long) most * Double.BYTES;
        communicator.gather(source, all, count);
        MemorySegment block = combining.block();
        block.set(ValueLayout.JAVA_LONG, CudaReduction.VALUES, values);
        block.set(ValueLayout.JAVA_LONG, CudaReduction.RESULT, result);
        block.set(ValueLayout.JAVA_LONG, CudaReduction.SLOTS, all);
        block.set(ValueLayout.JAVA_INT, CudaReduction.COUNT, count);
        block.set(ValueLayout.JAVA_INT, CudaReduction.MAX_OFFSET, count);
        block.set(ValueLayout.JAVA_INT, CudaReduction.OPERATION, CudaReduction.number(operation));
        combining.run(shape);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (context.isOpen()) {
            context.synchronize();
        }
        slots.close();
        sending.close();
        combining.close();
    }
}
