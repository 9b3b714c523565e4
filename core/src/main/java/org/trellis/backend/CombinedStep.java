package org.trellis.backend;

import com.google.errorprone.annotations.MustBeClosed;
import java.util.ArrayList;
import java.util.List;

/**
 * Prepared steps that are one: they run one after the other. A backend that joins steps joins the steps of which this
 * one consists, so a composition of operators becomes part of a larger whole as its operators would.
 */
public final class CombinedStep implements PreparedStep {
    private final Runnable guard;
    private final List<PreparedStep> steps;
    private final String name;
    private boolean closed;

    private CombinedStep(String name, Runnable guard, List<PreparedStep> steps) {
        this.name = name;
        this.guard = guard;
        this.steps = steps;
    }

    /** Makes one of the steps of a combination. */
    @FunctionalInterface
    public interface Maker {
        /**
         * Makes a step.
         *
         * @return the step, which the combination closes
         */
        @MustBeClosed
        PreparedStep make();
    }

    /**
     * Combines steps. If one cannot be made, those before it are closed.
     *
     * @param name   for messages
     * @param guard  objects, by throwing, if what the steps stand for may not run any more; called before each run
     * @param makers make the steps, in their order
     * @return the combination, which closes its steps with itself
     */
    @MustBeClosed
    public static CombinedStep of(String name, Runnable guard, Maker... makers) {
        return of(name, guard, List.of(makers));
    }

    /**
     * Combines steps. If one cannot be made, those before it are closed.
     *
     * @param name   for messages
     * @param guard  objects, by throwing, if what the steps stand for may not run any more; called before each run
     * @param makers make the steps, in their order
     * @return the combination, which closes its steps with itself
     */
    @MustBeClosed
    @SuppressWarnings("MustBeClosed") // closed here or with the combination
    public static CombinedStep of(String name, Runnable guard, List<Maker> makers) {
        List<PreparedStep> steps = new ArrayList<>();
        try {
            for (Maker maker : makers) {
                steps.add(maker.make());
            }
        } catch (RuntimeException | Error e) {
            steps.forEach(PreparedStep::close);
            throw e;
        }
        return new CombinedStep(name, guard, List.copyOf(steps));
    }

    /**
     * Checks that this is open and no guard objects, neither this one's nor one of a combination in it.
     *
     * @throws IllegalStateException if this is closed
     */
    @Override
    public List<PreparedStep> parts() {
        if (closed) {
            throw new IllegalStateException("the " + name + " is closed");
        }
        guard.run();
        for (int i = 0; i < steps.size(); i++) {
            steps.get(i).parts();
        }
        return steps;
    }

    @Override
    public void run() {
        List<PreparedStep> now = parts();
        for (int i = 0; i < now.size(); i++) {
            now.get(i).run();
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            steps.forEach(PreparedStep::close);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
