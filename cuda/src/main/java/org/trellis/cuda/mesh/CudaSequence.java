package org.trellis.cuda.mesh;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.trellis.backend.PreparedStep;
import org.trellis.cuda.runtime.CudaContext;
import org.trellis.cuda.runtime.CudaGraph;
import org.trellis.mesh.device.PreparedSequence;

/**
 * Loops and other steps as one CUDA graph, a kernel after the other. Arguments are part of a graph; those with globals
 * are changed where they differ from those of the last run, which costs about a microsecond each. What one loop reduces
 * and a later one reads never leaves the device.
 */
final class CudaSequence implements PreparedSequence {
    private final StepParts parts;
    /** The number of the first launch of each part. */
    private final int[] launches;
    private final CudaGraph graph;
    private final LoopClock clock;

    private CudaSequence(CudaContext context, StepParts parts) {
        this.parts = parts;
        this.launches = new int[parts.all().size()];
        this.graph = context.newGraph();
        for (int i = 0; i < launches.length; i++) {
            launches[i] = graph.size();
            parts.all().get(i).addTo(graph);
        }
        graph.finish();
        this.clock = new LoopClock(context);
    }

    /** Joins steps, unless there is at most one launch, or the host has to pass a loop what another has reduced. */
    static Optional<PreparedSequence> of(CudaContext context, List<PreparedStep> prepared) {
        StepParts parts = StepParts.of(prepared);
        return parts.areOfGraphs() && parts.launchCount() > 1 && parts.readOnDevice()
                ? Optional.of(new CudaSequence(context, parts))
                : Optional.empty();
    }

    /** Asks a combination for its parts at each run, since that is what refuses to run. */
    @Override
    public void pass(int number) {
        parts.check(number);
        for (int i = parts.first(number); i < parts.first(number + 1); i++) {
            parts.all().get(i).update(graph, launches[i]);
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
