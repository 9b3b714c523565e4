package org.trellis.cuda.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.trellis.backend.PreparedStep;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaGraph;
import org.trellis.cuda.runtime.GraphPart;
import org.trellis.mesh.Global;
import org.trellis.mesh.device.PreparedSequence;

/**
 * Loops and other steps as one CUDA graph, a kernel after the other. Arguments are part of a graph; those with globals
 * are changed where they differ from those of the last run, which costs about a microsecond each. What one loop reduces
 * and a later one reads never leaves the device.
 */
final class CudaSequence implements PreparedSequence {
    private final List<GraphPart> parts;
    private final int[] firsts;
    private final CudaGraph graph;
    private final LoopClock clock;

    private CudaSequence(CudaContext context, List<GraphPart> parts) {
        this.parts = parts;
        this.firsts = new int[parts.size()];
        this.graph = context.newGraph();
        for (int i = 0; i < firsts.length; i++) {
            firsts[i] = graph.size();
            parts.get(i).addTo(graph);
        }
        graph.finish();
        this.clock = new LoopClock(context);
    }

    /** Joins steps, unless there is at most one launch, or the host has to pass a loop what another has reduced. */
    static Optional<PreparedSequence> of(CudaContext context, List<PreparedStep> prepared) {
        List<GraphPart> parts = new ArrayList<>();
        List<CudaLoop> loops = new ArrayList<>();
        for (PreparedStep step : prepared) {
            if (!(step instanceof GraphPart part)) {
                return Optional.empty();
            }
            parts.add(part);
            if (part instanceof CudaLoop loop) {
                loops.add(loop);
            }
        }
        int launches = parts.stream().mapToInt(GraphPart::launchCount).sum();
        List<Global> reduced = loops.stream().flatMap(loop -> loop.reduced().stream()).toList();
        boolean onDevice = loops.stream().allMatch(loop -> reduced.stream().allMatch(loop::readsOnDevice));
        return launches > 1 && onDevice ? Optional.of(new CudaSequence(context, parts)) : Optional.empty();
    }

    @Override
    public void pass(int number) {
        parts.get(number).update(graph, firsts[number]);
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
