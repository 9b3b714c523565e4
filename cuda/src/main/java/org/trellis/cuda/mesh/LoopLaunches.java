package org.trellis.cuda.mesh;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.trellis.cuda.driver.FunctionAttribute;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaKernel;
import org.trellis.cuda.runtime.StructLaunch;

/** The launches of one kernel that together go through the elements of a loop once: one, or one for each colour. */
final class LoopLaunches implements AutoCloseable {
    private final CudaKernel kernel;
    private final StructLaunch launch;
    private final ArgumentStruct struct;
    private final int threads;
    private final int sharedBytes;
    private final long[] valueOffsets;
    private final List<LaunchShape> shapes = new ArrayList<>();
    private final List<int[]> ranges = new ArrayList<>();

    LoopLaunches(CudaKernel kernel, ArgumentStruct struct, int arity, int threads, int sharedBytes) {
        this.kernel = kernel;
        this.struct = struct;
        this.threads = threads;
        this.sharedBytes = sharedBytes;
        this.valueOffsets = new long[arity];
        for (int a = 0; a < arity; a++) {
            valueOffsets[a] = struct.has("g" + a) ? struct.offset("g" + a) : -1;
        }
        this.launch = kernel.structLaunch(struct.bytes());
    }

    /** Fills the struct with addresses and sizes. */
    void bind() {
        struct.fill(launch.block());
    }

    MemorySegment block() {
        return launch.block();
    }

    ArgumentStruct struct() {
        return struct;
    }

    /**
     * Adds a launch.
     *
     * @param blocks     its blocks; none adds nothing
     * @param first      its first element of the list
     * @param count      its elements
     * @param firstBlock the number of its first block
     */
    void add(int blocks, int first, int count, int firstBlock) {
        if (blocks > 0) {
            shapes.add(new LaunchShape(blocks, 1, threads, sharedBytes));
            ranges.add(new int[]{first, count, firstBlock});
        }
    }

    /** Sets the number of blocks of all launches, which the last of them to finish recognises itself by. */
    void blockCount(int count) {
        setInt("blockCount", count);
    }

    private void setInt(String member, int value) {
        if (struct.has(member)) {
            launch.block().set(ValueLayout.JAVA_INT, struct.offset(member), value);
        }
    }

    /** Queues all launches. */
    void run() {
        for (int i = 0; i < shapes.size(); i++) {
            int[] range = ranges.get(i);
            setInt("first", range[0]);
            setInt("count", range[1]);
            setInt("firstBlock", range[2]);
            launch.run(shapes.get(i));
        }
    }

    /** Returns where the values of an argument are in the struct, or −1. */
    long valueOffset(int argument) {
        return valueOffsets[argument];
    }

    int count() {
        return shapes.size();
    }

    int registers() {
        return kernel.attribute(FunctionAttribute.REGISTERS);
    }

    int localBytes() {
        return kernel.attribute(FunctionAttribute.LOCAL_BYTES);
    }

    int sharedBytes() {
        return sharedBytes + kernel.attribute(FunctionAttribute.SHARED_BYTES);
    }

    /** Returns the share of the threads that a multiprocessor can run at most. */
    double occupancy(int multiprocessorThreads) {
        return (double) kernel.residentBlocks(threads, sharedBytes) * threads / multiprocessorThreads;
    }

    @Override
    public void close() {
        launch.close();
    }
}
