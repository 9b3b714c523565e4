package org.trellis.mesh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.trellis.common.Checks;
import org.trellis.mesh.loop.SequenceReport;

/**
 * Steps that are run one after the other again and again, such as a step in time or an iteration of a solver: loops,
 * products and other work of the backend, values that globals are set to in between, calls of the program. Running it
 * is the same as running its steps. A backend that can give its device all steps at once, rather than one by one (a
 * CUDA graph), does so from the third run on, so that steps over few elements are not bound by the time that a launch
 * takes. Calls of the program ({@link CallStep}) cut a sequence into several such graphs.
 *
 * <p>The first two runs go step by step, and so do the first two after times have been reset: the times of the loops in
 * {@link Mesh#report()} come from there, since a device takes no times inside of what runs as a whole. The first run
 * after loops have changed (parameters, layouts, numberings) goes step by step, too. The sequence has a line of its own
 * in the report.
 */
public final class LoopSequence implements AutoCloseable {
    private final Mesh mesh;
    private final String name;
    private final List<Step> steps;
    private final int rings;
    private final boolean tunesRings;
    private final SequenceHandle handle;
    private final Runnable all = this::runSteps;
    private WorkStep one;
    private boolean joining = true;
    private boolean closed;
    private long runs;
    private long runsApart;
    private long nanoseconds;

    private LoopSequence(Builder builder) {
        this.mesh = builder.mesh;
        this.name = builder.name;
        this.steps = List.copyOf(builder.steps);
        this.rings = builder.rings;
        this.tunesRings = builder.tunesRings;
        this.handle = mesh.division().ranked() ? new SequenceOnRanks(mesh, this) : new WholeSequence(mesh, this);
    }

    /** Says what a sequence consists of, in order. */
    public static final class Builder {
        private final Mesh mesh;
        private final String name;
        private final List<Step> steps = new ArrayList<>();
        private int rings;
        private boolean tunesRings;

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
            return run(loop.step());
        }

        /**
         * Adds a step. It may be added several times.
         *
         * @param step a loop or global of the mesh, work of its backend, or a call
         * @return this
         * @throws IllegalArgumentException if a loop or global is another mesh's
         */
        public Builder run(Step step) {
            switch (step) {
                case LoopStep loop -> requireOwn(loop.loop().declaration().toString(),
                        loop.loop().declaration().set().mesh());
                case SetStep set -> {
                    return set(set.global(), set.values().stream().mapToDouble(Double::doubleValue).toArray());
                }
                case WorkStep done -> {
                    String what = "step '" + done.name() + "' of sequence '" + name + "'";
                    mesh.running().requireSeen(what);
                }
                case CallStep call -> {}
            }
            steps.add(step);
            return this;
        }

        /**
         * Lets a mesh over ranks exchange once, for as many loops as so many rings of other ranks' elements serve,
         * instead of before each loop that needs something: loops run elements of others redundantly so far as those
         * after them need it. Without meaning on one rank. Declare the sequence before the mesh is divided.
         *
         * @param wanted how many rings, at least 1
         * @return this
         * @throws IllegalArgumentException if the number is less than 1
         */
        public Builder rings(int wanted) {
            rings = Checks.positive("number of rings of sequence '" + name + "'", wanted);
            tunesRings = false;
            return this;
        }

        /**
         * Lets a mesh over ranks find out by its own runs how many {@link #rings} are the fastest: numbers from one up
         * to a most that save an exchange take turns, each of a few runs, until times of the slowest rank decide.
         * Results are the same all the time.
         *
         * @param most the most rings, at least 1; the mesh is divided with as many
         * @return this
         * @throws IllegalArgumentException if the number is less than 1
         */
        public Builder tunedRings(int most) {
            rings(most);
            tunesRings = true;
            return this;
        }

        @SuppressWarnings("ReferenceEquality") // a mesh is what it is
        private void requireOwn(String what, Mesh owner) {
            if (owner != mesh) {
                throw new IllegalArgumentException("sequence '" + name + "' with " + what
                        + " of another mesh, expected loops of one mesh");
            }
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
            steps.add(new SetStep(global, DoubleStream.of(values).boxed().toList()));
            return this;
        }

        /**
         * Makes the sequence.
         *
         * @return a sequence that the mesh knows, and closes with its loops
         * @throws IllegalArgumentException if it has neither a loop nor other work
         */
        public LoopSequence build() {
            LoopSequence sequence = new LoopSequence(this);
            if (sequence.size() == 0) {
                throw new IllegalArgumentException("sequence '" + name + "' has no loop, expected at least one");
            }
            mesh.running().add(sequence);
            return sequence;
        }
    }

    /**
     * Returns what is run.
     *
     * @return the steps in order
     */
    public List<Step> steps() {
        return steps;
    }

    /**
     * Returns the loops, for those who tune or count them.
     *
     * @return each loop and how often a run of the sequence runs it, on whatever part of its set; in the order in which
     *         they are run first
     */
    public Map<ParallelLoop, Integer> loops() {
        Map<ParallelLoop, Integer> runs = new LinkedHashMap<>();
        for (Step step : steps) {
            if (step instanceof LoopStep loop) {
                runs.merge(loop.loop(), 1, Integer::sum);
            }
        }
        return Collections.unmodifiableMap(runs);
    }

    /**
     * Returns how many rings of other ranks' elements the sequence may use.
     *
     * @return 0 if each loop is to have its own exchange
     */
    public int rings() {
        return rings;
    }

    /**
     * Says whether a mesh over ranks finds out how many of the {@link #rings} to use.
     *
     * @return whether it was asked to
     */
    public boolean tunesRings() {
        return tunesRings;
    }

    /**
     * Lets steps be given to the device as a whole or not; from the beginning they are.
     *
     * @param wanted false to run them one after the other
     * @return this sequence
     */
    public LoopSequence joining(boolean wanted) {
        joining = wanted;
        return this;
    }

    /**
     * Says whether steps may be given to the device as a whole.
     *
     * @return what {@link #joining} has said last
     */
    public boolean joins() {
        return joining;
    }

    /**
     * Says whether the next run gives the device several steps at once.
     *
     * @return false for the first two runs, or the first one without loops, after a change, and where the backend gains
     *         nothing by it
     */
    public boolean isJoined() {
        return handle.isJoined();
    }

    /** Returns the number of loops and other work. */
    private int size() {
        return (int) steps.stream().filter(step -> step instanceof LoopStep || step instanceof WorkStep).count();
    }

    /**
     * Runs all steps, loops on their parts of sets. Allocates nothing once the loops have been prepared and joined.
     *
     * @throws IllegalStateException if the mesh or the sequence is closed
     */
    public void run() {
        if (closed) {
            throw new IllegalStateException(this + " is closed");
        }
        mesh.running().passage().run(this);
    }

    /** Returns the whole sequence as a step of a mesh on whose data a solver works with this one. */
    WorkStep asOne() {
        if (one == null) {
            one = WorkStep.of(name, all::run, steps);
        }
        return one;
    }

    /** Runs all steps, which have passed a gate as one. */
    void runPassed() {
        mesh.running().passed(all);
    }

    /** Runs all steps. */
    void runSteps() {
        long start = System.nanoTime();
        boolean together = !mesh.running().takes(this) && handle.run();
        nanoseconds += System.nanoTime() - start;
        runs++;
        if (!together) {
            runsApart++;
            handle.prepare();
        }
    }

    /**
     * Returns the time of the runs since times were reset.
     *
     * @return seconds: those of the device's clock for runs that it was given as a whole, or else wall time
     */
    public double seconds() {
        OptionalDouble device = handle.deviceSeconds();
        return device.isPresent() && runs > runsApart ? device.getAsDouble() * runs : nanoseconds * 1e-9;
    }

    /**
     * Reports how often and how fast the sequence has run.
     *
     * @return its line of {@link Mesh#report()}
     */
    public SequenceReport report() {
        return new SequenceReport(name, size(), runs, runs - runsApart, seconds(),
                handle.deviceFigures());
    }

    /** Forgets the times of past runs. The next two runs go step by step, and time the loops. */
    void resetTimes() {
        runs = 0;
        runsApart = 0;
        nanoseconds = 0;
        handle.resetTimes();
    }

    /** Finds a step that a backend has bound to the memory of a dat, which nothing here can bind to other memory. */
    Optional<WorkStep> workOn(Dat dat) {
        return steps.stream().filter(WorkStep.class::isInstance).map(WorkStep.class::cast)
                .filter(step -> step.data().stream().anyMatch(data -> dat.isBehind(data.data()))).findFirst();
    }

    boolean runs(ParallelLoop loop) {
        return steps.stream().anyMatch(step -> step instanceof LoopStep own && own.loop().equals(loop));
    }

    /**
     * Releases what the device has been given; the mesh and its reports forget the sequence, but not its loops.
     * Idempotent. Without it, the sequence is closed with its mesh.
     */
    @Override
    public void close() {
        if (!closed) {
            mesh.running().forget(this);
            closed = true;
            release();
        }
    }

    void release() {
        handle.release();
    }

    @Override
    public String toString() {
        return "sequence '" + name + "' of " + steps.size() + " steps";
    }
}
