package org.trellis.cuda.runtime;

import java.util.List;
import org.trellis.backend.PreparedStep;

/** Launches one after the other, with operands that stay the same; they run alone or in a graph. */
public final class LaunchSequence implements PreparedStep, GraphPart {
    private final KernelLaunch[] launches;
    private final Runnable guard;
    private final CudaVector[] operands;
    private boolean closed;

    /**
     * Creates a step.
     *
     * @param launches with all their arguments; closed with this
     * @param guard    objects if what they use is closed
     * @param operands the vectors that they use
     */
    public LaunchSequence(List<KernelLaunch> launches, Runnable guard, CudaVector... operands) {
        this.launches = launches.toArray(new KernelLaunch[0]);
        this.guard = guard;
        this.operands = operands;
    }

    private void check() {
        if (closed) {
            throw new IllegalStateException("a bound step is closed");
        }
        guard.run();
        for (CudaVector operand : operands) {
            // Refuses a vector that is closed or stale.
            operand.address();
        }
    }

    @Override
    public void run() {
        check();
        for (KernelLaunch launch : launches) {
            launch.run();
        }
    }

    @Override
    public void addTo(CudaGraph graph) {
        check();
        for (KernelLaunch launch : launches) {
            graph.add(launch);
        }
    }

    @Override
    public void update(CudaGraph graph, int first) {
        check();
        for (int i = 0; i < launches.length; i++) {
            graph.update(first + i, launches[i]);
        }
    }

    @Override
    public int launchCount() {
        return launches.length;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            for (KernelLaunch launch : launches) {
                launch.close();
            }
        }
    }
}
