package org.trellis.solve.smooth;

import java.util.ArrayList;
import java.util.List;
import org.trellis.backend.PreparedStep;

/** Steps that are made one after the other and closed together, also when making one of them fails. */
final class SmootherSteps implements PreparedStep {
    private final List<PreparedStep> steps = new ArrayList<>();

    private Runnable guard = () -> {};

    /** Lets something object each time before these run together. */
    SmootherSteps guardedBy(Runnable check) {
        guard = check;
        return this;
    }

    SmootherSteps add(PreparedStep step) {
        steps.add(step);
        return this;
    }

    List<PreparedStep> list() {
        return List.copyOf(steps);
    }

    @Override
    public void run() {
        guard.run();
        for (int i = 0; i < steps.size(); i++) {
            steps.get(i).run();
        }
    }

    @Override
    public void close() {
        steps.forEach(PreparedStep::close);
    }
}
