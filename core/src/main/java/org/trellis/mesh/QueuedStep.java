package org.trellis.mesh;

import java.util.List;

/**
 * A step that waits to be run.
 *
 * @param step   a loop over a part of its set, or setting a global
 * @param values what a global is set to; empty for a loop
 * @param where  the statement of the program that asked for it; empty if the step does not wait
 */
record QueuedStep(Step step, List<Double> values, String where) {
    /** Stands for the packages of the mesh, whose frames are of no use to a reader. */
    private static final String INSIDE = Mesh.class.getPackageName() + ".";
    private static final StackWalker WALKER = StackWalker.getInstance();

    static QueuedStep of(Step step) {
        return new QueuedStep(step, step instanceof SetStep set ? set.values() : List.of(), "");
    }

    /** Notes a step of the statement that is being executed. */
    static QueuedStep here(Step step) {
        String place = WALKER.walk(frames -> frames.filter(frame -> !frame.getClassName().startsWith(INSIDE)
                || frame.getClassName().endsWith("Test")).findFirst()
                .map(frame -> frame.toStackTraceElement().toString()).orElse("unknown place"));
        return new QueuedStep(step, step instanceof SetStep set ? set.values() : List.of(), place);
    }

    /** What makes two chains the same: loops with their arguments, globals without their values. */
    void addKey(List<Object> key) {
        if (step instanceof LoopStep loop) {
            key.add(loop);
            for (int a = 0; a < loop.loop().declaration().arity(); a++) {
                key.add(loop.loop().declaration().argument(a));
            }
        } else {
            key.add(((SetStep) step).global());
        }
    }
}
