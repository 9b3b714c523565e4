package org.trellis.cuda.mesh;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Optional;
import org.trellis.backend.PreparedStep;
import org.trellis.common.Checks;
import org.trellis.common.DeviceException;
import org.trellis.cuda.compile.KernelSource;
import org.trellis.cuda.driver.LaunchShape;
import org.trellis.cuda.runtime.CudaBuffer;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaGraph;
import org.trellis.cuda.runtime.CudaKernel;
import org.trellis.cuda.runtime.GraphPart;
import org.trellis.cuda.runtime.StructLaunch;
import org.trellis.mesh.StopCondition;
import org.trellis.mesh.device.PreparedRepetition;

/**
 * Steps as the body of a while node: one launch of a graph for all rounds. A warp that runs after the steps of a round
 * keeps what is recorded, compares scalars with their bounds and sets the node's condition; the host sees nothing of it
 * until all is over.
 */
final class CudaRepetition implements PreparedRepetition {
    private static final int THREADS = 32;
    private static final LaunchShape WARP = LaunchShape.of(1, THREADS);
    private static final long BEGIN_OF_VALUES = 16;
    // The struct of repeat.cu.
    private static final long CONDITION = 0;
    private static final long SCALARS = 8;
    private static final long RECORDED = 16;
    private static final long STATE = 24;
    private static final long BOUNDS = 32;
    private static final long FIRST = 40;
    private static final long COUNT = 44;
    private static final long BOUND_COUNT = 48;
    private static final long MOST = 52;
    private static final long BYTES = 56;

    private final CudaContext context;
    private final StepParts parts;
    /** The number of the first launch of each part in the body. */
    private final int[] launches;
    private final StructLaunch begin;
    private final StructLaunch next;
    private final int count;
    private CudaBuffer state;
    private CudaBuffer bounds;
    private CudaGraph graph;
    private CudaGraph body;
    private boolean closed;

    @SuppressWarnings("MustBeClosed") // closed with this
    private CudaRepetition(CudaContext context, StepParts parts, StopCondition watch, int most) {
        this.context = context;
        this.parts = parts;
        this.launches = new int[parts.all().size()];
        this.count = watch.recorded().components();
        KernelSource source = source();
        CudaKernel beginning = context.kernel(source, "trellisRepeatBegin");
        CudaKernel following = context.kernel(source, "trellisRepeatNext");
        this.begin = beginning.structLaunch(BYTES);
        this.next = following.structLaunch(BYTES);
        try {
            int[] pairs = pairs(watch);
            state = context.zeros(BEGIN_OF_VALUES + (long) most * count * Double.BYTES);
            bounds = context.upload(MemorySegment.ofArray(pairs));
            begin.block().set(ValueLayout.JAVA_LONG, STATE, state.address());
            fill(next.block(), watch, pairs.length / 2);
            make();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    static KernelSource source() {
        return KernelSource.resource(CudaRepetition.class, "repeat.cu").define("THREADS", THREADS);
    }

    /** Repeats steps, unless one cannot be part of a graph, or the host has to pass on what a loop reduces. */
    static Optional<PreparedRepetition> of(CudaContext context, List<PreparedStep> steps, StopCondition watch, int most) {
        StepParts parts = StepParts.of(steps);
        if (!parts.areOfGraphs() || !parts.reduced().isEmpty() || parts.launchCount() == 0) {
            return Optional.empty();
        }
        return Optional.of(new CudaRepetition(context, parts, watch, most));
    }

    /** Numbers of scalars, each followed by that of what it has to be more than. */
    private static int[] pairs(StopCondition watch) {
        int total = watch.bounds().stream().mapToInt(bound -> bound.values().components()).sum();
        int[] pairs = new int[2 * total];
        int at = 0;
        for (StopCondition.Bound bound : watch.bounds()) {
            for (int i = 0; i < bound.values().components(); i++) {
                pairs[at++] = bound.values().first() + i;
                pairs[at++] = bound.floor().first();
            }
        }
        return pairs;
    }

    private void fill(MemorySegment struct, StopCondition watch, int boundCount) {
        struct.set(ValueLayout.JAVA_LONG, SCALARS, LoopMemory.address(watch.recorded().scalars().at(0)));
        struct.set(ValueLayout.JAVA_LONG, RECORDED, state.address() + BEGIN_OF_VALUES);
        struct.set(ValueLayout.JAVA_LONG, STATE, state.address());
        struct.set(ValueLayout.JAVA_LONG, BOUNDS, bounds.address());
        struct.set(ValueLayout.JAVA_INT, FIRST, watch.recorded().first());
        struct.set(ValueLayout.JAVA_INT, COUNT, count);
        struct.set(ValueLayout.JAVA_INT, BOUND_COUNT, boundCount);
    }

    private void make() {
        graph = context.newGraph();
        graph.add(begin, WARP);
        body = graph.addRepeated();
        List<GraphPart> all = parts.all();
        for (int i = 0; i < launches.length; i++) {
            launches[i] = body.size();
            all.get(i).addTo(body);
        }
        next.block().set(ValueLayout.JAVA_LONG, CONDITION, body.condition());
        body.add(next, WARP);
        graph.finish();
    }

    /** Asks a combination for its parts at each run, since that is what refuses to run. */
    @Override
    public void pass(int number) {
        parts.check(number);
        for (int i = parts.first(number); i < parts.first(number + 1); i++) {
            parts.all().get(i).update(body, launches[i]);
        }
    }

    @Override
    public int run(int most, double[] recorded) {
        if (body.isOutdated()) {
            release();
            make();
        }
        begin.block().set(ValueLayout.JAVA_INT, MOST, Checks.positive("rounds of a repetition", most));
        graph.update(0, begin);
        graph.run();
        int[] done = new int[2];
        state.copyTo(MemorySegment.ofArray(done));
        if (done[0] < 1 || done[0] > most) {
            throw new IllegalStateException("the device has run " + done[0] + " rounds of a repetition, expected 1 to "
                    + most);
        }
        state.copyTo(MemorySegment.ofArray(recorded).asSlice(0, (long) done[0] * count * Double.BYTES),
                BEGIN_OF_VALUES);
        return done[0];
    }

    private void release() {
        if (body != null) {
            body.close();
            body = null;
        }
        if (graph != null) {
            graph.close();
            graph = null;
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            release();
        } catch (DeviceException e) {
            closeRest();
            throw e;
        }
        closeRest();
    }

    private void closeRest() {
        begin.close();
        next.close();
        if (state != null) {
            state.close();
        }
        if (bounds != null) {
            bounds.close();
        }
    }
}
