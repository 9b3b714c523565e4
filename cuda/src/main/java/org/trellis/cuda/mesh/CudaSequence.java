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
    private final List<PreparedStep> steps;
    private final List<GraphPart> parts;
    /** The number of the first launch of each part. */
    private final int[] launches;
    /** The number of the first part of each step, and of all parts. */
    private final int[] firsts;
    private final CudaGraph graph;
    private final LoopClock clock;

    private CudaSequence(CudaContext context, List<PreparedStep> steps, List<GraphPart> parts, int[] firsts) {
        this.steps = steps;
        this.parts = parts;
        this.firsts = firsts;
        this.launches = new int[parts.size()];
        this.graph = context.newGraph();
        for (int i = 0; i < launches.length; i++) {
            launches[i] = graph.size();
            parts.get(i).addTo(graph);
        }
        graph.finish();
        this.clock = new LoopClock(context);
    }

    /** Joins steps, unless there is at most one launch, or the host has to pass a loop what another has reduced. */
    static Optional<PreparedSequence> of(CudaContext context, List<PreparedStep> prepared) {
        List<PreparedStep> flat = new ArrayList<>();
        int[] firsts = new int[prepared.size() + 1];
        for (int i = 0; i < prepared.size(); i++) {
            addParts(prepared.get(i), flat);
            firsts[i + 1] = flat.size();
        }
        if (!flat.stream().allMatch(GraphPart.class::isInstance)) {
            return Optional.empty();
        }
        List<GraphPart> parts = flat.stream().map(GraphPart.class::cast).toList();
        List<CudaLoop> loops = parts.stream().filter(CudaLoop.class::isInstance).map(CudaLoop.class::cast).toList();
        int launches = parts.stream().mapToInt(GraphPart::launchCount).sum();
        List<Global> reduced = loops.stream().flatMap(loop -> loop.reduced().stream()).toList();
        boolean onDevice = loops.stream().allMatch(loop -> reduced.stream().allMatch(loop::readsOnDevice));
        return launches > 1 && onDevice
                ? Optional.of(new CudaSequence(context, prepared, parts, firsts))
                : Optional.empty();
    }

    private static void addParts(PreparedStep step, List<PreparedStep> flat) {
        List<PreparedStep> parts = step.parts();
        if (parts.isEmpty()) {
            flat.add(step);
        } else {
            parts.forEach(part -> addParts(part, flat));
        }
    }

    /** Asks a combination for its parts at each run, since that is what refuses to run. */
    @Override
    public void pass(int number) {
        steps.get(number).parts();
        for (int i = firsts[number]; i < firsts[number + 1]; i++) {
            parts.get(i).update(graph, launches[i]);
        }
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
