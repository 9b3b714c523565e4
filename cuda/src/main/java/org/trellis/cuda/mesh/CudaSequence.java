package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaGraph;
import org.trellis.mesh.Global;
import org.trellis.mesh.PreparedLoop;
import org.trellis.mesh.PreparedSequence;

/**
 * Loops as one CUDA graph, a kernel after the other. Arguments are part of a graph; those with globals are changed
 * where they differ from those of the last run, which costs about a microsecond each. What one loop reduces and a
 * later one reads never leaves the device.
 */
final class CudaSequence implements PreparedSequence {
    private final List<CudaLoop> loops;
    private final int[] firsts;
    private final CudaGraph graph;
    private final LoopClock clock;

    private CudaSequence(CudaContext context, List<CudaLoop> loops) {
        this.loops = loops;
        this.firsts = new int[loops.size()];
        this.graph = context.newGraph();
        for (int i = 0; i < firsts.length; i++) {
            firsts[i] = graph.size();
            loops.get(i).addTo(graph);
        }
        graph.finish();
        this.clock = new LoopClock(context);
    }

    /** Joins loops, unless there is at most one launch, or the host has to pass a loop what another has reduced. */
    static Optional<PreparedSequence> of(CudaContext context, List<PreparedLoop> prepared) {
        List<CudaLoop> loops = new ArrayList<>();
        for (PreparedLoop loop : prepared) {
            if (!(loop instanceof CudaLoop own)) {
                throw new IllegalArgumentException(loop + " is not a loop of the cuda backend");
            }
            loops.add(own);
        }
        int launches = loops.stream().mapToInt(CudaLoop::launchCount).sum();
        List<Global> reduced = loops.stream().flatMap(loop -> loop.reduced().stream()).toList();
        boolean onDevice = loops.stream().allMatch(loop -> reduced.stream().allMatch(loop::readsOnDevice));
        return launches > 1 && onDevice ? Optional.of(new CudaSequence(context, loops)) : Optional.empty();
    }

    @Override
    public void pass(int number) {
        loops.get(number).pass(graph, firsts[number]);
    }

    @Override
    public void run() {
        clock.begin();
        graph.run();
        clock.end();
    }

    @Override
    public OptionalDouble deviceSeconds() {
        return clock.mean();
    }

    @Override
    public void resetTimes() {
        clock.reset();
    }

    @Override
    public Map<String, String> deviceFigures() {
        return Map.of("kernels", Integer.toString(graph.size()));
    }

    @Override
    public void close() {
        if (graph.isOpen()) {
            graph.close();
            clock.close();
        }
    }
}
