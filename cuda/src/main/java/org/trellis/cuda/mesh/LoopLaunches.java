package org.trellis.cuda.mesh;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.trellis.cuda.driver.FunctionAttribute;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaGraph;
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
    private final long[] fromOffsets;
    private final List<LaunchShape> shapes = new ArrayList<>();
    private final List<int[]> ranges = new ArrayList<>();
    private long first = -1;
    private long count = -1;
    private long firstBlock = -1;

    LoopLaunches(CudaKernel kernel, ArgumentStruct struct, int arity, int threads, int sharedBytes) {
        this.kernel = kernel;
        this.struct = struct;
        this.threads = threads;
        this.sharedBytes = sharedBytes;
        this.valueOffsets = new long[arity];
        this.fromOffsets = new long[arity];
        for (int a = 0; a < arity; a++) {
            valueOffsets[a] = struct.has("g" + a) ? struct.offset("g" + a) : -1;
            fromOffsets[a] = struct.has("from" + a) ? struct.offset("from" + a) : -1;
        }
        this.launch = kernel.structLaunch(struct.bytes());
    }

    /** Fills the struct with addresses and sizes. */
    void bind() {
        struct.fill(launch.block());
        first = offset("first");
        count = offset("count");
        firstBlock = offset("firstBlock");
    }

    private long offset(String member) {
        return struct.has(member) ? struct.offset(member) : -1;
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
     * @param blocks       its blocks; none adds nothing
     * @param from         its first element of the list
     * @param elements     its elements
     * @param blocksBefore the number of its first block
     */
    void add(int blocks, int from, int elements, int blocksBefore) {
        if (blocks > 0) {
            shapes.add(new LaunchShape(blocks, 1, threads, sharedBytes));
            ranges.add(new int[]{from, elements, blocksBefore});
        }
    }

    /** Sets the number of blocks of all launches, which the last of them to finish recognises itself by. */
    void blockCount(int blocks) {
        setInt(offset("blockCount"), blocks);
    }

    private void setInt(long offset, int value) {
        if (offset >= 0) {
            launch.block().set(ValueLayout.JAVA_INT, offset, value);
        }
    }

    /** Queues all launches. */
    void run() {
        for (int i = 0; i < shapes.size(); i++) {
            select(i);
            launch.run(shapes.get(i));
        }
    }

    private void select(int number) {
        int[] range = ranges.get(number);
        setInt(first, range[0]);
        setInt(count, range[1]);
        setInt(firstBlock, range[2]);
    }

    /** Adds all launches to a graph, where they get consecutive numbers. */
    void addTo(CudaGraph graph) {
        for (int i = 0; i < shapes.size(); i++) {
            select(i);
            graph.add(launch, shapes.get(i));
        }
    }

    /** Gives the launches of a graph, from a number on, the values that globals have now. */
    void update(CudaGraph graph, int number) {
        for (int i = 0; i < shapes.size(); i++) {
            select(i);
            graph.update(number + i, launch);
        }
    }

    /** Returns where the values of an argument are in the struct, or −1. */
    long valueOffset(int argument) {
        return valueOffsets[argument];
    }

    /** Returns where the address of a global's value on the device is in the struct, or −1. */
    long fromOffset(int argument) {
        return fromOffsets[argument];
    }

    /** Changes an address in the struct, if it has such a member. */
    void address(String member, long value) {
        if (struct.has(member)) {
            launch.block().set(ValueLayout.JAVA_LONG, struct.offset(member), value);
        }
    }

    int count() {
        return shapes.size();
    }

    int threads() {
        return threads;
    }

    int registers() {
        return kernel.attribute(FunctionAttribute.REGISTERS);
    }

    int codeBytes() {
        return kernel.codeBytes();
    }

    int localBytes() {
        return kernel.attribute(FunctionAttribute.LOCAL_BYTES);
    }

    int sharedBytes() {
        return sharedBytes + kernel.attribute(FunctionAttribute.SHARED_BYTES);
    }

    /** Returns how many blocks a multiprocessor runs at a time. */
    int residentBlocks() {
        return kernel.residentBlocks(threads, sharedBytes);
    }

    /** Returns the share of the threads that a multiprocessor can run at most. */
    double occupancy(int multiprocessorThreads) {
        return (double) residentBlocks() * threads / multiprocessorThreads;
    }

    @Override
    public void close() {
        launch.close();
    }
}
