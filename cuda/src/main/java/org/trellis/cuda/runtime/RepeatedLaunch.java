package org.trellis.cuda.runtime;

import java.lang.foreign.MemorySegment;
import org.trellis.common.DeviceException;
import org.trellis.cuda.driver.CudaDriver;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.driver.NativeHandle;

/**
 * Queues one kernel again and again. The driver takes half as long to queue a graph of one node, which it has prepared,
 * as to queue the kernel of that node, but 6 to 60 µs to make the graph. So the kernel is queued by itself at first,
 * and as a graph once it has come often enough that the graph pays.
 *
 * <p>The node has copies of the arguments and is given others only when they differ; launches that are queued keep
 * theirs. Used by one thread at a time; launching allocates nothing once the graph is there.
 */
final class RepeatedLaunch {
    /** A graph saves 2 µs a launch: after so many, as much has been spent as making it costs. */
    static final int LAUNCHES_BEFORE_GRAPH = 10;

    private final CudaKernel kernel;
    private final MemorySegment values;
    private final MemorySegment pointers;
    private int launchesToGraph = LAUNCHES_BEFORE_GRAPH;
    private NativeHandle graph;
    private NativeHandle node;
    private NativeHandle executable;
    private LaunchShape nodeShape;
    private MemorySegment nodeValues;

    /**
     * Prepares nothing yet.
     *
     * @param kernel   the kernel
     * @param values   where its arguments are when it is launched
     * @param pointers their addresses
     */
    RepeatedLaunch(CudaKernel kernel, MemorySegment values, MemorySegment pointers) {
        this.kernel = kernel;
        this.values = values;
        this.pointers = pointers;
    }

    /** Queues the kernel with the arguments as they are now. */
    void run(LaunchShape shape, CudaStream stream) {
        if (executable == null && (--launchesToGraph >= 0 || !kernel.context().driver().hasGraphs())) {
            kernel.run(shape, pointers, stream);
            return;
        }
        kernel.context().makeCurrent();
        try {
            prepare(kernel.context().driver(), shape);
            kernel.context().driver().launchGraph(executable, stream.handle());
        } catch (DeviceException e) {
            throw kernel.refused(shape, "", e);
        }
    }

    private void prepare(CudaDriver driver, LaunchShape shape) {
        if (executable == null) {
            create(driver, shape);
        } else if (nodeValues.mismatch(values) >= 0 || !shape.equals(nodeShape)) {
            driver.updateKernel(executable, node, kernel.function(), shape, pointers);
        } else {
            return;
        }
        nodeValues.copyFrom(values);
        nodeShape = shape;
    }

    private void create(CudaDriver driver, LaunchShape shape) {
        nodeValues = MemorySegment.ofArray(new byte[Math.toIntExact(values.byteSize())]);
        graph = driver.createGraph();
        try {
            node = driver.addKernel(graph, null, kernel.function(), shape, pointers);
            executable = driver.instantiate(graph);
        } finally {
            if (executable == null) {
                driver.destroyGraph(graph);
                graph = null;
            }
        }
    }

    /** Gives the graph back; a launch that is queued still runs. */
    void releaseNative() {
        if (executable == null) {
            return;
        }
        CudaDriver driver = kernel.context().driver();
        try {
            driver.destroyExecutable(executable);
        } finally {
            executable = null;
            driver.destroyGraph(graph);
        }
    }
}
