package org.trellis.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Loops that are run one after the other again and again, such as a step in time, and values that globals are set to in
 * between. Running it is the same as running its loops. A backend that can tell its device once what to do, rather than
 * loop by loop (a CUDA graph), does so from the third run on, so that loops over few elements are not bound by the
 * time that a launch takes.
 *
 * <p>The first two runs go loop by loop, and so do the first two after times have been reset: the times of the loops in
 * {@link Mesh#report()} come from there, since a device takes no times inside of what runs as a whole. The first run
 * after loops have changed (parameters, layouts, numberings) goes loop by loop, too. The sequence has a line of its own
 * in the report.
 */
public final class LoopSequence {
    /** Runs that time the loops, the first of which is often too slow. */
    private static final int RUNS_APART = 2;

    private final Mesh mesh;
    private final String name;
    private final List<Step> steps;
    private final List<ParallelLoop> loops;
    private final PreparedLoop[] bound;
    private boolean joining = true;
    private int apart = RUNS_APART;
    private Optional<PreparedSequence> joined = Optional.empty();
    private long runs;
    private long runsApart;
    private long nanoseconds;

    /** A loop to run, or, without one, a global to set. */
    private record Step(ParallelLoop loop, Global global, double[] values) {}

    private LoopSequence(Builder builder) {
        this.mesh = builder.mesh;
        this.name = builder.name;
        this.steps = List.copyOf(builder.steps);
        this.loops = steps.stream().map(Step::loop).filter(Objects::nonNull).toList();
        this.bound = new PreparedLoop[loops.size()];
    }

    /** Says what a sequence consists of, in order. */
    public static final class Builder {
        private final Mesh mesh;
        private final String name;
        private final List<Step> steps = new ArrayList<>();

        Builder(Mesh mesh, String name) {
            this.mesh = mesh;
            this.name = name;
        }

        /**
         * Adds a loop. It may be added several times.
         *
         * @param loop a loop of the mesh
         * @return this
         * @throws IllegalArgumentException if the loop is another mesh's
         */
        public Builder run(ParallelLoop loop) {
            if (loop.declaration().set().mesh() != mesh) {
                throw new IllegalArgumentException("sequence '" + name + "' with " + loop.declaration()
                        + " of another mesh, expected loops of one mesh");
            }
            steps.add(new Step(loop, null, null));
            return this;
        }

        /**
         * Adds setting a global, as before a sum.
         *
         * @param global a global of the mesh
         * @param values its components
         * @return this
         * @throws IllegalArgumentException if the global is another mesh's or has another number of components
         */
        public Builder set(Global global, double... values) {
            if (global.mesh() != mesh || values.length != global.components()) {
                throw new IllegalArgumentException("sequence '" + name + "' sets global '" + global.name() + "' of "
                        + global.components() + " components to " + Arrays.toString(values)
                        + ", expected a global of the same mesh and as many values");
            }
            steps.add(new Step(null, global, values.clone()));
            return this;
        }

        /**
         * Makes the sequence.
         *
         * @return a sequence that the mesh knows, and closes with its loops
         * @throws IllegalArgumentException if it has no loop
         */
        public LoopSequence build() {
            LoopSequence sequence = new LoopSequence(this);
            if (sequence.loops.isEmpty()) {
                throw new IllegalArgumentException("sequence '" + name + "' has no loop, expected at least one");
            }
            mesh.add(sequence);
            return sequence;
        }
    }

    /**
     * Lets loops be told to the device as a whole or not; from the beginning they are.
     *
     * @param wanted false to run them one after the other
     * @return this sequence
     */
    public LoopSequence joining(boolean wanted) {
        joining = wanted;
        return this;
    }

    /**
     * Says whether the next run tells the device all loops at once.
     *
     * @return false for the first two runs, after a change, and where the backend gains nothing by it
     */
    public boolean isJoined() {
        return joining && apart == 0 && joined.isPresent() && isCurrent();
    }

    /**
     * Runs all loops, each on all elements of its set, and sets globals in between. Allocates nothing once the loops
     * have been prepared and joined.
     *
     * @throws IllegalStateException if the mesh is closed
     */
    public void run() {
        if (isJoined()) {
            long start = System.nanoTime();
            runJoined(joined.get());
            nanoseconds += System.nanoTime() - start;
        } else {
            runApart();
        }
        runs++;
    }

    private void runJoined(PreparedSequence sequence) {
        int number = 0;
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step.loop() == null) {
                step.global().set(step.values());
            } else {
                sequence.pass(number++);
                step.loop().countRun();
            }
        }
        sequence.run();
    }

    private void runApart() {
        long start = System.nanoTime();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            if (step.loop() == null) {
                step.global().set(step.values());
            } else {
                step.loop().run();
            }
        }
        runsApart++;
        nanoseconds += System.nanoTime() - start;
        if (joining) {
            join();
        }
    }

    private void join() {
        if (apart > 0) {
            apart--;
        }
        if (apart > 0) {
            return;
        }
        if (!isCurrent()) {
            release();
            for (int i = 0; i < bound.length; i++) {
                bound[i] = loops.get(i).current();
            }
            if (isCurrent()) {
                joined = mesh.kernels().join(List.copyOf(Arrays.asList(bound)));
            }
        }
    }

    /** Says whether the loops are prepared, and those that were asked to be joined. */
    @SuppressWarnings("ReferenceEquality") // a loop that was prepared anew is another
    private boolean isCurrent() {
        for (int i = 0; i < bound.length; i++) {
            if (bound[i] == null || loops.get(i).current() != bound[i]) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the time of the runs since times were reset.
     *
     * @return seconds: those of the device's clock for runs that it was told as a whole, or else wall time
     */
    public double seconds() {
        OptionalDouble device = joined.isPresent() ? joined.get().deviceSeconds() : OptionalDouble.empty();
        return device.isPresent() && runs > runsApart ? device.getAsDouble() * runs : nanoseconds * 1e-9;
    }

    /**
     * Reports how often and how fast the sequence has run.
     *
     * @return its line of {@link Mesh#report()}
     */
    public SequenceReport report() {
        return new SequenceReport(name, loops.size(), runs, runs - runsApart, seconds(),
                joined.isPresent() ? joined.get().deviceFigures() : Map.of());
    }

    /** Forgets the times of past runs. The next two runs go loop by loop, and time the loops. */
    void resetTimes() {
        runs = 0;
        runsApart = 0;
        nanoseconds = 0;
        apart = RUNS_APART;
        joined.ifPresent(PreparedSequence::resetTimes);
    }

    void release() {
        joined.ifPresent(PreparedSequence::close);
        joined = Optional.empty();
        Arrays.fill(bound, null);
    }

    @Override
    public String toString() {
        return "sequence '" + name + "' of " + loops.size() + " loops";
    }
}
