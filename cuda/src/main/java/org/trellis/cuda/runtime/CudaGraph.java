package org.trellis.cuda.runtime;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.trellis.common.DeviceException;
import org.trellis.cuda.driver.CudaDriver;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.driver.NativeHandle;
import org.trellis.cuda.driver.WhileNode;

/**
 * Kernels that the device is given at once to run one after the other. Launching a graph of n kernels takes the host
 * one call instead of n, and the device less time between kernels. A part of a graph may be run again and again until
 * the device itself finds that it is enough. Used by one thread at a time; {@link #update} and
 * {@link #run} allocate nothing.
 */
public final class CudaGraph extends CudaChild {
    private static final long ALIGNMENT = 16;

    private final Arena arena = Arena.ofShared();
    private final List<Node> nodes = new ArrayList<>();
    private final NativeHandle graph;
    /** What a kernel of a part that is repeated says whether it goes on with; 0 for a graph of its own. */
    private final long condition;
    private final CudaGraph owner;
    private NativeHandle last;
    private NativeHandle executable;
    private boolean changed;

    private record Node(CudaKernel kernel, LaunchShape shape, NativeHandle handle, MemorySegment values,
            MemorySegment pointers) {}

    CudaGraph(CudaContext context) {
        super(context, "graph of " + context.name());
        context.makeCurrent();
        this.graph = context.driver().createGraph();
        this.condition = 0;
        this.owner = null;
        context.adopt(this);
    }

    private CudaGraph(CudaGraph owner, WhileNode part) {
        super(owner.context(), "repeated part of a " + owner);
        this.graph = part.body();
        this.condition = part.condition();
        this.owner = owner;
        context().adopt(this);
    }

    /**
     * Adds a part, to be run when what was added before is done, that is run again and again until a kernel of it sets
     * its {@link #condition} to 0. Nothing in the part can be changed once this graph is finished.
     *
     * @return the part, to which kernels are added as to a graph; closed with this graph
     * @throws IllegalStateException                          if the graph has been finished
     * @throws org.trellis.common.BackendUnavailableException if the driver has no such parts
     *                                                        ({@link CudaDriver#hasConditionalNodes})
     * @throws DeviceException                                if the driver refuses
     */
    public CudaGraph addRepeated() {
        requireUnfinished();
        context().makeCurrent();
        WhileNode part = context().driver().addWhile(graph, last, context().handle());
        last = part.node();
        return new CudaGraph(this, part);
    }

    /**
     * Returns what a kernel of a repeated part calls {@code cudaGraphSetConditional} with.
     *
     * @return the handle
     * @throws IllegalStateException if this is not such a part
     */
    public long condition() {
        if (owner == null) {
            throw new IllegalStateException(this + " has no condition, expected a part that is repeated");
        }
        return condition;
    }

    /**
     * Says whether a kernel of a repeated part has been given other arguments since the graph was finished, which it
     * does not have then: the graph has to be made anew.
     *
     * @return true after such an {@link #update(int, KernelLaunch)}
     */
    public boolean isOutdated() {
        return changed;
    }

    /**
     * Adds a kernel, to be run when the one added before is done.
     *
     * @param launch the kernel and its struct, which is copied as it is now
     * @param shape  how many threads
     * @return the number of the kernel in this graph, for {@link #update}
     * @throws IllegalStateException if the graph has been finished
     * @throws DeviceException       if the driver refuses
     */
    public int add(StructLaunch launch, LaunchShape shape) {
        requireUnfinished();
        MemorySegment struct = arena.allocate(launch.block().byteSize(), ALIGNMENT).copyFrom(launch.block());
        MemorySegment pointers = arena.allocate(ValueLayout.JAVA_LONG);
        pointers.set(ValueLayout.JAVA_LONG, 0, struct.address());
        return add(launch.kernel(), shape, struct, pointers);
    }

    /**
     * Adds a kernel, to be run when the one added before is done, and before it the kernel that runs before it, if
     * there is one.
     *
     * @param launch the kernel, its shape and its arguments, which are copied as they are now
     * @return the number of the first kernel in this graph, for {@link #update(int, KernelLaunch)}
     * @throws IllegalStateException if the graph has been finished, or an argument was never set
     * @throws DeviceException       if the driver refuses
     */
    public int add(KernelLaunch launch) {
        requireUnfinished();
        KernelLaunch before = launch.before();
        int first = before == null ? nodes.size() : add(before);
        MemorySegment values = launch.values();
        MemorySegment copy = arena.allocate(values.byteSize(), ALIGNMENT).copyFrom(values);
        MemorySegment pointers = arena.allocate(values.byteSize(), Long.BYTES);
        for (long at = 0; at < values.byteSize(); at += Long.BYTES) {
            pointers.set(ValueLayout.JAVA_LONG, at, copy.address() + at);
        }
        add(launch.kernel(), launch.shape(), copy, pointers);
        return first;
    }

    private void requireUnfinished() {
        requireOpen();
        if (executable != null || (owner != null && owner.executable != null)) {
            throw new IllegalStateException(this + " is finished, expected kernels to be added before");
        }
    }

    /** Adds a kernel whose arguments the caller keeps, and changes by {@link #change}. */
    void add(CudaKernel kernel, LaunchShape shape, MemorySegment pointers) {
        requireUnfinished();
        add(kernel, shape, null, pointers);
    }

    /** Gives a kernel other arguments and another shape, for runs that follow. */
    void change(int number, LaunchShape shape, MemorySegment pointers) {
        Node node = nodes.get(number);
        context().makeCurrent();
        context().driver().updateKernel(executable, node.handle(), node.kernel().function(), shape, pointers);
    }

    private int add(CudaKernel kernel, LaunchShape shape, MemorySegment values, MemorySegment pointers) {
        context().makeCurrent();
        NativeHandle handle = context().driver().addKernel(graph, last, kernel.function(), shape, pointers);
        last = handle;
        nodes.add(new Node(kernel, shape, handle, values, pointers));
        return nodes.size() - 1;
    }

    /**
     * Makes the graph ready to run. No kernels can be added afterwards.
     *
     * @return this graph
     * @throws IllegalStateException if this is a repeated part
     * @throws DeviceException       if the driver refuses
     */
    public CudaGraph finish() {
        requireOpen();
        if (owner != null) {
            throw new IllegalStateException(this + " is finished with the graph that it is a part of");
        }
        context().makeCurrent();
        executable = context().driver().instantiate(graph);
        return this;
    }

    /**
     * Returns the number of kernels.
     *
     * @return how many have been added
     */
    public int size() {
        return nodes.size();
    }

    /**
     * Gives a kernel the struct as it is now, for runs that follow; those that are queued keep theirs. Costs a
     * comparison if nothing has changed.
     *
     * @param number the kernel's number
     * @param launch the launch that it was added with
     * @throws DeviceException if the driver refuses
     */
    public void update(int number, StructLaunch launch) {
        update(nodes.get(number), launch.block());
    }

    /**
     * Gives a kernel the arguments as they are now, for runs that follow; those that are queued keep theirs. Its shape
     * stays as it was when it was added. Costs a comparison if nothing has changed.
     *
     * @param number the number that {@link #add(KernelLaunch)} returned
     * @param launch the launch that it was added with
     * @throws DeviceException if the driver refuses
     */
    public void update(int number, KernelLaunch launch) {
        KernelLaunch before = launch.before();
        if (before != null) {
            update(number, before);
        }
        update(nodes.get(number + launch.launchCount() - 1), launch.values());
    }

    private void update(Node node, MemorySegment values) {
        if (node.values().mismatch(values) < 0) {
            return;
        }
        if (owner != null) {
            changed = true;
        } else {
            node.values().copyFrom(values);
            context().makeCurrent();
            context().driver().updateKernel(executable, node.handle(), node.kernel().function(), node.shape(),
                    node.pointers());
        }
    }

    /**
     * Queues all kernels on the context's own stream.
     *
     * @throws IllegalStateException if the graph has not been finished, or is closed
     * @throws DeviceException       if the driver refuses
     */
    public void run() {
        run(context().stream());
    }

    /**
     * Queues all kernels.
     *
     * @param stream a stream of the same context
     * @throws IllegalStateException if the graph has not been finished, or is closed
     * @throws DeviceException       if the driver refuses
     */
    public void run(CudaStream stream) {
        requireOpen();
        if (executable == null) {
            throw new IllegalStateException(this + " is not finished");
        }
        context().makeCurrent();
        context().driver().launchGraph(executable, stream.handle());
    }

    @Override
    void releaseNative() {
        arena.close();
        if (owner != null) {
            return;
        }
        try {
            if (executable != null) {
                context().driver().destroyExecutable(executable);
            }
        } finally {
            context().driver().destroyGraph(graph);
        }
    }
}
